@role:ordered_sender
Feature: Numbers, links and releases of a sender of streams (page, sections 2 and 3)

  Background:
    Given a sender of streams

  Rule: Numbers of a message

    @req:EOD-3-01
    Scenario: Numbers rise
      When messages m1, m2, m3, m4 and m5 are queued in stream a
      Then the numbers given in stream a rise

    @req:EOD-3-01
    Scenario: Numbers rise beyond what is acknowledged
      When messages m1 and m2 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m2 in stream a arrives
      And messages m3 and m4 are queued in stream a
      Then the numbers given in stream a rise

    @req:EOD-3.1.1.3.1-01
    Scenario: The first number is 1
      When message m1 is queued in stream a
      Then the first message of stream a gets number 1

    @req:EOD-3.1.7.1.3-01
    Scenario: No number is left out
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And messages m4 and m5 are queued in stream a
      Then the numbers given in stream a follow one another

    @req:EOD-2-05 @req:EOD-3.1.1.3.1-01
    Scenario: Each stream counts by itself
      When messages m1, m2 and m3 are queued in stream a
      And messages m4 and m5 are queued in stream b
      Then the first message of stream b gets number 1
      And the numbers given in stream b follow one another

  Rule: Transmission

    @req:EOD-2-02 @req:EOD-2-03
    Scenario: Messages go out in the order in which they were queued
      When messages m3, m1 and m2 are queued in stream a
      And stream a is transmitted
      Then m3, m1 and m2 go out, and nothing else

    @req:EOD-3-02 @req:EOD-2-04 @req:EOD-2-06
    Scenario: Each message is linked to the one before it
      When messages m1, m2, m3 and m4 are queued in stream a
      And stream a is transmitted
      Then each message is linked to the one before it
      And numbers rise from message to message

    @req:EOD-2-07 @req:EOD-3-03
    Scenario: The first message of a stream has none before it
      When messages m1 and m2 are queued in stream a
      And stream a is transmitted
      Then the first message has previous number zero

    @req:EOD-3-06 @req:EOD-2-03
    Scenario Outline: What is not acknowledged is sent again
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of <acknowledged> in stream a arrives
      And stream a is transmitted
      And stream a is transmitted
      Then <left> among what goes out

      Examples:
        | case        | acknowledged | left          |
        | all-but-one | m2           | m3 is         |
        | two         | m1           | m2 and m3 are |

    @req:EOD-3-06
    Scenario: Before an acknowledgment everything is sent again
      When messages m1 and m2 are queued in stream a
      And stream a is transmitted
      And message m3 is queued in stream a
      And stream a is transmitted
      Then m1, m2 and m3 are among what goes out

    @req:EOD-3-10 @req:EOD-3.1.7.1.3-02
    Scenario: A resend has the numbers of the first transmission
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And stream a is transmitted
      Then each message goes out under the number that it was given in stream a
      And each message is linked to the one before it

    @req:EOD-2-05
    Scenario: What happens in one stream leaves another alone
      When messages m1 and m2 are queued in stream a
      And messages m3 and m4 are queued in stream b
      And message m1 of stream a expires
      And the acknowledgment of m2 in stream a arrives
      And stream b is transmitted
      Then m3 and m4 go out, and nothing else
      And the first message has previous number zero

  Rule: Acknowledgments

    @req:EOD-3-07
    Scenario Outline: What is acknowledged is not sent again
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of <acknowledged> in stream a arrives
      And stream a is transmitted
      Then <gone> not go out

      Examples:
        | case      | acknowledged | gone             |
        | the-first | m1           | m1 does          |
        | two       | m2           | m1 and m2 do     |
        | all       | m3           | m1, m2 and m3 do |

    @req:EOD-2-03 @req:EOD-3-06
    Scenario: An acknowledgment that carries zero releases nothing
      When messages m1 and m2 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of nothing in stream a arrives
      And stream a is transmitted
      Then m1 and m2 are among what goes out

    @req:EOD-3-07
    Scenario: The acknowledgment of a message that has expired releases those before it
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And message m2 of stream a expires
      And the acknowledgment of m2 in stream a arrives
      And stream a is transmitted
      Then m1 does not go out

    @req:EOD-3-08
    Scenario: Nothing beyond its number is released
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m1 in stream a arrives
      And stream a is transmitted
      Then m2 and m3 are among what goes out

    @req:EOD-3.1.5.6-01
    Scenario: An older acknowledgment changes nothing
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m2 in stream a arrives
      And the acknowledgment of m1 in stream a arrives
      And stream a is transmitted
      Then m1 and m2 do not go out
      And m3 is among what goes out

    @req:EOD-3-07 @req:EOD-3.1.5.6-01
    Scenario: The same acknowledgment may come again
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m2 in stream a arrives
      And the acknowledgment of m2 in stream a arrives
      And stream a is transmitted
      Then m1 and m2 do not go out

    @req:EOD-3-08
    Scenario: An acknowledgment that comes again releases nothing more
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m1 in stream a arrives
      And the acknowledgment of m1 in stream a arrives
      And the acknowledgment of m1 in stream a arrives
      And stream a is transmitted
      Then m2 and m3 are among what goes out

  Rule: Messages that expire

    @req:EOD-3-04
    Scenario Outline: An expired message is not sent again
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And message <expired> of stream a expires
      And stream a is transmitted
      Then <expired> does not go out

      Examples:
        | case      | expired |
        | the-first | m1      |
        | amid      | m2      |
        | the-last  | m3      |

    @req:EOD-2-03
    Scenario: No other message is lost with it
      When messages m1, m2 and m3 are queued in stream a
      And message m2 of stream a expires
      And stream a is transmitted
      Then m1 and m3 are among what goes out

    @req:EOD-2-03 @req:EOD-3-06
    Scenario: No message is lost whose name begins as that of an expired one
      When messages m1, m10 and m11 are queued in stream a
      And stream a is transmitted
      And message m1 of stream a expires
      And stream a is transmitted
      Then m10 and m11 are among what goes out

    @req:EOD-3-05
    Scenario: The message behind an expired one is linked to the one before that
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And message m2 of stream a expires
      And stream a is transmitted
      Then m3 is linked to m1 in stream a

    @req:EOD-3-05
    Scenario: Several expired messages are bridged at once
      When messages m1, m2, m3, m4 and m5 are queued in stream a
      And stream a is transmitted
      And message m2 of stream a expires
      And message m4 of stream a expires
      And message m3 of stream a expires
      And stream a is transmitted
      Then m5 is linked to m1 in stream a

    @req:EOD-3-05 @sequence
    Scenario: A message that expires before it was ever sent is bridged at the latest on a resend
      When messages m1, m2 and m3 are queued in stream a
      And message m2 of stream a expires
      And stream a is transmitted
      Then each message is linked to the one before it
      When stream a is transmitted
      Then m3 is linked to m1 in stream a

    @req:EOD-3-10 @req:EOD-3.1.7.1.3-02
    Scenario Outline: Nothing is numbered anew because a message expired
      When messages m1, m2, m3 and m4 are queued in stream a
      And stream a is transmitted
      And message <expired> of stream a expires
      And stream a is transmitted
      Then each message goes out under the number that it was given in stream a
      And numbers rise from message to message

      Examples:
        | case      | expired |
        | the-first | m1      |
        | amid      | m2      |

    @req:EOD-3-10 @req:EOD-3.1.7.1.3-02
    Scenario: What expires before it was ever sent changes no number that was
      When messages m1, m2 and m3 are queued in stream a
      And message m2 of stream a expires
      And stream a is transmitted
      And stream a is transmitted
      Then each message goes out under the number that it was given in stream a
      And numbers rise from message to message

    @req:EOD-3-01 @req:EOD-3.1.7.1.3-01
    Scenario: The number of an expired message is not given again once it was sent
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And message m3 of stream a expires
      And message m4 is queued in stream a
      Then the numbers given in stream a rise
      And the numbers given in stream a follow one another

  Rule: The first message of the queue

    @req:EOD-3-09
    Scenario Outline: Sent again, it has previous number zero
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And <what happens>
      And stream a is transmitted
      Then the first message has previous number zero

      Examples:
        | case                    | what happens                                |
        | first-acknowledged      | the acknowledgment of m1 in stream a arrives |
        | two-acknowledged        | the acknowledgment of m2 in stream a arrives |
        | first-expired           | message m1 of stream a expires              |

    @req:EOD-3-09 @sequence
    Scenario: A message behind acknowledged ones has previous number zero at the latest when it is sent again
      When messages m1 and m2 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m2 in stream a arrives
      And message m3 is queued in stream a
      And stream a is transmitted
      Then the first message has previous number zero
      When stream a is transmitted
      Then the first message has previous number zero

    @req:EOD-3-09 @req:EOD-2-03
    Scenario: A receiver that starts from zero gets what it accepts
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m1 in stream a arrives
      And the receiver of stream a turns out to start from zero
      And message m4 is queued in stream a
      And stream a is transmitted
      Then m2, m3 and m4 are among what goes out
      And the first message has previous number zero

    @req:EOD-3-09
    Scenario: A message that is queued when the receiver starts from zero suits it at once
      When message m1 is queued in stream a
      And stream a is transmitted
      And the acknowledgment of m1 in stream a arrives
      And the receiver of stream a turns out to start from zero
      And message m2 is queued in stream a
      And stream a is transmitted
      Then the first message has previous number zero

  Rule: Many messages and many streams

    @req:EOD-2-05
    Scenario: Messages of one name in two streams are two
      When messages m1, m2 and m3 are queued in stream a
      And messages m1, m2 and m3 are queued in stream b
      And message m2 of stream a expires
      And stream b is transmitted
      Then m1, m2 and m3 go out, and nothing else

    @req:EOD-3-01 @req:EOD-3.1.7.1.3-01
    Scenario: Hundreds of messages of one stream
      When 300 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
      Then the numbers given in stream s1 follow one another
      And the numbers given in stream s1 rise

    @req:EOD-2-02 @req:EOD-2-03 @req:EOD-3-02 @req:EOD-3-06 @req:EOD-3-07 @req:EOD-3-10
    Scenario: Hundreds of messages, of which twenty wait
      When 280 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
      And stream s1 is transmitted
      And the acknowledgment of m260 in stream s1 arrives
      And stream s1 is transmitted
      Then everything that waits went out as it should, and nothing else

    @req:EOD-2-05
    Scenario Outline: Streams whose names are alike
      When messages m1 and m2 are queued in stream <one>
      And message m3 is queued in stream <other>
      And stream <one> is transmitted
      Then m1 and m2 go out, and nothing else

      Examples:
        | case          | one         | other        |
        | at-the-start  | orders_oslo | orders_rome  |
        | at-the-end    | oslo_orders | rome_orders  |
        | but-the-last  | orders_1    | orders_2     |
        | the-beginning | orders      | orders_again |

    @req:EOD-2-03
    Scenario Outline: Messages whose names are alike
      When messages m101, m201, m102 and m1011 are queued in stream a
      And stream a is transmitted
      And message <expired> of stream a expires
      And stream a is transmitted
      Then <left> are among what goes out

      Examples:
        | case          | expired | left                   |
        | at-the-end    | m201    | m101, m102 and m1011   |
        | at-the-start  | m102    | m101, m201 and m1011   |
        | the-beginning | m1011   | m101, m201 and m102    |

    @req:EOD-2-05
    Scenario: A dozen streams at once
      When 10 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
      And stream s1 is transmitted
      And the sender is started anew
      And 10 messages are queued in each of 12 streams in turn, the half of them acknowledged on the way
      And stream s1 is transmitted
      Then the same goes out as before

  Rule: Restarts

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: Numbers outlive one restart after the other
      When 60 messages are queued in each of 3 streams in turn, the half of them acknowledged on the way, with a restart after every 7
      And stream s1 is transmitted
      Then the numbers given in stream s1 rise
      And the numbers given in stream s3 rise
      And each message goes out under the number that it was given in stream s1

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: Hundreds of numbers outlive restarts
      When 600 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way, with a restart after every 140
      Then the numbers given in stream s1 rise
      And the numbers given in stream s1 follow one another

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: What was not sent yet outlives a restart, too
      When message m1 is queued in stream a
      And stream a is transmitted
      And message m2 is queued in stream a
      And the sender restarts
      And stream a is transmitted
      Then m1 and m2 are among what goes out
      And each message goes out under the number that it was given in stream a

    @req:EOD-3-06 @req:EOD-3-10 @needs:restart
    Scenario: Some tens of messages outlive a restart
      When 60 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
      And message m55 of stream s1 expires
      And the sender restarts
      And stream s1 is transmitted
      Then everything that waits went out as it should, and nothing else

    @req:EOD-3-06 @req:EOD-2-02 @needs:restart
    Scenario: Numbers of one digit and of two outlive a restart in their order
      When 12 messages are queued in each of 1 streams in turn, the half of them acknowledged on the way
      And the sender restarts
      And stream s1 is transmitted
      Then everything that waits went out as it should, and nothing else

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: Queue and numbers outlive a restart
      When messages m1, m2 and m3 are queued in stream a
      And stream a is transmitted
      And the acknowledgment of m1 in stream a arrives
      And the sender restarts
      And message m4 is queued in stream a
      And stream a is transmitted
      Then m2, m3 and m4 are among what goes out
      And each message goes out under the number that it was given in stream a
      And the numbers given in stream a follow one another
