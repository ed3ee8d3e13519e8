@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock @needs:restart @needs:provisioning
Feature: A queue manager that leaves its domain (6.6.2, 6.6.2.2)

  Background:
    Given queue managers with a directory and the queues
      | machine | mode       | queue | kind    |
      | admin   | integrated | notes | private |
      | host    | integrated | stock | public  |
      | host    | integrated | acks  | private |

  @needs:management
  @req:MQSO-6.6.2.2-01 @req:MQSO-6.6.2-05
  Scenario: It is in Workgroup mode
    When host leaves its domain and is restarted
    And an administrator asks host for its state
    Then host is shown in workgroup mode

  @req:MQSO-6.6.2.2-01 @req:MQSO-4.3.1.3-02
  Scenario: It finds no public queue and creates none
    When host leaves its domain and is restarted
    And host looks for stock in the directory
    And host creates public queue prices at host
    Then host did not find stock at host
    And the creation of host failed

  @req:MQSO-6.6.2.2-01
  Scenario: It is in Workgroup mode after another start as well
    When host leaves its domain and is restarted
    And queue manager host is restarted
    And host looks for stock in the directory
    Then host did not find stock at host

  @req:MQSO-6.6.2.2-01
  Scenario: Private queues and direct names work as before
    When machine host sends m1 to acks, recoverable
    And host leaves its domain and is restarted
    And machine host sends m2 to acks, recoverable
    And machine host sends m3 to notes at admin, recoverable
    And 6 hours pass everywhere
    Then acks at host holds m1 and m2, in this order
    And notes at admin holds m3

  @req:MQSO-6.6.2.2-02
  Scenario: It removes nothing from the directory
    When host leaves its domain and is restarted
    And 6 hours pass everywhere
    And admin looks for stock in the directory
    Then admin found stock at host
