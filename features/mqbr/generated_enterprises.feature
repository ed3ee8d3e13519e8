@role:router
Feature: Generated enterprises (MS-MQBR 3.1.3.1, 3.1.5)

  @req:MQBR-3.1.5.1-01
  Scenario Outline: Every answer is one that the algorithm allows
    When generated enterprises of the shape "<shape>" are routed
    Then the algorithm allows every answer

    Examples:
      | case           | shape          |
      | hub-and-spoke  | hub and spoke  |
      | ring           | ring           |
      | mesh           | mesh           |
      | branch-offices | branch offices |
      | several-gates  | several gates  |
      | server-lists   | server lists   |
      | multi-site     | multi-site     |
      | crossed        | crossed        |

  @req:MQBR-3.1.5.1-01
  Scenario Outline: Messages reach their destinations hop by hop
    When messages travel through generated enterprises of the shape "<shape>"
    Then every message arrives

    Examples:
      | case           | shape          |
      | hub-and-spoke  | hub and spoke  |
      | ring           | ring           |
      | mesh           | mesh           |
      | branch-offices | branch offices |
      | several-gates  | several gates  |

  Rule: From end to end

    Background:
      Given sites A, B, C and D
      And routing links A-B 3, B-C 3, B-D 1, C-D 1
      And queue managers
        | name | sites | routing server | out | in     |
        | o    | A     | yes            |     |        |
        | ra   | A     | yes            |     |        |
        | ga   | A     | yes            |     |        |
        | gb   | B     | yes            |     |        |
        | gc   | C     | yes            |     |        |
        | ic   | C     | yes            |     |        |
        | gd   | D     | yes            |     |        |
        | co   | A     | no             | o   |        |
        | ca   | A     | no             |     |        |
        | ci   | C     | no             |     | ic     |
        | cc   | C     | no             |     |        |
      And site gates A: ga; B: gb; C: gc; D: gd

    @req:MQBR-3.1.5.1-01
    Scenario Outline: A message travels from client to client
      When a message travels from <source> to <destination>
      Then it arrives by way of <way>

      Examples:
        | case              | source | destination | way                     |
        | within-the-site   | ca     | co          | co                      |
        | to-another-site   | co     | cc          | o, ga, gb, gd, gc, cc   |
        | by-an-in-list     | co     | ci          | o, ga, gb, gd, gc, ic, ci |
        | and-back          | cc     | ga          | gc, gd, gb, ga          |
