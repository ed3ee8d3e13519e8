@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock @needs:restart @needs:provisioning
Feature: A machine moved to another domain (6.6.2, 6.6.2.1)

  Background:
    Given queue managers of domains
      | machine | domain | roles | provisioned |
      | admin   | north  | plain | yes         |
      | host    | north  | plain | yes         |

  @req:MQSO-6.6.2-06 @req:MQSO-6.6.2-02 @req:MQSO-6.6.2.1-01 @req:MQSO-6.6.2.1-02 @req:MQSO-6.6.2.1-08
  Scenario: The new domain gets an object where that of the old one is another's
    When the directory gets another's object of host in north
    And host is moved to domain south and restarted
    And host creates public queue prices at host
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the directory has an object of host in south

  @req:MQSO-6.6.2.1-08 @req:MQSO-6.6.2.1-09
  Scenario: The identifier is that of the object which the new domain got
    When the directory gets another's object of host in north
    And host is moved to domain south and restarted
    And host creates public queue prices at host
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then host has the identifier of its object in south

  @req:MQSO-6.6.2.1-07 @req:MQSO-6.6.2.1-02
  Scenario: An object of the old domain that is its own is moved, or waits to be moved
    When an administrator looks at the objects of queue managers
    And host is moved to domain south and restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in south is its object in north, or north still has it

  @req:MQSO-6.6.2.1-04
  Scenario: An object that the new domain has already is left as it is
    When the directory gets an object of host in south
    And an administrator looks at the objects of queue managers
    And host is moved to domain south and restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in south is unchanged
    And host has the identifier of its object in south

  @needs:management
  @req:MQSO-6.6.2.1-05
  Scenario: The queue manager is without directory where the new domain has another's object of its name
    When the directory gets another's object of host in south
    And host is moved to domain south and restarted
    And an administrator asks host for its state
    Then host is shown without directory

  @req:MQSO-6.6.2.1-05 @req:MQSO-6.6.2.1-02
  Scenario: Another's object of its name in the new domain is left as it is
    When the directory gets another's object of host in south
    And an administrator looks at the objects of queue managers
    And host is moved to domain south and restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in south is unchanged

  @req:MQSO-6.6.2.1-03
  Scenario: An object that could not be looked for is not taken for one that is not there
    When the directory gets an object of host in south
    And an administrator looks at the objects of queue managers
    And the directory is lost for host
    And host is moved to domain south and restarted
    And the directory is back for host
    And queue manager host is restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in south is unchanged
    And host has the identifier of its object in south

  @req:MQSO-6.6.2-03
  Scenario: After the change another start changes nothing more
    When the directory gets another's object of host in north
    And host is moved to domain south and restarted
    And host creates public queue prices at host
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    And queue manager host is restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in south is unchanged
    And the directory has an object of host in north

  @req:MQSO-6.6.2.2-02
  Scenario: A queue manager that left its domain and is in another one has its old object still
    When an administrator looks at the objects of queue managers
    And host leaves its domain and is restarted
    And host is moved to domain south and restarted
    And 6 hours pass everywhere
    And an administrator looks at the objects of queue managers
    Then the object of host in north is unchanged

  @req:MQSO-6.6.2.2-02 @req:MQSO-5.5.1-02
  Scenario: A queue manager that left its domain has its identifier still
    When host leaves its domain and is restarted
    And queue manager host is restarted
    And an administrator looks at the objects of queue managers
    Then host has the identifier of its object in north

  @needs:transactions
  @req:MQSO-5.5.1-03 @req:MQSO-5.5.1-02
  Scenario: What waits for other machines outlives a move to another domain
    Given public queues transactional bills at admin
    When the network between host and admin fails
    And machine host sends m1 to bills at admin in a transaction
    And host is moved to domain south and restarted
    And the network between host and admin is back
    And 6 hours pass everywhere
    Then the specification explains what all machines hold
