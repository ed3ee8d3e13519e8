@role:discovery_client @needs:clock
Feature: Datagrams discarded by a discovery client (MS-MQSD 3.1.5.2)

  Background:
    Given a client on networks 1 and 2
    When the client starts discovery
    And 1 seconds pass

  @req:MQSD-3.1.5.2-01 @sequence
  Scenario Outline: A reply on another network than the current one has no effect
    When network <network> brings a reply from <sender>
    Then nothing follows
    When network 1 brings a reply from its own site
    Then a request is broadcast on network 2
    And the specification allows every step

    Examples:
      | case            | network | sender                    |
      | next-local      | 2       | its own site              |
      | next-foreign    | 2       | site east listing 10alpha |
      | unknown-network | 9       | its own site              |
      | alike-at-end    | 11      | its own site              |
      | alike-but-last  | 101     | its own site              |

  @req:MQSD-3.1.5.2-01 @sequence
  Scenario: A late reply on the network before has no effect
    When 16 seconds pass
    And network 1 brings a reply from its own site
    Then nothing follows
    When network 2 brings a reply from its own site
    Then discovery completes, once, at 17 s
    And the specification allows every step

  @req:MQSD-3.1.5.2-01
  Scenario: A foreign reply on another network is not kept
    When network 2 brings a reply from site east listing 10alpha
    And network 1 brings a reply from site west listing 10beta
    Then nothing follows
    And the specification allows every step

  @req:MQSD-3.1.5.2-03 @sequence
  Scenario Outline: A reply to another request has no effect
    When network 1 brings a reply from <sender>; <flaw>
    Then nothing follows
    When network 1 brings a reply from its own site
    Then a request is broadcast on network 2
    And the specification allows every step

    Examples:
      | case         | sender                    | flaw                                                      |
      | local        | its own site              | to another request                                        |
      | foreign      | site east listing 10alpha | to another request                                        |
      | alike-at-end | its own site              | to another request with the same end of its id            |
      | variant      | its own site              | to another request with an id of another variant          |
      | turned-round | its own site              | to another request with the octets of its id turned round |

  @req:MQSD-3.1.5.2-03
  Scenario: A reply to a request of the event before has no effect
    When 40 seconds pass
    And the client starts discovery again
    And network 1 brings a reply from its own site; to a request of the event before
    Then nothing follows
    And the specification allows every step

  @req:MQSD-3.1.5.2-02
  Scenario Outline: What ends too early to have an id leaves the wait as it is
    When network 1 brings a reply from its own site; <flaw>
    And 17 seconds pass
    Then a request is broadcast on network 2
    And the specification allows every step

    Examples:
      | case        | flaw                      |
      | empty       | of no octet at all        |
      | correlation | cut in the correlation id |

  @req:MQSD-3.1.5.2-02 @sequence
  Scenario Outline: A reply of the own site that ends too early has no effect
    When network 1 brings a reply from its own site; <flaw>
    Then nothing follows
    When network 1 brings a reply from its own site
    Then a request is broadcast on network 2
    And the specification allows every step

    Examples:
      | case             | flaw                                  |
      | empty            | of no octet at all                    |
      | header           | cut in the header                     |
      | correlation      | cut in the correlation id             |
      | fixed-part       | cut in the fixed part                 |
      | behind-the-fixed | cut behind the fixed part             |
      | networks         | cut in the networks                   |
      | one-octet        | cut by one octet                      |
      | count-too-large  | with one network more than there are  |
      | count-128-more   | with 128 networks more than there are |
      | count-largest    | with the largest count of networks    |
      | count-big-endian | with the count in big-endian order    |
      | size-too-large   | with a size past its end              |
      | count-wraps      | with a count that wraps in 32 bits    |
      | size-wraps       | with a size that wraps in 32 bits     |

  @req:MQSD-3.1.5.2-02 @sequence
  Scenario Outline: A reply of another site that ends too early does not end the wait
    When network 1 brings a reply from site east listing 10alpha
    And network 1 brings a reply from site west listing 10beta; <flaw>
    Then nothing follows
    When network 1 brings a reply from site west listing 10beta
    Then a request is broadcast on network 2
    And the specification allows every step

    Examples:
      | case             | flaw                                           |
      | fixed-part       | cut in the fixed part                          |
      | networks         | cut in the networks                            |
      | one-octet        | cut by one octet                               |
      | count-too-large  | with the largest count of networks             |
      | count-big-endian | with the count in big-endian order             |
      | size-too-large   | with a size past its end                       |
      | size-high-octet  | with a size that is wrong in its highest octet |
      | count-wraps      | with a count that wraps in 32 bits             |
      | size-wraps       | with a size that wraps in 32 bits              |
      | size-big-endian  | with the size in big-endian order              |

  @req:MQSD-3.1.5.2-02
  Scenario: A malformed reply of another site is not kept
    When network 1 brings a reply from site east listing 10alpha; with the size in big-endian order
    And network 1 brings a reply from site west listing 10beta
    Then nothing follows
    And the specification allows every step

  @req:MQSD-3.1.5.2-02 @sequence
  Scenario: A packet that says it is a request has no effect
    When network 1 brings a reply from its own site; of Type 1
    Then nothing follows
    When network 1 brings a reply from its own site
    Then a request is broadcast on network 2
    And the specification allows every step

  @req:MQSD-3.1.5.2-02
  Scenario Outline: A lesser error is discarded or passed over, which the register leaves open
    When network 1 brings a reply from site east listing 10alpha
    And network 1 brings a reply from site west listing 10beta; <flaw>
    And 60 seconds pass
    Then the specification allows every step

    Examples:
      | case       | flaw                          |
      | version    | with Version 1                |
      | reserved   | with Reserved not zero        |
      | type       | of Type 3                     |
      | mask       | with a mask                   |
      | trailing   | followed by other octets      |
      | flags      | with flags that are no digits |
      | terminator | without a terminator          |

  @req:MQSD-3.1.5.2-01 @req:MQSD-3.1.5.2-02 @req:MQSD-3.1.5.2-03
  Scenario Outline: What is discarded does not begin the wait anew
    When 9 seconds pass
    And network <network> brings a reply from <sender>
    And 7 seconds pass
    Then a request is broadcast on network 2 at 15 s
    And the specification allows every step

    Examples:
      | case            | network | sender                            |
      | another-network | 2       | its own site                      |
      | malformed       | 1       | its own site; cut in the networks |
      | another-request | 1       | its own site; to another request  |
