@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock @needs:restart @needs:provisioning
Feature: A directory object of another queue manager (5.5.6)

  Background:
    Given queue managers with a directory and the queues
      | machine | mode       | queue | kind    |
      | admin   | integrated | none  | private |
      | host    | integrated | stock | public  |

  @needs:management
  @req:MQSO-5.5.6-03
  Scenario: The queue manager says that it has no directory
    When the directory has another object for admin and that is restarted
    And an administrator asks admin for its state
    Then admin is shown without directory

  @req:MQSO-5.5.6-03
  Scenario: The queue manager finds nothing in the directory
    When the directory has another object for admin and that is restarted
    And 6 hours pass everywhere
    And admin looks for stock in the directory
    Then the look of admin failed

  @req:MQSO-5.5.4-09
  Scenario: A queue manager whose object is its own works by the directory after a start
    When queue manager admin is restarted
    And admin looks for stock in the directory
    Then admin found stock at host
