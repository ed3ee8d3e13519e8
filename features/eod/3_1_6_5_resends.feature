@role:ordered_sender @needs:virtual-clock
Feature: Resends of a sender (MS-MQQB 3.1.5.6, 3.1.6.5)

  Background:
    Given a sender of streams

  @req:EOD-3.1.6.5-01
  Scenario: When the wait ends, everything is sent again in order
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    Then the resend holds m1, m2 and m3, in order

  @req:EOD-3.1.6.5-01
  Scenario: What is acknowledged meanwhile is left out
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And the acknowledgment of m1 in stream a arrives
    And the sender is watched until it sends stream a again
    Then the resend holds m2 and m3, in order

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: An acknowledgment of a part leaves the rest after a resend, too
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    And the acknowledgment of m1 in stream a arrives
    And the sender is watched until it sends stream a again
    Then the resend holds m2 and m3, in order

  @req:EOD-2-02 @req:EOD-2-03 @req:EOD-3-06
  Scenario: A hundred messages that wait at once
    When 200 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
    And stream s1 is transmitted
    Then everything that waits went out as it should, and nothing else

  @req:EOD-2-02 @req:EOD-2-03 @req:EOD-3-06
  Scenario: Hundreds of messages that wait at once
    When 560 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
    And stream s1 is transmitted
    Then everything that waits went out as it should, and nothing else

  @req:EOD-3-06
  Scenario: Hundreds of messages that wait are sent again
    When 560 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
    And stream s1 is transmitted
    And the sender is watched until it sends stream s1 again
    Then everything that waits went out as it should, and nothing else

  @req:EOD-2-02 @req:EOD-2-03 @req:EOD-3-02 @req:EOD-3-06 @req:EOD-3-07 @req:EOD-3-10
  Scenario: Hundreds of messages, of which twenty wait
    When 280 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
    And stream s1 is transmitted
    And the acknowledgment of m260 in stream s1 arrives
    And the sender is watched until it sends stream s1 again
    Then everything that waits went out as it should, and nothing else

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: What expires meanwhile is left out, and the rest is sent again
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And message m1 of stream a expires
    And the sender is watched until it sends stream a again
    Then the resend holds m2 and m3, in order

  @req:EOD-3-06 @req:EOD-3.1.5.6-01
  Scenario: An older acknowledgment does not end the wait
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And the acknowledgment of m2 in stream a arrives
    And the acknowledgment of m1 in stream a arrives
    And the sender is watched until it sends stream a again
    Then the resend holds m3, in order

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: A receiver that starts from zero does not end the wait
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And the receiver of stream a turns out to start from zero
    And the sender is watched until it sends stream a again
    Then the resend holds m1 and m2, in order

  @req:EOD-3-05
  Scenario: What is sent again of itself bridges an expired message
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And message m2 of stream a expires
    And the sender is watched until it sends stream a again
    Then m3 is linked to m1 in stream a

  @req:EOD-3-09
  Scenario: The first message that is sent again of itself has previous number zero
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And the acknowledgment of m1 in stream a arrives
    And the sender is watched until it sends stream a again
    Then the first message has previous number zero

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: A wait ends in however small pieces its time passes
    When message m1 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    And the sender is started anew
    And message m1 is queued in stream a
    And stream a is transmitted
    And twice that time passes, half a second at a time
    Then m1 was sent again meanwhile

  @req:EOD-3-06 @req:EOD-3.1.6.5-01 @needs:restart
  Scenario: What is not acknowledged is sent again after a restart
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And the sender restarts
    And the sender is watched until it sends stream a again
    Then the resend holds m1 and m2, in order

  @req:EOD-3-06 @req:EOD-3.1.6.5-01 @needs:restart
  Scenario: It is after the third restart, too
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And the sender restarts
    And the sender restarts
    And the sender restarts
    And the sender is watched until it sends stream a again
    Then the resend holds m1 and m2, in order

  @req:EOD-3-06 @req:EOD-3.1.6.5-01 @needs:restart
  Scenario Outline: Each of several streams is sent again after a restart
    When message m1 is queued in stream a
    And message m2 is queued in stream b
    And stream a is transmitted
    And stream b is transmitted
    And the sender restarts
    And the sender is watched until it sends stream <stream> again
    Then the resend holds <message>, in order

    Examples:
      | case       | stream | message |
      | the-first  | a      | m1      |
      | the-second | b      | m2      |

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: Messages that are queued all the time put no resend off
    When message m1 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    And the sender is started anew
    And message m1 is queued in stream a
    And stream a is transmitted
    And a message is queued in stream a each time that a third of that time passes
    Then m1 was sent again meanwhile

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario: Nor do many that are queued at once
    When message m1 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    And the sender is started anew
    And message m1 is queued in stream a
    And stream a is transmitted
    And messages m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36, m37, m38, m39 and m40 are queued in stream a
    And the sender is watched until it sends stream a again
    Then m1 was sent again meanwhile

  @req:EOD-3-06 @req:EOD-3.1.6.5-01
  Scenario Outline: A wait ends however long the sender has been running
    When <seconds> seconds pass at the sender
    And messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    Then the resend holds m1 and m2, in order

    Examples:
      | case    | seconds |
      | 24-days | 2147480 |
      | 49-days | 4294960 |

  @req:EOD-3.1.6.5-02
  Scenario: Three waits of 30 seconds, three of 300, three of 1,800, and then 21,600 each
    When message m1 is queued in stream a
    And stream a is transmitted
    And 600000 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: An acknowledgment that leaves messages begins the wait anew
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 20 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And 80 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: Where the intervals stand after progress
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 110 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And 400 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: Waits that end make the intervals longer, whatever was acknowledged before
    When messages m1, m2, m3 and m4 are queued in stream a
    And stream a is transmitted
    And the acknowledgment of m1 in stream a arrives
    And the acknowledgment of m2 in stream a arrives
    And the acknowledgment of m3 in stream a arrives
    And 600 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: A copy of an acknowledgment moves no interval
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 110 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And the acknowledgment of m1 in stream a arrives
    And 800 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: The wait begins when the message is sent and not when it is queued
    When message m1 is queued in stream a
    And 20 seconds pass at the sender
    And stream a is transmitted
    And 100 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02 @needs:restart
  Scenario: Where the intervals stand after a restart
    When message m1 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it has sent stream a again 4 times
    And the sender restarts
    And the sender is watched until it has sent stream a again 2 times
    Then the intervals go on over the restart, or begin with the first

  @req:EOD-3.1.5.6-02
  Scenario: Once everything is acknowledged the intervals begin with the first
    When message m1 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it has sent stream a again 4 times
    And the acknowledgment of m1 in stream a arrives
    And message m2 is queued in stream a
    And stream a is transmitted
    And the sender is watched until it sends stream a again
    Then the wait is as long as the first one was

  @req:EOD-3-07
  Scenario: Once everything is acknowledged nothing is sent again
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And the acknowledgment of m2 in stream a arrives
    And 30000 seconds pass at the sender
    Then nothing was sent again

  @req:EOD-3-04
  Scenario: What expires is not sent again of itself either
    When message m1 is queued in stream a
    And stream a is transmitted
    And message m1 of stream a expires
    And 30000 seconds pass at the sender
    Then nothing was sent again

  @req:EOD-2-05
  Scenario: Each stream waits by itself
    When message m2 is queued in stream b
    And stream b is transmitted
    And the sender is watched until it sends stream b again
    And the sender is started anew
    And message m1 is queued in stream a
    And stream a is transmitted
    And two thirds of that time pass
    And message m2 is queued in stream b
    And stream b is transmitted
    And the sender is watched until it sends stream b again
    Then it was sent again after as long as alone
