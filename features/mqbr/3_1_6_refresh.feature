@role:router @needs:virtual-clock
Feature: Refresh of the routing table (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1)

  Background:
    Given sites A, B, C and D
    And routing links A-B 1, B-C 1, A-D 5, D-C 5
    And queue managers
      | name | sites | routing server |
      | ga   | A     | yes            |
      | gx   | A     | yes            |
      | gb   | B     | yes            |
      | gc   | C     | yes            |
      | gd   | D     | yes            |
      | c    | C     | no             |
      | b    | B     | no             |
    And site gates A: ga; B: gb; C: gc; D: gd

  Rule: The timer, seen through two changes of the routing links

    @req:MQBR-3.1.2-01 @req:MQBR-3.1.3-01
    Scenario: A timer is started
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 0, 1, 1800, 3500, 3599 and 3700 seconds after its start
      And the routing links become A-C 1, A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 3702, 5400, 7000, 7201 and 7400 seconds after its start
      Then a timer keeps the table up to date

    @req:MQBR-3.1.3-02
    Scenario: The timer is set to 3,600 seconds
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 0, 1, 60, 300, 600, 1800, 3500, 3599 and 3700 seconds after its start
      And the routing links become A-C 1, A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 3702, 5400, 7000, 7400 and 7500 seconds after its start
      Then the timer is set to 3600 seconds

    @req:MQBR-3.1.2.1-01
    Scenario: The table stands for one period
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 0, 1, 1800, 3500, 3599 and 3700 seconds after its start
      And the routing links become A-C 1, A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 3702, 5400, 7000, 7201 and 7400 seconds after its start
      Then the table stands until the timer fires

    @req:MQBR-3.1.2.1-02 @req:MQBR-3.1.6.1-01
    Scenario: Each expiry builds the table anew
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 0, 3500, 3599 and 3700 seconds after its start
      And the routing links become A-C 1, A-B 9, B-C 9, A-D 5, D-C 5
      And ga is asked for the way to c 7000, 7201 and 7400 seconds after its start
      Then the table is built anew whenever the timer fires

  Rule: The timer, seen through changes that come more often than it fires

    @req:MQBR-3.1.2-01 @req:MQBR-3.1.3-01
    Scenario: Changes do not put the timer off
      When ga starts
      And ga is asked for the way to c 0 seconds after its start
      And ga is asked for the way to c every 1500 seconds, 12 times, and then the routing links become in turn
        | links                               |
        | A-B 9, B-C 9, A-D 5, D-C 5          |
        | A-C 1, A-B 9, B-C 9, A-D 5, D-C 5   |
      Then a timer keeps the table up to date

    @req:MQBR-3.1.2.1-01
    Scenario: Between changes the table stands for one period
      When ga starts
      And ga is asked for the way to c 0 seconds after its start
      And ga is asked for the way to c every 1500 seconds, 12 times, and then the routing links become in turn
        | links                               |
        | A-B 9, B-C 9, A-D 5, D-C 5          |
        | A-C 1, A-B 9, B-C 9, A-D 5, D-C 5   |
      Then the table stands until the timer fires

    @req:MQBR-3.1.2.1-02 @req:MQBR-3.1.6.1-01
    Scenario: Each expiry builds the table anew however often the directory changes
      When ga starts
      And ga is asked for the way to c 0 seconds after its start
      And ga is asked for the way to c every 1500 seconds, 12 times, and then the routing links become in turn
        | links                               |
        | A-B 9, B-C 9, A-D 5, D-C 5          |
        | A-C 1, A-B 9, B-C 9, A-D 5, D-C 5   |
      Then the table is built anew whenever the timer fires

  Rule: Before the timer fires, and after

    @req:MQBR-3.1.2.1-01
    Scenario Outline: Until the timer fires the old table decides
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And the router runs for <seconds> seconds
      And ga asks for the way to c
      Then the next hop is gb

      Examples:
        | case         | seconds |
        | at-once      | 0       |
        | half-an-hour | 1800    |
        | just-before  | 3500    |

    @req:MQBR-3.1.6.1-01
    Scenario Outline: When the timer has fired the new table decides
      When ga starts
      And the router runs for 10 seconds
      And the routing links become <links>
      And the router runs for 3700 seconds
      And ga asks for the way to <destination>
      Then <outcome>

      Examples:
        | case          | links                      | destination | outcome            |
        | dearer-link   | A-B 9, B-C 9, A-D 5, D-C 5 | c           | the next hop is gd |
        | new-link      | A-B 1, B-C 1, A-C 1        | c           | the next hop is gc |
        | removed-links | A-B 1                      | c           | there is no route  |
        | dear-link     | A-B 65537, B-C 1, A-D 65000, D-C 1 | c   | the next hop is gd |

    @req:MQBR-3.1.6.1-01
    Scenario: The timer counts fractions of seconds
      When ga starts
      And the routing links become A-B 9, B-C 9, A-D 5, D-C 5
      And the router runs 1950 times for 1.9 seconds
      And ga asks for the way to c
      Then the next hop is gd

    @req:MQBR-3.1.6.1-01
    Scenario: A queue manager that has become a gate has no way out before its first table
      When gx starts
      And the site gates become A: ga, gx; B: gb; C: gc; D: gd
      And the router runs for 3500 seconds
      And gx asks for the way to c
      Then there is no route

    @req:MQBR-3.1.6.1-01
    Scenario: A queue manager that has become a gate gets its table when the timer fires
      When gx starts
      And the site gates become A: ga, gx; B: gb; C: gc; D: gd
      And the router runs for 3700 seconds
      And gx asks for the way to c
      Then the next hop is gb

    @req:MQBR-3.1.2.1-01
    Scenario Outline: A gate that is one no more hands over to the one that is
      When ga starts
      And the site gates become A: gx; B: gb; C: gc; D: gd
      And the router runs for <seconds> seconds
      And ga asks for the way to c
      Then the next hop is gx

      Examples:
        | case      | seconds |
        | at-once   | 0       |
        | afterward | 3700    |

    @req:MQBR-3.1.6.1-01 @needs:directory-faults
    Scenario: A refresh that cannot read the routing links leaves an empty table
      When ga starts
      And readings of RoutingLink begin to fail at begin
      And the router runs for 3700 seconds
      And ga asks for the way to c
      Then there is no route

    @req:MQBR-3.1.6.1-01 @needs:directory-faults
    Scenario: A refresh that can read the routing links again fills the table
      When ga starts
      And readings of RoutingLink begin to fail at begin
      And the router runs for 3700 seconds
      And readings of RoutingLink succeed again
      And the router runs for 3700 seconds
      And ga asks for the way to c
      Then the next hop is gb

    @req:MQBR-3.1.6.1-01 @needs:directory-faults
    Scenario: A refresh fills a table that could not be filled at the start
      Given readings of RoutingLink fail at begin
      When ga starts
      And readings of RoutingLink succeed again
      And the router runs for 3700 seconds
      And ga asks for the way to c
      Then the next hop is gb

  Rule: Queue managers and gates that change while the router runs

    @req:MQBR-3.1.5.4-01
    Scenario Outline: The record that counts is the one that the directory holds by now
      When ga asks for the way to c
      And the queue managers become
        | name | sites   | routing server | in   |
        | ga   | A       | yes            |      |
        | gb   | B       | yes            |      |
        | gc   | C       | yes            |      |
        | gd   | D       | yes            |      |
        | c    | <sites> | no             | <in> |
      And the router runs for 3700 seconds
      And ga asks for the way to c
      Then the next hop is c

      Examples:
        | case          | sites | in |
        | moved         | A     |    |
        | bound-to-some | C     | ga |

    @req:MQBR-3.1.5.4-01
    Scenario: A queue manager that was not known before is known by now
      Given queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | gd   | D     | yes            |
      When ga asks for the way to n
      And the queue managers become
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | gd   | D     | yes            |
        | n    | A     | no             |
      And the router runs for 3700 seconds
      And ga asks for the way to n
      Then the next hop is n

    @req:MQBR-3.1.5.4-02
    Scenario: A queue manager that is gone by now is not known any more
      When ga asks for the way to c
      And the queue managers become
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | gd   | D     | yes            |
      And the router runs for 3700 seconds
      And ga asks for the way to c
      Then there is no route

    @req:MQBR-3.1.5.4-01
    Scenario Outline: The router's own record is the one that the directory holds by now
      When gx asks for the way to c
      And the queue managers become
        | name | sites   | routing server | out |
        | ga   | A       | yes            |     |
        | gb   | B       | yes            |     |
        | gc   | C       | yes            |     |
        | gd   | D       | yes            |     |
        | c    | C       | no             |     |
        | gx   | <sites> | <server>       | <out> |
      And the router runs for 3700 seconds
      And gx asks for the way to c
      Then the next hop is gd

      Examples:
        | case                    | sites | server | out |
        | moved                   | D     | yes    |     |
        | routing-server-no-more  | A     | no     | gd  |

    @req:MQBR-3.1.5.5-01
    Scenario: A client's routing server is one by now
      Given queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gc   | C     | yes            |
        | a    | A     | no             |
        | n    | A     | no             |
        | c    | C     | no             |
      When a asks for the way to c
      And the queue managers become
        | name | sites | routing server |
        | ga   | A     | no             |
        | gc   | C     | yes            |
        | a    | A     | no             |
        | n    | A     | yes            |
        | c    | C     | no             |
      And the router runs for 3700 seconds
      And a asks for the way to c
      Then the next hop is n

    @req:MQBR-3.1.6.1-01
    Scenario: A gate that moved to another site builds its table from there
      When ga asks for the way to c
      And the queue managers become
        | name | sites | routing server |
        | ga   | D     | yes            |
        | gb   | B     | yes            |
        | gc   | C     | yes            |
        | c    | C     | no             |
      And the site gates become B: gb; C: gc; D: ga
      And the router runs for 46900 seconds
      And ga asks for the way to c
      Then the next hop is gc

    @req:MQBR-3.1.5.7-B01
    Scenario: The gate of a next site is one by now
      Given queue managers
        | name | sites | routing server |
        | ga   | A     | yes            |
        | gb   | B     | yes            |
        | hb   | B     | yes            |
        | gc   | C     | yes            |
        | gd   | D     | yes            |
        | c    | C     | no             |
      When ga asks for the way to c
      And the site gates become A: ga; B: hb; C: gc; D: gd
      And the router runs for 46900 seconds
      And ga asks for the way to c
      Then the next hop is hb
