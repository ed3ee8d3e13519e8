@role:discovery_client @needs:clock
Feature: Replies on the last network, and its silence (MS-MQSD 3.1.5.2, 3.1.6.1)

  Background:
    Given a client on networks 1 and 2
    When the client starts discovery
    And 20 seconds pass

  Rule: From the own site

    @req:MQSD-3.1.5.2-14 @req:MQSD-3.1.5.2-20
    Scenario: The event is complete at once
      When network 2 brings a reply from its own site
      Then discovery completes, once, at 20 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-15
    Scenario: The wait is over
      When network 2 brings a reply from its own site
      And 60 seconds pass
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-16
    Scenario: The last network is the last successful one
      When network 2 brings a reply from its own site
      Then the client shows last_successful_network_address
      And the specification allows every step

    @req:MQSD-3.1.5.2-17
    Scenario: A last successful network is known
      When network 2 brings a reply from its own site
      Then the client shows valid_last_successful_network_address
      And the specification allows every step

    @req:MQSD-3.1.5.2-18
    Scenario: After a reply from another site, its servers replace the list
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from its own site
      Then the client shows directory_servers
      And discovery completes with success, once, at 20 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-19
    Scenario: After a reply from another site, its connected networks replace the list
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from its own site
      Then the client shows connected_networks
      And the specification allows every step

    @req:MQSD-3.1.5.2-14
    Scenario Outline: A reply after the end
      When network 2 brings a reply from its own site
      And 3 seconds pass
      And network 2 brings a reply from <sender>
      And 30 seconds pass
      Then the specification allows every step

      Examples:
        | case    | sender                    |
        | local   | its own site              |
        | foreign | site east listing 10alpha |

  Rule: From another site

    @req:MQSD-3.1.5.2-22
    Scenario: The first reply is kept and supplies the list
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      Then the client shows directory_servers
      And the specification allows every step

    @req:MQSD-3.1.5.2-28 @req:MQSD-3.1.5.2-34
    Scenario: With the second reply the event is complete
      When network 2 brings a reply from site east listing 10alpha
      And 2 seconds pass
      And network 2 brings a reply from site west listing 10beta
      Then discovery completes with success, once, at 22 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-28
    Scenario: The second reply may come from the same site
      When network 2 brings a reply from site east listing 10alpha
      And 2 seconds pass
      And network 2 brings a reply from site east listing 10beta
      Then discovery completes with success, once, at 22 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-29
    Scenario: The wait is over with the second reply
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      And 60 seconds pass
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-30
    Scenario: The servers of the first reply replace the list
      When network 2 brings a reply from site east listing 10alpha, 11beta
      And network 2 brings a reply from site west listing 10gamma
      Then the client shows directory_servers
      And the specification allows every step

    @req:MQSD-3.1.5.2-31
    Scenario: The connected networks of the first reply replace the list
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      Then the client shows connected_networks
      And the specification allows every step

    @req:MQSD-3.1.5.2-32
    Scenario: The last network is the last successful one after two replies
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      Then the last successful network is 2
      And the specification allows every step

    @req:MQSD-3.1.5.2-33
    Scenario: A last successful network is known after the second reply
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site west listing 10beta
      Then a last successful network is known
      And the specification allows every step

    @req:MQSD-3.1.5.2-28
    Scenario: A copy of the first reply comes
      When network 2 brings a reply from site east listing 10alpha
      And network 2 brings a reply from site east listing 10alpha
      And 60 seconds pass
      Then discovery completes with success, once
      And the specification allows every step

  Rule: No further reply

    @req:MQSD-3.1.6.1-03
    Scenario: Without any reply no last successful network is known
      When 13 seconds pass
      Then no last successful network is known
      And discovery completes with failure, once, at 30 s
      And the specification allows every step

    @req:MQSD-3.1.6.1-04 @req:MQSD-3.1.6.1-07
    Scenario: With a reply the event succeeds when the wait ends
      When network 2 brings a reply from site east listing 10alpha
      And 60 seconds pass
      Then discovery completes with success, once
      And the specification allows every step

    @req:MQSD-3.1.6.1-05
    Scenario: The servers of the reply replace the list
      When network 2 brings a reply from site east listing 10alpha, 10beta
      And 18 seconds pass
      Then the directory servers are alpha, beta
      And the specification allows every step

    @req:MQSD-3.1.6.1-06
    Scenario: The connected networks of the reply replace the list
      When network 2 brings a reply from site east listing 10alpha
      And 18 seconds pass
      Then the connected networks are those of site east
      And the specification allows every step
