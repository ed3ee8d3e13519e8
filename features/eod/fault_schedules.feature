Feature: Delivery over failing networks (page, section 2)
  The other end is the reference. Messages and acknowledgments get lost, come twice or late, the network parts, messages
  expire, and either end crashes; sixty seconds after the last step all faults end.

  Rule: The receiver

    Background:
      Given the receiver of streams at one end of a network that fails

    @role:ordered_receiver @req:EOD-2-01 @req:EOD-2-02 @req:EOD-2-03 @req:EOD-2-05 @req:EOD-2-10 @req:EOD-2-11
    Scenario: Whatever happens, the receiver delivers once and in order
      When generated fault schedules are run
      Then every message is delivered once and in order

    @role:ordered_receiver @req:EOD-2-01
    Scenario Outline: What comes twice is delivered once
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case                   | schedule                                                      |
        | a-copy                 | duplicate message 1; queue a                                  |
        | sent-again             | lose acknowledgment; queue a                                  |
        | a-copy-behind-the-next | duplicate message 3; queue a; +1 queue a                      |
        | late-from-before       | delay message 40; queue a; +31 queue a                        |

    @role:ordered_receiver @req:EOD-2-02
    Scenario Outline: What overtakes another is not delivered before it
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case                | schedule                                              |
        | the-first-is-lost   | lose message; queue a; lose message; queue a          |
        | the-first-is-late   | delay message 1; queue a; delay message 2; queue a    |
        | a-partition         | partition 5; queue a; +2 queue a; +6 queue a          |

    @role:ordered_receiver @req:EOD-2-03
    Scenario Outline: Nothing is lost that did not expire
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case                       | schedule                                                           |
        | behind-an-expired-one      | lose message; queue a; queue a; +0.1 expire a 1; +40 queue a       |
        | behind-an-expired-one-amid | queue a; +1 partition 5; queue a; queue a; expire a 1; +40 queue a |
        | receiver-loses-its-numbers | queue a; +2 receiver loses state; +1 queue a                       |
        | it-loses-them-in-mid-queue | queue a; lose acknowledgment; +0.1 queue a; +0.1 receiver loses state; queue a |
        | previous-zero-on-a-resend  | queue a; +2 queue a; lose acknowledgment; +2 queue a               |

    @role:ordered_receiver @req:EOD-2-05
    Scenario Outline: Streams do not meddle with one another
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case            | schedule                                       |
        | side-by-side    | queue a; queue b; +1 queue a; queue b          |
        | one-after-other | queue a; queue a; +3 queue b; +3 queue a       |

    @role:ordered_receiver @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: A restart of the receiver in mid-stream shows nobody anything
      When the fault schedule "queue a; lose acknowledgment; queue a; +1 receiver restarts; +31 queue a" is run
      Then every message is delivered once and in order

  Rule: The sender

    Background:
      Given the sender of streams at one end of a network that fails

    @role:ordered_sender @req:EOD-2-01 @req:EOD-2-02 @req:EOD-2-03 @req:EOD-2-05 @req:EOD-3-10
    Scenario: Whatever happens, what the sender sends can be delivered once and in order
      When generated fault schedules are run
      Then every message is delivered once and in order

    @role:ordered_sender @req:EOD-2-01
    Scenario Outline: The receiver can tell a copy
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case             | schedule                                             |
        | sent-again       | lose acknowledgment; queue a; +31 queue a            |
        | behind-the-queue | queue a; duplicate acknowledgment 5; +1 queue a; +1 queue a |

    @role:ordered_sender @req:EOD-2-02
    Scenario: The receiver can tell what came before its turn
      When the fault schedule "lose message; queue a; queue a; lose message; queue a; +31 queue a" is run
      Then every message is delivered once and in order

    @role:ordered_sender @req:EOD-2-03
    Scenario Outline: Nothing is lost that the sender did not let expire
      When the fault schedule "<schedule>" is run
      Then every message is delivered once and in order

      Examples:
        | case                       | schedule                                                     |
        | behind-the-acknowledgment  | queue a; lose message; lose message; +0.3 queue a; +1 queue a |
        | behind-an-expired-one      | lose message; queue a; queue a; expire a 1; queue a          |
        | behind-an-expired-one-amid | queue a; lose message; queue a; lose message; queue a; expire a 2; queue a |
        | receiver-loses-its-numbers | queue a; queue a; +2 receiver loses state; +1 queue a        |
        | acknowledged-then-lost     | queue a; +0.6 lose message; queue a; +0.1 receiver loses state; queue a |

    @role:ordered_sender @req:EOD-2-05
    Scenario: What happens to one stream at the sender leaves the others alone
      When the fault schedule "queue a; queue b; lose message; queue a; expire a 1; +1 queue b; +31 queue a" is run
      Then every message is delivered once and in order

    @role:ordered_sender @req:EOD-3-10 @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: A restart of the sender in mid-stream changes no number
      When the fault schedule "lose message; queue a; lose acknowledgment; queue a; +1 sender restarts; +31 queue a" is run
      Then every message is delivered once and in order
