@role:router
Feature: Next hops of a routing server (MS-MQBR 3.1.5.2)

  Background:
    Given sites A, B and C
    And routing links A-B 1, B-C 1
    And queue managers
      | name | sites | routing server | in         |
      | r    | A     | yes            |            |
      | i1   | A     | yes            |            |
      | i2   | A     | yes            |            |
      | i3   | A     | yes            |            |
      | ga   | A     | yes            |            |
      | gx   | A     | yes            |            |
      | gb   | B     | yes            |            |
      | gc   | C     | yes            |            |
      | rb   | B     | yes            |            |
      | m    | A, B  | yes            |            |
      | c    | A     | no             |            |
      | ci   | A     | no             | i3, i1, i2 |
      | cr   | A     | no             | i1, r      |
      | cg   | A     | no             | i1, ga     |
      | cb   | B     | no             |            |
      | cbi  | B     | no             | rb         |
      | e    | C     | no             |            |
      | er   | C     | no             | r          |
      | eb   | C, B  | no             |            |
    And site gates A: ga, gx; B: gb; C: gc

  @req:MQBR-3.1.5.2-B01 @req:MQBR-3.1.5.2-B02
  Scenario Outline: A site gate routes as a gate, whichever of several it is
    When <gate> asks for the way to e
    Then the next hop is gb

    Examples:
      | case   | gate |
      | first  | ga   |
      | second | gx   |

  @req:MQBR-3.1.5.2-B01
  Scenario Outline: A routing server that is no gate does not route as one
    When <router> asks for the way to e
    Then the next hop is one of <gates>

    Examples:
      | case          | router | gates  |
      | beside-gates  | r      | ga, gx |
      | in-between    | rb     | gb     |

  @req:MQBR-3.1.5.2-B03 @req:MQBR-3.1.5.2-B04
  Scenario Outline: An in-routing server of the destination hands over to the destination
    When r asks for the way to <destination>
    Then the next hop is <destination>

    Examples:
      | case              | destination |
      | in-its-site       | cr          |
      | in-another-site   | er          |

  @req:MQBR-3.1.5.2-B03
  Scenario: Other routing servers are no in-routing server of the destination
    When i2 asks for the way to cr
    Then the next hops are i1, r

  @req:MQBR-3.1.5.2-B05
  Scenario Outline: One common site is enough
    When <source> asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case             | source | destination | hop |
      | only-site        | r      | c           | c   |
      | second-of-source | m      | cb          | cb  |
      | second-of-both   | m      | eb          | eb  |
      | none             | rb     | e           | gb  |

  @req:MQBR-3.1.5.2-B06 @req:MQBR-3.1.5.2-B07
  Scenario: Within the site a router sends to all in-routing servers of the destination
    When r asks for the way to ci
    Then the next hops are i3, i1, i2

  @req:MQBR-3.1.5.2-B06 @req:MQBR-3.1.5.2-B08
  Scenario: Within the site a router sends to a destination without in-routing servers itself
    When r asks for the way to c
    Then the next hop is c

  @req:MQBR-3.1.5.2-B09
  Scenario: In-routing servers of a destination in another site do not concern a router
    When r asks for the way to cbi
    Then the next hop is one of ga, gx

  @req:MQBR-3.1.5.2-B09
  Scenario: In-routing servers of its own site concern a router no more, if the destination is in another
    When i1 asks for the way to er
    Then the next hop is one of ga, gx

  @req:MQBR-3.1.5.2-B09
  Scenario: In-routing servers of its own do not concern a router that sends
    Given queue managers
      | name | sites | routing server | in |
      | r    | A     | yes            | gc |
      | ga   | A     | yes            |    |
      | gx   | A     | yes            |    |
      | gc   | C     | yes            |    |
    When r asks for the way to gc
    Then the next hop is one of ga, gx

  @req:MQBR-3.1.5.2-B09 @req:MQBR-3.1.5.2-01
  Scenario: A router hands a message for another site to a gate of its own site
    When r asks for the way to e
    Then the next hop is one of ga, gx

  @req:MQBR-3.1.5.2-01
  Scenario Outline: A router finds its next hop for every kind of destination
    When r asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case            | destination | hop |
      | client          | c           | c   |
      | another-router  | i1          | i1  |
      | gate-of-the-site | ga         | ga  |
      | bound-to-it     | cr          | cr  |

  @req:MQBR-3.1.5.2-02
  Scenario: A router of a site without gates has no way out
    Given site A
    And site gates B: gb
    When r asks for the way to cb
    Then there is no route
