@role:queue_manager @needs:several-machines @needs:virtual-clock @needs:transactions
Feature: Examples of several queue managers (6.1)

  All nine, without what shows on the network only.

  Background:
    Given queue managers with the queues
      | machine  | queue   | transactional |
      | laptop   | none    | no            |
      | web      | none    | no            |
      | office   | orders  | yes           |
      | server   | acks    | no            |
      | server   | answers | no            |
      | supplier | demands | no            |

  Rule: Disconnected data entry (6.1.1)

    @req:MQSO-5.5.2-02 @req:MQSO-4.3.1.2-06 @req:MQSO-3.2.1-04
    Scenario: Orders entered without a network arrive once and in order when it is back
      When the network between laptop and office fails
      And machine laptop sends m1 to orders at office in a transaction
      And machine laptop sends m2 to orders at office in a transaction
      And machine laptop sends m3 to orders at office in a transaction
      And 6 hours pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And machine office receives a message from orders in a transaction
      And machine office receives a message from orders in a transaction
      And machine office receives 2 messages from orders in a transaction
      Then office received m1, m2 and m3 and then nothing

    @req:MQSO-6.1.1.5-02 @req:MQSO-4.3.1.2-16
    Scenario: An order that is never transferred comes back as a dead letter, and the one before arrives
      When machine laptop sends m1 to orders at office in a transaction, asking for a dead letter
      And 6 hours pass everywhere
      And the network between laptop and office fails
      And machine laptop sends m2 to orders at office in a transaction, to reach it within 600 seconds, asking for a dead letter
      And 601 seconds pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then the transactional dead-letter queue at laptop holds m2
      And orders at office holds m1

  @needs:remote-read @needs:external-transactions
  Rule: Web order entry (6.1.2)

    @req:MQSO-6.1.2.5-02 @req:MQSO-3.2.1-04
    Scenario: Orders of two front ends are received from afar, each in an external transaction
      When machine web sends m1 and m2 to orders at office in a transaction
      And 6 hours pass everywhere
      And machine laptop sends m3 to orders at office in a transaction
      And 6 hours pass everywhere
      And server begins external transaction t1
      And machine server receives a message from orders at office in t1
      And server commits t1
      And 4 seconds pass everywhere
      And server begins external transaction t2
      And machine server receives a message from orders at office in t2
      And server aborts t2
      And 4 seconds pass everywhere
      And server begins external transaction t3
      And machine server receives 3 messages from orders at office in t3
      And server commits t3
      Then server received m1, m2, m2 and m3 and then nothing

  @needs:directory
  Rule: Modify a public queue (6.1.3)

    @req:MQSO-6.1.3.5-01 @req:MQSO-6.1.3.5-02 @req:MQSO-3.3.4.1-08 @req:MQSO-3.3.4.1-11
    Scenario: A change made elsewhere reaches the directory and the host
      Given queue managers with a directory and the queues
        | machine | mode       | queue | kind    |
        | laptop  | integrated | none  | private |
        | office  | integrated | stock | public  |
      When laptop gives public queue stock at office room for 2 messages
      And 6 hours pass everywhere
      And laptop looks for stock in the directory
      And machine office sends m1, m2 and m3 to stock
      Then the change of laptop succeeded
      And laptop found stock at office with room for 2 messages
      And stock at office holds m1 and m2

  @needs:remote-read @needs:management
  Rule: Create and monitor a remote private queue (6.1.4)

    @req:MQSO-6.1.4.5-01 @req:MQSO-3.3.4.2-05
    Scenario: Counting from afar does not disturb a queue that was created from afar
      When laptop creates queue work at office
      And machine office sends m1, m2 and m3 to work
      And laptop counts work at office
      And laptop counts work at office
      Then the calls from afar succeeded, counted 3, counted 3
      And work at office holds m1, m2 and m3, in this order

  @needs:directory @needs:routing
  Rule: Branch office order processing (6.1.5)

    Messages are not encrypted here: what that changes shows on the network only.

    Background:
      Given a domain with the routing links Branch-Region 1, Region-Company 1, Region-Other 2, Other-Company 1 and the machines
        | machine | site    | gate |
        | shop    | Branch  | yes  |
        | region  | Region  | yes  |
        | other   | Other   | yes  |
        | company | Company | yes  |
        | books   | Company | no   |
      And public queues transactional sales at books

    @req:MQSO-4.3.1.3-08 @req:MQSO-3.3.4.5-07 @req:MQSO-5.1.2-07
    Scenario: Orders of a branch office take the cheapest way to the company
      When the network between region and other fails
      And machine shop sends m1 to public queue sales at books in a transaction
      And 6 hours pass everywhere
      And machine shop sends m2 to public queue sales at books in a transaction
      And 6 hours pass everywhere
      Then sales at books holds m1 and m2, in this order

    @req:MQSO-3.2.1-04 @req:MQSO-4.3.1.2-06
    Scenario: Orders arrive once and in order, no matter whether they went around a dead link or waited for it
      When the network between region and company fails
      And machine shop sends m1 to public queue sales at books in a transaction
      And 6 hours pass everywhere
      And machine books receives a message from sales in a transaction
      And the network between region and company is back
      And machine shop sends m2 to public queue sales at books in a transaction
      And 6 hours pass everywhere
      Then sales at books holds m2, or m1 and m2 where m1 waited for the link

  Rule: Business to business (6.1.6)

    @req:MQSO-6.1.6.5-01 @req:MQSO-5.1.1-03
    Scenario: An order that is received brings a positive acknowledgment, and names where the answer goes
      When machine server sends m1 to demands at supplier, recoverable, asking for acknowledgment of its receive at acks, asking for an answer at answers
      And 6 hours pass everywhere
      And machine supplier receives a message from demands
      And machine supplier sends m2 to answers at server, recoverable
      And 6 hours pass everywhere
      Then acks at server holds the positive acknowledgment of m1
      And answers at server holds m2

    @req:MQSO-6.1.6.5-02
    Scenario: An order that is not received in time brings a negative acknowledgment, no matter where it is
      When machine server sends m1 to demands at supplier, recoverable, to be received within 300 seconds, asking for acknowledgment of its failure at acks
      And 6 hours pass everywhere
      And 301 seconds pass everywhere
      And machine supplier receives a message from demands
      And 6 hours pass everywhere
      Then acks at server holds the negative acknowledgment of m1
      And demands at supplier holds nothing

  @needs:supporting-server
  Rule: Server farm (6.1.7)

    Senders are not authenticated here: what that changes has scenarios of its own (7.4.1.4).

    Background:
      Given the supporting server middle of worker and helper, and the transactional queues
        | machine | queue  |
        | middle  | quotes |
        | agent   | prices |
      And m1 and m2 wait in quotes at middle

    @req:MQSO-6.1.7.5-01 @req:MQSO-4.3.1.2-10 @req:MQSO-3.3.4.4-04
    Scenario: A worker receives a message and sends its answer in one transaction
      When worker begins transaction t1
      And machine worker receives a message from quotes at middle in t1
      And machine worker sends m3 to prices at agent in t1
      And worker commits t1
      And 6 hours pass everywhere
      Then worker received m1
      And prices at agent holds m3
      And quotes at middle holds m2

    @req:MQSO-6.1.7.5-01 @req:MQSO-4.3.1.2-11 @req:MQSO-3.3.4.4-02
    Scenario: After an abort the message is back and no answer was sent
      When worker begins transaction t1
      And machine worker receives a message from quotes at middle in t1
      And machine worker sends m3 to prices at agent in t1
      And worker aborts t1
      And 6 hours pass everywhere
      Then quotes at middle holds m1 and m2, in this order
      And prices at agent holds nothing

    @req:MQSO-6.1.7.5-01 @req:MQSO-3.3.4.4-01
    Scenario: No answer is sent before its transaction has committed
      When worker begins transaction t1
      And machine worker receives a message from quotes at middle in t1
      And machine worker sends m3 to prices at agent in t1
      And 6 hours pass everywhere
      Then prices at agent holds nothing

    @req:MQSO-6.1.7.5-01 @req:MQSO-3.3.4.6-04
    Scenario: A worker waits for a message as others do, and what it closes leaves the rest alone
      When worker begins transaction t1
      And machine worker sends m3 to prices at agent in t1
      And machine worker receives 2 messages from quotes at middle in t1
      And machine worker waits 30 seconds for quotes at middle in t1
      And machine middle sends m4 and m5 to quotes in a transaction
      And the application of worker that sends to prices at agent ends
      And machine worker looks at quotes at middle
      And worker commits t1
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @req:MQSO-6.1.7.5-01 @req:MQSO-3.3.4.7-04
    Scenario: Two workers get a message each
      When worker begins transaction t1
      And helper begins transaction t2
      And machine worker receives a message from quotes at middle in t1
      And machine helper receives a message from quotes at middle in t2
      And worker commits t1
      And helper commits t2
      Then worker received m1
      And helper received m2
      And quotes at middle holds nothing

  @needs:multicast
  Rule: Stock ticker (6.1.8)

    Background:
      Given queue managers with the queues
        | machine | queue | transactional |
        | feed    | none  | no            |
        | lobby   | notes | no            |
        | hall    | none  | no            |
      And queues of the multicast address 234.1.1.1:8001: prices at lobby, prices at hall, spare at hall
      And queues of the multicast address 234.1.1.2:8001: others at hall

    @req:MQSO-6.1.8.5-01
    Scenario: A price reaches each queue of its address once, and no other
      When machine feed sends m1 to the multicast address 234.1.1.1:8001
      And 6 hours pass everywhere
      Then prices at lobby holds m1
      And prices at hall holds m1
      And spare at hall holds m1
      And others at hall holds nothing
      And notes at lobby holds nothing

    @req:MQSO-6.1.8.5-01
    Scenario: A display that is set up later gets what is sent from then on
      When lobby sets up a queue later of the multicast address 234.1.1.1:8001
      And machine feed sends m2 to the multicast address 234.1.1.1:8001
      And 6 hours pass everywhere
      Then later at lobby holds m2

    @req:MQSO-6.1.8.5-01
    Scenario: Prices of two addresses are told apart
      When machine feed sends m1 to the multicast address 234.1.1.1:8001
      And machine feed sends m2 to the multicast address 234.1.1.2:8001
      And 6 hours pass everywhere
      Then others at hall holds m2
      And prices at hall holds m1

    @req:MQSO-6.1.8.5-01 @req:MQSO-5.1.1-03 @req:MQSO-5.1.1.3-04
    Scenario: A price has its time and what its sender said, wherever it is shown
      When machine feed sends m1 to the multicast address 234.1.1.1:8001, asking for an answer at notes
      And 6 hours pass everywhere
      And machine feed sends m2 to the multicast address 234.1.1.1:8001, in answer to m1, to be received within 43200 seconds
      And 6 hours pass everywhere
      And machine lobby receives 2 messages from prices
      And 7 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:restart
    @req:MQSO-6.1.8.5-01 @req:MQSO-5.1.1.2-07 @req:MQSO-5.5.1-02
    Scenario: A display that is set up or started anew, or is full, gets what it can show
      Given queues of the multicast address 234.1.1.1:8002: bonds at lobby
      When prices at hall is deleted
      And hall sets up a queue prices of the multicast address 234.1.1.1:8001
      And lobby sets up a queue last of the multicast address 234.1.1.1:8001, with room for 1 message
      And queue manager lobby is restarted
      And machine feed sends m1 to the multicast address 234.1.1.1:8001
      And 6 hours pass everywhere
      And machine feed sends m2 to the multicast address 234.1.1.1:8001
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

  @needs:directory @needs:connector
  Rule: Heterogeneous systems (6.1.9)

    Background:
      Given queue managers with a directory and the queues
        | machine  | mode       | queue   | kind    |
        | customer | integrated | answers | private |
        | gateway  | integrated | notes   | private |
      And a foreign queue status whose connector server is gateway

    @req:MQSO-6.1.9.5-01 @req:MQSO-5.1.1.2-31
    Scenario: A message for a foreign queue waits in the connector queue of its gateway
      When machine customer sends m1 to public queue status at gateway, recoverable
      And 6 hours pass everywhere
      Then the connector queue at gateway holds m1

    @req:MQSO-6.1.9.5-02
    Scenario: The answer of a connector application is delivered
      When machine customer sends m1 to public queue status at gateway, recoverable
      And 6 hours pass everywhere
      And machine gateway receives a message from the connector queue
      And machine gateway sends m2 to answers at customer, recoverable
      And 6 hours pass everywhere
      Then gateway received m1
      And answers at customer holds m2
      And the connector queue at gateway holds nothing

    @needs:restart
    @req:MQSO-6.1.9.5-01 @req:MQSO-5.5.1-02 @req:MQSO-5.1.1.3-04
    Scenario: What waits for a connector outlives a restart and has its time, for each foreign queue of the gateway
      Given a foreign queue orders whose connector server is gateway
      When machine customer sends m1 to public queue status at gateway, recoverable
      And machine customer sends m2 to public queue orders at gateway, recoverable
      And machine customer sends m3 to public queue status at gateway, recoverable, to be received within 43200 seconds
      And 6 hours pass everywhere
      And queue manager gateway is restarted
      And 7 hours pass everywhere
      Then the connector queue at gateway holds m1 and m2

  @needs:directory @needs:routing @needs:connector
  Rule: Heterogeneous systems in a domain with sites (6.1.9)

    @req:MQSO-6.1.9.5-01 @req:MQSO-4.3.1.3-06
    Scenario: A message for a foreign queue is routed to its gateway as one for a queue of that machine is
      Given a domain with the routing links Office-Hall 1 and the machines
        | machine  | site   | gate |
        | customer | Office | no   |
        | office   | Office | yes  |
        | hall     | Hall   | yes  |
        | gateway  | Hall   | no   |
      And public queues notes at gateway
      And a foreign queue status whose connector server is gateway
      When machine customer sends m1 to public queue notes at gateway, recoverable
      And machine customer sends m2 to public queue status at gateway, recoverable
      And 6 hours pass everywhere
      Then notes at gateway holds m1
      And the connector queue at gateway holds m2
