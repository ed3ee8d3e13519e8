@role:queue_manager @needs:cursors
Feature: Cursors (5.1.1, 5.1.1.2)

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |
      | other | no            | any  |

  @req:MQSO-5.1.1-04
  Scenario: A cursor goes from message to message
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c1 looks at the next message of inbox
    Then m1, m2 and m3 were received, in this order

  @req:MQSO-5.1.1-04
  Scenario: A cursor stays where it is until it is moved
    When m1 and m2 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c1 looks at its message of inbox
    And c1 looks at its message of inbox
    Then m1, m2, m2 and m2 were received, in this order

  @req:MQSO-5.1.1.2-15
  Scenario: Each cursor has a place of its own
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And cursor c2 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c2 looks at its message of inbox
    And c1 looks at its message of inbox
    Then m1, m2, m1 and m2 were received, in this order

  @req:MQSO-5.1.1.2-15
  Scenario: Who looks without a cursor moves none
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And an application looks at inbox
    And an application looks at inbox
    And c1 looks at the next message of inbox
    Then m1, m1, m1 and m2 were received, in this order

  @req:MQSO-5.1.1.2-15
  Scenario: Cursors of two queues have nothing to do with each other
    When m1 and m2 are sent to inbox
    And m3 and m4 are sent to other
    And cursor c1 is made for inbox
    And cursor c2 is made for other
    And c1 looks at its message of inbox
    And c2 looks at its message of other
    And c1 looks at the next message of inbox
    And c2 looks at its message of other
    Then m1, m3, m2 and m3 were received, in this order

  @req:MQSO-5.1.1-04
  Scenario: A cursor goes on where its message was received by another
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And a message is received from inbox
    And c1 looks at the next message of inbox
    Then m1, m1 and m2 were received, in this order
    And inbox holds m2 and m3, in this order

  @req:MQSO-5.1.1.2-15 @req:MQSO-5.1.1-04
  Scenario: A cursor stays at its message where one before it was received
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And a message is received from inbox
    And c1 looks at its message of inbox
    Then m1, m2, m1 and m2 were received, in this order

  @req:MQSO-5.1.1-04
  Scenario: Behind the last message a cursor finds nothing until another comes
    When m1 and m2 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c1 looks at the next message of inbox
    And c1 looks at the next message of inbox
    And m3 is sent to inbox
    And c1 looks at the next message of inbox
    Then inbox holds m1, m2 and m3, in this order

  @req:MQSO-5.1.1-04
  Scenario: A cursor goes on after its queue was purged
    When m1 and m2 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And inbox is purged
    And m3 and m4 are sent to inbox
    And c1 looks at the next message of inbox
    Then inbox holds m3 and m4, in this order

  @req:MQSO-5.1.1.2-15
  Scenario: What one cursor takes is gone for the other
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And cursor c2 is made for inbox
    And c1 looks at its message of inbox
    And c2 looks at its message of inbox
    And c2 looks at the next message of inbox
    And c1 takes its message of inbox
    And c2 looks at its message of inbox
    And c1 looks at the next message of inbox
    Then inbox holds m2 and m3, in this order

  @needs:clock @req:MQSO-6.1.6.5-01
  Scenario: What a cursor takes is acknowledged
    When m1 and m2 are sent to inbox, asking for acknowledgment of its receive at other
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c1 takes its message of inbox
    And the queue manager runs for 4 seconds
    Then other holds the positive acknowledgment of m2

  @req:MQSO-5.1.1-04 @req:MQSO-5.1.1.2-15
  Scenario: A cursor takes the message that it stands at
    When m1, m2 and m3 are sent to inbox
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And c1 looks at the next message of inbox
    And c1 takes its message of inbox
    Then m1, m2 and m2 were received, in this order
    And inbox holds m1 and m3, in this order

  @needs:restart @req:MQSO-5.1.1-05 @req:MQSO-5.1.1.2-16
  Scenario Outline: Cursors do not outlive a restart
    When m1 and m2 are sent to inbox, recoverable
    And cursor c1 is made for inbox
    And c1 looks at its message of inbox
    And the queue manager is <how>
    And c1 looks at its message of inbox
    Then m1 and then nothing were received

    Examples:
      | case  | how                     |
      | stop  | restarted               |
      | crash | restarted after a crash |
