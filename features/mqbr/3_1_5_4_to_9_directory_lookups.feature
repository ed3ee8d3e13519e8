@role:router
Feature: Look-ups in the directory (MS-MQBR 3.1.5.4 to 3.1.5.9)

  Background:
    Given sites C, B and A
    And routing links B-C 1, A-B 1
    And queue managers
      | name | sites | routing server | in |
      | e    | C     | no             |    |
      | gc   | C     | yes            |    |
      | n    | A     | no             |    |
      | gb   | B     | yes            |    |
      | gb2  | B     | yes            |    |
      | c    | A     | no             |    |
      | r1   | A     | yes            |    |
      | r2   | A     | yes            |    |
      | ga   | A     | yes            |    |
      | ga2  | A     | yes            |    |
      | i    | A     | yes            |    |
      | m    | B, A  | yes            |    |
      | v    | A     | yes            |    |
      | di   | A     | no             | i  |
      | d    | A     | no             |    |
    And site gates A: ga, ga2; B: gb, gb2; C: gc

  Rule: GetQueueManager (3.1.5.4)

    @req:MQBR-3.1.5.4-01
    Scenario Outline: The record under the identifier is the one that counts
      When <source> asks for the way to <destination>
      Then the next hop is <hop>

      Examples:
        | case                 | source | destination | hop |
        | first-as-destination | gc     | e           | e   |
        | last-as-destination  | c      | d           | d   |
        | neighbour-has-a-list | c      | di          | i   |
        | client-as-source     | n      | e           | r1  |

    @req:MQBR-3.1.5.4-B01
    Scenario Outline: Identifiers that differ in one octet are two
      Given queue managers
        | name                    | sites | routing server | in |
        | d_but_for_octet_<octet> | A     | no             |    |
        | d                       | A     | no             | i  |
        | i                       | A     | yes            |    |
        | c                       | A     | no             |    |
      When c asks for the way to d
      Then the next hop is i

      Examples:
        | case   | octet |
        | first  | 0     |
        | last   | 15    |

    @req:MQBR-3.1.5.4-B01
    Scenario: Identifiers that differ in case are one
      Given a directory that refers to identifiers in upper case
      When c asks for the way to di
      Then the next hop is i

    @req:MQBR-3.1.5.4-B02
    Scenario: Of two records with one identifier one is used, and the first where order counts
      Given queue managers
        | name | sites | routing server | in |
        | c    | A     | no             |    |
        | i    | A     | yes            |    |
        | j    | A     | yes            |    |
        | d    | A     | no             | i  |
        | d    | A     | no             | j  |
      When c asks for the way to d
      Then the next hop is i

    @req:MQBR-3.1.5.4-02 @req:MQBR-3.1.5.4-B01
    Scenario Outline: An identifier that the directory does not hold yields no record
      When <source> asks for the way to <destination>
      Then there is no route

      Examples:
        | case        | source | destination |
        | destination | c      | nobody      |
        | source      | nobody | c           |

  Rule: GetRoutingServer (3.1.5.5)

    @req:MQBR-3.1.5.5-01 @req:MQBR-3.1.5.5-B06 @req:MQBR-3.1.5.5-B07
    Scenario: A client's routing server is a routing server of its site
      When c asks for the way to e
      Then the next hop is r1

    @req:MQBR-3.1.5.5-B05
    Scenario Outline: A routing server of the same site is found, wherever it stands among the others
      Given queue managers
        | name | sites   | routing server |
        | e    | C       | no             |
        | gc   | C       | yes            |
        | n    | A       | no             |
        | gb   | B       | yes            |
        | c    | <sites> | no             |
        | r1   | A       | yes            |
        | d    | A       | no             |
      And site gates A: r1; B: gb; C: gc
      When c asks for the way to e
      Then the next hop is <hop>

      Examples:
        | case                | sites | hop |
        | only-site           | A     | r1  |
        | another-only-site   | B     | gb  |
        | second-site         | X, A  | r1  |
        | first-site          | A, X  | r1  |

    @req:MQBR-3.1.5.5-B05
    Scenario: The common site may be any of the server's
      Given queue managers
        | name | sites   | routing server |
        | e    | C       | no             |
        | gc   | C       | yes            |
        | gb   | B       | yes            |
        | r1   | B, C, A | yes            |
        | c    | A       | no             |
        | d    | C       | no             |
      And site gates B: gb; C: gc
      When c asks for the way to e
      Then the next hop is r1

    @req:MQBR-3.1.5.5-02
    Scenario: A client without a routing server in its site has none
      Given queue managers
        | name | sites | routing server |
        | e    | C     | no             |
        | gc   | C     | yes            |
        | gb   | B     | yes            |
        | c    | A     | no             |
        | d    | A     | no             |
      And site gates B: gb; C: gc
      When c asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.5-B01 @req:MQBR-3.1.5.5-B02 @needs:procedures
    Scenario: There is no routing server for an unknown queue manager
      When c looks up the routing server of nobody
      Then the look-up gives nothing

    @req:MQBR-3.1.5.5-01 @req:MQBR-3.1.5.5-B07 @needs:procedures
    Scenario: The routing server of a client, looked up
      When c looks up the routing server of c
      Then the look-up gives r1

  Rule: GetSiteGate (3.1.5.6)

    @req:MQBR-3.1.5.6-B05
    Scenario: A site that the directory holds no more hides none of the router's other sites
      Given queue managers
        | name | sites | routing server |
        | e    | C     | no             |
        | gc   | C     | yes            |
        | gb   | B     | yes            |
        | ga   | A     | yes            |
        | r    | Z, A  | yes            |
      And site gates A: ga; B: gb; C: gc
      When r asks for the way to e
      Then the next hop is ga

    @req:MQBR-3.1.5.6-01 @req:MQBR-3.1.5.6-B06
    Scenario: The site gate of a router is any gate of its site
      When r1 asks for the way to e
      Then the next hop is one of ga, ga2

    @req:MQBR-3.1.5.6-B05
    Scenario Outline: Gates of other sites do not count
      When <router> asks for the way to <destination>
      Then the next hop is one of <gates>

      Examples:
        | case            | router | destination | gates   |
        | last-site       | r1     | e           | ga, ga2 |
        | with-two-routes | v      | gb          | ga, ga2 |

    @req:MQBR-3.1.5.6-B07
    Scenario: The first site found of several ends the search
      When m asks for the way to e
      Then the next hop is one of gb, gb2

    @req:MQBR-3.1.5.6-B07
    Scenario: The first site found ends the search even if it has no gate
      Given site gates A: ga, ga2; C: gc
      When m asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.6-02
    Scenario: A router whose site has no gate has none
      Given site A
      And site gates B: gb; C: gc
      When r1 asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.6-B03 @req:MQBR-3.1.5.6-B04
    Scenario: Where no site can be read there is no site gate
      Given no sites
      When r1 asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.6-B01 @req:MQBR-3.1.5.6-B02 @needs:procedures
    Scenario: There is no site gate for an unknown queue manager
      When r1 looks up the site gate of nobody
      Then the look-up gives nothing

    @req:MQBR-3.1.5.6-01 @req:MQBR-3.1.5.6-B06 @needs:procedures
    Scenario: The site gate of a client, looked up
      When r1 looks up the site gate of c
      Then the look-up gives one of ga, ga2

    @req:MQBR-3.1.5.6-02 @needs:procedures
    Scenario: The site gate of a site without gates, looked up
      Given site A
      And site gates B: gb; C: gc
      When r1 looks up the site gate of c
      Then the look-up gives nothing

  Rule: GetSiteGateForSite (3.1.5.7)

    @req:MQBR-3.1.5.7-01 @req:MQBR-3.1.5.7-B03
    Scenario: The gate of the next site is any of its gates
      When ga asks for the way to e
      Then the next hop is one of gb, gb2

    @req:MQBR-3.1.5.7-01 @req:MQBR-3.1.5.7-B03
    Scenario: The gate of the next site may be of another site in the first place
      Given site gates A: m; B: gb; C: gc
      When gb asks for the way to d
      Then the next hop is m

    @req:MQBR-3.1.5.7-B01
    Scenario Outline: The site is looked up by its identifier
      Given routing links A-B 1, A-C 1
      When ga asks for the way to <destination>
      Then the next hop is one of <gates>

      Examples:
        | case        | destination | gates   |
        | first-site  | e           | gc      |
        | second-site | gb2         | gb, gb2 |

    @req:MQBR-3.1.5.7-02
    Scenario: A next site without gates has none
      Given site gates A: ga, ga2; C: gc
      When ga asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.7-02 @needs:procedures
    Scenario: The gate of a site without gates, looked up
      Given site A
      And site gates B: gb; C: gc
      When r1 looks up the gate of site A
      Then the look-up gives nothing

    @req:MQBR-3.1.5.7-B01 @req:MQBR-3.1.5.7-B02
    Scenario: A next site that is gone from the directory has no gate
      When ga starts
      And the sites become C and A
      And ga asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.7-B02 @needs:procedures
    Scenario: The gate of a site that the directory does not know, looked up
      When r1 looks up the gate of site X
      Then the look-up gives nothing

    @req:MQBR-3.1.5.7-01 @req:MQBR-3.1.5.7-B03 @needs:procedures
    Scenario: The gate of a site, looked up
      When r1 looks up the gate of site B
      Then the look-up gives one of gb, gb2

  Rule: IsSiteGate (3.1.5.8)

    @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.5.8-B09
    Scenario Outline: A gate of its own site is a site gate
      When <gate> asks for the way to e
      Then the next hop is one of gb, gb2

      Examples:
        | case         | gate |
        | first-listed | ga   |
        | last-listed  | ga2  |

    @req:MQBR-3.1.5.8-B09
    Scenario: A gate of only one of its two sites is a site gate
      Given sites C, B, A and D
      And routing links A-C 1, D-C 1
      And queue managers
        | name | sites | routing server |
        | g    | D, A  | yes            |
        | gd   | D     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | e    | C     | no             |
      And site gates A: g; B: gb; C: gc; D: gd
      When g asks for the way to e
      Then the next hop is gc

    @req:MQBR-3.1.5.8-B09
    Scenario: A gate of only the later of its two sites is a site gate
      Given sites D, C, B and A
      And routing links A-C 1, D-C 1
      And queue managers
        | name | sites | routing server |
        | g    | D, A  | yes            |
        | gd   | D     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | e    | C     | no             |
      And site gates A: g; B: gb; C: gc; D: gd
      When g asks for the way to e
      Then the next hop is gc

    @req:MQBR-3.1.5.8-02 @req:MQBR-3.1.5.8-B08
    Scenario: A routing server that no site lists is no site gate
      When v asks for the way to e
      Then the next hop is one of ga, ga2

    @req:MQBR-3.1.5.8-B07
    Scenario: A routing server that only a foreign site lists is no site gate
      Given site gates A: ga, ga2; B: gb, gb2; C: gc, v
      When v asks for the way to gb
      Then the next hop is one of ga, ga2

    @req:MQBR-3.1.5.8-B03 @req:MQBR-3.1.5.8-B04 @needs:procedures
    Scenario: A listed queue manager that is no routing server is no site gate, looked up
      Given site gates A: n, ga; B: gb, gb2; C: gc
      When r1 looks up the site gate status of n
      Then the look-up gives 0

    @req:MQBR-3.1.5.8-B03 @req:MQBR-3.1.5.8-B04
    Scenario: A listed queue manager that is no routing server has an empty table
      Given site gates A: n, ga; B: gb, gb2; C: gc
      When n starts
      Then the routing table is empty

    @req:MQBR-3.1.5.8-B01 @req:MQBR-3.1.5.8-B02 @needs:procedures
    Scenario: An unknown queue manager is no site gate, even where a site lists it
      Given site gates A: nobody, ga; B: gb, gb2; C: gc
      When r1 looks up the site gate status of nobody
      Then the look-up gives 0

    @req:MQBR-3.1.5.8-B05 @req:MQBR-3.1.5.8-B06 @needs:procedures
    Scenario: Where no site can be read nobody is a site gate, looked up
      Given no sites
      When r1 looks up the site gate status of ga
      Then the look-up gives 0

    @needs:procedures @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.5.8-B08
    Scenario: A gate, looked up
      When r1 looks up the site gate status of ga2
      Then the look-up gives 1

    @needs:procedures @req:MQBR-3.1.5.8-02 @req:MQBR-3.1.5.8-B08
    Scenario: A routing server that is no gate, looked up
      When ga looks up the site gate status of r1
      Then the look-up gives 0

    @needs:procedures @req:MQBR-3.1.5.8-B07
    Scenario: A routing server that only a foreign site lists, looked up
      Given site gates A: ga, ga2; B: gb, gb2; C: gc, v
      When r1 looks up the site gate status of v
      Then the look-up gives 0

  Rule: GetDirectoryData (3.1.5.9)

    @req:MQBR-3.1.5.9-01 @req:MQBR-3.1.5.9-B03 @req:MQBR-3.1.5.9-B04 @req:MQBR-3.1.5.9-B05
    Scenario Outline: All objects are read, from the first to the last
      When <source> asks for the way to <destination>
      Then the next hop is one of <hops>

      Examples:
        | case               | source | destination | hops    |
        | last-site          | r1     | e           | ga, ga2 |
        | last-link          | ga     | e           | gb, gb2 |
        | first-link         | gb     | e           | gc      |
        | last-queue-manager | c      | d           | d       |

    @req:MQBR-3.1.5.9-02
    Scenario: The identifier of a site is no queue manager's
      When ga asks for the way to the identifier of site B
      Then there is no route

    @req:MQBR-3.1.5.9-04
    Scenario Outline: Only the object with the identifier asked for is answered
      When <source> asks for the way to <destination>
      Then the next hop is one of <hops>

      Examples:
        | case          | source | destination | hops    |
        | queue-manager | c      | d           | d       |
        | site          | ga     | e           | gb, gb2 |

    @req:MQBR-3.1.5.9-B01 @req:MQBR-3.1.5.9-B02 @needs:directory-faults
    Scenario Outline: A reading that cannot begin yields nothing
      Given readings of <type> fail at begin
      When <source> asks for the way to <destination>
      Then there is no route

      Examples:
        | case           | type         | source | destination |
        | site-gate      | Site         | r1     | e           |
        | routing-table  | RoutingLink  | ga     | e           |
        | queue-manager  | QueueManager | c      | d           |

    @req:MQBR-3.1.5.9-B06 @req:MQBR-3.1.5.9-B07 @needs:directory-faults
    Scenario Outline: A reading that breaks off yields nothing
      Given readings of <type> fail at next
      When <source> asks for the way to <destination>
      Then there is no route

      Examples:
        | case           | type         | source | destination |
        | site-gate      | Site         | r1     | e           |
        | an-early-site  | Site         | m      | e           |
        | routing-table  | RoutingLink  | ga     | e           |
        | an-early-link  | RoutingLink  | gb     | e           |
        | queue-manager  | QueueManager | c      | d           |
        | an-early-one   | QueueManager | c      | e           |

    @req:MQBR-3.1.5.9-B06 @req:MQBR-3.1.5.9-B07 @needs:directory-faults
    Scenario: A reading that breaks off does not yield its beginning
      Given routing links A-C 9, A-B 1, A-B 1, B-C 1, B-C 1
      And readings of RoutingLink fail at next
      When ga asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.9-02 @needs:directory-faults
    Scenario Outline: Readings of one type do not concern another
      Given readings of <type> fail at begin
      When <source> asks for the way to <destination>
      Then the next hop is <hop>

      Examples:
        | case         | type        | source | destination | hop |
        | sites        | Site        | c      | d           | d   |
        | links        | RoutingLink | c      | e           | r1  |

    @req:MQBR-3.1.5.9-B01 @needs:directory-faults @needs:virtual-clock
    Scenario: A gate whose sites can no longer be read does not act as one
      When ga starts
      And readings of Site begin to fail at begin
      And the router runs for 3700 seconds
      And ga asks for the way to e
      Then there is no route
