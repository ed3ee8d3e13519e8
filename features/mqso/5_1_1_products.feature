@role:queue_manager
Feature: Products of operations (3.3.4, 4.3.1.2, 5.1.1.2, 5.1.1.3, 5.5.1, 6.1.6)
  Each way to do a thing is followed by all that may show it: room, reports, copies, timers, ends of transactions,
  crashes.

  Rule: Ways to receive

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | acks   | no            | any  |
        | small  | no            | 2    |
        | tight  | yes           | 2    |

    @needs:cursors @needs:restart @needs:clock
    @req:MQSO-5.1.1.2-07 @req:MQSO-6.1.6.5-01 @req:MQSO-5.5.1-07 @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.3-14
    Scenario Outline: What was received in any way is gone for good
      When <before>
      And m1 is sent to small, recoverable, to be received within 50 seconds, asking for everything
      And cursor c1 is made for small
      And <receive>
      And m2 and m3 are sent to small, recoverable
      And m4 is sent to small, recoverable
      And c1 looks at the next message of small
      And the queue manager runs for 4 seconds
      And all messages are received from acks
      And the queue manager is restarted after a crash
      And the queue manager runs for 60 seconds
      Then the specification explains every observation

      Examples:
        | case       | before                          | receive                               |
        | first      | an application looks at small   | a message is received from small      |
        | identifier | an application looks at small   | m1 of small is received by its identifier |
        | cursor     | an application looks at small   | c1 takes its message of small         |
        | wait       | r1 waits 30 seconds for small   | an application looks at small         |

    @needs:transactions @needs:cursors @needs:restart @needs:clock
    @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-04 @req:MQSO-5.1.1.2-07 @req:MQSO-6.1.6.5-01
    Scenario Outline: What a transaction has received in any way is its own until it ends
      When transaction t2 begins
      And <before>
      And transaction t1 begins
      And m1 is sent to tight in t1, to be received within 50 seconds, asking for everything
      And m2 is sent to tight in t1
      And t1 commits
      And cursor c1 is made for tight
      And <receive>
      And transaction t3 begins
      And m3 is sent to tight in t3
      And t3 commits
      And an application looks at tight
      And t2 <ends>
      And an application looks at tight
      And the queue manager runs for 4 seconds
      And all messages are received from acks
      And transaction t4 begins
      And m4 and m5 are sent to tight in t4
      And t4 commits
      And the queue manager is restarted after a crash
      And the queue manager runs for 60 seconds
      Then the specification explains every observation

      Examples:
        | case              | before                              | receive                                         | ends    |
        | first-commit      | an application looks at tight       | a message is received from tight in t2          | commits |
        | first-abort       | an application looks at tight       | a message is received from tight in t2          | aborts  |
        | identifier-commit | an application looks at tight       | m1 of tight is received by its identifier in t2 | commits |
        | identifier-abort  | an application looks at tight       | m1 of tight is received by its identifier in t2 | aborts  |
        | cursor-commit     | an application looks at tight       | c1 takes its message of tight in t2             | commits |
        | cursor-abort      | an application looks at tight       | c1 takes its message of tight in t2             | aborts  |
        | wait-commit       | r1 waits 30 seconds for tight in t2 | an application looks at tight                   | commits |
        | wait-abort        | r1 waits 30 seconds for tight in t2 | an application looks at tight                   | aborts  |

    @needs:transactions @needs:clock @needs:restart @req:MQSO-5.1.1.2-32 @req:MQSO-5.1.1.2-27 @req:MQSO-5.1.1.2-28
    Scenario Outline: Letters are handed out in any way, and nothing follows from that
      When transaction t1 begins
      And m1 and m2 are sent to tight in t1, to be received within 5 seconds, asking for everything
      And t1 commits
      And m3 and m4 are sent to small, to be received within 5 seconds, asking for everything
      And the queue manager runs for 7 seconds
      And an application looks at tight
      And an application looks at small
      And transaction t2 begins
      And <receive>
      And the queue manager runs for 7 seconds
      And all messages are received from acks
      And the queue manager is restarted after a crash
      Then the specification explains every observation

      Examples:
        | case          | receive                                                            |
        | first         | a message is received from the dead-letter queue                   |
        | transactional | a message is received from the transactional dead-letter queue in t2 |
        | journal       | all messages are received from the journal                          |

    @needs:cursors @needs:clock @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-32
    Scenario: A cursor goes through letters
      When m1, m2 and m3 are sent to small, to be received within 5 seconds, asking for everything
      And the queue manager runs for 7 seconds
      And an application looks at small
      And cursor c1 is made for the dead-letter queue
      And cursor c2 is made for the journal
      And c1 looks at its message of the dead-letter queue
      And c2 takes its message of the journal
      And c1 looks at the next message of the dead-letter queue
      And c1 takes its message of the dead-letter queue
      And c2 looks at the next message of the journal
      Then the specification explains every observation

  Rule: Ways to send

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | acks   | no            | any  |
        | inbox  | no            | any  |
        | orders | yes           | any  |
        | bills  | yes           | any  |
        | stock  | yes           | any  |

    @needs:transactions @needs:clock @needs:restart
    @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-16 @req:MQSO-5.1.1.2-26 @req:MQSO-6.1.6.5-01
    @req:MQSO-6.1.6.5-02
    Scenario Outline: What a transaction sends is all that was asked for, if that commits
      When <kind> t1 begins
      And m1 is sent to bills in t1, to be received within 50 seconds, asking for everything
      And m2, m3 and m4 are sent to orders in t1, to be received within 50 seconds, asking for everything, in answer to m1
      And m5 and m6 are sent to stock in t1, asking for everything
      And an application looks at acks
      And t1 <ends>
      And t1 <again>
      And transaction t2 begins
      And 3 messages are received from orders in t2
      And a message is received from stock in t2
      And <kind> t3 begins
      And a message is received from bills in t3
      And t2 <ends>
      And t3 commits
      And the queue manager runs for 4 seconds
      And all messages are received from acks
      And the queue manager is restarted after a crash
      And the queue manager runs for 60 seconds
      Then the specification explains every observation

      Examples:
        | case             | kind                 | ends    | again   |
        | commit           | transaction          | commits | aborts  |
        | abort            | transaction          | aborts  | commits |

    @needs:transactions @needs:external-transactions @needs:clock @needs:restart
    @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-16 @req:MQSO-5.1.1.2-26 @req:MQSO-6.1.6.5-01
    @req:MQSO-6.1.6.5-02
    Scenario Outline: What an external transaction sends is all that was asked for, if that commits
      When external transaction t1 begins
      And m1 is sent to bills in t1, to be received within 50 seconds, asking for everything
      And m2 and m3 are sent to orders in t1, to be received within 50 seconds, asking for everything, in answer to m1
      And t1 <ends>
      And the queue manager runs for 4 seconds
      And t1 <again>
      And external transaction t2 begins
      And a message is received from orders in t2
      And t2 commits
      And the queue manager runs for 4 seconds
      And all messages are received from acks
      And the queue manager is restarted after a crash
      And the queue manager runs for 60 seconds
      Then the specification explains every observation

      Examples:
        | case   | ends    | again   |
        | commit | commits | aborts  |
        | abort  | aborts  | commits |

    @needs:transactions @needs:restart @req:MQSO-4.3.1.2-05 @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.7-02
    Scenario: Transactions that a restart has ended
      When transaction t1 begins
      And m1, m2, m3, m4 and m5 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And transaction t3 begins
      And transaction t4 begins
      And 3 messages are received from orders in t2
      And a message is received from orders in t3
      And m6 is sent to bills in t4
      And the queue manager is restarted after a crash
      And t4 commits
      And t2 commits
      And t3 aborts
      And transaction t5 begins
      And m7 is sent to stock in t5
      And 3 messages are received from orders in t5
      And t5 aborts
      Then the specification explains every observation

    @needs:clock @needs:restart @req:MQSO-5.1.1.3-04 @req:MQSO-5.5.1-02
    Scenario: Timers go on from restart to restart
      When m1 is sent to inbox, recoverable, to be received within 100 seconds, asking for everything
      And m2 is sent to inbox, recoverable, to be received within 40 seconds
      And m3 is sent to inbox, recoverable, to be received within 3000000 seconds, asking for everything
      And m4 is sent to inbox, recoverable, to be received within 6000000 seconds
      And the queue manager runs for 4 seconds
      And the queue manager is restarted
      And the queue manager runs for 30 seconds
      And the queue manager is restarted after a crash
      And the queue manager runs for 30 seconds
      And an application counts inbox
      And the queue manager is restarted
      And the queue manager runs for 30 seconds
      And m1 of inbox is looked at by its identifier
      And the queue manager runs for 30 seconds
      And the queue manager is restarted after a crash
      And an application looks at inbox
      And the queue manager runs for 2000000 seconds
      And m5, m6 and m7 are sent to inbox, recoverable, to be received within 5 seconds, asking for everything
      And the queue manager runs for 4 seconds
      And the queue manager stops
      And the queue manager runs for 10 seconds
      And the queue manager starts
      And an application looks at inbox
      And the queue manager runs for 2000000 seconds
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

  Rule: Ways to wait

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | acks   | no            | any  |
        | other  | no            | any  |
        | news   | no            | any  |
        | inbox  | no            | any  |
        | orders | yes           | any  |

    @needs:clock @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.6-05 @req:MQSO-5.1.1.2-13
    Scenario: Many wait beside each other, and each ends by itself
      When r1 looks out 20 seconds for inbox
      And r2 waits 20 seconds for inbox
      And r3 waits 60 seconds for inbox
      And r4 waits 20 seconds for news
      And r5 looks out 3000000 seconds for other
      And r6 waits 6000000 seconds for other
      And m1 is sent to inbox, asking for acknowledgment of its receive at acks
      And m2 is sent to inbox
      And r2 gives up
      And r1 gives up
      And r7 looks out 20 seconds for inbox
      And m3 is sent to inbox, asking for acknowledgment of its receive at acks
      And the queue manager runs for 12 seconds
      And inbox is purged
      And other is purged
      And news is purged
      And an application looks at news
      And the queue manager runs for 12 seconds
      And m5 is sent to news
      And all messages are received from acks
      And the queue manager runs for 2000000 seconds
      And other is purged
      And the queue manager runs for 2500000 seconds
      And m4 is sent to other
      Then the specification explains every observation

    @needs:transactions @needs:clock @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.7-04 @req:MQSO-3.3.4.7-02
    Scenario Outline: All who wait in transactions get what comes at once
      When transaction t2 begins
      And transaction t3 begins
      And r1 looks out 30 seconds for orders
      And r2 waits 30 seconds for orders in t2
      And r3 waits 30 seconds for orders in t3
      And transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t4 begins
      And r4 waits 30 seconds for orders in t4
      And t2 <ends>
      And t3 aborts
      And the queue manager runs for 40 seconds
      And t4 aborts
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

  Rule: Queues come, change and go

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | acks   | no            | any  |
        | inbox  | no            | any  |
        | orders | yes           | any  |

    @needs:transactions @needs:management @needs:clock
    @req:MQSO-5.1.1.2-14 @req:MQSO-3.3.4.1-05 @req:MQSO-3.3.4.1-06 @req:MQSO-3.3.4.2-06 @req:MQSO-3.3.4.6-02
    Scenario Outline: What belonged to a deleted queue is not in the one that is made anew
      When a plain queue inbox2 is created
      And m1 is sent to inbox2
      And r1 waits 90 seconds for inbox
      And transaction t1 begins
      And m2 and m3 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And m4 is sent to orders in t2
      And inbox is deleted
      And orders is deleted
      And inbox is deleted
      And inbox is purged
      And inbox gets room for 1 message
      And an application counts inbox
      And a plain queue inbox is created
      And a transactional queue orders is created
      And t2 <ends>
      And m5 is sent to inbox
      And a message is received from inbox
      And m6 is sent to inbox
      And the queue manager runs for 100 seconds
      And a message is received from inbox2
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

    @needs:transactions @req:MQSO-5.1.1.2-12 @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.4-04
    Scenario: A purge takes what is there, and not what a commit brings
      When transaction t1 begins
      And m1 is sent to orders in t1
      And transaction t2 begins
      And m2 is sent to orders in t2
      And t2 commits
      And orders is purged
      And t1 commits
      Then the specification explains every observation

    @needs:restart @req:MQSO-3.3.4.1-05 @req:MQSO-3.3.4.1-06 @req:MQSO-5.1.1.2-07
    Scenario: Room is what it was changed to last
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small, recoverable
      And small gets room for 3 messages
      And m4 and m5 are sent to small, recoverable
      And the queue manager is restarted
      And the queue manager is restarted
      And m6 is sent to small, recoverable
      And small gets room for any number of messages
      And m7 and m8 are sent to small, recoverable
      Then the specification explains every observation

    @needs:management @req:MQSO-3.3.4.2-06
    Scenario: What is shown of a queue is what holds
      Given a transactional queue small with room for 2 messages
      When small gets room for 3 messages
      Then small is shown as transactional with room for 3 messages

  Rule: What is stored

    Background:
      Given a queue manager with the queues
        | queue | transactional | room |
        | inbox | no            | any  |

    @needs:restart @req:MQSO-3.3.4.8-01 @req:MQSO-5.5.1-07
    Scenario Outline: A body outlives a restart as it was
      When m1 is sent to inbox, recoverable, <body>
      And m2 is sent to inbox, recoverable
      And the queue manager is restarted after a crash
      And m2 of inbox is received by its identifier
      Then inbox holds m1

      Examples:
        | case         | body                     |
        | long         | with a long body         |
        | beyond-ascii | with a body beyond ASCII |
        | empty        | with an empty body       |
        | text-signs   | with a body of signs     |

  Rule: Handles

    Background:
      Given a queue manager with the queues
        | queue | transactional | room |
        | inbox | no            | any  |

    @req:MQSO-3.3.4.3-06
    Scenario: Nothing is sent with a handle for receiving
      When m1 is sent to inbox through a handle for receiving
      Then inbox holds nothing

    @needs:cursors @req:MQSO-5.1.1-04
    Scenario: Another application that ends leaves a cursor where it is
      When m1 and m2 are sent to inbox
      And cursor c1 is made for inbox
      And c1 looks at its message of inbox
      And a message is received from inbox through a handle for looking
      And the application that looks at inbox ends
      And c1 looks at the next message of inbox
      Then the specification explains every observation

  Rule: Scarce memory and storage

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | inbox  | no            | any  |
        | other  | no            | any  |
        | orders | yes           | any  |

    @needs:transactions @needs:throttling @req:MQSO-5.1.1.1-11 @req:MQSO-3.3.4.6-02
    Scenario: While throttled no send is accepted, and receives go on
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And m2 is sent to inbox, recoverable
      And transaction t2 begins
      And transaction t3 begins
      And r1 waits 30 seconds for other
      And throttling begins
      And m3 is sent to orders in t2
      And m4 is sent to inbox, recoverable
      And m5 is sent to inbox
      And a message is received from inbox
      And a message is received from orders in t3
      And an application looks at inbox
      And throttling ends
      And t2 commits
      And t3 commits
      And m6 is sent to other
      Then the specification explains every observation

    @needs:transactions @needs:store-faults @req:MQSO-5.5.5-01
    Scenario: A transaction whose sends find no room is none, or whole
      When transaction t1 begins
      And m1 is sent to orders in t1
      And the store is full
      And m2 is sent to orders in t1
      And t1 commits
      And the store has room again
      And transaction t2 begins
      And m3 is sent to orders in t2
      And t2 commits
      Then the specification explains every observation

  Rule: Hundreds at a time

    @needs:transactions @req:MQSO-3.3.4.4-04 @req:MQSO-5.1.1.2-01
    Scenario: A transaction of hundreds of messages
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | any  |
      When a transaction sends 140 messages to orders and commits
      And a transaction receives them all from orders and aborts
      Then the specification explains every observation

    @needs:transactions @needs:restart @req:MQSO-5.5.1-07 @req:MQSO-5.1.1.2-01
    Scenario Outline: Dozens of messages outlive a restart in their order
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | any  |
        | inbox  | no            | any  |
      When a transaction sends 25 messages to orders and commits
      And m31, m32, m33, m34, m35, m36, m37, m38, m39, m40, m41 and m42 are sent to inbox, recoverable
      And the queue manager is <restarted>
      Then the specification explains every observation

      Examples:
        | case  | restarted               |
        | stop  | restarted               |
        | crash | restarted after a crash |
