@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock @needs:provisioning
Feature: Provisioning of queue managers in a domain (6.6.1, 6.6.2, 5.1.2)

  Background:
    Given queue managers of domains
      | machine | domain | roles                        | provisioned |
      | plain   | domain | plain                        | yes         |
      | router  | domain | routing server               | yes         |
      | server  | domain | directory server             | yes         |
      | both    | domain | server of both kinds         | yes         |
      | typed   | domain | plain, of directory type PSC | yes         |
      | late    | domain | routing server               | no          |

  @req:MQSO-6.6.2-04 @req:MQSO-6.6.2.1-01 @req:MQSO-6.6.2.1-08 @req:MQSO-5.1.2-01
  Scenario: The directory has an object of a queue manager, and none of one that is still to be provisioned
    When an administrator looks at the objects of queue managers
    Then the directory has an object of plain in domain
    And the directory has no object of late in domain

  @req:MQSO-6.6.2-04 @req:MQSO-6.6.2.1-01 @req:MQSO-6.6.2.1-08 @req:MQSO-6.6.1-10 @req:MQSO-5.1.2-01
  Scenario: A queue manager that is provisioned later has an object then
    When late is provisioned
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the provisioning of late succeeded
    And the directory has an object of late in domain

  @req:MQSO-6.6.2.1-09
  Scenario: The identifier of a queue manager is that of its object
    When late is provisioned
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then late has the identifier of its object in domain

  @req:MQSO-6.6.1-04
  Scenario: Each queue manager has an identifier of its own
    When late is provisioned
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then all objects of queue managers have identifiers of their own

  @req:MQSO-6.6.1-07
  Scenario Outline: The directory says what a queue manager was provisioned as
    When an administrator looks at the objects of queue managers
    Then the directory has <machine> as a <roles>

    Examples:
      | case   | machine | roles                |
      | plain  | plain   | plain                |
      | router | router  | routing server       |
      | server | server  | directory server     |
      | both   | both    | server of both kinds |

  @req:MQSO-6.6.1-02
  Scenario: A type of directory server makes no directory server
    When an administrator looks at the objects of queue managers
    Then the directory has typed as a plain

  @needs:restart
  @req:MQSO-6.6.2-03
  Scenario: Another start in the same domain changes nothing in the directory
    When an administrator looks at the objects of queue managers
    And queue manager plain is restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of plain in domain is unchanged
    And plain has the identifier of its object in domain

  @needs:restart
  @req:MQSO-6.6.1-09 @req:MQSO-6.6.1-10
  Scenario: Provisioning that failed for want of the directory works once that is back
    When the directory is lost for late
    And late is provisioned
    And the directory is back for late
    And late is provisioned again, or restarted where it runs
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the provisioning of late succeeded
    And the directory has an object of late in domain

  @req:MQSO-6.6.2.1-05
  Scenario: Provisioning leaves an object alone that the directory has of another queue manager of that name
    When the directory gets another's object of late in domain
    And an administrator looks at the objects of queue managers
    And late is provisioned
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of late in domain is unchanged

  @needs:restart
  @req:MQSO-6.6.2.1-07 @req:MQSO-6.6.1-07
  Scenario: The object of a queue manager that is in another domain says what it was provisioned as
    When router is moved to domain south and restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the specification explains what all machines hold
