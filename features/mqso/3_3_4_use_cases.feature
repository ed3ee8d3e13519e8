@role:queue_manager
Feature: Use cases of one machine (3.3.4)

  Background:
    Given a queue manager with the queues
      | queue   | transactional | room |
      | inbox   | no            | any  |
      | replies | no            | any  |

  Rule: Creating and changing queues (3.3.4.1)

    @req:MQSO-5.1.1.2-05 @req:MQSO-3.3.4.1-05 @req:MQSO-3.3.4.1-07
    Scenario: A new queue is of use at once
      When a plain queue fresh is created
      And m1 is sent to fresh
      Then fresh holds m1

    @req:MQSO-5.1.1.2-05 @req:MQSO-3.3.4.3-07
    Scenario: Queues whose names are alike are queues of their own
      Given a queue manager with the queues
        | queue | transactional | room |
        | box1  | no            | any  |
        | box2  | no            | any  |
        | fax1  | no            | any  |
      When m1 is sent to box1
      And m2 is sent to box2
      And m3 is sent to fax1
      Then box1 holds m1
      And box2 holds m2
      And fax1 holds m3

    @req:MQSO-3.3.4.3-07 @req:MQSO-5.1.1-03
    Scenario: Messages whose names end alike are messages of their own
      When m12 and m112 are sent to inbox
      Then inbox holds m12 and m112, in this order

    @req:MQSO-3.3.4.1-06
    Scenario: A queue that is there is not made anew
      When m1 is sent to inbox
      And a plain queue inbox is created
      Then inbox holds m1

    @req:MQSO-5.1.1.2-07 @req:MQSO-3.3.4.1-05 @req:MQSO-3.3.4.1-07
    Scenario: More room, more messages
      Given a plain queue small with room for 2 messages
      When small gets room for 3 messages
      And m1, m2, m3 and m4 are sent to small
      Then small holds m1, m2 and m3

    @req:MQSO-3.3.4.1-05 @req:MQSO-5.1.1.2-14
    Scenario: A queue that is made anew is as it is asked for
      Given a plain queue small with room for 2 messages
      When small is deleted
      And a plain queue small is created
      And m1, m2 and m3 are sent to small
      Then small holds m1, m2 and m3

    @req:MQSO-5.1.1-01
    Scenario: A queue is created, changed, used and deleted
      When a plain queue fresh is created
      And fresh gets room for 1 message
      And m1 and m2 are sent to fresh
      And a message is received from fresh
      And fresh is deleted
      And m3 is sent to fresh
      And a message is received from fresh
      Then m1 was received

    @req:MQSO-4.3.1.3-02 @req:MQSO-1.1-06
    Scenario: Workgroup mode has no public queues
      When a public queue stock is created
      Then the creation failed

  @needs:management
  Rule: Querying the number of messages (3.3.4.2)

    @req:MQSO-3.3.4.2-05 @req:MQSO-3.3.4.2-06
    Scenario: Counting takes nothing
      When m1 and m2 are sent to inbox
      And an application counts inbox
      And an application counts inbox
      Then the counts are 2, 2
      And inbox holds m1 and m2

    @req:MQSO-3.3.4.2-06
    Scenario: The number is that of the queue that is named
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to inbox
      And m4 is sent to replies
      And a message is received from inbox
      And an application counts inbox
      And an application counts replies
      And an application counts small
      Then the counts are 2, 1, 0

    @req:MQSO-3.3.4.2-05
    Scenario: Counting ends nobody's wait
      When r1 waits 30 seconds for inbox
      And an application counts inbox
      And m1 is sent to inbox
      Then r1 has got m1

  Rule: Sending and receiving (3.3.4.3, 3.3.4.6, 3.3.4.8)

    @req:MQSO-5.1.1.2-01 @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.8-01 @req:MQSO-3.3.4.3-05 @req:MQSO-4.3.3-03
    Scenario: First in, first out
      When m1, m2 and m3 are sent to inbox
      Then inbox holds m1, m2 and m3, in this order

    @req:MQSO-5.1.1.2-01
    Scenario: A dozen messages keep their order
      When m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 and m12 are sent to inbox
      Then inbox holds m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 and m12, in this order

    @req:MQSO-5.1.1.2-01
    Scenario: Some tens of messages keep their order
      When m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42 and m43 are sent to inbox
      Then inbox holds m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41, m42 and m43, in this order

    @req:MQSO-5.1.1.2-01
    Scenario: Order is kept where sends and receives take turns
      When m1 and m2 are sent to inbox
      And a message is received from inbox
      And m3 is sent to inbox
      And a message is received from inbox
      And m4 is sent to inbox, recoverable
      Then inbox holds m3 and m4, in this order

    @req:MQSO-3.3.4.3-07 @req:MQSO-5.1.1.3-11
    Scenario: Each queue has what was sent to it
      When m1 is sent to inbox
      And m2 is sent to replies
      And m3 is sent to inbox
      Then replies holds m2
      And inbox holds m1 and m3, in this order

    @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.3-14 @req:MQSO-5.1.1.2-09
    Scenario: A message is received once
      When m1 is sent to inbox
      And 3 messages are received from inbox
      Then m1 and then nothing were received

    @req:MQSO-5.1.1.2-06 @req:MQSO-5.1.1.3-11
    Scenario: An arrival is there to be seen
      When an application looks at inbox
      And m1 is sent to inbox
      And an application looks at inbox
      Then inbox holds m1

    @req:MQSO-5.1.1.3-12
    Scenario: Looking takes nothing
      When m1 and m2 are sent to inbox
      And an application looks at inbox
      And an application looks at inbox
      And a message is received from inbox
      Then m1, m1 and m1 were received
      And inbox holds m2

    @req:MQSO-5.1.1.3-02
    Scenario Outline: What was sent outlives its sender
      When m1 and m2 are sent to inbox<how>
      And the application that sent to inbox ends
      Then inbox holds m1 and m2, in this order

      Examples:
        | case        | how           |
        | express     |               |
        | recoverable | , recoverable |

    @req:MQSO-5.1.1-03
    Scenario: An answer comes to the queue that was named, and says what it answers
      When m1 and m2 are sent to inbox, asking for an answer at replies
      And 2 messages are received from inbox
      And m3 is sent to replies, in answer to m2
      And a message is received from replies
      Then the answer to m2 names it

    @req:MQSO-3.3.4.6-03
    Scenario Outline: Only who may receive receives
      When m1 is sent to inbox
      And a message is received from inbox through a handle for <access>
      Then nothing was received
      And inbox holds m1

      Examples:
        | case    | access  |
        | sending | sending |
        | looking | looking |

    @req:MQSO-3.3.4.6-03
    Scenario: Nothing is received from a queue that is not there
      When m1 is sent to inbox
      And inbox is deleted
      And a message is received from inbox
      Then nothing was received

    @req:MQSO-3.3.4.3-06 @req:MQSO-5.1.1.3-17
    Scenario: What is sent to a queue that is not there is nowhere
      When inbox is deleted
      And m1 is sent to inbox, asking for a dead letter, asking for acknowledgment of its arrival at replies
      And a plain queue inbox is created
      Then inbox holds nothing
      And replies holds nothing

    @req:MQSO-5.1.1.2-25
    Scenario Outline: Nobody sends to a queue of the queue manager's own
      When m1 is sent to <queue>
      Then <queue> holds nothing

      Examples:
        | case         | queue                 |
        | dead-letters | the dead-letter queue |
        | journal      | the journal           |
