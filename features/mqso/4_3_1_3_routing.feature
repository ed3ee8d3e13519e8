@role:queue_manager @needs:several-machines @needs:directory @needs:routing @needs:virtual-clock
Feature: Message routing in a domain with sites (4.3.1.3, 3.3.4.5, 5.1.2)

  A network joins the machines of a site and the gates of linked sites, and no others. How soon a message goes on is
  left open; after six hours without hindrance it has to be as far on its way as it can come.

  Background:
    Given a domain with the routing links North-Middle 1, Middle-South 1 and North-South 5 and the machines
      | machine | site   | gate |
      | clerk   | North  | no   |
      | north   | North  | yes  |
      | middle  | Middle | yes  |
      | south   | South  | yes  |
      | stock   | South  | no   |
    And public queues orders at stock, notes at north, transactional safe at stock

  @req:MQSO-4.3.1.3-06 @req:MQSO-3.3.4.5-07 @req:MQSO-4.3.1.3-05 @req:MQSO-5.1.2-05
  Scenario: A message goes by the gates of its sites to a machine that its sender does not reach
    When machine clerk sends m1 to public queue orders at stock, recoverable
    And 6 hours pass everywhere
    Then orders at stock holds m1

  @req:MQSO-5.1.1-03 @req:MQSO-3.3.4.8-01
  Scenario: What is sent over several machines says what it answers, and where its answer is to go
    When machine clerk sends m1 to public queue orders at stock, recoverable, asking for an answer at notes
    And machine clerk sends m2 to public queue orders at stock, recoverable, in answer to m1
    And 6 hours pass everywhere
    Then the specification explains what all machines hold

  @req:MQSO-4.3.1.3-06 @req:MQSO-3.2.1-04 @req:MQSO-1.1-01
  Scenario: Messages of a transaction go over several machines once and in their order
    When machine clerk sends m1 and m2 to public queue safe at stock in a transaction
    And 6 hours pass everywhere
    And machine clerk sends m3 to public queue safe at stock in a transaction
    And 6 hours pass everywhere
    Then safe at stock holds m1, m2 and m3, in this order

  @req:MQSO-4.3.1.3-08 @req:MQSO-5.1.2-07 @req:MQSO-4.3.1.3-05
  Scenario: Of two ways a message takes that of least cost, although it has more links
    When the network between north and south fails
    And machine clerk sends m1 to public queue orders at stock, recoverable
    And 6 hours pass everywhere
    Then orders at stock holds m1

  @needs:offline
  @req:MQSO-5.1.1.3-07 @req:MQSO-3.3.4.5-07
  Scenario Outline: A message waits as far on its way as it can come
    When stock is taken offline
    And machine clerk sends m1 to public queue orders at stock, recoverable
    And 6 hours pass everywhere
    And the network between <before> fails
    And stock is brought online
    And 6 hours pass everywhere
    Then orders at stock holds m1

    Examples:
      | case                 | before           |
      | after-the-first-hop  | clerk and north  |
      | after-the-second-hop | north and middle |
      | after-the-third-hop  | middle and south |

  @req:MQSO-4.3.1.3-07
  Scenario: A gate has queues of its own, and its applications send
    When machine clerk sends m1 to public queue notes at north, recoverable
    And machine north sends m2 to public queue orders at stock, recoverable
    And 6 hours pass everywhere
    Then notes at north holds m1
    And orders at stock holds m2

  @req:MQSO-5.1.2-05 @req:MQSO-4.3.1.3-06
  Scenario: A gate between two sites is sent to, and sends the other way
    When machine stock sends m1 to public queue notes at north, recoverable
    And 6 hours pass everywhere
    Then notes at north holds m1

  @req:MQSO-3.3.4.5-07 @req:MQSO-3.2.1-04
  Scenario: Around a machine that was away messages of transactions arrive once and in their order
    When queue manager middle stops
    And machine clerk sends m1 to public queue safe at stock in a transaction
    And 6 hours pass everywhere
    And queue manager middle starts
    And machine clerk sends m2 to public queue safe at stock in a transaction
    And 6 hours pass everywhere
    Then safe at stock holds m1 and m2, in this order

  @needs:offline @needs:transactions @req:MQSO-4.3.1.3-06 @req:MQSO-3.3.4.5-07 @req:MQSO-5.1.1.1-14
  Scenario: Nothing goes past a gate that takes nothing
    When north is taken offline
    And machine clerk sends m1 to public queue orders at stock, recoverable
    And machine clerk sends m2 to public queue safe at stock in a transaction
    And machine stock receives a message from orders
    And machine stock receives a message from safe in a transaction
    And machine stock receives a message from safe in a transaction
    And 6 hours pass everywhere
    And machine stock receives a message from orders
    And machine stock receives a message from safe in a transaction
    And north is brought online
    And 6 hours pass everywhere
    Then safe at stock holds m2
    And orders at stock holds m1

  @req:MQSO-4.3.1.3-06 @req:MQSO-5.1.2-05
  Scenario: Sites and machines of nearly the same identifiers are several
    Given a domain with the routing links B_but_for_octet_0-A 1, A-B_but_for_octet_15 1, B-A 1 and the machines
      | machine               | site               | gate |
      | clerk                 | A                  | no   |
      | gate                  | A                  | yes  |
      | east_but_for_octet_0  | B_but_for_octet_0  | yes  |
      | east_but_for_octet_15 | B_but_for_octet_15 | yes  |
      | east                  | B                  | yes  |
    And public queues orders at east, notes at east_but_for_octet_0, plans at east_but_for_octet_15
    When machine clerk sends m1 to public queue notes at east_but_for_octet_0, recoverable
    And machine clerk sends m2 to public queue plans at east_but_for_octet_15, recoverable
    And 6 hours pass everywhere
    And the network between gate and east_but_for_octet_0 fails
    And the network between gate and east_but_for_octet_15 fails
    And machine clerk sends m3 to public queue orders at east, recoverable
    And 6 hours pass everywhere
    Then notes at east_but_for_octet_0 holds m1
    And plans at east_but_for_octet_15 holds m2
    And orders at east holds m3
