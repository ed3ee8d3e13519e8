@role:queue_manager
Feature: Messages selected by identifier (3.3.4.6, 3.3.4.7)

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |
      | other | no            | any  |
      | acks  | no            | any  |

  @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.3-14
  Scenario: The one that is asked for is received and gone
    When m1, m2 and m3 are sent to inbox
    And m2 of inbox is received by its identifier
    And m3 of inbox is received by its identifier
    Then m2 and m3 were received, in this order
    And inbox holds m1

  @needs:restart
  @req:MQSO-3.3.4.6-02 @req:MQSO-5.5.1-07
  Scenario: A restart gives no identifier a second time
    When m1 and m2 are sent to inbox, recoverable
    And the queue manager is restarted after a crash
    And m3 and m4 are sent to inbox, recoverable
    And m3 of inbox is received by its identifier
    And the queue manager is restarted
    And m5 and m6 are sent to inbox, recoverable
    And m6 of inbox is received by its identifier
    And m2 of inbox is received by its identifier
    Then the specification explains every observation

  @needs:clock
  @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.2-28
  Scenario: What is in another queue is not found among the dead letters
    When m1 is sent to inbox, to be received within 5 seconds, asking for a dead letter
    And m2 and m3 are sent to inbox
    And the queue manager runs for 7 seconds
    And m2 of inbox is received by its identifier
    And m3 of the dead-letter queue is received by its identifier
    Then the specification explains every observation

  @req:MQSO-3.3.4.6-02
  Scenario: One of many is found, wherever it lies
    When m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40 and m41 are sent to inbox
    And m40 of inbox is received by its identifier
    And m1 of inbox is received by its identifier
    Then m40 and m1 were received, in this order

  @req:MQSO-3.3.4.6-02
  Scenario: What was received before is not received again by its identifier
    When m1 and m2 are sent to inbox
    And a message is received from inbox
    And m1 of inbox is received by its identifier
    And m2 of other is received by its identifier
    Then inbox holds m2

  @req:MQSO-5.1.1.3-12
  Scenario: Looking at one leaves it where it is
    When m1, m2 and m3 are sent to inbox
    And m2 of inbox is looked at by its identifier
    And m2 of inbox is looked at by its identifier
    Then m2 and m2 were received, in this order
    And inbox holds m1, m2 and m3, in this order

  @needs:clock @req:MQSO-6.1.6.5-01
  Scenario: What is received by its identifier is acknowledged
    When m1 and m2 are sent to inbox, asking for acknowledgment of its receive at acks
    And m2 of inbox is received by its identifier
    And the queue manager runs for 4 seconds
    Then acks holds the positive acknowledgment of m2

  @needs:transactions
  Rule: In transactions (3.3.4.7)

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | any  |

    @req:MQSO-3.3.4.7-01 @req:MQSO-5.1.1.3-15
    Scenario: An abort gives it back to its place
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And m2 of orders is received by its identifier in t2
      And t2 aborts
      Then orders holds m1, m2 and m3, in this order

    @req:MQSO-3.3.4.7-04
    Scenario: What another transaction has received is not found
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And transaction t3 begins
      And m1 of orders is received by its identifier in t2
      And m1 of orders is received by its identifier in t3
      And m1 of orders is looked at by its identifier
      And t2 commits
      And t3 commits
      Then orders holds m2
