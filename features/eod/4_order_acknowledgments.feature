@role:ordered_receiver @needs:virtual-clock
Feature: Timing and contents of order acknowledgments (page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2)

  Background:
    Given a receiver of streams

  Rule: Frequency

    @req:EOD-4-09
    Scenario Outline: A stream is acknowledged now and then as long as it goes on
      When messages 1 to 30 arrive in each of <streams> streams, one a minute
      Then each stream is acknowledged now and then, and goes on being so

      Examples:
        | case      | streams |
        | alone     | 1       |
        | of-twenty | 20      |

    @req:EOD-4-10
    Scenario Outline: So is a stream of which nothing more is accepted
      When message 1 after 0 arrives in stream a
      And 3 seconds pass at the receiver
      And message <message> arrives 30 times in stream a, once a minute
      Then stream a is acknowledged for rejected messages as well, and goes on being so

      Examples:
        | case      | message   |
        | a-copy    | 1 after 0 |
        | too-early | 5 after 4 |

    @req:EOD-4-10
    Scenario: So is a stream of which copies of an older message arrive
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And 3 seconds pass at the receiver
      And message 1 after 0 arrives 30 times in stream a, once a minute
      Then stream a is acknowledged for rejected messages as well, and goes on being so

    @req:EOD-4-09 @needs:restart
    Scenario: Acknowledgments go on after a restart
      When message 1 after 0 arrives in stream s1
      And the receiver restarts
      And messages 1 to 30 arrive in each of 1 streams, one a minute
      Then each stream is acknowledged now and then, and goes on being so

    @req:EOD-4-09
    Scenario: Acknowledgments go on after the loss of all numbers
      When message 1 after 0 arrives in stream s1
      And the receiver loses its numbers
      And messages 1 to 30 arrive in each of 1 streams, one a minute
      Then each stream is acknowledged now and then, and goes on being so

  Rule: Contents

    @req:EOD-2-10 @req:EOD-2-11
    Scenario: Every acknowledgment that goes out carries the last accepted number
      When message 1 after 0 arrives in stream a
      And 3 seconds pass at the receiver
      And messages 7 after 4, 3 after 1 and 2 after 1 arrive in stream a
      And 3 seconds pass at the receiver
      And message 9 after 8 arrives in stream a
      And 3 seconds pass at the receiver
      And message 10 after 3 arrives in stream a
      And 3 seconds pass at the receiver
      And message 65537 after 10 arrives in stream a
      And 3 seconds pass at the receiver
      And message 4294967294 after 65537 arrives in stream a
      And 3 seconds pass at the receiver
      Then each order acknowledgment carried the number of the message that was accepted last

    @req:EOD-2-10 @req:EOD-2-11
    Scenario: What was accepted before all numbers were lost is not acknowledged
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And 3 seconds pass at the receiver
      And the receiver loses its numbers
      And message 1 after 0 arrives in stream a
      And 3 seconds pass at the receiver
      Then each order acknowledgment carried the number of the message that was accepted last

    @req:EOD-2-10 @req:EOD-2-11 @needs:sequences
    Scenario: With a newer sequence the number of the older one is over
      When message 5 after 0 of sequence 1 arrives in stream a
      And 3 seconds pass at the receiver
      And message 1 after 0 of sequence 2 arrives in stream a
      And 3 seconds pass at the receiver
      Then each order acknowledgment carried the number of the message that was accepted last

    @req:EOD-2-10 @req:EOD-2-11
    Scenario: Acknowledgments of several streams that are due together carry a number each
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And message 7 after 0 arrives in stream b
      And messages 1 after 0 and 2 after 1 arrive in stream c
      And 3 seconds pass at the receiver
      Then each order acknowledgment carried the number of the message that was accepted last

    @req:EOD-2-10 @req:EOD-2-11
    Scenario: Before anything is accepted
      When message 2 after 1 arrives in stream a
      And 3 seconds pass at the receiver
      Then zero was acknowledged, or nothing

  Rule: Half a second

    @req:EOD-3.1.1.3.1-03
    Scenario: Half a second after an arrival
      When message 1 after 0 arrives in stream a
      And 30 seconds pass at the receiver
      Then order acknowledgment of stream a went out: 1 at 0.5 s

    @req:EOD-3.1.1.6.2-01
    Scenario: Each time that messages arrive again
      When message 1 after 0 arrives in stream a
      And 30 seconds pass at the receiver
      And message 2 after 1 arrives in stream a
      And 30 seconds pass at the receiver
      Then each arrival in stream a was followed by an order acknowledgment before the next

    @req:EOD-3.1.1.6.2-01 @needs:sequences
    Scenario: Also when a newer sequence begins
      When message 5 after 0 of sequence 1 arrives in stream a
      And 30 seconds pass at the receiver
      And message 1 after 0 of sequence 2 arrives in stream a
      And 30 seconds pass at the receiver
      Then each arrival in stream a was followed by an order acknowledgment before the next

    @req:EOD-3.1.1.6.2-05
    Scenario Outline: No further one before a further arrival
      When messages <messages> arrive in stream a
      And 60 seconds pass at the receiver
      Then one order acknowledgment went out

      Examples:
        | case                | messages             |
        | of-two              | 1 after 0, 2 after 1 |
        | behind-a-rejection  | 1 after 0, 1 after 0 |

    @req:EOD-3.1.1.6.2-05
    Scenario: None before the first arrival
      When 12 seconds pass at the receiver
      Then no order acknowledgment went out

    @req:EOD-3.1.1.6.2-04 @req:EOD-3.1.1.3.1-03
    Scenario Outline: A message that is rejected is acknowledged like any other
      When message 1 after 0 arrives in stream a
      And 30 seconds pass at the receiver
      And message <message> arrives in stream a
      And 30 seconds pass at the receiver
      Then the rejected message was acknowledged as soon as the one before

      Examples:
        | case      | message   |
        | a-copy    | 1 after 0 |
        | too-early | 5 after 4 |

    @req:EOD-3.1.1.6.2-01
    Scenario Outline: However long the receiver has been running
      When <seconds> seconds pass at once at the receiver
      And message 1 after 0 arrives in stream a
      And 3 seconds pass at the receiver
      And message 2 after 1 arrives in stream a
      And 3 seconds pass at the receiver
      Then each arrival in stream a was followed by an order acknowledgment before the next

      Examples:
        | case    | seconds   |
        | 24-days | 2147483.3 |
        | 49-days | 4294966.9 |

  Rule: Ten seconds

    @req:EOD-3.1.1.6.2-02
    Scenario: A further arrival begins the wait anew
      When message 1 after 0 arrives in stream a
      And 2 seconds pass at the receiver
      And messages 2 to 21 arrive in stream a, one every 0.1 seconds
      Then nothing was acknowledged while messages went on arriving

    @req:EOD-3.1.1.6.2-02
    Scenario: It does so for as long as the receiver lives
      When 60 seconds pass at the receiver
      And message 1 after 0 arrives in stream a
      And 2 seconds pass at the receiver
      And messages 2 to 21 arrive in stream a, one every 0.1 seconds
      Then nothing was acknowledged while messages went on arriving

    @req:EOD-3.1.1.6.2-02 @req:EOD-3.1.1.6.2-03 @req:EOD-3.1.1.3.1-04
    Scenario: Steady arrivals put an acknowledgment off for ten seconds and no longer
      When message 1 after 0 arrives in stream a
      And 1.1 seconds pass at the receiver
      And messages 2 to 200 arrive in stream a, one every 0.1 seconds
      Then steady arrivals put the order acknowledgment off for about ten seconds
      And steady arrivals put it off no longer

    @req:EOD-3.1.1.6.2-03 @req:EOD-3.1.1.3.1-04
    Scenario: Steady arrivals of which none is accepted put it off no longer
      When message 1 after 0 arrives in stream a
      And 1.1 seconds pass at the receiver
      And message 1 after 0 arrives 200 times in stream a, once every 0.1 seconds
      And 3 seconds pass at the receiver
      Then steady arrivals put it off no longer

    @req:EOD-3.1.1.6.2-03 @req:EOD-3.1.1.3.1-04 @needs:restart
    Scenario: Nor does a restart
      When message 1 after 0 arrives in stream a
      And 90000 seconds pass at once at the receiver
      And message 2 after 1 arrives in stream a
      And the receiver restarts
      And messages 3 to 200 arrive in stream a, one every 0.1 seconds
      Then steady arrivals after the restart put an acknowledgment off for about ten seconds at most

  Rule: Streams

    @req:EOD-2-05
    Scenario: One stream does not put the acknowledgment of another one off
      When message 7 after 0 arrives in stream b
      And 3 seconds pass at the receiver
      And the receiver is started anew
      And message 7 after 0 arrives in stream b
      And messages 1 to 40 arrive in stream a, one every 0.1 seconds
      And 3 seconds pass at the receiver
      Then stream b was acknowledged as soon as it was alone
