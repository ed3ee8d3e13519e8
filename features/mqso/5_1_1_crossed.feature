@role:queue_manager
Feature: Operations crossed with each other (3.3.4, 4.3.1.2, 5.1.1.2, 5.1.1.3, 6.1.6)
  What an application does in one place leaves alone what it, or another one, has under way in another.

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |
      | other | no            | any  |
      | acks  | no            | any  |

  Rule: Handles and cursors that are closed

    @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.6-02
    Scenario: Who closes a queue and opens it again changes no other handle
      When m1 is sent to inbox
      And m2 is sent to other
      And the application that sent to inbox ends
      And m3 is sent to inbox
      And m4 is sent to other
      And a message is received from inbox
      And the application that receives from inbox ends
      And a message is received from other
      And a message is received from inbox
      And a message is received from other
      Then m1, m2, m3 and m4 were received, in this order

    @needs:cursors @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario: A cursor that is closed leaves the others where they are
      When m1, m2 and m3 are sent to inbox
      And cursor c1 is made for inbox
      And cursor c2 is made for inbox
      And c1 looks at its message of inbox
      And c2 looks at its message of inbox
      And c2 looks at the next message of inbox
      And cursor c1 is closed
      And cursor c3 is made for inbox
      And c2 looks at its message of inbox
      And c3 looks at its message of inbox
      And c2 looks at the next message of inbox
      Then m1, m1, m2, m2, m1 and m3 were received, in this order

    @needs:transactions @req:MQSO-3.3.4.4-04 @req:MQSO-5.1.1.3-02
    Scenario Outline: An application that ends leaves its transaction what it has sent
      When a transactional queue orders is created
      And transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And the application that sent to orders ends
      And t1 <how>
      Then orders holds <left>

      Examples:
        | case   | how     | left                     |
        | commit | commits | m1 and m2, in this order |
        | abort  | aborts  | nothing                  |

    @needs:transactions @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.7-04
    Scenario Outline: An application that ends leaves its transaction what it has received
      When a transactional queue orders is created
      And transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And the application that receives from orders ends
      And transaction t3 begins
      And a message is received from orders in t3
      And t2 <how>
      And t3 commits
      Then orders holds <left>

      Examples:
        | case   | how     | left    |
        | commit | commits | nothing |
        | abort  | aborts  | m1      |

  @needs:clock @needs:transactions
  Rule: What an abort gives back is as it was sent

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | any  |

    @req:MQSO-6.1.6.5-01
    Scenario: It is acknowledged once, by the receive that counts
      When transaction t1 begins
      And m1 is sent to orders in t1, asking for acknowledgment of its receive at acks
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 aborts
      And transaction t3 begins
      And a message is received from orders in t3
      And t3 commits
      And the queue manager runs for 4 seconds
      Then acks holds the positive acknowledgment of m1

    @req:MQSO-5.1.1.3-04 @req:MQSO-6.1.6.5-02
    Scenario: Its end is told, and leaves a dead letter
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 5 seconds, asking for a dead letter, asking for acknowledgment of its failure at acks
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 aborts
      And the queue manager runs for 7 seconds
      And an application looks at orders
      Then the transactional dead-letter queue holds m1
      And acks holds the negative acknowledgment of m1

    @req:MQSO-5.1.1-03
    Scenario: It still says what it answers
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to orders in t1, in answer to m1, asking for an answer at inbox
      And t1 commits
      And transaction t2 begins
      And 2 messages are received from orders in t2
      And t2 aborts
      And transaction t3 begins
      And 2 messages are received from orders in t3
      Then the specification explains every observation

  Rule: Copies

    @needs:clock @req:MQSO-5.1.1-03
    Scenario Outline: A copy says what its message says of answers
      When m1 is sent to inbox
      And m2 is sent to inbox, <wishes>, in answer to m1, asking for an answer at other
      And the queue manager runs for 4 seconds
      And an application looks at inbox
      Then the specification explains every observation

      Examples:
        | case        | wishes                                                    |
        | dead-letter | to be received within 2 seconds, asking for a dead letter |
        | journal     | asking for a copy in the journal                          |

  @needs:clock
  Rule: Waits

    @req:MQSO-6.1.6.5-01
    Scenario: What comes to who waits is acknowledged
      When r1 waits 30 seconds for inbox
      And m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And the queue manager runs for 4 seconds
      Then r1 has got m1
      And acks holds the positive acknowledgment of m1

    @needs:transactions @req:MQSO-6.1.6.5-01
    Scenario Outline: What comes to who waits in a transaction is acknowledged if that commits
      When a transactional queue orders is created
      And transaction t1 begins
      And r1 waits 30 seconds for orders in t1
      And transaction t2 begins
      And m1 is sent to orders in t2, asking for acknowledgment of its receive at acks
      And t2 commits
      And t1 <how>
      And the queue manager runs for 4 seconds
      Then acks holds <told>

      Examples:
        | case   | how     | told                              |
        | commit | commits | the positive acknowledgment of m1 |
        | abort  | aborts  | nothing                           |

    @needs:transactions @req:MQSO-3.3.4.4-04
    Scenario Outline: A wait that ends without a message leaves what its transaction has sent
      When a transactional queue orders is created
      And a transactional queue bills is created
      And transaction t1 begins
      And m1 is sent to orders in t1
      And r1 waits 3 seconds for bills in t1
      And <end>
      And t1 commits
      Then orders holds m1

      Examples:
        | case     | end                                  |
        | time-out | the queue manager runs for 5 seconds |
        | cancel   | r1 gives up                          |

  Rule: Room

    @req:MQSO-3.3.4.1-05 @req:MQSO-5.1.1.2-07
    Scenario: A queue that gets less room than it needs keeps its messages and takes no more
      When m1, m2 and m3 are sent to inbox
      And inbox gets room for 2 messages
      And m4 is sent to inbox
      Then inbox holds m1, m2 and m3, in this order

    @needs:transactions @req:MQSO-5.1.1.2-07
    Scenario: Transactions that are open at once do not overfill a queue
      Given a transactional queue small with room for 3 messages
      When transaction t1 begins
      And transaction t2 begins
      And m1 and m2 are sent to small in t1
      And m3 and m4 are sent to small in t2
      And t1 commits
      And t2 commits
      Then the specification explains every observation

  Rule: Contents

    @req:MQSO-3.3.4.8-01
    Scenario Outline: A body comes out as it went in
      When m1 is sent to inbox
      And m2 is sent to inbox, recoverable, <wishes>
      And m3 is sent to inbox
      Then inbox holds m1, m2 and m3, in this order

      Examples:
        | case         | wishes                   |
        | long         | with a long body         |
        | beyond-ascii | with a body beyond ASCII |
        | empty        | with an empty body       |
        | text-signs   | with a body of signs     |

    @req:MQSO-3.3.4.8-01 @req:MQSO-3.3.4.3-07
    Scenario: Equal bodies are messages of their own
      When m1 is sent to inbox
      And m2 is sent to inbox, with the body of m1
      And m3 is sent to inbox, with the body of m1
      And m2 of inbox is received by its identifier
      Then inbox holds m1 and m3, in this order

  Rule: Names

    @req:MQSO-3.3.4.6-03 @req:MQSO-3.3.4.3-06
    Scenario: A name that is the beginning of another is no name of that
      When m1 is sent to inbox
      And m2 is sent to inbo
      And a message is received from inbo
      Then inbox holds m1

    @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.6-02
    Scenario: Long names that begin alike are names of their own
      When a plain queue orders_of_the_branch_office_in_the_north_of_the_country_1 is created
      And a plain queue orders_of_the_branch_office_in_the_north_of_the_country_2 is created
      And m1 is sent to orders_of_the_branch_office_in_the_north_of_the_country_1
      And m2 is sent to orders_of_the_branch_office_in_the_north_of_the_country_2
      Then orders_of_the_branch_office_in_the_north_of_the_country_1 holds m1
      And orders_of_the_branch_office_in_the_north_of_the_country_2 holds m2

  Rule: What comes later

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario: An acknowledgment comes to a queue that was made after the send
      When m1 is sent to inbox, asking for acknowledgment of its receive at late
      And a plain queue late is created
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      Then late holds the positive acknowledgment of m1

    @needs:clock @req:MQSO-5.1.1.2-08 @req:MQSO-5.1.1.3-11
    Scenario: Who looks out leaves a recoverable message there
      When r1 looks out 20 seconds for inbox
      And m1 is sent to inbox, recoverable
      And m2 is sent to inbox
      And the queue manager runs for 4 seconds
      And an application asks what became of the waits
      Then the specification explains every observation

    @needs:transactions @needs:clock @req:MQSO-3.3.4.7-02 @req:MQSO-5.1.1.2-08
    Scenario Outline: An acknowledgment for which a transaction waits is its own until it ends
      When m1 is sent to acks
      And transaction t1 begins
      And a message is received from acks in t1
      And t1 aborts
      And a message is received from acks
      And m2 is sent to inbox, asking for acknowledgment of its receive at acks
      And transaction t2 begins
      And r1 waits 20 seconds for acks in t2
      And a message is received from inbox
      And the queue manager runs for 4 seconds
      And an application asks what became of the waits
      And t2 <ends>
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | abort  | aborts  |
        | commit | commits |

    @needs:transactions @needs:clock @req:MQSO-3.3.4.4-02 @req:MQSO-5.1.1.2-07
    Scenario Outline: An abort tells nothing of what was refused, a commit what was not told before
      When a transactional queue small is created
      And small gets room for 1 message
      And transaction t1 begins
      And m1 is sent to small in t1
      And t1 commits
      And transaction t2 begins
      And m2 is sent to small in t2, asking for a dead letter, asking for acknowledgment of its failure at inbox
      And the queue manager runs for 4 seconds
      And a message is received from inbox
      And an application looks at the transactional dead-letter queue
      And t2 <ends>
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | abort  | aborts  |
        | commit | commits |

    @needs:transactions @needs:throttling @req:MQSO-3.3.4.4-04
    Scenario: A commit amid throttling is one as any other
      When a transactional queue orders is created
      And transaction t1 begins
      And m1 is sent to orders in t1
      And throttling begins
      And t1 commits
      And throttling ends
      Then the specification explains every observation

    @needs:transactions @needs:management @req:MQSO-3.3.4.2-06
    Scenario: Counting amid a transaction
      When a transactional queue orders is created
      And transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And an application counts orders
      And t2 aborts
      And an application counts orders
      Then the specification explains every observation

    @needs:transactions @needs:management @req:MQSO-3.3.4.2-06
    Scenario: What a purge has spared counts when it is back
      When a transactional queue orders is created
      And transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And orders is purged
      And t2 aborts
      And an application counts orders
      Then the specification explains every observation

  Rule: Dozens at a time

    @req:MQSO-3.3.4.1-05 @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.6-02
    Scenario: Dozens of queues
      When 45 queues are created, and each is sent a message that is received from it
      Then the specification explains every observation

    @req:MQSO-3.3.4.6-02
    Scenario: Dozens of identifiers
      When 45 messages are sent to inbox, and each is received by its identifier, and not found any more
      Then the specification explains every observation

    @needs:cursors @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario: Dozens of cursors
      When m1, m2 and m3 are sent to inbox
      And 45 cursors are made for inbox, and each is moved on to the second message
      Then the specification explains every observation

    @needs:cursors @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario: A cursor goes through dozens of messages
      When 45 messages are sent to inbox, and a cursor goes through them all
      Then the specification explains every observation

    @needs:transactions @req:MQSO-3.3.4.4-04
    Scenario: Dozens of transactions
      When a transactional queue orders is created
      And 45 transactions are open at once that send a message each to orders, and then all commit
      Then the specification explains every observation

    @needs:clock @req:MQSO-3.3.4.6-04 @req:MQSO-3.3.4.6-05
    Scenario: Dozens of waits
      When r1 to r45 wait 20 seconds for inbox
      And r45 gives up
      And the queue manager runs for 22 seconds
      Then the specification explains every observation
