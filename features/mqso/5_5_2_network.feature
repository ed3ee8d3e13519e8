@role:queue_manager @needs:several-machines @needs:virtual-clock
Feature: Network failures and restarts (5.5.1, 5.5.2, 5.1.1.2, 6.1.1)

  Express and recoverable messages may be lost while the network is away (3.2.1), so that transactional ones tell more.

  Background:
    Given queue managers with the queues
      | machine | queue  | transactional |
      | laptop  | acks   | no            |
      | office  | orders | no            |
      | office  | safe   | yes           |

  Rule: Transfers after an outage (5.5.2)

    @needs:transactions
    @req:MQSO-5.5.2-02 @req:MQSO-5.5.2-01 @req:MQSO-3.3.4.5-06 @req:MQSO-4.3.1.2-06 @req:MQSO-5.1.1.2-22
    Scenario: Messages sent in an outage arrive once, in their order, when it is over
      When the network between laptop and office fails
      And machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And 6 hours pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1, m2 and m3, in this order

    @needs:transactions
    @req:MQSO-5.5.2-02 @req:MQSO-5.5.2-01 @req:MQSO-3.3.4.5-06 @req:MQSO-4.3.1.2-06
    Scenario: Messages sent before an outage arrive once, in their order, when it is over
      When machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And the network between laptop and office fails
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1, m2 and m3, in this order

    @needs:transactions
    @req:MQSO-5.5.2-02 @req:MQSO-3.2.1-04
    Scenario: Two outages double nothing
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And the network between laptop and office is back
      And machine laptop sends m2 to safe at office in a transaction
      And the network between laptop and office fails
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1 and m2, in this order

    @needs:transactions
    @req:MQSO-3.3.4.3-05 @req:MQSO-5.5.2-01
    Scenario: A message is taken on without the network
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1

    @req:MQSO-3.3.4.3-05 @req:MQSO-5.5.2-01
    Scenario: A send outside transactions is answered without the network
      When the network between laptop and office fails
      And machine laptop sends m1 to orders at office, recoverable
      Then the send of laptop succeeded

    @req:MQSO-1.1-01
    Scenario: An outage doubles no other message either
      When the network between laptop and office fails
      And machine laptop sends m1 to orders at office, recoverable
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then orders at office holds m1, or nothing where it was lost in the outage

    @needs:transactions @needs:coordinator-faults
    @req:MQSO-5.5.3-05
    Scenario: A machine transfers without its coordinator
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And laptop loses its coordinator
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1

  @needs:remote-read
  Rule: Operations that need the network immediately (5.5.2)

    @req:MQSO-5.5.2-05 @req:MQSO-5.5.2-04
    Scenario: A receive from another machine fails in an outage
      When machine office sends m1 and m2 to orders
      And machine laptop receives a message from orders at office
      And the network between laptop and office fails
      And machine laptop receives a message from orders at office
      Then laptop received m1 and then nothing

    @req:MQSO-5.5.2-06
    Scenario: Receives from another machine work again when an outage is over
      When machine office sends m1 and m2 to orders
      And machine laptop receives a message from orders at office
      And the network between laptop and office fails
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And machine laptop receives a message from orders at office
      Then laptop received m1 and m2

    @needs:management
    @req:MQSO-5.5.2-04 @req:MQSO-5.5.2-05
    Scenario: Queues of another machine are out of reach in an outage
      When laptop counts orders at office
      And the network between laptop and office fails
      And laptop creates queue work at office
      And laptop counts orders at office
      Then the calls from afar counted 0, failed, failed

    @req:MQSO-5.5.2-04
    Scenario: A queue of another machine cannot be changed in an outage
      When laptop gives queue orders at office room for 1 message
      And the network between laptop and office fails
      And laptop gives queue orders at office room for 3 messages
      And the network between laptop and office is back
      And machine office sends m1 and m2 to orders
      Then the calls from afar succeeded, failed
      And the specification explains what all machines hold

  @needs:restart
  Rule: Waiting messages and restarts (5.5.1)

    @needs:transactions
    @req:MQSO-5.5.1-03 @req:MQSO-4.3.1.2-06
    Scenario Outline: A transactional message for another machine outlives that its sender <case>
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And queue manager laptop <how>
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1

      Examples:
        | case    | how                        |
        | stops   | is restarted               |
        | crashes | is restarted after a crash |

    @needs:transactions
    @req:MQSO-5.5.1-03 @req:MQSO-3.2.1-04
    Scenario: A transactional message arrives once, whatever restarts
      When machine laptop sends m1 and m2 to safe at office in a transaction
      And queue manager laptop is restarted after a crash
      And queue manager office is restarted after a crash
      And 6 hours pass everywhere
      Then safe at office holds m1 and m2, in this order

    @req:MQSO-5.5.1-05 @req:MQSO-5.5.1-06
    Scenario: A recoverable message that could not be sent outlives a restart
      When queue manager office crashes
      And machine laptop sends m1 to orders at office, recoverable
      And queue manager laptop is restarted after a crash
      And queue manager office starts
      And 6 hours pass everywhere
      Then orders at office holds m1

    @req:MQSO-5.5.1-07 @req:MQSO-3.2.1-02
    Scenario: A recoverable message of another machine outlives a restart
      When machine laptop sends m1 to orders at office, recoverable
      And 6 hours pass everywhere
      And queue manager office is restarted
      Then orders at office holds m1

    @needs:transactions
    @req:MQSO-3.3.4.4-01 @req:MQSO-5.5.1-02
    Scenario: What a transaction had not committed at a restart is never transferred
      When laptop begins transaction t1
      And machine laptop sends m1 to safe at office in t1
      And queue manager laptop is restarted after a crash
      And 6 hours pass everywhere
      Then safe at office holds nothing

    @req:MQSO-5.5.1-08 @req:MQSO-3.2.1-01
    Scenario: An express message that could not be sent is gone after a restart
      When queue manager office crashes
      And machine laptop sends m1 to orders at office
      And queue manager laptop is restarted after a crash
      And queue manager office starts
      And 6 hours pass everywhere
      Then orders at office holds nothing

    @req:MQSO-5.5.1-08 @req:MQSO-5.1.1.3-03
    Scenario: An express message that could not be sent is gone after a stop in order
      When queue manager office crashes
      And machine laptop sends m1 to orders at office
      And queue manager laptop is restarted
      And queue manager office starts
      And 6 hours pass everywhere
      Then orders at office holds nothing

    @req:MQSO-1.1-01 @req:MQSO-5.5.1-05
    Scenario: A recoverable message that may have been sent comes once or never after a restart
      When machine laptop sends m1 to orders at office, recoverable
      And queue manager laptop is restarted after a crash
      And 6 hours pass everywhere
      Then orders at office holds m1, or nothing where it was sent and lost

    @req:MQSO-1.1-01 @req:MQSO-3.3.4.5-01
    Scenario: A message whose receiver restarts may come again, if that forgets
      When machine laptop sends m1 to orders at office, recoverable
      And the network between laptop and office fails
      And machine office receives a message from orders
      And queue manager office is restarted after a crash
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then orders at office holds nothing, or m1 where its receiver forgot it or it came only now

    @needs:transactions
    @req:MQSO-3.2.1-04 @req:MQSO-1.1-02
    Scenario: A message of a transaction does not come again although its receiver restarts
      When machine laptop sends m1 to safe at office in a transaction
      And the network between laptop and office fails
      And machine office receives a message from safe in a transaction
      And queue manager office is restarted after a crash
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds nothing, or m1 where it came only now

  Rule: Timers in transit (5.1.1.3, 6.1.1)

    @needs:transactions
    @req:MQSO-6.1.1.5-02 @req:MQSO-5.1.1.3-06 @req:MQSO-4.3.1.2-16
    Scenario Outline: An order that cannot be <case> in time is a dead letter of its sender
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, <timer> within 600 seconds, asking for a dead letter
      And 601 seconds pass everywhere
      Then the transactional dead-letter queue at laptop holds m1

      Examples:
        | case        | timer          |
        | transferred | to reach it    |
        | received    | to be received |

    @needs:transactions
    @req:MQSO-5.1.1.3-05 @req:MQSO-5.1.1.3-04 @req:MQSO-6.1.1.5-02
    Scenario: What timed out on its way never arrives
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to reach it within 600 seconds
      And 601 seconds pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds nothing

    @needs:transactions
    @req:MQSO-5.1.1.3-04
    Scenario: What has arrived after an outage has only the rest of its time to be received
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to be received within 86400 seconds
      And 12 hours pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And 7 hours pass everywhere
      Then safe at office holds nothing

    @needs:transactions
    @req:MQSO-5.1.1.3-04
    Scenario Outline: Of two timers of a message on its way the one that ends first discards it
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to reach it within <reach> seconds, to be received within <receive> seconds, asking for a dead letter
      And 601 seconds pass everywhere
      Then the transactional dead-letter queue at laptop holds m1

      Examples:
        | case     | reach | receive |
        | reached  | 600   | 43200   |
        | received | 43200 | 600     |

    @needs:transactions @needs:restart
    @req:MQSO-5.1.1.3-04 @req:MQSO-5.5.1-03
    Scenario Outline: Timers of a message on its way go on when its sender restarts
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, <timer> within 600 seconds
      And queue manager laptop <how>
      And 601 seconds pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds nothing

      Examples:
        | case           | timer          | how                        |
        | stop-reached   | to reach it    | is restarted               |
        | crash-reached  | to reach it    | is restarted after a crash |
        | stop-received  | to be received | is restarted               |

    @needs:transactions @needs:restart
    @req:MQSO-5.1.1.3-04 @req:MQSO-5.5.1-03
    Scenario: Timers of a message on its way go on while its sender is down
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to reach it within 600 seconds
      And queue manager laptop stops
      And 601 seconds pass everywhere
      And queue manager laptop starts
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds nothing

    @needs:transactions
    @req:MQSO-4.3.1.2-06 @req:MQSO-3.2.1-04 @req:MQSO-5.5.2-02
    Scenario: What waits behind a message that times out arrives
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to reach it within 600 seconds
      And machine laptop sends m2 to safe at office in a transaction
      And 601 seconds pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m2

    @needs:restart
    @req:MQSO-5.1.1.3-06 @req:MQSO-5.1.1.2-27
    Scenario: A recoverable message that cannot be transferred in time is a dead letter of its sender
      When queue manager office crashes
      And machine laptop sends m1 to orders at office, recoverable, to reach it within 600 seconds, asking for a dead letter
      And 601 seconds pass everywhere
      Then the dead-letter queue at laptop holds m1

    @needs:restart
    @req:MQSO-6.1.6.5-02
    Scenario: That a message cannot be transferred in time is told to its sender
      When queue manager office crashes
      And machine laptop sends m1 to orders at office, recoverable, to reach it within 600 seconds, asking for acknowledgment of its failure at acks
      And 601 seconds pass everywhere
      And queue manager office starts
      And 6 hours pass everywhere
      Then acks at laptop holds the negative acknowledgment of m1

    @needs:transactions
    @req:MQSO-5.1.1.3-05
    Scenario: The time to reach a queue ends when it is reached
      When machine laptop sends m1 to safe at office in a transaction, to reach it within 43200 seconds
      And 6 hours pass everywhere
      And 12 hours pass everywhere
      Then safe at office holds m1

  @needs:offline
  Rule: Paused and offline (5.1.1.1, 5.1.1.2)

    @needs:transactions @req:MQSO-5.1.1.2-23
    Scenario: Nothing of a paused outgoing queue is transferred
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And laptop pauses what waits for safe at office
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds nothing

    @needs:transactions @req:MQSO-5.1.1.2-24
    Scenario: A resumed outgoing queue goes on
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And laptop pauses what waits for safe at office
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And laptop resumes what waits for safe at office
      And 6 hours pass everywhere
      Then safe at office holds m1

    @needs:transactions @req:MQSO-5.1.1.2-24
    Scenario: What is sent to a resumed outgoing queue arrives
      When laptop pauses what waits for safe at office
      And machine laptop sends m1 to safe at office in a transaction
      And laptop resumes what waits for safe at office
      And 6 hours pass everywhere
      And machine laptop sends m2 to safe at office in a transaction
      And 6 hours pass everywhere
      Then safe at office holds m1 and m2, in this order

    @needs:throttling @req:MQSO-5.1.1.1-11
    Scenario: Nothing arrives at a queue manager that throttles
      When office begins to throttle
      And machine laptop sends m1 to orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds nothing

    @needs:throttling @needs:transactions @req:MQSO-5.1.1.1-13 @req:MQSO-3.2.1-04
    Scenario: What waited for the end of throttling arrives
      When office begins to throttle
      And machine laptop sends m1 to safe at office in a transaction
      And 6 hours pass everywhere
      And office ends throttling
      And 6 hours pass everywhere
      Then safe at office holds m1

    @needs:store-faults @needs:transactions @req:MQSO-5.5.5-01 @req:MQSO-3.2.1-04
    Scenario: What comes to a full store is not lost
      When the store of office is full
      And machine laptop sends m1 to safe at office in a transaction
      And 6 hours pass everywhere
      And the store of office has room again
      And 6 hours pass everywhere
      Then safe at office holds m1

    @req:MQSO-5.1.1.1-14
    Scenario: Nothing arrives at a queue manager that is offline
      When office is taken offline
      And machine laptop sends m1 to orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds nothing

    @req:MQSO-5.1.1.1-14
    Scenario: A queue manager that is online again receives what waited
      When office is taken offline
      And machine laptop sends m1 to orders at office, recoverable
      And office is brought online
      And 6 hours pass everywhere
      Then orders at office holds m1

    @req:MQSO-5.1.1.1-14
    Scenario: A queue manager that is online again receives what is sent then
      When office is taken offline
      And 6 hours pass everywhere
      And office is brought online
      And 6 hours pass everywhere
      And machine laptop sends m1 to orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds m1
