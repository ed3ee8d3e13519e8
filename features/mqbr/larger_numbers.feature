@role:router
Feature: Lists, sites and links in larger numbers (MS-MQBR 3.1.3.1, 3.1.5)

  Rule: Complete lists of routing servers

    Background:
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out                    | in                     |
        | ga   | A     | yes            |                        |                        |
        | gb   | B     | yes            |                        |                        |
        | r    | A     | yes            |                        |                        |
        | s1   | A     | yes            |                        |                        |
        | s2   | A     | yes            |                        |                        |
        | s3   | A     | yes            |                        |                        |
        | s4   | A     | yes            |                        |                        |
        | s5   | A     | yes            |                        |                        |
        | s6   | A     | yes            |                        |                        |
        | c    | A     | no             |                        |                        |
        | o    | A     | no             | s6, s5, s4, s3, s2, s1 |                        |
        | i    | A     | no             |                        | s6, s5, s4, s3, s2, s1 |
        | e    | B     | no             |                        |                        |
      And site gates A: ga; B: gb

    @req:MQBR-3.1.5.1-B05
    Scenario: An Out list of six servers
      When o asks for the way to e
      Then the next hops are s6, s5, s4, s3, s2, s1

    @req:MQBR-3.1.5.1-B08
    Scenario: An In list of six servers, for a client
      When c asks for the way to i
      Then the next hops are s6, s5, s4, s3, s2, s1

    @req:MQBR-3.1.5.2-B07
    Scenario: An In list of six servers, for a router
      When r asks for the way to i
      Then the next hops are s6, s5, s4, s3, s2, s1

    @req:MQBR-3.1.5.2-B03 @req:MQBR-3.1.5.2-B04
    Scenario: The last of six in-routing servers
      When s1 asks for the way to i
      Then the next hop is i

    @req:MQBR-3.1.5.3-B05
    Scenario: An In list of six servers, for a gate
      When ga asks for the way to i
      Then the next hops are s6, s5, s4, s3, s2, s1

  Rule: Many sites and routing links

    Background:
      Given sites A, B, C, D, E, F, G, H, I, J, K, L, M and N
      And routing links A-B 1, B-C 1, C-D 1, D-E 1, E-F 1, F-G 1, G-H 1, A-I 1, I-J 1, J-K 1, K-L 1, L-M 1, M-N 1, N-H 2
      And queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | gi   | I     | yes            |
        | gm   | M     | yes            |
        | gn   | N     | yes            |
        | gh   | H     | yes            |
        | c    | A     | no             |
        | e    | N     | no             |
        | h    | H     | no             |
      And site gates A: ga; B: gb; I: gi; M: gm; N: gn; H: gh

    @req:MQBR-3.1.3.1-02 @req:MQBR-3.1.3.1-03
    Scenario Outline: A way of many links
      When <gate> asks for the way to <destination>
      Then the next hop is <hop>

      Examples:
        | case              | gate | destination | hop |
        | to-the-last-site  | ga   | e           | gi  |
        | from-the-last     | gn   | c           | gm  |
        | by-the-last-link  | gn   | h           | gh  |
        | seven-links       | ga   | h           | gb  |

    @req:MQBR-3.1.3.1-14
    Scenario: A row for each of many sites
      When ga starts
      Then each site has a row
