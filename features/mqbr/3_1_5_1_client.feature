@role:router
Feature: Next hops of a client (MS-MQBR 3.1.5.1)

  Rule: Which branch a source takes

    @req:MQBR-3.1.5.1-B01
    Scenario Outline: Nobody routes from or to a queue manager that the directory does not know
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | c    | A     | no             |
        | d    | A     | no             |
      And site gates A: ga; B: gb
      When <source> asks for the way to <destination>
      Then there is no route

      Examples:
        | case                        | source | destination |
        | unknown-destination         | c      | nobody      |
        | unknown-source              | nobody | d           |
        | both-unknown                | nobody | noone       |
        | gate-to-unknown-destination | ga     | nobody      |

    @req:MQBR-3.1.5.1-B02 @req:MQBR-3.1.5.1-B03
    Scenario: A routing server is routed as a router
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ra   | A     | yes            |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | e    | B     | no             |
      And site gates A: ga; B: gb
      When ra asks for the way to e
      Then the next hop is ga

    @req:MQBR-3.1.5.1-B02
    Scenario Outline: A queue manager that is no routing server is routed as a client, even where a site lists it as a gate
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ra   | A     | yes            |
        | n    | A     | no             |
        | gb   | B     | yes            |
        | c    | A     | no             |
        | e    | B     | no             |
      And site gates A: n; B: gb
      When <source> asks for the way to e
      Then the next hop is ra

      Examples:
        | case       | source |
        | the-listed | n      |
        | another    | c      |

    @req:MQBR-3.1.5.1-01
    Scenario Outline: Each kind of source gets its own kind of next hop
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out    |
        | ra   | A     | yes            |        |
        | ga   | A     | yes            |        |
        | o    | A     | yes            |        |
        | gb   | B     | yes            |        |
        | c    | A     | no             |        |
        | d    | A     | no             | o      |
        | e    | B     | no             |        |
      And site gates A: ga; B: gb
      When <source> asks for the way to <destination>
      Then the next hop is <hop>

      Examples:
        | case              | source | destination | hop |
        | client-in-site    | c      | d           | d   |
        | client-with-out   | d      | c           | o   |
        | client-to-other   | c      | e           | ra  |
        | router-to-other   | ra     | e           | ga  |
        | gate-to-other     | ga     | e           | gb  |
        | gate-within       | gb     | e           | e   |

  Rule: The Out list of a client

    @req:MQBR-3.1.5.1-B04 @req:MQBR-3.1.5.1-B05
    Scenario Outline: A client with an Out list sends through it, wherever the destination is
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out    | in     |
        | ra   | A     | yes            |        |        |
        | ga   | A     | yes            |        |        |
        | o1   | A     | yes            |        |        |
        | o2   | A     | yes            |        |        |
        | i    | A     | yes            |        |        |
        | gb   | B     | yes            |        |        |
        | c    | A     | no             | o1, o2 |        |
        | d    | A     | no             |        |        |
        | di   | A     | no             |        | i      |
        | e    | B     | no             |        |        |
      And site gates A: ga; B: gb
      When c asks for the way to <destination>
      Then the next hops are o1, o2

      Examples:
        | case              | destination |
        | same-site         | d           |
        | with-an-in-list   | di          |
        | another-site      | e           |
        | an-out-server     | o1          |

    @req:MQBR-3.1.5.1-B05
    Scenario: An Out list of three servers is answered whole
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out        |
        | ga   | A     | yes            |            |
        | o1   | A     | yes            |            |
        | o2   | A     | yes            |            |
        | o3   | A     | yes            |            |
        | gb   | B     | yes            |            |
        | c    | A     | no             | o3, o1, o2 |
        | e    | B     | no             |            |
      And site gates A: ga; B: gb
      When c asks for the way to e
      Then the next hops are o3, o1, o2

    @req:MQBR-3.1.5.1-B05
    Scenario: An Out list is answered with those that the directory does not know
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out        |
        | ga   | A     | yes            |            |
        | o1   | A     | yes            |            |
        | gb   | B     | yes            |            |
        | c    | A     | no             | nobody, o1 |
        | e    | B     | no             |            |
      And site gates A: ga; B: gb
      When c asks for the way to e
      Then the next hops are nobody, o1

    @req:MQBR-3.1.5.1-B04
    Scenario Outline: The Out list of another machine is of no concern
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out |
        | ra   | A     | yes            | o   |
        | ga   | A     | yes            | o   |
        | o    | A     | yes            |     |
        | gb   | B     | yes            |     |
        | c    | A     | no             |     |
        | d    | A     | no             | o   |
        | e    | B     | no             | gb  |
      And site gates A: ga; B: gb
      When <source> asks for the way to <destination>
      Then the next hop is <hop>

      Examples:
        | case                    | source | destination | hop |
        | of-the-destination      | c      | d           | d   |
        | of-a-far-destination    | ra     | e           | ga  |
        | of-the-routing-server   | c      | e           | ra  |
        | a-router-ignores-its-own | ra    | c           | c   |
        | a-gate-ignores-its-own  | ga     | e           | gb  |

  Rule: Within the site

    @req:MQBR-3.1.5.1-B06
    Scenario Outline: One common site is enough, wherever it stands in the lists
      Given sites A, B, C and D
      And routing links A-B 1, B-C 1, C-D 1
      And queue managers
        | name | sites   | routing server |
        | ga   | A       | yes            |
        | gb   | B       | yes            |
        | gc   | C       | yes            |
        | gd   | D       | yes            |
        | c    | A, B    | no             |
        | d    | <sites> | no             |
      And site gates A: ga; B: gb; C: gc; D: gd
      When c asks for the way to d
      Then the next hop is <hop>

      Examples:
        | case         | sites   | hop |
        | first-last   | C, A    | d   |
        | last-first   | B, C    | d   |
        | last-last    | D, C, B | d   |
        | none         | C, D    | ga  |

    @req:MQBR-3.1.5.1-B07 @req:MQBR-3.1.5.1-B08
    Scenario: In-routing servers of a destination in the site stand for it
      Given site A
      And queue managers
        | name | sites | routing server | in         |
        | i1   | A     | yes            |            |
        | i2   | A     | yes            |            |
        | r    | A     | yes            |            |
        | i3   | A     | yes            |            |
        | c    | A     | no             |            |
        | d    | A     | no             | i3, i1, i2 |
      And site gates A: r
      When c asks for the way to d
      Then the next hops are i3, i1, i2

    @req:MQBR-3.1.5.1-B07 @req:MQBR-3.1.5.1-B08
    Scenario Outline: All in-routing servers of a destination of several sites stand for it
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites   | routing server | in     |
        | ra   | A       | yes            |        |
        | rb   | B       | yes            |        |
        | c    | A       | no             |        |
        | d    | <sites> | no             | rb, ra |
      And site gates A: ra; B: rb
      When c asks for the way to d
      Then the next hops are rb, ra

      Examples:
        | case       | sites |
        | own-first  | A, B  |
        | other-site | B, A  |

    @req:MQBR-3.1.5.1-B07 @req:MQBR-3.1.5.1-B09
    Scenario: A destination in the site without in-routing servers is the next hop itself
      Given site A
      And queue managers
        | name | sites | routing server | in |
        | i    | A     | yes            |    |
        | c    | A     | no             | i  |
        | d    | A     | no             |    |
      And site gates A: i
      When c asks for the way to d
      Then the next hop is d

  Rule: To another site

    @req:MQBR-3.1.5.1-B10
    Scenario: A client hands a message for another site to a routing server of its own site
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | in     |
        | gb   | B     | yes            |        |
        | ib   | B     | yes            |        |
        | c    | A     | no             |        |
        | ra   | A     | yes            |        |
        | ga   | A     | yes            |        |
        | e    | B     | no             | ib     |
      And site gates A: ga; B: gb
      When c asks for the way to e
      Then the next hop is one of ra, ga

    @req:MQBR-3.1.5.1-B11
    Scenario Outline: There is an answer exactly if there is a next hop
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | gb   | B     | yes            |
        | c    | A     | no             |
        | d    | A     | no             |
        | e    | B     | no             |
        | f    | B     | no             |
      And site gates B: gb
      When <source> asks for the way to <destination>
      Then <outcome>

      Examples:
        | case            | source | destination | outcome              |
        | no-router       | c      | e           | there is no route    |
        | a-router        | e      | c           | the next hop is gb   |
        | none-is-needed  | c      | d           | the next hop is d    |

    @req:MQBR-3.1.5.1-B12
    Scenario: Without a routing server in its site a client has no way out
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | gb   | B     | yes            |
        | c    | A     | no             |
        | e    | B     | no             |
      And site gates B: gb
      When c asks for the way to e
      Then there is no route

  Rule: A configured list is used unchanged, whatever its entries

    Background:
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server | out  | in   |
        | n    | A     | no             |      |      |
        | s    | A     | yes            |      |      |
        | ga   | A     | yes            |      |      |
        | gb   | B     | yes            |      |      |
        | c    | A     | no             | n, s |      |
        | d    | A     | no             |      |      |
        | di   | A     | no             |      | n, s |
        | e    | B     | no             |      |      |
      And site gates A: ga; B: gb

    @req:MQBR-3.1.5.1-B05
    Scenario: An Out list with one that is no router
      When c asks for the way to e
      Then the next hops are n, s

    @req:MQBR-3.1.5.1-B08
    Scenario: An In list with one that is no router
      When d asks for the way to di
      Then the next hops are n, s

  Rule: Cases without further requirements

    @req:MQBR-3.1.5.1-B06 @req:MQBR-3.1.5.1-B09
    Scenario Outline: Networks are not looked at, nor whether source and destination are one
      Given site A
      And queue managers
        | name | sites | routing server | networks |
        | r    | A     | yes            | X, Y     |
        | c    | A     | no             | X        |
        | d    | A     | no             | Y        |
      And site gates A: r
      When c asks for the way to <destination>
      Then the next hop is <destination>

      Examples:
        | case               | destination |
        | no-common-network  | d           |
        | itself             | c           |

    @req:MQBR-3.1.5.1-B06
    Scenario Outline: A machine without a site shares none
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | w    |       | no             |
        | c    | A     | no             |
      And site gates A: ga; B: gb
      When <source> asks for the way to <destination>
      Then there is no route

      Examples:
        | case | source | destination |
        | from | w      | c           |
        | to   | ga     | w           |

    @req:MQBR-3.1.5.2-02
    Scenario: Another router of a site without a gate does not stand in for it
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ra   | A     | yes            |
        | rb   | A     | yes            |
        | gb   | B     | yes            |
        | e    | B     | no             |
      And site gates B: gb
      When ra asks for the way to e
      Then there is no route

    @req:MQBR-3.1.5.6-B06
    Scenario: A listed gate is one of the site's, whether or not it is a routing server
      Given sites A and B
      And routing links A-B 1
      And queue managers
        | name | sites | routing server |
        | ra   | A     | yes            |
        | n    | A     | no             |
        | gb   | B     | yes            |
        | e    | B     | no             |
      And site gates A: n; B: gb
      When ra asks for the way to e
      Then the next hop is n
