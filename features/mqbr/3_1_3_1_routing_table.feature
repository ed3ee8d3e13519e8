@role:router
Feature: Routing table of a site gate (MS-MQBR 3.1.1.2, 3.1.3.1, 4)

  Background:
    Given queue managers
      | name | sites | routing server |
      | ga   | A     | yes            |
      | gb   | B     | yes            |
      | gc   | C     | yes            |
      | gd   | D     | yes            |
      | ge   | E     | yes            |
      | ra   | A     | yes            |
      | b    | B     | no             |
      | c    | C     | no             |
      | d    | D     | no             |
      | e    | E     | no             |
    And site gates A: ga; B: gb; C: gc; D: gd; E: ge

  Rule: The examples of section 4

    @req:MQBR-3.1.3.1-12 @req:MQBR-3.1.1.2-01
    Scenario Outline: First costs: from A to C by way of B
      Given sites A, B, C and D
      And routing links A-B 3, B-C 1, B-D 1, C-D 1
      When <gate> asks for the way to c
      Then the next hop is <hop>

      Examples:
        | case   | gate | hop |
        | at-a   | ga   | gb  |
        | at-b   | gb   | gc  |

    @req:MQBR-3.1.3.1-12 @req:MQBR-3.1.1.2-01
    Scenario Outline: Second costs: from A to C by way of B and D
      Given sites A, B, C and D
      And routing links A-B 3, B-C 3, B-D 1, C-D 1
      When <gate> asks for the way to c
      Then the next hop is <hop>

      Examples:
        | case   | gate | hop |
        | at-a   | ga   | gb  |
        | at-b   | gb   | gd  |
        | at-d   | gd   | gc  |

  Rule: Owners and inputs of the table (3.1.3.1)

    @req:MQBR-3.1.3.1-01
    Scenario: The table of a router that is no gate is empty
      Given sites A, B and C
      And routing links A-B 1, B-C 1
      When ra starts
      Then the routing table is empty

    @req:MQBR-3.1.3.1-02
    Scenario Outline: All sites are read, the last one too
      Given sites A, B, C, D and E
      And routing links A-B 1, A-C 1, B-D 1, C-E 1
      When ga asks for the way to <machine>
      Then the next hop is <hop>

      Examples:
        | case  | machine | hop |
        | first | b       | gb  |
        | last  | e       | gc  |

    @req:MQBR-3.1.3.1-03
    Scenario Outline: All routing links are read, the last one too
      Given sites A, B, C and D
      And routing links A-B <first>, A-C 8, B-D 1, C-D <last>
      When ga asks for the way to d
      Then the next hop is <hop>

      Examples:
        | case           | first | last | hop |
        | the-last-helps | 9     | 1    | gc  |
        | the-first-wins | 1     | 1    | gb  |

    @req:MQBR-3.1.3.1-04
    Scenario: Without any site the table is empty
      Given no sites
      And routing links A-B 1, B-C 1
      When ga starts
      Then the routing table is empty

    @req:MQBR-3.1.3.1-05
    Scenario: Without any routing link there is no way to another site
      Given sites A and B
      When ga asks for the way to b
      Then there is no route

    @req:MQBR-3.1.3.1-05
    Scenario: Without any routing link the table is empty
      Given sites A and B
      When ga starts
      Then the routing table is empty

  Rule: The graph (3.1.3.1)

    @req:MQBR-3.1.3.1-07
    Scenario: A site in which nobody but its gate lives is a vertex too
      Given sites A, C, B and E
      And routing links A-E 1, E-B 1, A-C 5, C-B 5
      And queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | ge   | E     | yes            |
        | b    | B     | no             |
        | c    | C     | no             |
      When ga asks for the way to b
      Then the next hop is ge

    @req:MQBR-3.1.3.1-08
    Scenario Outline: A routing link leads both ways
      Given sites A, B and C
      And routing links <links>
      When ga asks for the way to c
      Then the next hop is gb

      Examples:
        | case        | links               |
        | forwards    | A-B 1, B-C 1, A-C 5 |
        | backwards   | B-A 1, C-B 1, A-C 5 |
        | there-first | A-B 1, C-B 1, A-C 5 |
        | here-first  | B-A 1, B-C 1, A-C 5 |

    @req:MQBR-3.1.3.1-08
    Scenario: The way back is the way there
      Given sites A, B, C and D
      And routing links A-B 2, B-C 2, A-D 3, D-C 3
      When gc asks for the way to ra
      Then the next hop is gb

    @req:MQBR-3.1.3.1-08
    Scenario: The way back costs what the way there costs
      Given sites A, B and C
      And routing links A-B 9, B-C 9, C-A 10
      When gc asks for the way to ra
      Then the next hop is ga

    @req:MQBR-3.1.3.1-09
    Scenario: Sites without a routing link between them are no neighbours
      Given sites A, B and C
      And routing links A-C 7, C-B 7
      When ga asks for the way to b
      Then the next hop is gc

    @req:MQBR-3.1.3.1-09
    Scenario: A site without any routing link cannot be reached
      Given sites A, B, C and D
      And routing links A-B 1, B-C 1
      When ga asks for the way to d
      Then there is no route

    @req:MQBR-3.1.3.1-10
    Scenario Outline: The cost of a link decides, not the number of links
      Given sites A, B, C and D
      And routing links <links>
      When ga asks for the way to c
      Then the next hop is <hop>

      Examples:
        | case            | links                                    | hop |
        | two-cheap-links | A-B 1, B-C 1, A-C 3                      | gb  |
        | one-dear-link   | A-B 2, B-C 2, A-C 3                      | gc  |
        | three-links     | A-B 1, B-D 1, D-C 1, A-C 4               | gb  |
        | greatest-costs  | A-B 999999, B-C 999999, A-C 999999       | gc  |
        | beyond-16-bits  | A-B 65537, B-C 1, A-C 65000              | gc  |
        | by-one          | A-B 499999, B-C 500000, A-C 999998       | gc  |
        | numbers-as-text | A-B 9, B-C 1, A-C 11                     | gb  |

    @req:MQBR-3.1.3.1-11
    Scenario Outline: All links of a path count, and each with its whole cost
      Given sites A, B, C and D
      And routing links <links>
      When ga asks for the way to d
      Then the next hop is <hop>

      Examples:
        | case               | links                             | hop |
        | not-the-dearest    | A-B 4, B-D 4, A-C 1, C-D 6        | gc  |
        | not-the-cheapest   | A-B 1, B-D 9, A-C 3, C-D 3        | gc  |
        | not-the-first      | A-B 1, B-D 9, A-C 2, C-D 2        | gc  |
        | not-the-last       | A-B 9, B-D 1, A-C 4, C-D 4        | gc  |
        | not-the-average    | A-B 5, B-C 1, C-D 1, A-D 6        | gd  |

    @req:MQBR-3.1.3.1-12
    Scenario Outline: The path with the lowest cost counts, however late it is found
      Given sites A, B, C, D and E
      And routing links <links>
      When ga asks for the way to <machine>
      Then the next hop is <hop>

      Examples:
        | case           | links                                            | machine | hop |
        | round-about    | A-B 10, A-C 1, C-D 1, D-B 1                      | b       | gc  |
        | no-greed       | A-B 1, B-D 9, A-C 2, C-D 2                       | d       | gc  |
        | improved-twice | A-B 20, A-C 12, C-B 7, A-D 1, D-E 1, E-C 1       | b       | gd  |
        | after-a-detour | A-E 1, E-B 8, A-D 2, D-C 2, C-B 2                | b       | gd  |

    @req:MQBR-3.1.3.1-16
    Scenario Outline: The first site on the path is the next hop, not one further on
      Given sites E, D, C, B and A
      And routing links A-B 1, B-C 1, C-D 1, D-E 1
      When <gate> asks for the way to <machine>
      Then the next hop is <hop>

      Examples:
        | case           | gate | machine | hop |
        | next-door      | ga   | b       | gb  |
        | two-links      | ga   | c       | gb  |
        | three-links    | ga   | d       | gb  |
        | four-links     | ga   | e       | gb  |
        | the-other-way  | ge   | b       | gd  |
        | from-the-midst | gc   | e       | gd  |

    @req:MQBR-3.1.3.1-17
    Scenario Outline: Of routes with equal cost any one is chosen
      Given sites A, B, C, D and E
      And routing links <links>
      When ga asks for the way to c
      Then the next hop is one of <hops>

      Examples:
        | case            | links                                      | hops       |
        | two-of-two      | A-B 1, A-D 1, B-C 1, D-C 1                 | gb, gd     |
        | direct-or-not   | A-C 2, A-B 1, B-C 1                        | gb, gc     |
        | two-of-three    | A-B 1, A-D 2, A-E 2, B-C 3, D-C 2, E-C 9   | gb, gd     |
        | three-of-three  | A-B 1, A-D 2, A-E 3, B-C 3, D-C 2, E-C 1   | gb, gd, ge |

    @req:MQBR-3.1.3.1-10
    Scenario: Of two links between the same sites either gives the cost
      Given sites A, B and C
      And routing links A-B 1, A-B 9, A-C 2, C-B 2
      When ga asks for the way to b
      Then the next hop is one of gb, gc

    @req:MQBR-3.1.3.1-10
    Scenario: Parallel links beside the way leave it as it is, however many
      Given sites A, B, C, D and E
      And routing links A-B 1, B-C 1, A-D 9, A-D 12, D-C 9, D-C 12, D-E 9, D-E 12, D-B 9, D-B 12, E-A 9, E-A 12, E-B 9, E-B 12, E-C 9, E-C 12
      When ga asks for the way to c
      Then the next hop is gb

    @req:MQBR-3.1.3.1-16
    Scenario: A gate of two sites takes either for the root of its tree
      Given sites A, B, C and E
      And routing links A-B 1, B-C 1, E-C 1
      And queue managers
        | name | sites | routing server |
        | gae  | A, E  | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | c    | C     | no             |
      And site gates A: gae; B: gb; C: gc; E: gae
      When gae asks for the way to c
      Then the next hop is one of gb, gc

    @req:MQBR-3.1.3.1-17
    Scenario: Routes of nearly equal cost are no choice
      Given sites A, B, C and D
      And routing links A-B 1000, A-D 1000, B-C 1001, D-C 1000
      When ga asks for the way to c
      Then the next hop is gd

  Rule: The table as a router shows it (3.1.1.2, 3.1.3.1)

    @req:MQBR-3.1.1.2-01 @req:MQBR-3.1.1.2-03 @req:MQBR-3.1.3.1-16
    Scenario: The rows name the next sites
      Given sites A, B, C, D and E
      And routing links A-B 1, B-C 1, C-D 1, A-D 4, D-E 1
      When ga starts
      Then the routing table has the rows
        | destination | next hop |
        | B           | B        |
        | C           | B        |
        | D           | B        |
        | E           | B        |

    @req:MQBR-3.1.1.2-03 @req:MQBR-3.1.3.1-16
    Scenario: The rows of a gate amid the enterprise name different next sites
      Given sites A, B, C, D and E
      And routing links A-B 1, B-C 1, C-D 1, A-D 4, D-E 1
      When gc starts
      Then the routing table has the rows
        | destination | next hop |
        | A           | B        |
        | B           | B        |
        | D           | D        |
        | E           | D        |

    @req:MQBR-3.1.3.1-14
    Scenario: There is a row for each site
      Given sites A, B, C, D and E
      And routing links A-B 1, B-C 1, C-D 1, D-E 1
      When gb starts
      Then each site has a row

    @req:MQBR-3.1.3.1-14
    Scenario: There is a row for each site that can be reached
      Given sites A, B, C and D
      And routing links A-B 1, B-C 1
      When gb starts
      Then each site has a row

    @req:MQBR-3.1.1.2-02 @req:MQBR-3.1.3.1-15
    Scenario: Each row names the site that it leads to
      Given sites A, B, C, D and E
      And routing links A-B 1, B-C 1, C-D 1, D-E 1
      When gb starts
      Then each row names its site

  Rule: Long paths and many sites

    @req:MQBR-3.1.3.1-11
    Scenario Outline: The cost of a long way is the whole of its sum
      Given two ways of <links> links from site A to site Z, each link at cost <cost>, the last one by Q at <last>
      When gA asks for the way to z
      Then the next hop is <hop>

      Examples:
        | case                | links | cost   | last   | hop |
        | twenty-links        | 20    | 999997 | 999996 | gQ1 |
        | twenty-links-dearer | 20    | 3      | 4      | gP1 |
        | beyond-16-bits      | 14    | 4682   | 4680   | gQ1 |
        | a-hundred-sites     | 50    | 2      | 1      | gQ1 |

    @req:MQBR-3.1.3.1-02 @req:MQBR-3.1.3.1-14
    Scenario: Each of a hundred sites has a row
      Given two ways of 50 links from site A to site Z, each link at cost 2, the last one by Q at 1
      When gA starts
      Then each site has a row

    @req:MQBR-3.1.3.1-09
    Scenario: A routing link to nowhere, and one that ends where it begins, lead to no site
      Given sites A, B, C and D
      And routing links A-A 1, A-X 1, X-Y 1, A-B 2, B-C 2, A-D 3, D-C 3, C-C 1
      When ga asks for the way to c
      Then the next hop is gb
