@role:queue_manager @needs:transactions @needs:external-transactions
Feature: External transactions and their coordinator (4.3.1.2, 4.3.3, 5.5.3)

  When a queue manager meets that its coordinator is lost or back is its own affair, and so is when it learns what the
  coordinator has decided; it has some seconds for each.

  Background:
    Given a queue manager with the queues
      | queue  | transactional | room |
      | inbox  | no            | any  |
      | orders | yes           | any  |
      | bills  | yes           | any  |

  Rule: External transactions

    @needs:clock @req:MQSO-4.3.1.2-15
    Scenario Outline: What one kind sends the other receives
      When <sender> t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And the queue manager runs for 4 seconds
      And <receiver> t2 begins
      And a message is received from orders in t2
      And t2 commits
      Then m1 was received

      Examples:
        | case     | sender               | receiver             |
        | to-other | transaction          | external transaction |
        | to-own   | external transaction | transaction          |

    @needs:clock @req:MQSO-4.3.1.2-01 @req:MQSO-4.3.1-02 @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.7-01
    Scenario Outline: An external transaction receives and sends, all or nothing
      When external transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And the queue manager runs for 4 seconds
      And external transaction t2 begins
      And a message is received from orders in t2
      And m2 is sent to bills in t2
      And m3 is sent to orders in t2
      And t2 <ends>
      And the queue manager runs for 4 seconds
      Then orders holds <orders>
      And bills holds <bills>

      Examples:
        | case   | ends    | orders | bills   |
        | commit | commits | m3     | m2      |
        | abort  | aborts  | m1     | nothing |

    @req:MQSO-3.3.4.4-01 @req:MQSO-4.3.1.2-04
    Scenario: Nothing of an external transaction shows before its commit
      When external transaction t1 begins
      And m1 is sent to orders in t1
      And an application looks at orders
      Then nothing was received

    @needs:clock @needs:restart @req:MQSO-5.5.1-02 @req:MQSO-4.3.1.2-11 @req:MQSO-5.5.1-04
    Scenario Outline: A restart gives back what an external transaction has received, beside a reader
      When transaction t1 begins
      And m1 is sent to orders in t1
      And m2 is sent to bills in t1
      And t1 commits
      And external transaction t2 begins
      And a message is received from orders in t2
      And a message is received from bills in t2
      And transaction t3 begins
      And r1 waits 20 seconds for orders in t3
      And the queue manager is <restarted>
      And the queue manager runs for 4 seconds
      Then the specification explains every observation

      Examples:
        | case  | restarted               |
        | stop  | restarted               |
        | crash | restarted after a crash |

  @needs:coordinator-faults
  Rule: Without the coordinator

    @req:MQSO-4.3.1.2-14 @req:MQSO-4.3.3-02
    Scenario: An internal transaction needs no coordinator
      Given no coordinator was ever there
      When transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      Then orders holds m1

    @req:MQSO-5.5.3-04
    Scenario: Nothing is sent within an external transaction where no coordinator was ever there
      Given no coordinator was ever there
      When external transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      Then orders holds nothing

    @req:MQSO-5.5.3-03 @req:MQSO-5.5.3-04 @req:MQSO-5.5.3-01
    Scenario: The loss of the coordinator undoes what it coordinates
      When external transaction t1 begins
      And m1 is sent to orders in t1
      And the coordinator is lost
      And t1 commits
      Then orders holds nothing

    @needs:clock @req:MQSO-5.5.3-03
    Scenario: The loss of the coordinator gives back what was received
      When transaction t1 begins
      And m1 and m2 are sent to orders in t1
      And t1 commits
      And external transaction t2 begins
      And a message is received from orders in t2
      And the coordinator is lost
      And the queue manager runs for 30 seconds
      Then orders holds m1 and m2, in this order

    @needs:clock @req:MQSO-5.5.3-03
    Scenario: What its loss has undone stays undone
      When external transaction t1 begins
      And m1 is sent to orders in t1
      And the coordinator is lost
      And the queue manager runs for 30 seconds
      And the coordinator is back
      And t1 commits
      Then orders holds nothing

    @req:MQSO-5.5.3-04 @req:MQSO-4.3.3-01 @req:MQSO-5.5.3-01
    Scenario: Nothing external without the coordinator
      When the coordinator is lost
      And external transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      Then orders holds nothing

    @needs:clock @req:MQSO-5.5.3-06 @req:MQSO-5.5.3-01
    Scenario: The coordinator is back
      When the coordinator is lost
      And the coordinator is back
      And the queue manager runs for 30 seconds
      And external transaction t1 begins
      And m1 is sent to orders in t1
      And t1 commits
      And the queue manager runs for 4 seconds
      Then orders holds m1

    @req:MQSO-5.5.3-06 @req:MQSO-4.3.3-02
    Scenario: An internal transaction that works without the coordinator goes on when it is back
      When transaction t1 begins
      And m1 is sent to orders in t1
      And the coordinator is lost
      And m2 is sent to orders in t1
      And the coordinator is back
      And m3 is sent to orders in t1
      And t1 commits
      Then the specification explains every observation

    @req:MQSO-5.5.3-05 @req:MQSO-5.5.3-01
    Scenario: All else goes on
      When the coordinator is lost
      And m1 is sent to inbox, recoverable
      And r1 waits 30 seconds for inbox
      And r2 waits 30 seconds for inbox
      And m2 is sent to inbox
      And a plain queue fresh is created
      And m3 is sent to fresh
      Then r2 has got m2
      And fresh holds m3

    @needs:restart @req:MQSO-5.5.3-02 @req:MQSO-5.5.3-01
    Scenario: It starts without the coordinator
      When m1 is sent to inbox, recoverable
      And the coordinator is lost
      And the queue manager is restarted
      And m2 is sent to inbox
      Then inbox holds m1 and m2, in this order
