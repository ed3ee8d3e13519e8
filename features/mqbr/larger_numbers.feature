@role:router
Feature: Lists in larger numbers (MS-MQBR 3.1.5)

  Rule: Lists of routing servers are answered whole, however long

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
