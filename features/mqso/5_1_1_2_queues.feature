@role:queue_manager
Feature: States of queues (5.1.1.2)

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |
      | other | no            | any  |

  Rule: Waiting for a message

    @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.6-04 @req:MQSO-5.1.1.2-10
    Scenario: Who waits gets what arrives
      When r1 waits 30 seconds for inbox
      And m1 is sent to inbox
      Then r1 has got m1
      And inbox holds nothing

    @req:MQSO-5.1.1.2-08
    Scenario: Who looks out sees what arrives and leaves it
      When r1 looks out 30 seconds for inbox
      And m1 is sent to inbox
      Then r1 has got m1
      And inbox holds m1

    @needs:virtual-clock @req:MQSO-3.3.4.6-04
    Scenario: Who waits for an hour gets what arrives in it
      When r1 waits 3600 seconds for inbox
      And the queue manager runs for 1800 seconds
      And m1 is sent to inbox
      Then r1 has got m1

    @req:MQSO-5.1.1.2-08
    Scenario: Who waits gets only what arrives there
      When r1 waits 30 seconds for inbox
      And m1 is sent to other
      Then r1 still waits
      And other holds m1

    @req:MQSO-5.1.1.2-08
    Scenario: Who waits gets a message in spite of who looks out
      When r1 looks out 30 seconds for inbox
      And r2 waits 30 seconds for inbox
      And m1 is sent to inbox
      Then r2 has got m1
      And inbox holds nothing

    @req:MQSO-3.3.4.6-02
    Scenario: Who could wait need not where there is a message
      When m1 is sent to inbox
      And r1 waits 30 seconds for inbox
      Then m1 was received

    @req:MQSO-1.1-04 @req:MQSO-5.1.1.2-09
    Scenario: One message is for one of several readers
      When r1 waits 30 seconds for inbox
      And r2 waits 30 seconds for inbox
      And m1 is sent to inbox
      Then one of the readers has got m1, and the others still wait

    @req:MQSO-1.1-04 @req:MQSO-5.1.1.2-08 @req:MQSO-5.1.1.2-09
    Scenario: As many messages as readers
      When r1 waits 30 seconds for inbox
      And r2 waits 30 seconds for inbox
      And r3 waits 30 seconds for inbox
      And m1, m2, m3 and m4 are sent to inbox
      Then the readers have got m1, m2 and m3, one each
      And inbox holds m4

    @req:MQSO-3.3.4.6-05 @req:MQSO-5.1.1.2-11
    Scenario: Who gives up is told, and takes nothing
      When r1 waits 30 seconds for inbox
      And r1 gives up
      And m1 is sent to inbox
      Then r1 got nothing
      And inbox holds m1

    @req:MQSO-3.3.4.6-05
    Scenario: Who gives up does so alone
      When r1 waits 30 seconds for inbox
      And r2 waits 30 seconds for inbox
      And r1 gives up
      And m1 is sent to inbox
      Then r2 has got m1

  @needs:clock
  Rule: Waiting with a timeout

    @req:MQSO-3.3.4.6-05 @req:MQSO-5.1.1.2-11
    Scenario: A wait ends in its time
      When r1 waits 3 seconds for inbox
      And the queue manager runs for 4 seconds
      Then r1 got nothing

    @req:MQSO-3.3.4.6-05
    Scenario: The ends of many waits are told at once
      When r1 to r17 wait 2 seconds for inbox
      And the queue manager runs for 4 seconds
      Then r1 got nothing
      And r17 got nothing

    @req:MQSO-3.3.4.6-04 @req:MQSO-5.1.1.2-10
    Scenario: A wait does not end before its time
      When r1 waits 4 seconds for inbox
      And the queue manager runs for 3 seconds
      Then r1 still waits

    @req:MQSO-3.3.4.6-05
    Scenario: Each wait has a time of its own
      When r1 waits 2 seconds for inbox
      And r2 waits 30 seconds for inbox
      And the queue manager runs for 3 seconds
      And m1 is sent to inbox
      Then r1 got nothing
      And r2 has got m1

    @req:MQSO-3.3.4.6-05 @req:MQSO-5.1.1.2-11
    Scenario: A wait ends in its time although another got what arrived
      When r1 waits 3 seconds for inbox
      And r2 waits 3 seconds for inbox
      And the queue manager runs for 2 seconds
      And m1 is sent to inbox
      And the queue manager runs for 2 seconds
      Then one of the readers has got m1, and the others got nothing

    @req:MQSO-5.1.1.2-11
    Scenario: What comes after a wait stays
      When r1 waits 2 seconds for inbox
      And the queue manager runs for 3 seconds
      And m1 is sent to inbox
      Then r1 got nothing
      And inbox holds m1

    @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.6-04
    Scenario: What comes late in a wait is still in time
      When r1 waits 4 seconds for inbox
      And the queue manager runs for 3 seconds
      And m1 is sent to inbox
      Then r1 has got m1

    @req:MQSO-3.3.4.6-05
    Scenario: Who waits at a queue that is deleted is told in time
      When r1 waits 2 seconds for inbox
      And inbox is deleted
      And the queue manager runs for 4 seconds
      Then r1 got nothing

  Rule: Purge and deletion

    @req:MQSO-5.1.1.2-12
    Scenario: A purge removes all messages
      When m1, m2 and m3 are sent to inbox
      And inbox is purged
      And m4 is sent to inbox
      Then inbox holds m4

    @req:MQSO-5.1.1.2-12
    Scenario: A purge removes recoverable messages, of one queue
      When m1 and m2 are sent to inbox, recoverable
      And m3 is sent to other
      And inbox is purged
      Then inbox holds nothing
      And other holds m3

    @req:MQSO-5.1.1.2-13
    Scenario: A purge of an empty queue leaves who waits
      When r1 waits 30 seconds for inbox
      And inbox is purged
      And m1 is sent to inbox
      Then r1 has got m1

    @req:MQSO-5.1.1.2-14
    Scenario: A deleted queue comes back empty
      When m1 is sent to inbox, recoverable
      And inbox is deleted
      And a plain queue inbox is created
      Then inbox holds nothing

    @req:MQSO-5.1.1.2-14 @req:MQSO-5.1.1.2-02
    Scenario: Deletion concerns one queue
      When m1 is sent to inbox
      And m2 is sent to other
      And inbox is deleted
      Then other holds m2

    @req:MQSO-5.1.1.2-02
    Scenario: An empty queue stays
      When m1 is sent to inbox
      And a message is received from inbox
      And inbox is purged
      And m2 is sent to inbox
      Then inbox holds m2

  Rule: Capacity

    @req:MQSO-5.1.1.2-07
    Scenario: A full queue takes nothing more
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small
      And a message is received from small
      And m4 is sent to small
      Then small holds m2 and m4

    @req:MQSO-5.1.1.2-07
    Scenario: A purged queue has room again
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small
      And small is purged
      And m4, m5 and m6 are sent to small
      Then small holds m4 and m5

    @req:MQSO-5.1.1.2-07
    Scenario: A full queue does not matter to others
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small
      And m4, m5 and m6 are sent to inbox
      Then inbox holds m4, m5 and m6

    @req:MQSO-5.1.1.2-07
    Scenario Outline: Kilobytes count kilobytes, and messages count messages
      Given a plain queue small with room for <room>
      When m1 is sent to small, with a long body
      And m2 is sent to small
      And m3 is sent to small, with a long body
      Then small holds <messages>

      Examples:
        | case      | room         | messages  |
        | kilobytes | 50 kilobytes | m2        |
        | messages  | 2 messages   | m1 and m2 |

    @needs:clock @req:MQSO-5.1.1.3-17
    Scenario: What was rejected shows nowhere
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small, asking for acknowledgment of its arrival at inbox
      And the queue manager runs for 4 seconds
      Then small holds m1 and m2
      And inbox holds the positive acknowledgment of m1 and the positive acknowledgment of m2
      And the dead-letter queue holds nothing
