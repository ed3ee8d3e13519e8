@role:queue_manager @needs:restart
Feature: Survival of restarts (5.5.1)

  Rule: Messages

    Background:
      Given a queue manager with the queues
        | queue | transactional | room |
        | inbox | no            | any  |
        | other | no            | any  |

    @req:MQSO-5.5.1-08 @req:MQSO-1.1-03 @req:MQSO-3.2.1-01 @req:MQSO-5.1.1.3-03
    Scenario Outline: Express messages are gone
      When m1 and m2 are sent to inbox
      And the queue manager is <how>
      Then inbox holds nothing

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.5.1-07 @req:MQSO-5.5.1-01 @req:MQSO-1.1-05 @req:MQSO-3.2.1-02 @req:MQSO-4.3.1-01
    Scenario Outline: Recoverable messages are there, in order
      When m1 is sent to inbox, recoverable
      And m2 is sent to inbox
      And m3 is sent to inbox, recoverable
      And the queue manager is <how>
      Then inbox holds m1 and m3, in this order

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.5.1-01 @req:MQSO-5.5.1-07
    Scenario: A crash is survived as a stop is
      When m1 and m2 are sent to inbox, recoverable
      And the queue manager is restarted
      And an application looks at inbox
      And the queue manager is restarted after a crash
      Then inbox holds m1 and m2, in this order

    @req:MQSO-5.5.1-07 @req:MQSO-5.5.1-02
    Scenario: One restart after the other
      When m1 is sent to inbox, recoverable
      And the queue manager is restarted
      And m2 is sent to inbox, recoverable
      And the queue manager is restarted after a crash
      And m3 is sent to inbox, recoverable
      And the queue manager is restarted
      And m4 is sent to inbox
      Then inbox holds m1, m2, m3 and m4, in this order

    @req:MQSO-3.3.4.6-02 @req:MQSO-5.5.1-02
    Scenario Outline: What was received does not come back
      When m1 and m2 are sent to inbox, recoverable
      And a message is received from inbox
      And the queue manager is <how>
      Then inbox holds m2

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.1.1.2-12 @req:MQSO-5.5.1-02
    Scenario: What was purged does not come back
      When m1 and m2 are sent to inbox, recoverable
      And inbox is purged
      And m3 is sent to inbox, recoverable
      And the queue manager is restarted after a crash
      Then inbox holds m3

    @req:MQSO-4.3.1-01 @req:MQSO-5.5.1-02
    Scenario: Each message is in its queue again
      When m1 is sent to inbox, recoverable
      And m2 is sent to other, recoverable
      And the queue manager is restarted
      Then inbox holds m1
      And other holds m2

    @req:MQSO-5.5.1-02 @req:MQSO-5.1.1.2-07
    Scenario: The room of a queue is what it was
      Given a plain queue small with room for 2 messages
      When m1, m2 and m3 are sent to small, recoverable
      And the queue manager is restarted
      And m4 is sent to small
      Then small holds m1 and m2

    @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.1-05 @req:MQSO-5.1.1.2-07
    Scenario: The room of a queue is what it was changed to
      Given a plain queue small with room for 2 messages
      When small gets room for 3 messages
      And the queue manager is restarted
      And m1, m2, m3 and m4 are sent to small
      Then small holds m1, m2 and m3

    @req:MQSO-5.1.1.2-14 @req:MQSO-5.5.1-02
    Scenario: A deleted queue does not come back in a crash
      When m1 is sent to inbox, recoverable
      And inbox is deleted
      And the queue manager is restarted after a crash
      And a plain queue inbox is created
      Then inbox holds nothing

    @req:MQSO-5.1.1-03 @req:MQSO-5.5.1-02
    Scenario: What a sender says of answers is what it was
      When m1 is sent to inbox, recoverable, asking for an answer at other
      And the queue manager is restarted
      Then inbox holds m1

    @req:MQSO-5.1.1.2-02 @req:MQSO-5.5.1-02
    Scenario: Queues come and go by order only
      When a plain queue fresh is created
      And inbox is deleted
      And the queue manager is restarted
      And m1 is sent to fresh
      And m2 is sent to inbox
      And a plain queue inbox is created
      Then fresh holds m1
      And inbox holds nothing

    @req:MQSO-5.1.1.1-09 @req:MQSO-5.5.1-01
    Scenario: It does all that it did
      When the queue manager is restarted after a crash
      And a plain queue fresh is created
      And r1 waits 30 seconds for fresh
      And m1 and m2 are sent to fresh
      Then r1 has got m1
      And fresh holds m2

    @req:MQSO-6.7.1-01 @req:MQSO-5.1.1.1-03
    Scenario: Calls fail while it is stopped
      When m1 is sent to inbox, recoverable
      And the queue manager stops
      And a message is received from inbox
      And m2 is sent to inbox, recoverable
      And the queue manager starts
      Then inbox holds m1

    @req:MQSO-6.7.1-01 @req:MQSO-5.1.1.1-03
    Scenario: A queue that was opened before gives nothing while it is stopped
      When m1 and m2 are sent to inbox, recoverable
      And a message is received from inbox
      And the queue manager stops
      And a message is received from inbox
      And an application looks at inbox
      And the queue manager starts
      Then inbox holds m2

    @req:MQSO-6.7.1-01 @req:MQSO-5.1.1.1-03
    Scenario: No queue is made while it is stopped
      When the queue manager stops
      And a plain queue fresh is created
      And the queue manager starts
      And m1 is sent to fresh
      And a plain queue fresh is created
      Then fresh holds nothing

  @needs:transactions
  Rule: Transactions

    Background:
      Given a queue manager with the queues
        | queue  | transactional | room |
        | orders | yes           | any  |
        | bills  | yes           | any  |

    @req:MQSO-5.5.1-04
    Scenario Outline: Transactional messages are there
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And the queue manager is <how>
      Then orders holds m1 and m2, in this order

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.4-01
    Scenario Outline: What was not committed is not there
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And the queue manager is <how>
      Then orders holds nothing
      And bills holds nothing

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.5.1-04
    Scenario Outline: What was received and not committed is there again
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And the queue manager is <how>
      Then orders holds m1 and m2, in this order

      Examples:
        | case  | how                     |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.7-01
    Scenario: What was received and committed is gone for good
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And transaction t2 begins
      And a message is received from orders in t2
      And t2 commits
      And the queue manager is restarted after a crash
      Then orders holds m2

    @req:MQSO-5.5.1-02 @req:MQSO-3.3.4.4-02
    Scenario: What was aborted stays undone
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 aborts
      And the queue manager is restarted
      Then orders holds nothing

    @req:MQSO-3.3.4.4-04 @req:MQSO-5.5.1-04
    Scenario: A commit is whole when a crash follows
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And t1 commits
      And the queue manager is restarted after a crash
      Then orders holds m1
      And bills holds m2

    @needs:clock @req:MQSO-5.5.1-02 @req:MQSO-5.1.1.2-32
    Scenario: A transactional dead letter is there
      When transaction t1 begins
      And m1 is sent to orders in t1, to be received within 2 seconds, asking for a dead letter
      And m2 is sent to orders in t1
      And t1 commits
      And the queue manager runs for 4 seconds
      And an application looks at orders
      And an application looks at the transactional dead-letter queue
      And the queue manager is restarted
      Then orders holds m2
      And the transactional dead-letter queue holds m1

    @req:MQSO-5.5.1-02
    Scenario: A queue is transactional as it was
      When the queue manager is restarted
      And m1 is sent to orders
      Then orders holds nothing
