@role:queue_manager
Feature: What operations leave alone (3.3.4, 4.3.1.2, 5.1.1.2, 6.1.6)
  An operation changes what it is about. All else goes on beside it: other queues of a transaction, waits, reports,
  transactions of another time.

  Rule: A transaction in several queues

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | 3    |
        | bills  | yes           | any  |
        | stock  | yes           | any  |

    @needs:transactions @needs:restart
    @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-02 @req:MQSO-5.1.1.2-14 @req:MQSO-5.1.1.2-12
    Scenario Outline: What happens to one queue of a transaction leaves its others alone
      When transaction t2 begins
      And m1 and m2 are sent to bills in t2
      And m3 is sent to stock in t2
      And t2 commits
      And transaction t1 begins
      And m4 is sent to orders in t1
      And m5 is sent to bills in t1
      And a message is received from bills in t1
      And a message is received from stock in t1
      And <what>
      And m6 is sent to bills in t1
      And t1 <ends>
      And the queue manager is restarted after a crash
      Then the specification explains every observation

      Examples:
        | case           | what                                        | ends    |
        | deleted-commit | orders is deleted                           | commits |
        | deleted-abort  | stock is deleted                            | aborts  |
        | purged-commit  | orders is purged                            | commits |
        | purged-abort   | stock is purged                             | aborts  |
        | room           | orders gets room for 1 message              | commits |
        | closed-commit  | the application that sent to orders ends    | commits |
        | closed-abort   | the application that receives from stock ends | aborts  |
        | made-again     | a transactional queue orders is created     | commits |

    @needs:transactions @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.7-04 @req:MQSO-3.3.4.7-02 @req:MQSO-5.1.1.2-07
    Scenario Outline: A call that fails in a transaction leaves alone what that has done
      When transaction t2 begins
      And m1 and m2 are sent to bills in t2
      And m3 and m4 are sent to orders in t2
      And t2 commits
      And transaction t1 begins
      And m5 is sent to stock in t1
      And a message is received from bills in t1
      And <call>
      And a message is received from bills in t1
      And a message is received from bills in t1
      And transaction t3 begins
      And 2 messages are received from bills in t3
      And t1 <ends>
      Then the specification explains every observation

      Examples:
        | case           | call                                       | ends    |
        | empty-commit   | a message is received from stock in t1     | commits |
        | empty-abort    | a message is received from stock in t1     | aborts  |
        | no-room-commit | m6 and m7 are sent to orders in t1         | commits |
        | gone-commit    | m3 of bills is received by its identifier in t1 | commits |
        | gone-abort     | m3 of bills is received by its identifier in t1 | aborts  |
        | none-commit    | m6 is sent to nowhere in t1                | commits |

    @needs:transactions @needs:restart @req:MQSO-4.3.1.2-05 @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.7-04
    Scenario Outline: A transaction that a restart has ended is none of those that begin later
      When transaction t1 begins
      And m1 and m2 are sent to bills in t1
      And t1 commits
      And transaction t2 begins
      And m3 is sent to orders in t2
      And the queue manager is <restarted>
      And transaction t3 begins
      And transaction t4 begins
      And m4 is sent to orders in t3
      And a message is received from bills in t4
      And m5 is sent to stock in t2
      And t1 <ends>
      And t2 <ends>
      And transaction t5 begins
      And a message is received from orders in t5
      And a message is received from bills in t5
      And t5 aborts
      And t3 commits
      And t4 aborts
      Then the specification explains every observation

      Examples:
        | case   | restarted               | ends    |
        | commit | restarted               | commits |
        | abort  | restarted after a crash | aborts  |

    @needs:transactions @needs:restart @req:MQSO-5.1.1.2-07 @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.4-02
    Scenario Outline: What an end of the queue manager has undone takes no room
      When transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And the queue manager is <restarted>
      And transaction t2 begins
      And m4, m5 and m6 are sent to orders in t2
      And t2 commits
      Then the specification explains every observation

      Examples:
        | case  | restarted               |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @needs:transactions @needs:restart @req:MQSO-5.1.1.2-07 @req:MQSO-3.3.4.1-05 @req:MQSO-5.5.1-02
    Scenario: A change of the room outlives a crash
      When orders gets room for 5 messages
      And the queue manager is restarted after a crash
      And transaction t1 begins
      And m1, m2, m3, m4, m5 and m6 are sent to orders in t1
      And t1 commits
      And the queue manager is restarted after a crash
      And orders gets room for 6 messages
      And the queue manager is restarted after a crash
      And transaction t2 begins
      And m7 and m8 are sent to orders in t2
      And t2 commits
      Then the specification explains every observation

    @needs:transactions @req:MQSO-5.1.1.2-07 @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.4-02
    Scenario Outline: What an abort has undone or given back takes the room that it took before
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And m2 is sent to orders in t2
      And t2 aborts
      And <again>
      And transaction t5 begins
      And m4, m5 and m6 are sent to orders in t5
      And t5 commits
      Then the specification explains every observation

      Examples:
        | case    | again                          |
        | looked  | an application looks at orders |
        | emptied | orders is purged               |

    @needs:transactions @needs:external-transactions @needs:coordinator-faults
    @req:MQSO-5.1.1.2-07 @req:MQSO-5.5.3-03 @req:MQSO-3.3.4.4-02
    Scenario: What the loss of the coordinator has undone takes no room
      When external transaction t1 begins
      And m1, m2 and m3 are sent to orders in t1
      And the coordinator is lost
      And the coordinator is back
      And transaction t2 begins
      And m4, m5 and m6 are sent to orders in t2
      And t2 commits
      Then the specification explains every observation

  Rule: Waits

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | inbox  | no            | 9    |
        | other  | no            | any  |
        | orders | yes           | any  |

    @needs:clock @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.6-05 @req:MQSO-5.1.1.2-13
    Scenario Outline: What else happens at a queue ends no wait and prolongs none
      When m1 and m2 are sent to inbox
      And an application looks at inbox
      And 2 messages are received from inbox
      And r1 waits 50 seconds for inbox
      And r2 waits 20 seconds for inbox
      And r3 looks out 20 seconds for inbox
      And r4 waits 60 seconds for other
      And <what>
      And the queue manager runs for 12 seconds
      And an application asks what became of the waits
      And the queue manager runs for 12 seconds
      And an application asks what became of the waits
      And m3 is sent to inbox
      And an application asks what became of the waits
      And m4 is sent to inbox
      And m5 is sent to other
      Then the specification explains every observation

      Examples:
        | case     | what                                     |
        | sender   | the application that sent to inbox ends  |
        | looker   | the application that looks at inbox ends |
        | purge    | inbox is purged                          |
        | room     | inbox gets room for 5 messages           |
        | receive  | a message is received from inbox         |
        | look     | an application looks at inbox            |
        | deletion | other is deleted                         |
        | again    | a plain queue inbox is created           |
        | gives-up | r2 gives up                              |

    @needs:clock @needs:transactions @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.6-05 @req:MQSO-3.3.4.4-01
    Scenario Outline: What a transaction does beside them ends no wait
      When transaction t1 begins
      And transaction t2 begins
      And r1 waits 50 seconds for orders in t2
      And r2 looks out 20 seconds for orders
      And m1 is sent to orders in t1
      And <what>
      And the queue manager runs for 24 seconds
      And an application asks what became of the waits
      And t1 aborts
      And an application asks what became of the waits
      And transaction t3 begins
      And m2 is sent to orders in t3
      And t3 commits
      And t2 aborts
      Then the specification explains every observation

      Examples:
        | case     | what                                      |
        | commit   | t1 commits                                |
        | abort    | t1 aborts                                 |
        | sender   | the application that sent to orders ends  |
        | receive  | a message is received from orders in t1   |
        | gives-up | r2 gives up                               |
        | room     | orders gets room for 5 messages           |

    @needs:clock @needs:transactions @req:MQSO-5.1.1.2-08 @req:MQSO-3.3.4.7-04 @req:MQSO-3.3.4.7-02
    Scenario Outline: What a transaction has received comes to none who waits
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And transaction t3 begins
      And r1 waits 50 seconds for orders in t3
      And r2 looks out 20 seconds for orders
      And <what>
      And an application asks what became of the waits
      And t2 aborts
      And an application asks what became of the waits
      And t3 commits
      Then the specification explains every observation

      Examples:
        | case     | what                           |
        | gives-up | r2 gives up                    |
        | room     | orders gets room for 5 messages |
        | look     | an application looks at orders |

  Rule: Cursors

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | inbox  | no            | any  |
        | orders | yes           | any  |

    @needs:cursors @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario Outline: A cursor whose message is gone begins nowhere else
      When m1, m2 and m3 are sent to inbox
      And m4 is sent to inbox, to be received within 5 seconds
      And m5, m6 and m7 are sent to inbox
      And cursor c1 is made for inbox
      And cursor c2 is made for inbox
      And c1 looks at its message of inbox
      And c1 looks at the next message of inbox
      And c1 looks at the next message of inbox
      And c1 looks at the next message of inbox
      And c2 looks at its message of inbox
      And <what>
      And an application looks at inbox
      And c1 looks at the next message of inbox
      And c2 looks at the next message of inbox
      And c2 takes its message of inbox
      And c1 looks at the next message of inbox
      And c2 looks at the next message of inbox
      Then the specification explains every observation

      Examples:
        | case       | what                                |
        | identifier | m4 of inbox is received by its identifier |
        | itself     | c1 takes its message of inbox       |
        | first      | a message is received from inbox    |
        | four       | 4 messages are received from inbox  |

    @needs:cursors @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario: A cursor that takes the next message takes none that it has passed
      When m1, m2, m3, m4 and m5 are sent to inbox
      And cursor c1 is made for inbox
      And c1 looks at its message of inbox
      And c1 looks at the next message of inbox
      And c1 takes the next message of inbox
      And c1 takes the next message of inbox
      And an application looks at inbox
      And c1 looks at the next message of inbox
      Then the specification explains every observation

    @needs:cursors @needs:clock @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
    Scenario: A cursor whose message has expired begins nowhere else
      When m1 and m2 are sent to inbox
      And m3 is sent to inbox, to be received within 5 seconds
      And m4, m5 and m6 are sent to inbox
      And cursor c1 is made for inbox
      And c1 looks at its message of inbox
      And c1 looks at the next message of inbox
      And c1 looks at the next message of inbox
      And the queue manager runs for 7 seconds
      And an application looks at inbox
      And c1 looks at the next message of inbox
      And c1 looks at the next message of inbox
      Then the specification explains every observation

    @needs:cursors @needs:transactions @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15 @req:MQSO-3.3.4.7-02
    Scenario Outline: A cursor whose message a transaction has had goes on from there
      When transaction t1 begins
      And m1, m2, m3, m4, m5 and m6 are sent to orders in t1
      And t1 commits
      And cursor c1 is made for orders
      And c1 looks at its message of orders
      And c1 looks at the next message of orders
      And c1 looks at the next message of orders
      And transaction t2 begins
      And m3 of orders is received by its identifier in t2
      And c1 looks at the next message of orders
      And t2 <ends>
      And c1 looks at the next message of orders
      And c1 looks at the next message of orders
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

  Rule: Timers

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | inbox  | no            | 9    |
        | acks   | no            | any  |
        | orders | yes           | 9    |

    @needs:clock @needs:transactions @req:MQSO-5.1.1.3-04 @req:MQSO-6.1.6.5-02
    Scenario Outline: What else happens at a queue leaves the times of its messages alone
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 20 seconds
      And m2 is sent to orders in t1, to be received within 60 seconds
      And t1 commits
      And m3 is sent to inbox, recoverable, to be received within 20 seconds, asking for acknowledgment of its failure at acks
      And m4 is sent to inbox, to be received within 60 seconds
      And transaction t2 begins
      And the queue manager runs for 12 seconds
      And <what>
      And the queue manager runs for 12 seconds
      And an application looks at inbox
      And an application looks at orders
      And the queue manager runs for 4 seconds
      And t2 aborts
      Then the specification explains every observation

      Examples:
        | case       | what                                      |
        | room       | inbox gets room for 5 messages            |
        | orders     | orders gets room for 5 messages           |
        | look       | an application looks at inbox             |
        | identifier | m3 of inbox is looked at by its identifier |
        | send       | m5 is sent to inbox                       |
        | send-in-t2 | m5 is sent to orders in t2                |
        | receive    | m2 of orders is received by its identifier in t2 |
        | again      | a plain queue inbox is created            |
        | sender     | the application that sent to inbox ends   |
        | wait       | r1 waits 3 seconds for acks               |

    @needs:clock @needs:transactions @req:MQSO-5.1.1.3-04 @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.7-01
    Scenario Outline: What a transaction has received first keeps no other message alive
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to orders in t1, to be received within 20 seconds, asking for a dead letter
      And m3 is sent to orders in t1, to be received within 60 seconds
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And the queue manager runs for 24 seconds
      And an application looks at orders
      And transaction t3 begins
      And a message is received from orders in t3
      And t2 <ends>
      And t3 aborts
      Then the specification explains every observation

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

  Rule: Reports and letters

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | inbox  | no            | any  |
        | acks   | no            | any  |
        | orders | yes           | any  |

    @needs:clock @req:MQSO-6.1.6.5-01 @req:MQSO-6.1.6.5-02
    Scenario: A queue takes reports on its own messages
      When m1 is sent to acks, asking for acknowledgment of its arrival at acks
      And the queue manager runs for 4 seconds
      And m2 is sent to acks, to be received within 5 seconds, asking for acknowledgment of its failure at acks
      And the queue manager runs for 9 seconds
      And an application looks at acks
      And the queue manager runs for 4 seconds
      And all messages are received from acks
      And m3 is sent to acks, asking for acknowledgment of its receive at acks
      And a message is received from acks
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

    @needs:clock @needs:transactions @needs:throttling
    @req:MQSO-5.1.1.2-27 @req:MQSO-5.1.1.2-28 @req:MQSO-6.1.6.5-02 @req:MQSO-5.1.1.3-04
    Scenario: Throttling keeps no message alive, and no letter or report away
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 5 seconds, asking for everything
      And t1 commits
      And m2 is sent to inbox, recoverable, to be received within 5 seconds, asking for everything
      And throttling begins
      And the queue manager runs for 9 seconds
      And an application looks at inbox
      And an application looks at orders
      And throttling ends
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

    @needs:clock @needs:transactions @needs:coordinator-faults
    @req:MQSO-5.1.1.2-27 @req:MQSO-5.1.1.2-28 @req:MQSO-6.1.6.5-02 @req:MQSO-5.1.1.3-04
    Scenario: Without the coordinator messages expire, and are letters and reported
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 5 seconds, asking for everything
      And t1 commits
      And m2 is sent to inbox, recoverable, to be received within 5 seconds, asking for everything
      And the coordinator is lost
      And the queue manager runs for 9 seconds
      And an application looks at inbox
      And an application looks at orders
      And the coordinator is back
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

    @needs:clock @needs:transactions @req:MQSO-6.1.6.5-01 @req:MQSO-3.3.4.4-04
    Scenario: A commit tells of all that it has sent and received
      When transaction t1 begins
      And m1 is sent to orders in t1, asking for acknowledgment of its receive at acks
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And m2 is sent to orders in t2, asking for acknowledgment of its arrival at acks
      And t2 commits
      And the queue manager runs for 4 seconds
      Then the specification explains every observation
