@role:discovery_client @needs:clock
Feature: Lists filled by a discovery client (MS-MQSD 3.1.7.1, 3.1.7.2)

  @req:MQSD-3.1.7.1-01 @req:MQSD-3.1.7.1-03 @req:MQSD-3.1.7.1-04 @req:MQSD-3.1.7.1-05
  Scenario Outline: Each name of the reply is listed, without its flags
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site east listing <listing>
    And 17 seconds pass
    Then the directory servers are <names>
    And the specification allows every step

    Examples:
      | case         | listing                      | names                |
      | one          | 10alpha                      | alpha                |
      | three        | 10alpha, 11beta, 10gamma     | alpha, beta, gamma   |
      | ipx-only     | 10alpha, 01delta             | alpha, delta         |
      | digits       | 1001, 1110server             | 01, 10server         |
      | twice        | 10alpha, 11beta, 11alpha     | alpha, beta, alpha   |
      | low-octets   | 10Ĭa, 10bĀc                  | Ĭa, bĀc              |
      | twenty       | 10a, 10b, 10c, 10d, 10e, 10f, 10g, 10h, 10i, 10j, 10k, 10l, 10m, 10n, 10o, 10p, 10q, 10r, 10s, 10t | a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t |
      | other-script | 10сервер, 10𝄞clef            | сервер, 𝄞clef        |
      | no-protocol  | 10alpha, 00delta             | alpha, delta         |
      | long         | 10a-name-of-more-than-fifteen-characters.example.com | a-name-of-more-than-fifteen-characters.example.com |

  @req:MQSD-3.1.5.2-21 @req:MQSD-3.1.7.1-03
  Scenario: A reply of more octets than a signed number of 16 bits can tell
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site crowded listing 320 servers
    And 17 seconds pass
    Then the directory servers are 320 servers
    And the specification allows every step

  @req:MQSD-3.1.5.2-21 @req:MQSD-3.1.7.1-03 @req:MQSD-3.1.7.2-03
  Scenario: A reply of nearly as many octets as Ethernet carries at once
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site crowded listing 10server01, 10server02, 10server03, 10server04, 10server05, 10server06, 10server07, 10server08, 10server09, 10server10, 10server11, 10server12, 10server13, 10server14, 10server15, 10server16, 10server17, 10server18, 10server19, 10server20, 10server21, 10server22, 10server23, 10server24, 10server25, 10server26, 10server27, 10server28, 10server29, 10server30, 10server31, 10server32, 10server33, 10server34, 10server35, 10server36, 10server37, 10server38, 10server39, 10server40, 10server41
    And 17 seconds pass
    Then the directory servers are server01, server02, server03, server04, server05, server06, server07, server08, server09, server10, server11, server12, server13, server14, server15, server16, server17, server18, server19, server20, server21, server22, server23, server24, server25, server26, server27, server28, server29, server30, server31, server32, server33, server34, server35, server36, server37, server38, server39, server40, server41
    And the connected networks are those of site crowded
    And the specification allows every step

  @req:MQSD-3.1.7.1-03
  Scenario: Nulls stand between the names
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site east listing 10alpha, 11beta, 10gamma; with nulls between the names
    And 17 seconds pass
    Then the client shows directory_servers
    And the specification allows every step

  @req:MQSD-3.1.7.1-03
  Scenario: An item without a name stands between others
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site east listing 10alpha, 10, 10beta
    And 17 seconds pass
    Then the client shows directory_servers
    And the specification allows every step

  @req:MQSD-3.1.7.2-01 @req:MQSD-3.1.7.2-03
  Scenario Outline: Each connected network of the reply is listed
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site <site> listing 10alpha
    And 17 seconds pass
    Then the connected networks are those of site <site>
    And the specification allows every step

    Examples:
      | case       | site    |
      | one        | single  |
      | two        | east    |
      | three      | triple  |
      | thirty-two | crowded |
      | alike      | alike   |

  @req:MQSD-3.1.6.1-04 @req:MQSD-3.1.6.1-06 @req:MQSD-3.1.7.2-02
  Scenario: A second discovery ends with no reply kept
    Given a client on networks 1 (remote access)
    When the client starts discovery
    And network 1 brings a reply from site east listing 10alpha
    And network 1 brings a reply from site west listing 10beta
    And the networks become 1 (remote access), 2
    And the client starts discovery again
    And network 1 brings a reply from its own site
    And 60 seconds pass
    Then the client shows connected_networks
    And the specification allows every step

  @req:MQSD-3.1.6.1-03 @req:MQSD-3.1.7.1-02
  Scenario: A second discovery fails, and the lists stay as they were
    Given a client on networks 1 (remote access)
    When the client starts discovery
    And network 1 brings a reply from site east listing 10alpha
    And network 1 brings a reply from site west listing 10beta
    And the client starts discovery again
    And 60 seconds pass
    Then the client shows directory_servers
    And the specification allows every step

  @req:MQSD-3.1.7.1-03
  Scenario: A change of networks takes no name from the list
    Given a client on network 1
    When the client starts discovery
    And network 1 brings a reply from site east listing 10alpha, 11beta, 10gamma
    And 17 seconds pass
    And the networks become 2
    Then the directory servers are alpha, beta, gamma
    And the specification allows every step

  Rule: Two discoveries in a row

    Background:
      Given a client on networks 1 (remote access)
      When the client starts discovery
      And network 1 brings a reply from site east listing 10alpha, 10beta
      And network 1 brings a reply from site west listing 10gamma
      And the client starts discovery again
      And network 1 brings a reply from site north listing 10delta
      And network 1 brings a reply from site south listing 10epsilon
      And network 1 brings a reply from site north listing 10delta
      And network 1 brings a reply from site south listing 10epsilon
      And 40 seconds pass

    @req:MQSD-3.1.7.1-02
    Scenario: No directory server of the first discovery stays
      Then the client shows directory_servers
      And the specification allows every step

    @req:MQSD-3.1.7.2-02
    Scenario: No connected network of the first discovery stays
      Then the client shows connected_networks
      And the specification allows every step
