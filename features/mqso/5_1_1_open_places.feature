@role:queue_manager @needs:transactions
Feature: Behaviour left open by the text (5.1.1, 5.5.3, 5.5.5)

  Background:
    Given a queue manager with the queues
      | queue  | transactional | room |
      | inbox  | no            | any  |
      | orders | yes           | any  |
      | acks   | no            | any  |

  Rule: Order, readers and handles

    @req:MQSO-5.1.1.2-01
    Scenario: The order of transactions that overlap
      When transaction t1 begins
      And transaction t2 begins
      And m1 is sent to orders in t1
      And m2 is sent to orders in t2
      And t2 commits
      And t1 commits
      Then orders holds m2 and m1

    @req:MQSO-5.1.1.2-14
    Scenario: When who waits at a deleted queue is told
      When r1 waits 30 seconds for inbox
      And inbox is deleted
      Then r1 got nothing

    @req:MQSO-5.5.1-02 @needs:restart
    Scenario: What who waits is told by a restart
      When r1 waits 30 seconds for inbox
      And the queue manager is restarted
      Then r1 got nothing

    @req:MQSO-5.5.1-02 @needs:restart
    Scenario: Who waits gets what comes after a restart, or is done with before
      When r1 waits 30 seconds for inbox
      And the queue manager is restarted
      And m1 is sent to inbox
      Then inbox holds m1, or nothing where r1 waits on
      And r1 got nothing

    @req:MQSO-3.3.4.6-05
    Scenario Outline: Who waits in a transaction that ends
      When transaction t1 begins
      And r1 waits 30 seconds for orders in t1
      And t1 <ends>
      Then r1 still waits

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

    @req:MQSO-5.5.1-02 @needs:restart
    Scenario: Handles from before a restart
      When m1 is sent to inbox, recoverable
      And an application looks at inbox
      And the queue manager is restarted
      And handles from before the restart are used
      And an application looks at inbox
      Then m1 and then nothing were received

  Rule: Copies, dead letters and acknowledgments

    @req:MQSO-5.1.1.2-26
    Scenario: The journal before and after a receive
      When m1 is sent to inbox, asking for a copy in the journal
      And an application looks at the journal
      And a message is received from inbox
      Then the journal holds m1

    @req:MQSO-5.1.1.2-27
    Scenario: A dead letter of what was refused after its send
      When m1 is sent to orders, asking for a dead letter
      Then the dead-letter queue holds m1, or nothing where the send failed

    @req:MQSO-5.1.1.3-04 @needs:clock
    Scenario: When a dead letter is there
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      Then the dead-letter queue holds m1
      And inbox holds nothing

    @req:MQSO-5.1.1.3-18 @needs:clock
    Scenario: A transactional message that times out and asked for nothing
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds
      And t1 commits
      And the queue manager runs for 4 seconds
      Then orders holds nothing
      And the transactional dead-letter queue holds nothing

    @req:MQSO-5.5.1-08 @needs:restart
    Scenario: A copy of an express message and a restart
      When m1 is sent to inbox, asking for a copy in the journal
      And a message is received from inbox
      And the queue manager is restarted
      Then the journal holds nothing, or m1 where copies are stored

    @req:MQSO-5.1.1.2-12
    Scenario: Senders of messages in a queue that is purged
      When m1 is sent to inbox, asking for acknowledgment of its failure at acks
      And inbox is purged
      Then acks holds nothing

    @req:MQSO-5.1.1.2-12
    Scenario: A purge beside a transaction that has received
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And orders is purged
      And t2 aborts
      Then orders holds m1

    @req:MQSO-5.1.1.2-14
    Scenario: Senders of messages in a queue that is deleted
      When m1 is sent to inbox, asking for acknowledgment of its failure at acks
      And inbox is deleted
      Then acks holds nothing

    @req:MQSO-5.1.1.2-12 @req:MQSO-5.1.1.2-27
    Scenario: Dead letters of messages in a queue that is purged
      When m1 is sent to inbox, asking for a dead letter
      And inbox is purged
      Then inbox holds nothing
      And the dead-letter queue holds nothing, or m1 where what is purged counts as undelivered

    @req:MQSO-5.1.1.2-14 @req:MQSO-5.1.1.2-27
    Scenario: Dead letters of messages in a queue that is deleted
      When m1 is sent to inbox, asking for a dead letter
      And inbox is deleted
      Then the dead-letter queue holds nothing, or m1 where what is deleted counts as undelivered

    @req:MQSO-3.3.4.4-01
    Scenario: What a transaction that receives has sent itself
      When transaction t1 begins
      And m1 is sent to orders in t1
      And a message is received from orders in t1
      And t1 commits
      Then orders holds m1, or nothing where t1 has received it

    @needs:transactions @needs:clock @req:MQSO-5.1.1.3-04
    Scenario: A timer that ends while a transaction has received its message
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 3 seconds, asking for a dead letter
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And the queue manager runs for 5 seconds
      And an application looks at orders
      And t2 commits
      Then the transactional dead-letter queue holds nothing, or m1 where it has left its queue

    @req:MQSO-5.1.1.3-04 @needs:clock
    Scenario: A timer that begins with the send or with the commit
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 3 seconds
      And the queue manager runs for 5 seconds
      And t1 commits
      Then orders holds nothing, or m1 where its time begins with the commit

    @req:MQSO-5.5.1-07 @req:MQSO-6.1.6.5-01 @needs:restart
    Scenario: Acknowledgments in their queue at a restart
      When m1 is sent to inbox, recoverable, asking for acknowledgment of its arrival at acks
      And the queue manager is restarted
      Then acks holds nothing

  Rule: The coordinator and the store

    @req:MQSO-5.5.3-04 @needs:coordinator-faults
    Scenario: Internal transactions while the coordinator is lost
      When the coordinator is lost
      And transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      Then orders holds m1, or nothing where t1 has not committed

    @req:MQSO-5.5.3-03 @needs:coordinator-faults
    Scenario: Pending internal transactions when the coordinator is lost
      When transaction t1 begins
      And m1 is sent to orders in t1
      And the coordinator is lost
      And the coordinator is back
      And t1 commits
      Then orders holds m1

    @req:MQSO-5.5.5-01 @needs:store-faults
    Scenario: An express message while the store is full
      When the store is full
      And m1 is sent to inbox
      And the store has room again
      Then inbox holds nothing

    @req:MQSO-5.5.5-01 @needs:store-faults
    Scenario: What is stored and received while the store is full
      When m1 is sent to inbox, recoverable
      And the store is full
      And a message is received from inbox
      And the store has room again
      Then inbox holds nothing
