@role:router
Feature: Long lists are read completely (MS-MQBR 3.1.3.1, 3.1.5)
  No list of the directory has a limit in the text. What counts here stands last in each list.

  Background:
    Given sites S1 to S40, A and B
    And routing links S1-S2 1, S2-S3 1, S3-S4 1, S4-S5 1, S5-S6 1, S6-S7 1, S7-S8 1, S8-S9 1, S9-S10 1, S10-S11 1, S11-S12 1, S12-S13 1, S13-S14 1, S14-S15 1, S15-S16 1, S16-S17 1, S17-S18 1, S18-S19 1, S19-S20 1, S20-S21 1, S21-S22 1, S22-S23 1, S23-S24 1, S24-S25 1, S25-S26 1, S26-S27 1, S27-S28 1, S28-S29 1, S29-S30 1, S30-S31 1, S31-S32 1, S32-S33 1, A-B 65537, B-S40 1, A-S40 65000
    And queue managers
      | name      | sites           | routing server | out       | in        |
      | s1 to s40 | A               | yes            |           |           |
      | g1 to g40 | A               | yes            |           |           |
      | gs        | S40             | yes            |           |           |
      | m         | S1 to S40 and A | no             |           |           |
      | o         | A               | no             | s40 to s1 |           |
      | i         | A               | no             |           | s40 to s1 |
      | c         | A               | no             |           |           |
      | gb        | B               | yes            |           |           |
      | e         | B               | no             |           |           |
    And site gates S40: gs; A: g1 to g40; B: gb

  Rule: In a loaded directory

    @req:MQBR-3.1.5.1-B05
    Scenario: An Out list of forty servers
      When o asks for the way to e
      Then the next hops are s1 to s40

    @req:MQBR-3.1.5.1-B08
    Scenario: An In list of forty servers, for a client
      When c asks for the way to i
      Then the next hops are s1 to s40

    @req:MQBR-3.1.5.2-B03 @req:MQBR-3.1.5.2-B04
    Scenario: The last of forty in-routing servers
      When s1 asks for the way to i
      Then the next hop is i

    @req:MQBR-3.1.5.1-B06
    Scenario Outline: The last of forty-one sites is the common one
      When <source> asks for the way to <destination>
      Then the next hop is <destination>

      Examples:
        | case               | source | destination |
        | of-the-source      | m      | c           |
        | of-the-destination | c      | m           |

    @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.3.1-02 @req:MQBR-3.1.3.1-03
    Scenario: The last of forty gates, the last sites and the last links
      When g40 asks for the way to e
      Then the next hop is gs

    @req:MQBR-3.1.5.5-01 @req:MQBR-3.1.5.5-02 @needs:procedures
    Scenario: Routing servers looked up one after the other
      When s1 looks up the routing server of each of e, gb, gs, e, gb, gs, e, gb, gs and nobody
      Then each look-up gives what the procedure allows

    @req:MQBR-3.1.5.6-01 @req:MQBR-3.1.5.6-02 @needs:procedures
    Scenario: Site gates looked up one after the other
      When s1 looks up the site gate of each of e, gb, gs, e, gb, gs, e, gb, gs and nobody
      Then each look-up gives what the procedure allows

    @req:MQBR-3.1.5.7-01 @req:MQBR-3.1.5.7-02 @needs:procedures
    Scenario: Gates of sites looked up one after the other
      When s1 looks up the gate of site each of S40, B, S1, S40, B, S1, S40, B, S1, S40 and B
      Then each look-up gives what the procedure allows

    @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.5.8-02 @needs:procedures
    Scenario: Site gate status looked up of one after the other
      When s1 looks up the site gate status of each of s1, g1, s2, g2, s3, g3, s4, g4, s5 and g5
      Then each look-up gives what the procedure allows

  Rule: In a directory filled while the router runs

    @req:MQBR-3.1.5.1-B05 @needs:virtual-clock
    Scenario: An Out list that came later
      When the directory is filled while o runs
      And o asks for the way to e
      Then the next hops are s1 to s40

    @req:MQBR-3.1.5.1-B08 @needs:virtual-clock
    Scenario: An In list that came later
      When the directory is filled while c runs
      And c asks for the way to i
      Then the next hops are s1 to s40

    @req:MQBR-3.1.5.1-B06 @needs:virtual-clock
    Scenario: A common site that came last, and later
      When the directory is filled while c runs
      And c asks for the way to m
      Then the next hop is m

    @req:MQBR-3.1.6.1-01 @needs:virtual-clock
    Scenario: Gates, sites and links that came later
      When the directory is filled while g40 runs
      And g40 asks for the way to e
      Then the next hop is gs

  Rule: More objects than a directory gives at once

    @req:MQBR-3.1.5.5-01 @req:MQBR-3.1.5.9-B05
    Scenario: The last of a thousand queue managers is the routing server
      Given queue managers
        | name        | sites | routing server |
        | c           | A     | no             |
        | e           | B     | no             |
        | x1 to x1000 | B     | no             |
        | r           | A     | yes            |
      When c asks for the way to e
      Then the next hop is r
