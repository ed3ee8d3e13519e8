@role:discovery_client @needs:clock
Feature: Replies on a network before the last one (MS-MQSD 3.1.5.2, 3.1.5.1)

  Background:
    Given a client on networks 1 and 2
    When the client starts discovery
    And 10 seconds pass

  Rule: From the own site

    @req:MQSD-3.1.5.2-04 @req:MQSD-3.1.5.2-10 @req:MQSD-3.1.5.2-11
    Scenario: The next network has its turn at once
      When network 1 brings a reply from its own site
      Then a request is broadcast on network 2
      And the specification allows every step

    @req:MQSD-3.1.5.2-09
    Scenario: The wait on the first network is over
      When network 1 brings a reply from its own site
      And 14 seconds pass
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-06
    Scenario: A reply on the first network counts when the last stays silent
      When network 1 brings a reply from its own site
      And 40 seconds pass
      Then discovery completes, once, at 25 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-07
    Scenario: The last successful network is the first
      When network 1 brings a reply from its own site
      Then the last successful network is 1
      And the specification allows every step

    @req:MQSD-3.1.5.2-08
    Scenario: A last successful network is known
      When network 1 brings a reply from its own site
      Then a last successful network is known
      And the specification allows every step

  Rule: From another site

    @req:MQSD-3.1.5.2-21 @req:MQSD-3.1.5.2-27
    Scenario: The first reply is kept, and nothing follows
      When network 1 brings a reply from site east listing 10alpha
      Then nothing follows
      And the specification allows every step

    @req:MQSD-3.1.5.2-26
    Scenario: The wait begins anew
      When network 1 brings a reply from site east listing 10alpha
      And 40 seconds pass
      Then requests go out on networks 1 and 2, and on no other
      And the specification allows every step

    @req:MQSD-3.1.5.2-24
    Scenario: The network of the reply is the last successful one
      When network 1 brings a reply from site east listing 10alpha
      Then the last successful network is 1
      And the specification allows every step

    @req:MQSD-3.1.5.2-25
    Scenario: A last successful network is known after a reply from another site
      When network 1 brings a reply from site east listing 10alpha
      Then a last successful network is known
      And the specification allows every step

    @req:MQSD-3.1.5.2-12 @req:MQSD-3.1.5.2-13
    Scenario: With the second reply the next network has its turn
      When network 1 brings a reply from site east listing 10alpha
      And 2 seconds pass
      And network 1 brings a reply from site west listing 10beta
      Then a request is broadcast on network 2
      And the specification allows every step

    @req:MQSD-3.1.5.2-12
    Scenario: The second reply may come from the site of the first
      When network 1 brings a reply from site east listing 10alpha
      And 2 seconds pass
      And network 1 brings a reply from site east listing 10beta
      Then a request is broadcast on network 2
      And the specification allows every step

    @req:MQSD-3.1.5.2-12 @req:MQSD-3.1.5.1-03 @sequence
    Scenario: After the second reply the next network has its full 15 seconds
      When network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site west listing 10beta
      And 14 seconds pass
      Then nothing follows
      When 2 seconds pass
      Then discovery completes, once, at 25 s
      And the specification allows every step

    @req:MQSD-3.1.5.2-12
    Scenario: A copy of the first reply comes
      When network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site east listing 10alpha
      And 40 seconds pass
      Then the specification allows every step

    @req:MQSD-3.1.5.2-04 @req:MQSD-3.1.5.2-21
    Scenario: A reply from the own site after one from another
      When network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from its own site
      Then a request is broadcast on network 2
      And the specification allows every step

    @req:MQSD-3.1.5.2-23
    Scenario: A reply from another site counts when the last network stays silent
      When network 1 brings a reply from site east listing 10alpha
      And 60 seconds pass
      Then discovery completes, once
      And the specification allows every step

    @req:MQSD-3.1.5.1-02
    Scenario: The next sending forgets the reply
      When network 1 brings a reply from site east listing 10alpha
      And network 1 brings a reply from site west listing 10beta
      And network 2 brings a reply from site north listing 10gamma
      And 60 seconds pass
      Then the specification allows every step

  @req:MQSD-3.1.5.2-12 @req:MQSD-3.1.5.1-01 @sequence
  Scenario: Five networks, each with replies of its own kind
    Given a client on networks 1, 2, 3, 4 and 5
    When the client starts discovery
    And network 1 brings a reply from its own site
    And 17 seconds pass
    And network 3 brings a reply from site east listing 10alpha
    And network 3 brings a reply from site west listing 10beta
    And network 4 brings a reply from its own site
    Then requests go out on networks 1, 2, 3, 4 and 5, and on no other
    When network 5 brings a reply from site east listing 10alpha
    And 60 seconds pass
    Then discovery completes with success, once
    And the specification allows every step
