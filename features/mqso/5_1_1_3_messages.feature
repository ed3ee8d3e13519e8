@role:queue_manager
Feature: Timers, dead letters, journals and acknowledgments (5.1.1.3, 6.1.6)

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |
      | acks  | no            | any  |

  @needs:clock
  Rule: Time to be received

    @req:MQSO-5.1.1.3-04 @req:MQSO-5.1.1.3-05
    Scenario: A message whose time is up is gone
      When m1 is sent to inbox, to be received within 2 seconds
      And m2 is sent to inbox
      And the queue manager runs for 4 seconds
      Then inbox holds m2
      And the dead-letter queue holds nothing

    @req:MQSO-5.1.1.3-04
    Scenario: A message whose time is not up is there
      When m1 is sent to inbox, to be received within 4 seconds
      And the queue manager runs for 3 seconds
      Then inbox holds m1

    @req:MQSO-5.1.1.3-04
    Scenario Outline: A second after its time it is gone
      When m1 is sent to inbox<how>, to be received within 3 seconds
      And the queue manager runs for 4 seconds
      Then inbox holds nothing

      Examples:
        | case        | how           |
        | express     |               |
        | recoverable | , recoverable |

    @req:MQSO-5.1.1.3-04
    Scenario: Each message has a time of its own
      When m1 is sent to inbox, to be received within 30 seconds
      And m2 is sent to inbox, to be received within 2 seconds
      And m3 is sent to inbox, to be received within 6 seconds
      And the queue manager runs for 4 seconds
      Then inbox holds m1 and m3, in this order

    @req:MQSO-5.1.1.3-04
    Scenario: Time runs from the send
      When the queue manager runs for 2 seconds
      And m1 is sent to inbox, to be received within 3 seconds
      And the queue manager runs for 2 seconds
      And m2 is sent to inbox, to be received within 3 seconds
      And the queue manager runs for 2 seconds
      Then inbox holds m2

    @req:MQSO-5.1.1.3-04
    Scenario: Looking does not prolong the time
      When m1 is sent to inbox, to be received within 3 seconds
      And the queue manager runs for 2 seconds
      And an application looks at inbox
      And the queue manager runs for 2 seconds
      Then inbox holds nothing

    @needs:virtual-clock @req:MQSO-5.1.1.3-04
    Scenario Outline: Long times are counted as long as they are
      When m1 is sent to inbox, to be received within <seconds> seconds
      And the queue manager runs for <passed> seconds
      Then inbox holds m1

      Examples:
        | case                    | seconds    | passed |
        | hours                   | 7200       | 5400   |
        | 32-bits-of-milliseconds | 4294968    | 60     |
        | 32-bits-of-seconds      | 4294967297 | 60     |

    @req:MQSO-5.1.1.3-04
    Scenario Outline: It is gone however short its time is
      When m1 is sent to inbox, to be received within <seconds> seconds
      And the queue manager runs for 4 seconds
      Then inbox holds nothing

      Examples:
        | case       | seconds |
        | none       | 0       |
        | a-fraction | 0.25    |

    @req:MQSO-5.1.1.3-04
    Scenario: What is in its queue has only its own time left
      When m1 is sent to inbox, to reach it within 2 seconds
      And m2 is sent to inbox, to reach it within 600 seconds, to be received within 1200 seconds
      And the queue manager runs for 4 seconds
      Then inbox holds m1 and m2, or m2 where the time to reach a queue goes on in it

    @req:MQSO-5.1.1.2-07 @req:MQSO-5.1.1.3-04
    Scenario: What is gone takes no room
      Given a plain queue small with room for 2 messages
      When m1 and m2 are sent to small, to be received within 2 seconds
      And the queue manager runs for 4 seconds
      And an application looks at small
      And m3 and m4 are sent to small
      Then small holds m3 and m4

    @needs:restart @req:MQSO-5.1.1.3-04 @req:MQSO-5.5.1-07
    Scenario Outline: Time goes on for what outlives a restart
      When m1 is sent to inbox, recoverable, to be received within 4 seconds
      And the queue manager runs for 2 seconds
      And the queue manager is <how>
      And the queue manager runs for 3 seconds
      Then inbox holds nothing

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @needs:restart @req:MQSO-5.1.1.3-04 @req:MQSO-5.5.1-07
    Scenario: Time goes on while it is stopped
      When m1 is sent to inbox, recoverable, to be received within 2 seconds
      And m2 is sent to inbox, recoverable
      And the queue manager stops
      And the queue manager runs for 4 seconds
      And the queue manager starts
      Then inbox holds m2

  @needs:clock
  Rule: Dead letters

    @req:MQSO-5.1.1.3-06 @req:MQSO-5.1.1.2-27 @req:MQSO-4.3.1.2-16
    Scenario: A dead letter for who asks
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      Then inbox holds nothing
      And the dead-letter queue holds m1

    @req:MQSO-5.1.1.3-18 @req:MQSO-5.1.1.2-27
    Scenario: No dead letter for who does not ask
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And m2 is sent to inbox, to be received within 2 seconds
      And the queue manager runs for 4 seconds
      Then inbox holds nothing
      And the dead-letter queue holds m1

    @req:MQSO-5.1.1.3-18
    Scenario: No dead letter of what was received in time
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then the dead-letter queue holds nothing

    @req:MQSO-5.1.1.2-32
    Scenario: Dead letters are in order
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      And m2 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      Then inbox holds nothing
      And the dead-letter queue holds m1 and m2, in this order

    @req:MQSO-5.1.1.2-32
    Scenario: Looking at dead letters takes none
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      And an application looks at the dead-letter queue
      And an application looks at the dead-letter queue
      Then the dead-letter queue holds m1

    @req:MQSO-5.1.1.2-32
    Scenario: Who waits for a dead letter gets it
      When r1 looks out 30 seconds for the dead-letter queue
      And m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      Then r1 has got m1

    @needs:restart @req:MQSO-5.1.1.3-06 @req:MQSO-4.3.1.2-16 @req:MQSO-5.5.1-07
    Scenario: A message that times out while it is stopped is a dead letter
      When m1 is sent to inbox, recoverable, to be received within 2 seconds, asking for a dead letter
      And the queue manager stops
      And the queue manager runs for 4 seconds
      And the queue manager starts
      And an application looks at inbox
      Then the dead-letter queue holds m1

    @needs:restart @req:MQSO-5.1.1.2-32 @req:MQSO-5.5.1-07
    Scenario: A recoverable dead letter outlives a restart
      When m1 is sent to inbox, recoverable, to be received within 2 seconds, asking for a dead letter
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      And the queue manager is restarted
      Then the dead-letter queue holds m1

  Rule: Source journal

    @req:MQSO-5.1.1.2-26
    Scenario: A copy for who asks, and for nobody else
      When m1 is sent to inbox, asking for a copy in the journal
      And m2 is sent to inbox
      And 2 messages are received from inbox
      Then the journal holds m1

    @req:MQSO-5.1.1.2-26 @req:MQSO-5.1.1.2-32
    Scenario: Copies are in order
      When m1, m2 and m3 are sent to inbox, asking for a copy in the journal
      And 3 messages are received from inbox
      Then the journal holds m1, m2 and m3, in this order

    @req:MQSO-5.1.1.2-26
    Scenario: A copy leaves the message where it is
      When m1 is sent to inbox, asking for a copy in the journal
      Then inbox holds m1
      And the journal holds m1

    @needs:clock @req:MQSO-5.1.1.2-26
    Scenario: A copy is there when the time of its message is up
      When m1 is sent to inbox, to be received within 2 seconds, asking for a copy in the journal
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then the journal holds m1

    @needs:restart @req:MQSO-5.5.1-02 @req:MQSO-5.1.1.2-32
    Scenario: A copy of a recoverable message outlives a restart
      When m1 is sent to inbox, recoverable, asking for a copy in the journal
      And a message is received from inbox
      And m2 is sent to inbox, recoverable
      And an application looks at the journal
      And the queue manager is restarted
      Then inbox holds m2
      And the journal holds m1

    @req:MQSO-5.1.1.3-17
    Scenario: No copy of what was rejected
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small, asking for a copy in the journal
      And 2 messages are received from small
      Then the journal holds m1 and m2

  Rule: Acknowledgments

    An acknowledgment is a message of its own, which may come some seconds after what it is about.

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: A receive is acknowledged, with the message's identifier
      When m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And m2 is sent to inbox
      And an application looks at acks
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Each receive is acknowledged, when it happens
      When m1, m2 and m3 are sent to inbox, asking for acknowledgment of its receive at acks
      And 2 messages are received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1 and the positive acknowledgment of m2, in this order
      And inbox holds m3

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Each acknowledgment comes to the queue that was named for it
      When a plain queue news is created
      And m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And m2 is sent to inbox, asking for acknowledgment of its receive at news
      And 2 messages are received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1
      And news holds the positive acknowledgment of m2

    @needs:clock @needs:restart @req:MQSO-5.5.1-02 @req:MQSO-5.5.1-07
    Scenario: A receive after a restart is acknowledged as one before it
      When m1 is sent to inbox, recoverable, asking for acknowledgment of its receive at acks
      And the queue manager is restarted
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Who waits or looks is handed an acknowledgment as it is
      When r1 looks out 30 seconds for acks
      And m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      And an application looks at acks
      Then r1 has got the positive acknowledgment of m1
      And acks holds the positive acknowledgment of m1

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Who asks for all acknowledgments gets each that is due
      When m1 is sent to inbox, asking for acknowledgment of its arrival at acks, asking for acknowledgment of its receive at acks, asking for acknowledgment of its failure at acks
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1 and the positive acknowledgment of m1, in this order

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Looking is not acknowledged as a receive
      When m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And an application looks at inbox
      And the queue manager runs for 4 seconds
      Then acks holds nothing

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: Who did not ask is told nothing
      When m1 is sent to inbox
      And m2 is sent to inbox, asking for acknowledgment of its failure at acks
      And 2 messages are received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds nothing

    @needs:clock @req:MQSO-6.1.6.5-02
    Scenario: An expiry is told, with the message's identifier
      When m1 is sent to inbox, to be received within 2 seconds, asking for acknowledgment of its failure at acks
      And m2 is sent to inbox, asking for acknowledgment of its failure at acks
      And the queue manager runs for 4 seconds
      Then inbox holds m2
      And acks holds the negative acknowledgment of m1

    @needs:clock @req:MQSO-6.1.6.5-02
    Scenario: Who waits or looks is handed a negative acknowledgment as it is
      When r1 looks out 30 seconds for acks
      And m1 is sent to inbox, to be received within 2 seconds, asking for acknowledgment of its failure at acks
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      And the queue manager runs for 4 seconds
      And an application looks at acks
      Then r1 has got the negative acknowledgment of m1
      And acks holds the negative acknowledgment of m1

    @needs:clock @req:MQSO-6.1.6.5-02
    Scenario: Nothing is told of what was received in time
      When m1 is sent to inbox, to be received within 2 seconds, asking for acknowledgment of its failure at acks
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then acks holds nothing

    @needs:clock @req:MQSO-6.1.6.5-02 @req:MQSO-5.1.1.3-06
    Scenario: An expiry is told and leaves a dead letter
      When m1 is sent to inbox, to be received within 2 seconds, asking for a dead letter, asking for acknowledgment of its failure at acks
      And the queue manager runs for 4 seconds
      Then inbox holds nothing
      And acks holds the negative acknowledgment of m1
      And the dead-letter queue holds m1
