@role:queue_manager @needs:store-faults @needs:transactions
Feature: Transactions and a full store (5.5.5)

  Background:
    Given a queue manager with the queues
      | queue  | transactional | room |
      | orders | yes           | any  |
      | bills  | yes           | any  |

  @req:MQSO-5.5.5-01
  Scenario: A transaction for which there is no room sends all or nothing
    When transaction t1 begins
    And m1 is sent to orders in t1
    And m2 is sent to bills in t1
    And the store is full
    And m3 is sent to orders in t1
    And t1 commits
    And the store has room again
    Then orders holds m1, or nothing where t1 has not committed
    And bills holds m2, or nothing where t1 has not committed

  @req:MQSO-5.5.5-01 @req:MQSO-3.3.4.4-02
  Scenario: A full store does not keep a transaction from being undone
    When transaction t1 begins
    And m1 is sent to orders in t1
    And t1 commits
    And transaction t2 begins
    And a message is received from orders in t2
    And m2 is sent to bills in t2
    And t2 aborts
    And transaction t3 begins
    And a message is received from orders in t3
    And m3 is sent to bills in t3
    And the store is full
    And t3 aborts
    And the store has room again
    Then orders holds m1
    And bills holds nothing
