@role:discovery_client @needs:clock
Feature: Get Directory Server List, from its start to its end (MS-MQSD 3.1.2, 3.1.3, 3.1.4.1)

  Rule: The wait for replies

    Background:
      Given a client on networks 1 and 2

    @req:MQSD-3.1.2.1-01
    Scenario: The client waits nearly 15 seconds and does nothing
      When the client starts discovery
      And 14 seconds pass
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.2.1-02 @req:MQSD-3.1.5.1-03 @sequence
    Scenario: Each wait begins with its own request
      When the client starts discovery
      And 10 seconds pass
      And network 1 brings a reply from its own site
      And 14 seconds pass
      Then nothing follows
      When 2 seconds pass
      Then discovery completes, once, at 25 s
      And the specification allows every step

    @req:MQSD-3.1.2.1-03 @req:MQSD-3.1.6.1-01 @req:MQSD-3.1.6.1-02
    Scenario: After 15 seconds the next network has its turn
      When the client starts discovery
      And 17 seconds pass
      Then a request is broadcast on network 2 at 15 s
      And the specification allows every step

    @req:MQSD-3.1.2.1-03 @req:MQSD-3.1.6.1-01
    Scenario: A change of networks does not begin the wait anew
      When the client starts discovery
      And 9 seconds pass
      And the networks become 1, 2, 3
      And 7 seconds pass
      Then a request is broadcast on network 2 at 15 s
      And the specification allows every step

    @needs:virtual-clock @req:MQSD-3.1.2.1-03 @req:MQSD-3.1.6.1-01 @req:MQSD-3.1.6.1-02
    Scenario: Waits end one after the other though their time passes at once
      Given a client on networks 1, 2, 3 and 4
      When the client starts discovery
      And 100 seconds pass at once
      Then requests go out on networks 1, 2, 3 and 4, and on no other
      And discovery completes with failure, once
      And the specification allows every step

    @needs:virtual-clock @req:MQSD-3.1.2.1-03 @req:MQSD-3.1.6.1-01
    Scenario Outline: A wait ends however long the client has been running
      When <seconds> seconds pass at once
      And the client starts discovery
      And 20 seconds pass
      Then a request is broadcast on network 2 at <end> s
      And the specification allows every step

      Examples:
        | case                       | seconds | end     |
        | 24-days                    | 2147480 | 2147495 |
        | 49-days                    | 4294960 | 4294975 |

  Rule: Initialization

    @req:MQSD-3.1.3-02
    Scenario: At the start no last successful network is known, so that the first event asks
      Given a client on network 1
      When the client starts discovery
      Then a request is broadcast on network 1
      And the specification allows every step

    @req:MQSD-3.1.3-02
    Scenario: At the start the client shows no last successful network
      Given a client on network 1
      When 1 seconds pass
      Then no last successful network is known
      And nothing follows

    @req:MQSD-3.1.4.1-10 @req:MQSD-3.1.2.1-01
    Scenario: Nothing is sent before the client starts discovery
      Given a client on networks 1 and 2
      When 20 seconds pass
      Then nothing follows
      And the specification allows every step

  Rule: One event

    @req:MQSD-3.1.4.1-01 @req:MQSD-3.1.4.1-10
    Scenario: The event sends a request on the first network and on no other
      Given a client on networks 3, 4 and 5
      When the client starts discovery
      Then a request is broadcast on network 3
      And the specification allows every step

    @req:MQSD-3.1.4.1-04 @req:MQSD-3.1.4.1-05 @req:MQSD-3.1.5.1-01
    Scenario Outline: Every network is asked, in turn
      Given a client on networks <networks>
      When the client starts discovery
      And <seconds> seconds pass
      Then requests go out on networks <networks>, and on no other
      And the specification allows every step

      Examples:
        | case          | networks                                  | seconds |
        | one           | 1                                         | 40      |
        | two           | 1 and 2                                   | 60      |
        | five          | 1, 2, 3, 4 and 5                          | 100     |
        | twelve        | 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 12  | 200     |
        | another-order | 5, 1 and 3                                | 60      |

    @req:MQSD-3.1.4.1-03 @req:MQSD-3.1.6.1-03
    Scenario Outline: Without a reply the event fails when the last wait ends
      Given a client on networks <networks>
      When the client starts discovery
      And 100 seconds pass
      Then discovery completes with failure, once, at <end> s
      And the specification allows every step

      Examples:
        | case | networks         | end |
        | one  | 1                | 15  |
        | two  | 1 and 2          | 30  |
        | five | 1, 2, 3, 4 and 5 | 75  |

    @req:MQSD-3.1.4.1-03 @req:MQSD-3.1.6.1-02
    Scenario: The event goes on while a network is left to ask
      Given a client on networks 1, 2 and 3
      When the client starts discovery
      And 42 seconds pass
      Then discovery is not complete
      And the specification allows every step

    @req:MQSD-3.1.4.1-02 @req:MQSD-3.1.6.1-04 @req:MQSD-3.1.6.1-07
    Scenario: With a list from another site the event succeeds
      Given a client on network 1
      When the client starts discovery
      And 1 seconds pass
      And network 1 brings a reply from site east listing 10alpha
      And 60 seconds pass
      Then discovery completes with success, once
      And the specification allows every step

    @req:MQSD-3.1.4.1-03
    Scenario: Without any network there is nobody to ask
      Given a client on networks none
      When the client starts discovery
      And 60 seconds pass
      Then the specification allows every step

  Rule: A later event

    @req:MQSD-3.1.4.1-01 @req:MQSD-3.1.4.1-08
    Scenario: After a failure the next event begins again with the first network
      Given a client on networks 1 and 2
      When the client starts discovery
      And 40 seconds pass
      And the client starts discovery again
      Then a request is broadcast on network 1
      And the specification allows every step

    @req:MQSD-3.1.4.1-01 @req:MQSD-3.1.4.1-08
    Scenario: After four failures the next event begins again, too
      Given a client on networks 1 and 2
      When the client starts discovery
      And 130 seconds pass
      And the client starts discovery again
      And 130 seconds pass
      And the client starts discovery again
      And 130 seconds pass
      And the client starts discovery again
      And 130 seconds pass
      And the client starts discovery again
      Then a request is broadcast on network 1
      And the specification allows every step

    @req:MQSD-3.1.4.1-06
    Scenario: After a success the next event ends at once
      Given a client on networks 1 and 2
      When the client starts discovery
      And network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site west listing 10beta
      And network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      And the client starts discovery again
      And 61 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-06
    Scenario: A remote access network makes the client ask again
      Given a client on networks 1, 2 (remote access)
      When the client starts discovery
      And network 1 brings a reply from its own site
      And network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      And the client starts discovery again
      And 61 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-09
    Scenario: What an earlier event received does not count for the next
      Given a client on networks 1 (remote access)
      When the client starts discovery
      And network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site west listing 10beta
      And the client starts discovery again
      And 61 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.5.1-02
    Scenario: The reply that an earlier event has kept is forgotten
      Given a client on networks 1 (remote access)
      When the client starts discovery
      And network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site west listing 10beta
      And the client starts discovery again
      And 17 seconds pass
      And network 1 brings a reply from site north listing 10gamma
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-23
    Scenario: Who counts a reply from the own site counts one from another site as well
      Given a client on networks 1 and 2 (remote access)
      When the client starts discovery
      And network 1 brings a reply from its own site
      And 20 seconds pass
      And the client starts discovery again
      And network 1 brings a reply from site east listing 10alpha
      And 100 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-04
    Scenario: The networks of the moment are asked
      Given a client on networks 1 and 4
      When the client starts discovery
      And 33 seconds pass
      And the networks become 2, 3
      And the client starts discovery again
      And 70 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-04
    Scenario: Networks come and go, and those of the moment are asked
      Given a client on network 1
      When the networks become 2
      And the networks become 3
      And the networks become 2
      And the networks become 3
      And the networks become 2
      And the networks become 3
      And the networks become 2
      And the networks become 3
      And the networks become 4
      And the networks become 2
      And the client starts discovery
      Then a request is broadcast on network 2
      And the specification allows every step

    @needs:virtual-clock
    @req:MQSD-3.1.4.1-04 @req:MQSD-3.1.5.1-01
    Scenario: As many networks are asked as there are, then and now
      Given a client on networks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 and 17
      When the client starts discovery
      And 260 seconds pass
      And the networks become 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
      And the client starts discovery again
      And 520 seconds pass
      Then the specification allows every step

    @needs:virtual-clock @req:MQSD-3.1.4.1-04 @req:MQSD-3.1.5.1-01
    Scenario: Dozens of networks are asked
      Given a client on network 1
      When the networks become 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45
      And the client starts discovery
      And 690 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-01
    Scenario: A second event comes while the first is running
      Given a client on networks 1 and 2
      When the client starts discovery
      And 5 seconds pass
      And the client starts discovery again
      And network 1 brings a reply from site east listing 10alpha
      And 100 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-01
    Scenario: A second event comes while the first is running, and nothing answers
      Given a client on network 1
      When the client starts discovery
      And 5 seconds pass
      And the client starts discovery again
      And 100 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.4.1-01
    Scenario: A second event comes after the first has had a reply
      Given a client on network 1
      When the client starts discovery
      And network 1 brings a reply from site east listing 10alpha
      And 5 seconds pass
      And the client starts discovery again
      And network 1 brings a reply from site west listing 10beta
      And 100 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.5.2-01
    Scenario: A network is another where the current one's address begins as its own
      Given a client on networks 201 and 2014
      When the client starts discovery
      And 16 seconds pass
      And network 201 brings a reply from its own site
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-01 @sequence
    Scenario: A network whose address begins as another's is another
      Given a client on networks 201 and 2014
      When the client starts discovery
      And 1 seconds pass
      And network 2014 brings a reply from its own site
      Then nothing follows
      When network 201 brings a reply from its own site
      Then a request is broadcast on network 2014
      And the specification allows every step
