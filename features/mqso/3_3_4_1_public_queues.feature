@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock
Feature: Public queues, through any queue manager of the directory (3.3.4.1, 5.1.1.2)

  When a host takes a change over that another queue manager has made in the directory is left open; after six hours
  without hindrance it has.

  Background:
    Given queue managers with a directory and the queues
      | machine | mode       | queue | kind    |
      | admin   | integrated | none  | private |
      | host    | integrated | stock | public  |
      | host    | integrated | notes | private |

  @req:MQSO-5.1.1.2-03 @req:MQSO-3.3.4.1-09 @req:MQSO-4.3.1.3-03
  Scenario: A public queue can be found through another queue manager
    When 6 hours pass everywhere
    And admin looks for stock in the directory
    Then admin found stock at host

  @needs:restart @req:MQSO-5.1.1.2-03 @req:MQSO-3.3.4.1-09
  Scenario: A public queue can be found while its machine is down
    When 6 hours pass everywhere
    And queue manager host crashes
    And admin looks for stock in the directory
    Then admin found stock at host

  @req:MQSO-3.3.4.1-08 @req:MQSO-3.3.4.1-09 @req:MQSO-5.1.2-02
  Scenario: A public queue that was created through another queue manager can be found
    When admin creates public queue prices at host
    And 6 hours pass everywhere
    And host looks for prices in the directory
    Then the creation of admin succeeded
    And host found prices at host

  @req:MQSO-3.3.4.1-10 @req:MQSO-3.3.4.1-11 @req:MQSO-3.3.4.1-08 @req:MQSO-5.1.2-03
  Scenario: A public queue that was created through another queue manager can be used at its host
    When admin creates public queue prices at host
    And 6 hours pass everywhere
    And machine host sends m1 to prices
    Then the creation of admin succeeded
    And prices at host holds m1

  @req:MQSO-4.3.1.3-03 @req:MQSO-3.3.4.5-02
  Scenario: A message goes to a public queue by its name in the directory
    When machine admin sends m1 to public queue stock at host, recoverable
    And 6 hours pass everywhere
    Then stock at host holds m1

  @req:MQSO-5.1.1.2-04
  Scenario: A private queue is not published
    When 6 hours pass everywhere
    And admin looks for notes in the directory
    Then admin did not find notes at host

  @req:MQSO-5.1.1.2-04
  Scenario: Direct names lead to public and private queues alike
    When machine admin sends m1 to stock at host, recoverable
    And machine admin sends m2 to notes at host, recoverable
    And 6 hours pass everywhere
    Then stock at host holds m1
    And notes at host holds m2

  @req:MQSO-3.3.4.1-09 @req:MQSO-3.3.4.1-05
  Scenario: What a host changes of its own public queue is in the directory
    When host gives public queue stock at host room for 2 messages
    And 6 hours pass everywhere
    And admin looks for stock in the directory
    Then the change of host succeeded
    And admin found stock at host with room for 2 messages

  @req:MQSO-3.3.4.1-11 @req:MQSO-5.1.1.3-11
  Scenario: A change of a public queue leaves its messages where they are
    When machine host sends m1 and m2 to stock, recoverable
    And admin gives public queue stock at host room for 3 messages
    And 6 hours pass everywhere
    Then stock at host holds m1 and m2

  @req:MQSO-5.5.2-03
  Scenario: An outage keeps no host from learning of a change
    When the network between admin and host fails
    And admin gives public queue stock at host room for 2 messages
    And 6 hours pass everywhere
    And the network between admin and host is back
    And 6 hours pass everywhere
    And machine host sends m1, m2 and m3 to stock
    Then stock at host holds m1 and m2, or m1, m2 and m3 where a change needs the host

  @needs:restart @needs:transactions
  @req:MQSO-5.5.1-03 @req:MQSO-5.5.1-05 @req:MQSO-5.5.4-03
  Scenario: What waits for public queues outlives restarts of its sender, with the directory and without
    Given public queues transactional bills at host
    When the network between admin and host fails
    And machine admin sends m1 to public queue stock at host, recoverable
    And machine admin sends m2 and m3 to public queue bills at host in a transaction
    And queue manager admin is restarted after a crash
    And the directory is lost for admin
    And queue manager admin is restarted
    And the directory is back for admin
    And queue manager admin is restarted
    And the network between admin and host is back
    And 6 hours pass everywhere
    Then the specification explains what all machines hold

  @needs:transactions
  @req:MQSO-3.3.4.1-11 @req:MQSO-6.1.3.5-02
  Scenario: A change from afar is that of the room alone, each time anew
    Given public queues transactional bills at host
    When admin gives public queue bills at host room for 3 messages
    And 6 hours pass everywhere
    And admin gives public queue bills at host room for 1 messages
    And 6 hours pass everywhere
    And admin gives public queue bills at host room for 2 messages
    And 6 hours pass everywhere
    And machine host sends m1 to bills, recoverable
    And machine host sends m2 to bills in a transaction
    And machine host sends m3 to bills in a transaction
    And machine host sends m4 to bills in a transaction
    Then the specification explains what all machines hold

  @req:MQSO-5.1.1.2-03 @req:MQSO-3.3.4.1-09
  Scenario: A look into the directory finds the queues of its name on all machines, and no others
    When admin creates public queue stock at admin
    And admin creates public queue stocks at admin
    And host creates public queue sto at host
    And 6 hours pass everywhere
    And host looks for stock in the directory
    Then host found stock at host
    And host found stock at admin
    And host did not find stocks at admin
    And host did not find sto at host

  @req:MQSO-3.3.4.1-06 @req:MQSO-5.5.4-07
  Scenario: Of a public queue that could not be created nothing is there
    When the directory is lost for admin
    And admin creates public queue offers at admin
    And the directory is back for admin
    And 6 hours pass everywhere
    And machine admin sends m1 to offers, recoverable
    And host looks for offers in the directory
    Then the specification explains what all machines hold
