@role:queue_manager @needs:several-machines @needs:virtual-clock
Feature: Messages between machines (3.3.4.3, 3.3.4.5)

  How soon a message is transferred is left open; after six hours without hindrance it has to be there.

  Background:
    Given queue managers with the queues
      | machine | queue   | transactional | room |
      | laptop  | acks    | no            | any  |
      | laptop  | answers | no            | any  |
      | office  | orders  | no            | any  |
      | office  | safe    | yes           | any  |
      | office  | small   | no            | 1    |
      | shop    | offers  | no            | any  |
      | shop    | acks    | no            | any  |

  @req:MQSO-3.3.4.3-09 @req:MQSO-3.3.4.5-02 @req:MQSO-5.2.1.2.2-01
  Scenario: A message for another machine arrives there
    When machine laptop sends m1 to orders at office
    And 6 hours pass everywhere
    Then orders at office holds m1

  @req:MQSO-1.1-01 @req:MQSO-3.3.4.5-01
  Scenario: A message for another machine arrives once
    When machine laptop sends m1 to orders at office, recoverable
    And 6 hours pass everywhere
    And machine office receives a message from orders
    And 6 hours pass everywhere
    Then orders at office holds nothing

  @needs:transactions
  @req:MQSO-3.2.1-04 @req:MQSO-5.1.1.2-01 @req:MQSO-4.3.1.2-04
  Scenario: Messages of transactions arrive once and in their order
    When laptop begins transaction t1
    And machine laptop sends m1 and m2 to safe at office in t1
    And 6 hours pass everywhere
    And machine office receives a message from safe in a transaction
    And laptop commits t1
    And machine laptop sends m3 to safe at office in a transaction
    And 6 hours pass everywhere
    Then safe at office holds m1, m2 and m3, in this order

  @needs:transactions
  @req:MQSO-3.3.4.4-02
  Scenario: What a transaction sent to another machine and did not commit never arrives
    When laptop begins transaction t1
    And machine laptop sends m1 to safe at office in t1
    And laptop aborts t1
    And 6 hours pass everywhere
    Then safe at office holds nothing

  @req:MQSO-5.1.1-03
  Scenario: What a sender says of answers arrives with its message
    When machine laptop sends m1 to orders at office, asking for an answer at answers
    And 6 hours pass everywhere
    Then orders at office holds m1

  @req:MQSO-5.1.1-03
  Scenario: What a message answers arrives with it
    When machine laptop sends m1 to orders at office, asking for an answer at answers
    And 6 hours pass everywhere
    And machine office receives a message from orders
    And machine office sends m2 to answers at laptop, in answer to m1
    And 6 hours pass everywhere
    Then answers at laptop holds m2

  @req:MQSO-5.1.1.2-07
  Scenario: A queue takes no more from another machine than it has room for
    When machine laptop sends m1 to small at office, recoverable
    And 6 hours pass everywhere
    And machine laptop sends m2 to small at office, recoverable
    And 6 hours pass everywhere
    Then small at office holds m1

  @req:MQSO-6.1.6.5-01
  Scenario: Arrival and receive on another machine are told to the sender
    When machine laptop sends m1 to orders at office, asking for acknowledgment of its receive at acks
    And 6 hours pass everywhere
    And machine office receives a message from orders
    And 6 hours pass everywhere
    Then acks at laptop holds the positive acknowledgment of m1

  @req:MQSO-6.1.6.5-01
  Scenario: A receive is told to the machine that its sender named
    When machine laptop sends m1 to orders at office, asking for acknowledgment of its receive at acks at shop
    And 6 hours pass everywhere
    And machine office receives a message from orders
    And 6 hours pass everywhere
    Then acks at shop holds the positive acknowledgment of m1
    And acks at laptop holds nothing

  @req:MQSO-5.1.1.2-26
  Scenario: A copy of a message for another machine is in the journal of its sender
    When machine laptop sends m1 to orders at office, recoverable, asking for a copy in the journal
    And 6 hours pass everywhere
    And machine office receives a message from orders
    And 6 hours pass everywhere
    Then the journal at laptop holds m1
    And the journal at office holds nothing

  @needs:transactions
  @req:MQSO-3.3.4.3-09 @req:MQSO-3.2.1-04
  Scenario: What its destination refuses keeps nothing else waiting
    When machine laptop sends m1 to safe at office, recoverable
    And machine laptop sends m2 to safe at office in a transaction
    And 6 hours pass everywhere
    Then safe at office holds m2

  @needs:transactions @needs:external-transactions @req:MQSO-4.3.1.2-01 @req:MQSO-3.3.4.4-04
  Scenario: What an external transaction sends to another machine arrives when that has committed
    When laptop begins external transaction t1
    And machine laptop sends m1 and m2 to safe at office in t1
    And laptop commits t1
    And 6 hours pass everywhere
    Then safe at office holds m1 and m2, in this order

  @needs:transactions @req:MQSO-5.1.1.2-17 @req:MQSO-5.1.1.2-22
  Scenario: What waits for another machine goes on when the application that has sent it ends
    When the network between laptop and office fails
    And machine laptop sends m1 to safe at office in a transaction
    And the application of laptop that sends to safe at office ends
    And the network between laptop and office is back
    And 6 hours pass everywhere
    Then safe at office holds m1

  @req:MQSO-3.3.4.5-04 @req:MQSO-3.2.1-07
  Scenario: A message of the wrong kind is refused by its destination and told to its sender
    When machine laptop sends m1 to safe at office, asking for acknowledgment of its failure at acks
    And 6 hours pass everywhere
    Then acks at laptop holds the negative acknowledgment of m1
    And safe at office holds nothing

  @req:MQSO-3.3.4.5-04
  Scenario: A message for a queue that is not there is told to its sender
    When machine laptop sends m1 to nowhere at office, asking for acknowledgment of its failure at acks
    And 6 hours pass everywhere
    Then acks at laptop holds the negative acknowledgment of m1

  @needs:transactions @req:MQSO-6.1.6.5-02 @req:MQSO-3.3.4.5-04
  Scenario: Who sent one in a transaction is told as well
    When machine laptop sends m1 to nowhere at office in a transaction, asking for acknowledgment of its failure at acks
    And 6 hours pass everywhere
    Then acks at laptop holds the negative acknowledgment of m1

  @needs:transactions @req:MQSO-5.1.1.2-28
  Scenario: What was sent in a transaction and is refused elsewhere is among no other dead letters
    When machine laptop sends m1 to nowhere at office in a transaction, asking for a dead letter
    And 6 hours pass everywhere
    Then the dead-letter queue at office holds nothing
    And the dead-letter queue at laptop holds nothing

  @req:MQSO-3.2.1-07
  Scenario: A message that its destination refuses is a dead letter on one of the machines, or on none
    When machine laptop sends m1 to safe at office, asking for a dead letter
    And 6 hours pass everywhere
    Then safe at office holds nothing
    And the dead-letter queue at laptop holds m1, or nothing where the other keeps it or only timers make dead letters

  @req:MQSO-5.1.1.2-17
  Scenario: A machine that is down keeps nothing waiting that is for another one
    When queue manager office crashes
    And machine laptop sends m1 to orders at office, recoverable
    And machine laptop sends m2 to offers at shop, recoverable
    And 6 hours pass everywhere
    Then offers at shop holds m2

  @needs:management @needs:transactions
  @req:MQSO-3.3.4.3-08 @req:MQSO-5.1.1.2-17 @req:MQSO-6.1.2.5-01 @req:MQSO-5.1.1.2-19
  Scenario: Messages wait for each queue of another machine by themselves
    When the network between laptop and office fails
    And machine laptop sends m1 and m2 to safe at office in a transaction
    And machine laptop sends m3 to orders at office, recoverable
    And an application counts what waits at laptop
    Then 2 were said to wait for safe at office

  @needs:remote-read
  Rule: Queues of another machine (5.2.1.2.3, 5.2.1.3, 6.1.2, 6.1.4)

    @req:MQSO-5.2.1.2.3-01
    Scenario: An application receives from a queue of another machine
      When machine office sends m1 and m2 to orders
      And machine laptop receives 3 messages from orders at office
      Then laptop received m1 and m2 and then nothing
      And orders at office holds nothing

    @req:MQSO-6.1.6.5-01
    Scenario: A receive from another machine is told to the sender
      When machine laptop sends m1 to orders at office, asking for acknowledgment of its receive at acks
      And 6 hours pass everywhere
      And machine shop receives a message from orders at office
      And 6 hours pass everywhere
      Then acks at laptop holds the positive acknowledgment of m1

    @needs:transactions
    @req:MQSO-5.2.1.3-01
    Scenario: An internal transaction does not receive from another machine
      When machine office sends m1 to safe in a transaction
      And laptop begins transaction t1
      And machine laptop receives a message from safe at office in t1
      Then laptop received nothing

    @needs:transactions @needs:external-transactions
    @req:MQSO-6.1.2.5-02
    Scenario: A receive from another machine is undone with its external transaction
      When machine office sends m1 to safe in a transaction
      And laptop begins external transaction t1
      And machine laptop receives a message from safe at office in t1
      And laptop aborts t1
      And 4 seconds pass everywhere
      Then laptop received m1
      And safe at office holds m1

    @needs:transactions @needs:external-transactions
    @req:MQSO-6.1.2.5-02 @req:MQSO-3.3.4.7-02
    Scenario: A receive from another machine is undone although that was out of reach at the time
      When machine office sends m1 to safe in a transaction
      And laptop begins external transaction t1
      And machine laptop receives a message from safe at office in t1
      And the network between laptop and office fails
      And laptop aborts t1
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then laptop received m1
      And safe at office holds m1

    @needs:transactions @needs:external-transactions
    @req:MQSO-6.1.2.5-02
    Scenario: A receive from another machine is done with its external transaction
      When machine office sends m1 to safe in a transaction
      And laptop begins external transaction t1
      And machine laptop receives a message from safe at office in t1
      And laptop commits t1
      And 4 seconds pass everywhere
      Then laptop received m1
      And safe at office holds nothing

    @needs:transactions @needs:external-transactions
    @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.7-01 @req:MQSO-4.3.1.2-11
    Scenario: What a transaction has received from two machines is back on both, or gone from both
      When machine office sends m1, m2 and m3 to safe in a transaction
      And shop creates transactional queue vault at shop
      And machine shop sends m4 and m5 to vault in a transaction
      And laptop begins external transaction t1
      And machine laptop receives 2 messages from safe at office in t1
      And machine laptop receives 2 messages from vault at shop in t1
      And laptop aborts t1
      And 4 seconds pass everywhere
      And laptop begins external transaction t2
      And machine laptop receives 2 messages from safe at office in t2
      And machine laptop receives a message from vault at shop in t2
      And laptop commits t2
      And 4 seconds pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:external-transactions
    @req:MQSO-3.3.4.7-01 @req:MQSO-5.5.2-02 @req:MQSO-4.3.1.2-10
    Scenario: A commit of which a machine cannot be told holds on all machines, or is an abort on all
      When machine office sends m1 to safe in a transaction
      And laptop begins external transaction t1
      And machine laptop receives a message from safe at office in t1
      And the network between laptop and office fails
      And laptop commits t1
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:external-transactions @needs:restart
    @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-02 @req:MQSO-5.5.2-05
    Scenario: What is open or waits at a machine that is cut off or crashes is done wholly or not at all
      When machine office sends m1, m2 and m3 to safe in a transaction
      And laptop begins external transaction t1
      And machine laptop receives a message from safe at office in t1
      And machine laptop waits 60 seconds for orders at office
      And the network between laptop and office fails
      And machine office sends m4 to orders, recoverable
      And the network between laptop and office is back
      And machine laptop receives a message from safe at office in t1
      And laptop commits t1
      And 61 seconds pass everywhere
      And laptop begins external transaction t2
      And machine laptop receives a message from safe at office in t2
      And queue manager office is restarted after a crash
      And laptop commits t2
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:external-transactions @needs:coordinator-faults
    @req:MQSO-5.5.3-03 @req:MQSO-3.3.4.4-02
    Scenario: What a transaction has sent to other machines is not sent when its coordinator is lost
      When laptop begins external transaction t1
      And machine laptop sends m1 and m2 to safe at office in t1
      And laptop loses its coordinator
      And 6 hours pass everywhere
      Then safe at office holds nothing

    @needs:management
    @req:MQSO-5.1.1.2-12 @req:MQSO-5.1.1.2-14 @req:MQSO-6.1.4.5-01 @req:MQSO-3.3.4.1-05
    Scenario: What is done to a queue from afar is done to that, and not to another of its name
      When laptop creates queue orders at laptop, with room for 3 messages
      And laptop creates queue work at office, with room for 1 message
      And laptop creates queue work at laptop
      And machine laptop sends m1 and m2 to orders, recoverable
      And machine office sends m3 and m4 to orders, recoverable
      And machine office sends m5 to orders
      And machine office sends m6 and m7 to work, recoverable
      And laptop purges orders at office
      And machine office sends m8 to orders, recoverable
      And laptop counts orders at office
      And laptop counts work at office
      And machine laptop sends m9 to work, recoverable
      And laptop deletes work at office
      Then the specification explains what all machines hold

    @needs:transactions
    @req:MQSO-3.2.1-07 @req:MQSO-6.1.4.5-01
    Scenario: A transactional queue that was created from afar is one
      When laptop creates transactional queue work at office
      And machine office sends m1 to work, recoverable
      And machine office sends m2 to work in a transaction
      And machine laptop receives m2 of work at office by its identifier
      Then the specification explains what all machines hold

    @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.3-12
    Scenario: An application receives from another machine by identifiers
      When machine office sends m1, m2 and m3 to orders, recoverable
      And machine laptop looks at m2 of orders at office by its identifier
      And machine laptop receives m3 of orders at office by its identifier
      And machine laptop receives m3 of orders at office by its identifier
      Then the specification explains what all machines hold

    @needs:management @needs:transactions
    @req:MQSO-3.3.4.1-06
    Scenario: To create a queue from afar that is there leaves its messages there
      When machine laptop sends m1 to safe at office in a transaction
      And 6 hours pass everywhere
      And laptop creates transactional queue safe at office
      Then safe at office holds m1

    @needs:management
    @req:MQSO-6.1.4.5-01
    Scenario: A queue is created and counted from another machine
      When laptop creates queue work at office
      And machine shop sends m1 and m2 to work at office
      And 6 hours pass everywhere
      And laptop counts work at office
      And laptop counts work at office
      Then the calls from afar succeeded, counted 2, counted 2
      And work at office holds m1 and m2, or m2 and m1 where the way was not kept in order
