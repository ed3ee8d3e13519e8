@role:queue_manager @needs:transactions
Feature: Transactions (3.3.4.4, 3.3.4.7, 4.3.1.2)

  Background:
    Given a queue manager with the queues
      | queue  | transactional | room |
      | acks   | no            | any  |
      | orders | yes           | any  |
      | bills  | yes           | any  |

  Rule: Sending

    @req:MQSO-3.3.4.4-01 @req:MQSO-4.3.1.2-04
    Scenario: Nothing shows before the commit
      When transaction t1 begins
      And m1 is sent to orders in t1
      And an application looks at orders
      Then nothing was received

    @req:MQSO-3.3.4.4-01
    Scenario: Who waits gets nothing before the commit
      When r1 looks out 60 seconds for orders
      And transaction t1 begins
      And m1 is sent to orders in t1
      Then r1 still waits

    @req:MQSO-3.3.4.4-01 @req:MQSO-4.3.1.2-04
    Scenario: Another transaction sees nothing before the commit
      When transaction t1 begins
      And transaction t2 begins
      And m1 is sent to orders in t1
      And a message is received from orders in t2
      Then nothing was received

    @req:MQSO-3.3.4.4-05
    Scenario: Each send in a transaction is answered
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      Then the sends succeeded

    @req:MQSO-3.3.4.4-04 @req:MQSO-3.2.1-05 @req:MQSO-4.3.1.2-13 @req:MQSO-4.3.1.2-04
    Scenario: All shows after the commit
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And m3 is sent to orders in t1
      And t1 commits
      Then orders holds m1 and m3, in this order
      And bills holds m2

    @req:MQSO-5.1.1.2-08
    Scenario: Who waits gets what a commit shows
      When r1 looks out 60 seconds for orders
      And transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      Then r1 has got m1

    @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-05 @req:MQSO-3.2.1-05
    Scenario: Nothing is left of sends that were aborted
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And t1 aborts
      Then orders holds nothing
      And bills holds nothing

    @req:MQSO-3.3.4.4-02 @req:MQSO-3.3.4.4-04
    Scenario: One transaction commits, the other does not
      When transaction t1 begins
      And transaction t2 begins
      And m1 is sent to orders in t1
      And m2 is sent to orders in t2
      And m3 is sent to orders in t1
      And t2 aborts
      And t1 commits
      Then orders holds m1 and m3, in this order

    @req:MQSO-5.1.1.2-01
    Scenario: Transactions one after the other keep their order
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And m3 and m4 are sent to orders in t2
      And t2 commits
      Then orders holds m1, m2, m3 and m4, in this order

    @req:MQSO-5.1.1.2-07 @req:MQSO-3.3.4.4-02
    Scenario: What was aborted takes no room
      Given a transactional queue small with room for 2 messages
      When transaction t1 begins
      And m1 and m2 are sent to small in t1
      And t1 aborts
      And transaction t2 begins
      And m3 and m4 are sent to small in t2
      And t2 commits
      Then small holds m3 and m4

    @req:MQSO-3.2.1-07 @req:MQSO-3.3.4.3-06
    Scenario: A transactional queue takes messages within transactions only
      When m1 is sent to orders
      Then orders holds nothing

    @req:MQSO-3.3.4.3-06 @req:MQSO-3.2.1-07
    Scenario: Who is refused is told, at once or as it asked
      When m1 is sent to orders, asking for acknowledgment of its failure at acks
      Then acks holds the negative acknowledgment of m1, or nothing where the send failed
      And orders holds nothing

    @req:MQSO-3.3.4.3-06 @req:MQSO-3.3.4.4-02
    Scenario: A transaction that has ended sends nothing more
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 aborts
      And m2 is sent to orders in t1
      Then orders holds nothing

  Rule: Receiving

    @req:MQSO-3.2.1-07
    Scenario: A transactional queue hands out within transactions only
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And a message is received from orders
      Then nothing was received

    @req:MQSO-3.3.4.7-04 @req:MQSO-4.3.1.2-09 @req:MQSO-5.1.1.3-13
    Scenario: What one has received the other does not see
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And transaction t3 begins
      And a message is received from orders in t2
      And a message is received from orders in t3
      Then m1 and m2 were received, in this order

    @req:MQSO-3.3.4.7-04 @req:MQSO-5.1.1.3-13
    Scenario: Who looks does not see what was received
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And an application looks at orders
      Then m1 and then nothing were received

    @req:MQSO-3.3.4.7-01 @req:MQSO-4.3.1.2-10 @req:MQSO-5.1.1.3-16 @req:MQSO-3.2.1-06
    Scenario: A commit consumes
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 commits
      Then orders holds nothing

    @req:MQSO-3.3.4.7-02 @req:MQSO-4.3.1.2-11 @req:MQSO-5.1.1.3-15 @req:MQSO-3.2.1-06
    Scenario: An abort gives back
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 aborts
      Then orders holds m1

    @req:MQSO-3.3.4.7-02 @req:MQSO-4.3.1.2-11
    Scenario: An abort gives back to every queue
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And a message is received from bills in t2
      And t2 aborts
      Then orders holds m1
      And bills holds m2

    @req:MQSO-5.1.1.2-01
    Scenario: What is given back has its old place
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And 2 messages are received from orders in t2
      And t2 aborts
      Then orders holds m1, m2 and m3, in this order

    @req:MQSO-3.3.4.7-02
    Scenario: Who waits gets what an abort gives back
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And r1 looks out 60 seconds for orders
      And t2 aborts
      Then r1 has got m1

    @req:MQSO-3.3.4.7-02 @req:MQSO-4.3.1.2-11 @req:MQSO-5.1.1.3-15 @req:MQSO-5.1.1.2-08
    Scenario: What came to who waited in a transaction is given back with the rest
      When transaction t1 begins
      And r1 waits 60 seconds for orders in t1
      And transaction t2 begins
      And m1 is sent to orders in t2
      And t2 commits
      And t1 aborts
      Then r1 has got m1
      And orders holds m1

    @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-02
    Scenario Outline: What an abort gives to who waits in another transaction is of that one
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And transaction t3 begins
      And r1 waits 60 seconds for orders in t3
      And t2 aborts
      And t3 <how>
      Then r1 has got m1
      And orders holds <left>

      Examples:
        | case   | how     | left    |
        | commit | commits | nothing |
        | abort  | aborts  | m1      |

    @needs:clock @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.6-05
    Scenario Outline: A wait that ends without a message leaves its transaction as it is
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And 2 messages are received from orders in t2
      And r1 waits 3 seconds for orders in t2
      And <end>
      And t2 <how>
      Then orders holds <left>

      Examples:
        | case     | end                                  | how     | left                     |
        | time-out | the queue manager runs for 5 seconds | commits | nothing                  |
        | cancel   | r1 gives up                          | commits | nothing                  |
        | abort    | the queue manager runs for 5 seconds | aborts  | m1 and m2, in this order |

    @req:MQSO-3.3.4.7-02
    Scenario: What was given back five times is there
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 aborts
      And transaction t3 begins
      And a message is received from orders in t3
      And t3 aborts
      And transaction t4 begins
      And a message is received from orders in t4
      And t4 aborts
      And transaction t5 begins
      And a message is received from orders in t5
      And t5 aborts
      And transaction t6 begins
      And a message is received from orders in t6
      And t6 aborts
      Then orders holds m1 and m2, in this order

    @req:MQSO-3.3.4.4-04
    Scenario: A transaction may send a dozen messages
      When transaction t1 begins
      And m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 and m12 are sent to orders in t1
      And t1 commits
      Then orders holds m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11 and m12, in this order

    @req:MQSO-3.3.4.7-05
    Scenario: Each receive of a transaction gets its own message
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And 4 messages are received from orders in t2
      Then m1, m2, m3 and then nothing were received

    @req:MQSO-3.3.4.6-03
    Scenario: A transaction that has ended receives nothing more
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And a message is received from orders in t1
      Then nothing was received
      And orders holds m1

    @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.4-04 @req:MQSO-4.3.1.2-12
    Scenario Outline: An internal transaction receives and sends, all or nothing
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And m2 is sent to bills in t2
      And t2 <ends>
      Then orders holds <orders>
      And bills holds <bills>

      Examples:
        | case   | ends    | orders  | bills   |
        | commit | commits | nothing | m2      |
        | abort  | aborts  | m1      | nothing |

    @needs:restart @req:MQSO-3.2.1-04 @req:MQSO-1.1-02 @req:MQSO-5.5.1-04
    Scenario: Exactly once, whatever happens
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And 2 messages are received from orders in t2
      And t2 aborts
      And transaction t3 begins
      And a message is received from orders in t3
      And t3 aborts
      And the queue manager is restarted after a crash
      And transaction t4 begins
      And a message is received from orders in t4
      And t4 commits
      And the queue manager is restarted
      Then orders holds m2 and m3, in this order

  @needs:cursors
  Rule: Peeking by cursor

    @req:MQSO-3.3.4.4-01
    Scenario: A cursor shows nothing before the commit
      When transaction t1 begins
      And m1 is sent to orders in t1
      And cursor c1 is made for orders
      And c1 looks at its message of orders
      Then nothing was received

    @req:MQSO-5.1.1.3-13
    Scenario: A cursor shows nothing that a transaction has locked
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And cursor c1 is made for orders
      And c1 looks at its message of orders
      Then m1 and then nothing were received

  @needs:clock
  Rule: Timers and dead letters

    @req:MQSO-5.1.1.2-28 @req:MQSO-4.3.1.2-16
    Scenario: Transactional dead letters have a queue of their own
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds, asking for a dead letter
      And t1 commits
      And the queue manager runs for 4 seconds
      Then orders holds nothing
      And the dead-letter queue holds nothing
      And the transactional dead-letter queue holds m1

    @req:MQSO-5.1.1.3-04
    Scenario: A transactional message whose time is not up is there
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 4 seconds
      And t1 commits
      And the queue manager runs for 3 seconds
      Then orders holds m1

    @req:MQSO-5.1.1.3-04
    Scenario: Each message of a transaction has its own time
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds
      And m2 is sent to orders in t1
      And t1 commits
      And the queue manager runs for 4 seconds
      Then orders holds m2, or nothing where the first message has the time of all

    @req:MQSO-5.1.1.3-04
    Scenario: The time of a message goes on while a transaction has it and after that was undone
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 4 seconds
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And the queue manager runs for 2 seconds
      And t2 aborts
      And the queue manager runs for 3 seconds
      Then orders holds nothing

    @req:MQSO-5.1.1.2-32 @req:MQSO-3.3.4.7-02
    Scenario: A dead letter that an aborted transaction has received is there
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds, asking for a dead letter
      And t1 commits
      And the queue manager runs for 4 seconds
      And an application looks at orders
      And transaction t2 begins
      And a message is received from the transactional dead-letter queue in t2
      And t2 aborts
      Then the transactional dead-letter queue holds m1

    @req:MQSO-5.1.1.3-16 @req:MQSO-5.1.1.3-18
    Scenario: What was consumed in time leaves no dead letter
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds, asking for a dead letter
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 commits
      And the queue manager runs for 4 seconds
      Then the transactional dead-letter queue holds nothing

  Rule: Journal and acknowledgments

    @req:MQSO-5.1.1.2-26
    Scenario Outline: Only what was sent is in the journal
      When transaction t1 begins
      And m1 is sent to orders in t1, asking for a copy in the journal
      And t1 <ends>
      Then orders holds <sent>
      And the journal holds <sent>

      Examples:
        | case   | ends    | sent    |
        | commit | commits | m1      |
        | abort  | aborts  | nothing |

    @needs:clock @req:MQSO-6.1.6.5-01
    Scenario Outline: Only a receive that counts is acknowledged
      When transaction t1 begins
      And m1 is sent to orders in t1, asking for acknowledgment of its receive at acks
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 <ends>
      And the queue manager runs for 4 seconds
      Then acks holds <told>

      Examples:
        | case   | ends    | told                              |
        | commit | commits | the positive acknowledgment of m1 |
        | abort  | aborts  | nothing                           |
