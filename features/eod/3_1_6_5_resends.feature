@role:ordered_sender @needs:virtual-clock
Feature: When a sender sends again (MS-MQQB 3.1.5.6, 3.1.6.5)

  Background:
    Given a sender of streams

  @req:EOD-3.1.6.5-01
  Scenario: When the wait ends, everything is sent again in order
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And 29, 2 seconds pass at the sender
    Then the first resend holds m1, m2 and m3, in order
    And it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-01
  Scenario: What is acknowledged meanwhile is left out
    When messages m1, m2 and m3 are queued in stream a
    And stream a is transmitted
    And 10 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And 29.5, 1 seconds pass at the sender
    Then the first resend holds m2 and m3, in order

  @req:EOD-3.1.6.5-02
  Scenario: Three waits of 30 seconds, three of 300, three of 1,800, and then 21,600 each
    When message m1 is queued in stream a
    And stream a is transmitted
    And 29.9, 0.2, 29.8, 0.2, 29.8, 0.2 seconds pass at the sender
    And 299.8, 0.2, 299.8, 0.2, 299.8, 0.2 seconds pass at the sender
    And 1799.8, 0.2, 1799.8, 0.2, 1799.8, 0.2 seconds pass at the sender
    And 21599.8, 0.2, 21599.8, 0.2, 21599.8, 0.2 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: An acknowledgment that leaves messages begins the wait anew
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 29.9, 0.2, 9.9 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And 29.9, 0.2, 29.8, 0.2 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.6.5-02
  Scenario: Where the intervals stand after progress
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 29.9, 0.2, 29.8, 0.2, 29.8, 0.2, 19.9 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And 29.9, 0.2, 269.8, 0.2 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3.1.5.6-02
  Scenario: Once everything is acknowledged the intervals begin with the first
    When message m1 is queued in stream a
    And stream a is transmitted
    And 29.9, 0.2, 29.8, 0.2, 29.8, 0.2, 29.9 seconds pass at the sender
    And the acknowledgment of m1 in stream a arrives
    And message m2 is queued in stream a
    And stream a is transmitted
    And 29.9, 0.2, 29.8, 0.2 seconds pass at the sender
    Then it sends again when it may, and not otherwise

  @req:EOD-3-07 @req:EOD-3.1.6.5-01
  Scenario: Once everything is acknowledged nothing is sent again
    When messages m1 and m2 are queued in stream a
    And stream a is transmitted
    And 20 seconds pass at the sender
    And the acknowledgment of m2 in stream a arrives
    And 30000 seconds pass at the sender
    Then nothing was sent again

  @req:EOD-3-04
  Scenario: What expires is not sent again of itself either
    When message m1 is queued in stream a
    And stream a is transmitted
    And 20 seconds pass at the sender
    And message m1 of stream a expires
    And 30000 seconds pass at the sender
    Then nothing was sent again

  @req:EOD-2-05
  Scenario: Each stream waits by itself
    When message m1 is queued in stream a
    And stream a is transmitted
    And 20 seconds pass at the sender
    And message m2 is queued in stream b
    And stream b is transmitted
    And 9.9, 0.2, 19.8, 0.2, 9.7, 0.4 seconds pass at the sender
    Then it sends again when it may, and not otherwise
