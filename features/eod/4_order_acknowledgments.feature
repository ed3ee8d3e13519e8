@role:ordered_receiver @needs:virtual-clock
Feature: When order acknowledgments go out (page, section 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2)

  Background:
    Given a receiver of streams

  @req:EOD-3.1.1.3.1-03 @req:EOD-3.1.1.6.2-01 @req:EOD-4-09
  Scenario: Half a second after an arrival
    When message 1 after 0 arrives in stream a
    And 2 seconds pass at the receiver
    Then order acknowledgment of stream a went out: 1 at 0.5 s

  @req:EOD-3.1.1.6.2-05
  Scenario: No further one before a further arrival
    When message 1 after 0 arrives in stream a
    And 30 seconds pass at the receiver
    Then order acknowledgment of stream a went out: 1 at 0.5 s

  @req:EOD-3.1.1.6.2-01 @req:EOD-3.1.1.6.2-05
  Scenario: None before the first arrival
    When 12 seconds pass at the receiver
    Then no order acknowledgment went out

  @req:EOD-4-09 @req:EOD-3.1.1.6.2-01
  Scenario: Each time that messages arrive again
    When message 1 after 0 arrives in stream a
    And 3 seconds pass at the receiver
    And messages 2 after 1 and 3 after 2 arrive in stream a
    And 3 seconds pass at the receiver
    Then order acknowledgments of stream a went out: 1 at 0.5 s, 3 at 3.5 s

  @req:EOD-3.1.1.6.2-02
  Scenario: A further arrival begins the wait anew
    When message 1 after 0 arrives in stream a
    And 0.4 seconds pass at the receiver
    And message 2 after 1 arrives in stream a
    And 0.3 seconds pass at the receiver
    And message 3 after 2 arrives in stream a
    And 2 seconds pass at the receiver
    Then order acknowledgment of stream a went out: 3 at 1.2 s

  @req:EOD-3.1.1.6.2-02
  Scenario: Steady arrivals begin it anew again and again
    When message 1 after 0 arrives in stream a
    And 1 seconds pass at the receiver
    And messages 2 to 40 arrive in stream a, one every 0.4 seconds
    Then steady arrivals put the order acknowledgment off for about ten seconds

  @req:EOD-3.1.1.6.2-03 @req:EOD-3.1.1.3.1-04
  Scenario: But no longer than ten seconds
    When message 1 after 0 arrives in stream a
    And 1 seconds pass at the receiver
    And messages 2 to 50 arrive in stream a, one every 0.4 seconds
    Then steady arrivals put it off no longer

  @req:EOD-4-10 @req:EOD-3.1.1.6.2-04
  Scenario Outline: A message that is rejected is acknowledged like any other
    When message 1 after 0 arrives in stream a
    And 3 seconds pass at the receiver
    And message <message> arrives in stream a
    And 3 seconds pass at the receiver
    Then the rejected message was acknowledged with 1 at 3.5 s

    Examples:
      | case      | message   |
      | a-copy    | 1 after 0 |
      | too-early | 5 after 4 |

  @req:EOD-4-10
  Scenario: A rejected message does not stop what is under way
    When message 1 after 0 arrives in stream a
    And message 1 after 0 arrives in stream a
    And 3 seconds pass at the receiver
    Then order acknowledgment of stream a went out: 1 at 0.5 s

  @req:EOD-4-09 @req:EOD-2-11
  Scenario: Before anything is accepted
    When message 2 after 1 arrives in stream a
    And 3 seconds pass at the receiver
    Then zero was acknowledged at 0.5 s, or nothing

  @req:EOD-2-05
  Scenario: Each stream has a time of its own
    When message 1 after 0 arrives in stream a
    And 0.3 seconds pass at the receiver
    And message 7 after 0 arrives in stream b
    And 2 seconds pass at the receiver
    Then order acknowledgment of stream a went out: 1 at 0.5 s
    And order acknowledgment of stream b went out: 7 at 0.8 s
