@role:router
Feature: Next hops of a site gate (MS-MQBR 3.1.5.3)

  Background:
    Given sites A, B, C and D
    And routing links A-B 1, A-C 1, B-D 1
    And queue managers
      | name | sites | routing server | in         |
      | ga   | A     | yes            |            |
      | i1   | A     | yes            |            |
      | i2   | A     | yes            |            |
      | i3   | A     | yes            |            |
      | gb   | B     | yes            |            |
      | rb   | B     | yes            |            |
      | gc   | C     | yes            |            |
      | gd   | D     | yes            |            |
      | id   | D     | yes            |            |
      | c    | A     | no             |            |
      | ci   | A     | no             | i3, i1, i2 |
      | cg   | A     | no             | i1, ga     |
      | ca   | C, A  | no             |            |
      | b    | B     | no             |            |
      | e    | D     | no             |            |
      | ei   | D     | no             | id         |
      | eg   | D     | no             | ga         |
      | bc   | B, C  | no             |            |
      | xb   | X, B  | no             |            |
      | x    | X     | no             |            |
    And site gates A: ga; B: gb; C: gc; D: gd

  @req:MQBR-3.1.5.3-B01 @req:MQBR-3.1.5.3-B02
  Scenario Outline: A gate that is an in-routing server of the destination hands over to the destination
    When ga asks for the way to <destination>
    Then the next hop is <destination>

    Examples:
      | case            | destination |
      | in-its-site     | cg          |
      | in-another-site | eg          |

  @req:MQBR-3.1.5.3-B01
  Scenario: A gate is no in-routing server of a destination that names another gate
    When gd asks for the way to cg
    Then the next hop is gb

  @req:MQBR-3.1.5.3-B03
  Scenario Outline: One common site is enough
    When ga asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case           | destination | hop |
      | only-site      | c           | c   |
      | second-site    | ca          | ca  |
      | no-common-site | b           | gb  |

  @req:MQBR-3.1.5.3-B03
  Scenario: One common site is enough, wherever the gate's own list has it
    Given queue managers
      | name | sites | routing server |
      | ga   | C, A  | yes            |
      | gb   | B     | yes            |
      | gc   | C     | yes            |
      | gd   | D     | yes            |
      | ca   | B, A  | no             |
    When ga asks for the way to ca
    Then the next hop is ca

  @req:MQBR-3.1.5.3-B04 @req:MQBR-3.1.5.3-B05
  Scenario: Within the site a gate sends to all in-routing servers of the destination
    When ga asks for the way to ci
    Then the next hops are i3, i1, i2

  @req:MQBR-3.1.5.3-B04 @req:MQBR-3.1.5.3-B06
  Scenario: Within the site a gate sends to a destination without in-routing servers itself
    When ga asks for the way to c
    Then the next hop is c

  @req:MQBR-3.1.5.3-B07
  Scenario Outline: The row of a site of the destination is the one that counts
    When ga asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case                    | destination | hop |
      | far-site                | e           | gb  |
      | near-site               | gc          | gc  |
      | second-site-in-its-list | xb          | gb  |

  @req:MQBR-3.1.5.3-B08
  Scenario: The last of several matching rows stands
    When ga asks for the way to bc
    Then the next hop is gc

  @req:MQBR-3.1.5.3-B08
  Scenario: Where all matching rows lead by one site, that is the next one
    Given routing links A-C 1, C-B 1, B-D 1
    When ga asks for the way to bc
    Then the next hop is gc

  @req:MQBR-3.1.5.3-B09
  Scenario Outline: Without a row there is no next hop
    Given routing links A-B 1, A-C 1
    When ga asks for the way to <destination>
    Then there is no route

    Examples:
      | case             | destination |
      | unlinked-site    | e           |
      | site-of-no-entry | x           |

  @req:MQBR-3.1.5.3-B10
  Scenario: A gate hands a message for another site to the gate of the next site, not of the last one
    When ga asks for the way to ei
    Then the next hop is gb

  @req:MQBR-3.1.5.3-B10
  Scenario: A gate of the next site is the next hop even for a message to a machine of that site
    When ga asks for the way to b
    Then the next hop is gb

  @req:MQBR-3.1.5.3-B10
  Scenario: A gate of the next site is the next hop even for a message to a gate of a site further on
    When ga asks for the way to gd
    Then the next hop is gb

  @req:MQBR-3.1.5.3-01
  Scenario Outline: A gate finds its next hop for every kind of destination
    When ga asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case         | destination | hop |
      | within       | c           | c   |
      | next-door    | b           | gb  |
      | far          | e           | gb  |
      | a-far-gate   | gd          | gb  |
      | bound-to-it  | eg          | eg  |

  @req:MQBR-3.1.5.3-02
  Scenario: A gate without a way to the destination's site yields no next hop
    Given routing links A-B 1, C-D 1
    When ga asks for the way to e
    Then there is no route
