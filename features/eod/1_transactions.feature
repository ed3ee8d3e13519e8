@role:transaction
Feature: Transactional sends to many destinations (page, section 1)

  Background:
    Given target queues
      | name    | computer | transactional |
      | orders  | oslo     | yes           |
      | bills   | rome     | yes           |
      | stock   | oslo     | yes           |
      | notes   | rome     | no            |
      | drafts  | lima     | no            |
    And a distribution list both of orders and bills
    And a distribution list mixed of orders and notes
    And a distribution list nested of both and stock

  Rule: Destinations

    @req:EOD-1-01
    Scenario Outline: A transaction sends to lists and to several elements alike
      When a transaction sends m1 to <destination>
      Then the transaction commits
      And copies of m1 wait for <queues>, and for no other queue

      Examples:
        | case             | destination        | queues                  |
        | one-queue        | orders             | orders                  |
        | several-elements | orders and bills   | orders and bills        |
        | a-list           | both               | orders and bills        |
        | list-and-queue   | both and stock     | orders, bills and stock |
        | list-of-a-list   | nested             | orders, bills and stock |

    @req:EOD-1-01
    Scenario: Lists within lists, a dozen deep
      Given a distribution list level-1 of orders
      And a distribution list level-2 of level-1
      And a distribution list level-3 of level-2
      And a distribution list level-4 of level-3
      And a distribution list level-5 of level-4
      And a distribution list level-6 of level-5
      And a distribution list level-7 of level-6
      And a distribution list level-8 of level-7
      And a distribution list level-9 of level-8
      And a distribution list level-10 of level-9
      And a distribution list level-11 of level-10
      And a distribution list level-12 of level-11
      When a transaction sends m1 to level-12
      Then the transaction commits
      And copies of m1 wait for orders, and for no other queue

    @req:EOD-1-02
    Scenario Outline: One copy for each outgoing queue
      When a transaction sends m1 to <destination>
      Then copies of m1 wait for <queues>, and for no other queue

      Examples:
        | case            | destination               | queues                  |
        | three-elements  | bills, orders and stock   | orders, bills and stock |
        | two-elements    | stock and orders          | orders and stock        |

    @req:EOD-1-02
    Scenario Outline: A queue that is named more than once
      When a transaction sends m1 to <destination>
      Then copies of m1 wait for <queues>, and for no other queue, at most as many as it was named

      Examples:
        | case            | destination               | queues                  |
        | named-twice     | orders and orders         | orders                  |
        | lists-overlap   | both and nested           | orders, bills and stock |
        | list-and-member | bills and both            | orders and bills        |

    @req:EOD-1-02
    Scenario: Several messages of a transaction keep their order
      When a transaction sends m101 to both; m201 to bills and orders; m102 to both
      Then copies of m101, m201 and m102 wait for orders and bills, and for no other queue

    @req:EOD-1-02
    Scenario: Each copy reaches its queue once
      When a transaction sends m1 to both
      And the copies reach their computers
      And the copies reach their computers
      Then orders and bills have taken in m1, and no other queue anything
      And no copy waits for any queue
      And no dead-letter queue holds anything

    @req:EOD-2-02
    Scenario: What was committed before is delivered before
      When a transaction sends m2 to both
      And a transaction sends m1 to both
      And a transaction sends m10 to both
      And the copies reach their computers
      Then orders and bills have taken in m2, m1 and m10, and no other queue anything

    @req:EOD-1-02
    Scenario: Hundreds of transactions
      When 260 transactions are begun and aborted
      And a transaction sends m1 to both
      Then the transaction commits
      And copies of m1 wait for orders and bills, and for no other queue

    @req:EOD-1-01 @req:EOD-1-02 @req:EOD-1-04 @req:EOD-1-07 @req:EOD-1-08 @sequence
    Scenario: Many queues, lists, elements and messages
      Given 45 transactional queues, 45 nontransactional ones, a list of each two, and a list of all transactional ones
      When a transaction sends m1 to all 45 lists of two, with acknowledgments to admin
      And a transaction sends m2 to m21 to all
      And a transaction sends m22 to m41 to notes_1
      And a transaction sends m42 to m86 to notes_1, each with acknowledgments to another queue
      Then every copy waits where it should
      When the copies reach their computers
      Then every copy that arrived is where it should be, and every refusal is acknowledged

  Rule: All or nothing

    @req:EOD-1-03 @needs:send-faults
    Scenario: Queues that fail one after the other
      Given 20 transactional queues, 20 nontransactional ones, a list of each two, and a list of all transactional ones
      When each of the queues takes no copies while a transaction sends to it
      Then none of the transactions committed
      And no copy waits for any queue

    @req:EOD-1-03 @needs:send-faults
    Scenario: Many queues that fail at once
      Given 45 transactional queues, 45 nontransactional ones, a list of each two, and a list of all transactional ones
      When none of the queues takes copies, and a transaction sends to each
      Then none of the transactions committed
      And no copy waits for any queue

    @req:EOD-1-03 @needs:send-faults
    Scenario Outline: No queue gets a copy if one copy cannot be sent
      When the outgoing queue for <failing> takes no copies
      And a transaction sends <sends>
      Then the transaction aborts
      And no copy waits for any queue

      Examples:
        | case              | failing | sends                            |
        | the-last-element  | stock   | m1 to orders, bills and stock    |
        | the-first-element | orders  | m1 to orders, bills and stock    |
        | of-a-list         | bills   | m1 to nested                     |
        | of-a-later-send   | stock   | m1 to both; m2 to stock          |
        | of-an-earlier-one | stock   | m1 to stock; m2 to both          |
        | nontransactional  | notes   | m1 to mixed                      |

    @req:EOD-1-03 @needs:send-faults
    Scenario: What committed before stays
      When a transaction sends m1 to both
      And the outgoing queue for bills takes no copies
      And a transaction sends m2 to both
      Then the transaction aborts
      And copies of m1 wait for orders and bills, and for no other queue

    @req:EOD-1-03 @needs:send-faults
    Scenario: A queue that is not addressed may fail
      When the outgoing queue for stock takes no copies
      And a transaction sends m1 to both
      Then the transaction commits
      And copies of m1 wait for orders and bills, and for no other queue

    @req:EOD-1-03 @needs:send-faults
    Scenario: Once the queue works again a transaction goes through
      When the outgoing queue for bills takes no copies
      And a transaction sends m1 to both
      And the outgoing queue for bills takes copies again
      And a transaction sends m2 to both
      Then the transaction commits
      And copies of m2 wait for orders and bills, and for no other queue

    @req:EOD-1-03 @needs:send-faults
    Scenario: A queue that works again helps none that does not
      When the outgoing queue for bills takes no copies
      And the outgoing queue for stock takes no copies
      And the outgoing queue for stock takes copies again
      And a transaction sends m1 to both
      Then the transaction aborts
      And no copy waits for any queue

    @req:EOD-1-03 @needs:send-faults
    Scenario Outline: A queue that fails for a part of the transaction
      When the outgoing queue for bills takes <before>
      And a transaction sends m1 to both, and the outgoing queue for bills takes <after> before it commits
      Then copies of m1 wait for orders and bills if the transaction committed, and for no queue if not

      Examples:
        | case            | before       | after        |
        | heals-meanwhile | no copies    | copies again |
        | fails-meanwhile | copies again | no copies    |

    @req:EOD-1-03 @needs:send-faults
    Scenario: A queue that is not addressed may begin to fail meanwhile
      When a transaction sends m1 to both, and the outgoing queue for stock takes no copies before it commits
      Then the transaction commits
      And copies of m1 wait for orders and bills, and for no other queue

    @req:EOD-1-03 @needs:send-faults
    Scenario: Transactions that are open at once
      When the outgoing queue for stock takes no copies
      And 12 transactions that are open at once send to both and to bills, every third of them to stock instead
      Then each of them has sent all that it should

    @req:EOD-1-03
    Scenario Outline: A transaction that its user aborts
      When a transaction that sends m1 to both is aborted<late>
      And the copies reach their computers
      Then the aborted transaction has sent nothing

      Examples:
        | case       | late                                      |
        | at-once    |                                           |
        | some-later | , after what can has reached its computer |

    @req:EOD-1-02
    Scenario: What committed before is still sent after an abort
      When a transaction sends m1 to both
      And a transaction that sends m2 to both is aborted
      Then copies of m1 wait for orders and bills, and for no other queue

    @req:EOD-1-02
    Scenario: An abort is of one transaction
      When a transaction sends m1 to both, and another one is aborted before it commits
      Then the transaction commits
      And copies of m1 wait for orders and bills, and for no other queue

  Rule: Nontransactional targets

    @req:EOD-1-04 @req:EOD-1-05
    Scenario Outline: Transactional and nontransactional queues may be addressed at once
      When a transaction sends m1 to <destination>
      Then the transaction commits
      And copies of m1 wait for <queues>, and for no other queue

      Examples:
        | case          | destination               | queues                   |
        | elements      | orders, notes and drafts  | orders, notes and drafts |
        | a-list        | mixed                     | orders and notes         |

    @req:EOD-1-05
    Scenario: A nontransactional target alone is no reason to refuse
      When a transaction sends m1 to notes
      Then the transaction commits
      And copies of m1 wait for notes, and for no other queue

    @req:EOD-1-04
    Scenario: The transactional ones get their copies all the same
      When a transaction sends m1 to notes, orders, drafts and bills
      And the copies reach their computers
      Then orders and bills have taken in m1, and no other queue anything

    @req:EOD-1-06
    Scenario Outline: A nontransactional queue takes in no copy
      When a transaction sends m1 to <destination>
      And the copies reach their computers
      Then queue notes has taken in nothing

      Examples:
        | case       | destination      |
        | alone      | notes            |
        | among-them | orders and notes |

    @req:EOD-1-07
    Scenario Outline: The refused copy goes to the dead-letter queue of the computer that hosts the queue
      When a transaction sends m1 to <destination>
      And the copies reach their computers
      Then the transactional dead-letter queue of <computer> holds m1, and no other anything

      Examples:
        | case            | destination       | computer |
        | at-rome         | orders and notes  | rome     |
        | at-lima         | drafts            | lima     |

    @req:EOD-1-07
    Scenario: Every refused copy goes there
      When a transaction sends m1 to mixed; m2 to orders; m3 to notes
      And the copies reach their computers
      Then the transactional dead-letter queue of rome holds m1 and m3, and no other anything

    @req:EOD-1-08
    Scenario: The administration queue is told who refused and why
      When a transaction sends m1 to orders, notes and drafts, with acknowledgments to admin
      And the copies reach their computers
      Then admin receives the refusals of m1 by notes and m1 by drafts

    @req:EOD-1-08
    Scenario: It is not told before the copies arrive, nor of those that are taken in
      When a transaction sends m1 to both, with acknowledgments to admin
      And the copies reach their computers
      And a transaction sends m2 to notes, with acknowledgments to admin
      Then admin receives no refusal

    @req:EOD-1-08
    Scenario: Each administration queue is told of what was sent with it
      When a transaction sends m1 to notes, with acknowledgments to admin
      And a transaction sends m2 to notes, with acknowledgments to desk
      And the copies reach their computers
      Then admin receives the refusals of m1 by notes
      And desk receives the refusals of m2 by notes
