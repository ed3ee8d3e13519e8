@role:router
Feature: Identifiers that are nearly alike are two (MS-MQBR 3.1.3.1, 3.1.5)
  A GUID is compared in all its octets. Those here differ in the first octet alone, or in the last, and whatever would be
  taken for something else comes first in its list. Queue managers of such GUIDs have the same name.

  Background:
    Given sites A_but_for_octet_0, A_but_for_octet_15, B_but_for_octet_0, B_but_for_octet_15, A and B
    And routing links A-B_but_for_octet_0 1, A-B_but_for_octet_15 1, A_but_for_octet_0-B 1, A_but_for_octet_15-B 1, A-B 2
    And queue managers
      | name               | sites              | routing server | out | in                                    |
      | ga0                | A_but_for_octet_0  | yes            |     |                                       |
      | ga15               | A_but_for_octet_15 | yes            |     |                                       |
      | gb0                | B_but_for_octet_0  | yes            |     |                                       |
      | gb15               | B_but_for_octet_15 | yes            |     |                                       |
      | d0                 | A_but_for_octet_0  | no             |     |                                       |
      | d15                | A_but_for_octet_15 | no             |     |                                       |
      | r_but_for_octet_0  | A                  | yes            |     |                                       |
      | r_but_for_octet_15 | A                  | yes            |     |                                       |
      | r                  | A                  | yes            |     |                                       |
      | ga                 | A                  | yes            |     |                                       |
      | gb                 | B                  | yes            |     |                                       |
      | gb2                | B                  | yes            |     |                                       |
      | c                  | A                  | no             |     |                                       |
      | o                  | A                  | no             | r   |                                       |
      | i                  | A                  | no             |     | r_but_for_octet_0, r_but_for_octet_15 |
      | j                  | A                  | no             |     | r                                     |
      | e                  | B                  | no             |     |                                       |
    And site gates A_but_for_octet_0: ga0; A_but_for_octet_15: ga15; B_but_for_octet_0: gb0; B_but_for_octet_15: gb15; A: ga; B: gb

  @req:MQBR-3.1.5.2-B05
  Scenario Outline: Sites nearly alike are no common site
    When r asks for the way to <destination>
    Then the next hop is ga

    Examples:
      | case  | destination |
      | first | d0          |
      | last  | d15         |

  @req:MQBR-3.1.5.5-B06
  Scenario: A routing server of a site nearly alike is none of the client's site
    When c asks for the way to e
    Then the next hop is one of r_but_for_octet_0, r_but_for_octet_15, r, ga

  @req:MQBR-3.1.5.1-B05
  Scenario: A server of an Out list is itself and none nearly alike
    When o asks for the way to e
    Then the next hop is r

  @req:MQBR-3.1.5.5-01 @req:MQBR-3.1.5.5-B06 @needs:procedures
  Scenario Outline: The routing server of a client of either of two sites nearly alike, looked up
    Given queue managers
      | name | sites              | routing server |
      | ga15 | A_but_for_octet_15 | yes            |
      | ga   | A                  | yes            |
      | c    | <site>             | no             |
    When ga looks up the routing server of c
    Then the look-up gives <server>

    Examples:
      | case      | site               | server |
      | the-site  | A                  | ga     |
      | one-alike | A_but_for_octet_15 | ga15   |

  @req:MQBR-3.1.5.2-B03 @req:MQBR-3.1.5.2-B04
  Scenario Outline: An in-routing server of the destination is one, and none nearly alike to it
    When <router> asks for the way to j
    Then the next hop is <hop>

    Examples:
      | case            | router             | hop |
      | itself          | r                  | j   |
      | one-alike       | r_but_for_octet_0  | r   |
      | the-other-alike | r_but_for_octet_15 | r   |

  @req:MQBR-3.1.5.2-B03
  Scenario: A router nearly alike is no in-routing server of the destination
    When r asks for the way to i
    Then the next hops are r_but_for_octet_0, r_but_for_octet_15

  @req:MQBR-3.1.5.6-B06
  Scenario: The gate of a site nearly alike is none of the router's site
    When r asks for the way to e
    Then the next hop is ga

  @req:MQBR-3.1.5.8-B08
  Scenario: A router nearly alike to the gates is none
    Given site gates A: r_but_for_octet_0, r_but_for_octet_15; B: gb
    When r asks for the way to e
    Then the next hop is one of r_but_for_octet_0, r_but_for_octet_15

  @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.5.8-B08
  Scenario: A gate to which other routers are nearly alike is one
    Given site gates A: r; B: gb
    When r asks for the way to e
    Then the next hop is gb

  @req:MQBR-3.1.5.8-01 @req:MQBR-3.1.5.8-B08 @needs:procedures
  Scenario Outline: A gate to which other routers are nearly alike, looked up
    Given site gates A: <gate>; B: gb
    When ga looks up the site gate status of r
    Then the look-up gives <value>

    Examples:
      | case      | gate               | value |
      | itself    | r                  | 1     |
      | one-alike | r_but_for_octet_15 | 0     |

  @req:MQBR-3.1.5.7-01 @req:MQBR-3.1.5.7-B01 @needs:procedures
  Scenario Outline: The gate of a site to which others are nearly alike, looked up
    Given site gates B_but_for_octet_0: ga0; B_but_for_octet_15: gb15; A: ga; B: <gate>
    When r looks up the gate of site B
    Then the look-up gives <gate>

    Examples:
      | case     | gate |
      | the-gate | gb   |
      | another  | gb2  |

  @req:MQBR-3.1.3.1-09 @req:MQBR-3.1.5.3-B07 @req:MQBR-3.1.5.7-B01
  Scenario Outline: Sites nearly alike have links, rows and gates of their own
    When <gate> asks for the way to <destination>
    Then the next hop is <hop>

    Examples:
      | case             | gate | destination | hop  |
      | the-site         | ga   | e           | gb   |
      | the-one-alike    | ga   | gb0         | gb0  |
      | the-other-alike  | ga   | gb15        | gb15 |
      | from-one-alike   | ga0  | e           | gb   |
      | from-other-alike | ga15 | e           | gb   |

  @req:MQBR-3.1.5.4-B01 @req:MQBR-3.1.5.4-02
  Scenario Outline: An identifier nearly alike to one of the directory is none
    When c asks for the way to i_but_for_octet_<octet>
    Then there is no route

    Examples:
      | case  | octet |
      | first | 0     |
      | last  | 15    |
