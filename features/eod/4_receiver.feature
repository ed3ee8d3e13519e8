@role:ordered_receiver
Feature: Messages accepted by a receiver of streams (page, sections 2 and 4)

  Background:
    Given a receiver of streams

  Rule: The last accepted number

    @req:EOD-4-03
    Scenario: A new stream begins with its first message
      When message 1 after 0 arrives in stream a
      Then the message is accepted

    @req:EOD-4-03
    Scenario: Of a new stream nothing is accepted yet
      When message 2 after 1 arrives in stream a
      Then the message is rejected

    @req:EOD-4-07 @req:EOD-2-03
    Scenario: Each accepted number becomes the last accepted one
      When messages 1 after 0, 2 after 1, 3 after 2 and 4 after 3 arrive in stream a
      Then each of the messages is accepted

    @req:EOD-4-08
    Scenario Outline: A rejected message leaves the last accepted number alone
      When messages <messages> arrive in stream a
      Then the message is <verdict>

      Examples:
        | case               | messages                                   | verdict  |
        | too-early          | 1 after 0, 5 after 4, 2 after 1            | accepted |
        | too-early-at-first | 3 after 2, 1 after 0                       | accepted |
        | a-copy             | 1 after 0, 2 after 1, 1 after 0, 2 after 1 | rejected |

    @req:EOD-4-08 @req:EOD-2-03
    Scenario: What came too early is accepted when it comes in its turn
      When messages 1 after 0, 3 after 2, 2 after 1 and 3 after 2 arrive in stream a
      Then the message is accepted

  Rule: Numbers not above the last accepted one

    @req:EOD-4-04 @req:EOD-2-01
    Scenario Outline: A copy is rejected
      When messages <messages> arrive in stream a
      Then the message is rejected

      Examples:
        | case              | messages                                    |
        | of-the-first      | 1 after 0, 1 after 0                        |
        | of-the-last       | 1 after 0, 2 after 1, 2 after 1             |
        | of-an-earlier-one | 1 after 0, 2 after 1, 3 after 2, 1 after 0  |
        | with-another-link | 1 after 0, 2 after 1, 2 after 0             |
        | large-numbers     | 70000 after 0, 70001 after 70000, 70000 after 0 |
        | 32-bits           | 4294967294 after 0, 4294967294 after 1 |
        | behind-a-wide-gap | 1 after 0, 1000 after 1, 1 after 0      |

    @req:EOD-4-04 @req:EOD-2-02 @req:EOD-4-02 @req:EOD-2-09
    Scenario Outline: A smaller number is rejected though it never arrived
      When messages <messages> arrive in stream a
      Then the message is rejected

      Examples:
        | case        | messages                            |
        | in-a-gap    | 1 after 0, 5 after 1, 3 after 1     |
        | at-the-end  | 4 after 0, 3 after 0                |
        | at-the-start | 2 after 0, 1 after 0               |

  Rule: Previous numbers above the last accepted one

    @req:EOD-4-05 @req:EOD-2-02
    Scenario Outline: A message that comes before its turn is rejected
      When messages <messages> arrive in stream a
      Then the message is rejected

      Examples:
        | case        | messages                        |
        | by-one      | 1 after 0, 3 after 2            |
        | by-many     | 1 after 0, 9 after 8            |
        | on-its-own  | 2 after 1                       |
        | with-a-gap  | 1 after 0, 9 after 2            |
        | 17-bits     | 1 after 0, 65538 after 65537    |
        | 32-bits     | 1 after 0, 4294967295 after 4294967294 |

    @req:EOD-4-05 @req:EOD-2-02 @needs:virtual-clock
    Scenario: It is rejected however often it comes
      When message 1 after 0 arrives in stream a
      And message 5 after 4 arrives 40 times in stream a, once a minute
      Then each of the messages is rejected

  Rule: All others

    @req:EOD-4-06 @req:EOD-2-08
    Scenario Outline: A number that follows is accepted, however far above the last one
      When messages <messages> arrive in stream a
      Then the message is accepted

      Examples:
        | case                  | messages                        |
        | in-order              | 1 after 0, 2 after 1            |
        | behind-a-gap          | 1 after 0, 3 after 1            |
        | behind-a-wide-gap     | 1 after 0, 1000 after 1         |
        | first-behind-a-gap    | 3 after 0                       |
        | 17-bits               | 1 after 0, 65537 after 1        |
        | 32-bits               | 1 after 0, 4294967294 after 1   |

    @req:EOD-4-06
    Scenario Outline: A previous number below the last accepted one is in order
      When messages <messages> arrive in stream a
      Then the message is accepted

      Examples:
        | case              | messages                        |
        | zero-on-a-resend  | 1 after 0, 2 after 0            |
        | an-earlier-number | 1 after 0, 2 after 1, 3 after 1 |
        | behind-a-gap      | 1 after 0, 5 after 1, 9 after 3 |

    @req:EOD-2-08
    Scenario: What is neither in order nor new is not accepted
      When messages 2 after 1, 9 after 3 and 7 after 7 arrive in stream a
      Then each of the messages is rejected

    @req:EOD-2-09
    Scenario: How often a message was rejected before makes no difference
      When messages 1 after 0, 3 after 2, 3 after 2, 3 after 2, 1 after 0, 1 after 0 and 2 after 1 arrive in stream a
      Then the message is accepted

    @req:EOD-4-02
    Scenario: All arriving messages pass the filter
      When messages 1 after 0, 2 after 1, 3 after 2, 4 after 3, 5 after 4, 6 after 5 and 6 after 5 arrive in stream a
      Then the message is rejected

  Rule: Streams

    @req:EOD-2-05 @req:EOD-4-01
    Scenario: Each stream begins by itself
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And message 1 after 0 arrives in stream b
      Then the message is accepted

    @req:EOD-2-05 @req:EOD-4-01
    Scenario: No stream helps another one over a gap
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And message 1 after 0 arrives in stream b
      And message 3 after 2 arrives in stream b
      Then the message is rejected

    @req:EOD-4-01 @req:EOD-2-05
    Scenario: A stream is remembered while another one goes on
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And message 1 after 0 arrives in stream b
      And message 2 after 1 arrives in stream a
      Then the message is rejected

    @req:EOD-2-10 @req:EOD-4-01
    Scenario: Each stream is acknowledged with its own number
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And message 1 after 0 arrives in stream b
      Then an order acknowledgment of stream a carries 3
      And an order acknowledgment of stream b carries 1

    @req:EOD-2-05 @req:EOD-4-01
    Scenario Outline: Streams whose names are alike
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream <one>
      And message 1 after 0 arrives in stream b
      And message 1 after 0 arrives in stream <other>
      Then the message is accepted
      And an order acknowledgment of stream <one> carries 3
      And an order acknowledgment of stream <other> carries 1

      Examples:
        | case           | one         | other        |
        | at-the-start   | orders_oslo | orders_rome  |
        | at-the-end     | oslo_orders | rome_orders  |
        | but-the-last   | orders_1    | orders_2     |
        | the-beginning  | orders      | orders_again |
        | but-for-case   | orders      | Orders       |

  Rule: Many messages and many streams

    @req:EOD-4-02 @req:EOD-4-07
    Scenario: Hundreds of messages of one stream
      When messages 1 to 300 arrive in each of 1 streams in turn
      Then each of the many messages was judged by its numbers

    @req:EOD-4-04 @req:EOD-2-01
    Scenario: A copy from hundreds of messages ago is rejected
      When messages 1 to 300 arrive in each of 1 streams in turn
      And message 3 after 2 arrives in stream s1
      Then the message is rejected

    @req:EOD-2-05 @req:EOD-4-01
    Scenario: A dozen streams at once
      When messages 1 to 4 arrive in each of 1 streams in turn, each of them twice
      And the receiver is started anew
      And messages 1 to 4 arrive in each of 12 streams in turn, each of them twice
      Then each stream was answered as the one before

    @req:EOD-2-05 @req:EOD-4-01
    Scenario: Hundreds of streams at once
      When messages 1 to 2 arrive in each of 1 streams in turn, each of them twice
      And the receiver is started anew
      And messages 1 to 2 arrive in each of 150 streams in turn, each of them twice
      Then each stream was answered as the one before

  Rule: Lost and kept numbers

    @req:EOD-4-03 @req:EOD-4-06
    Scenario Outline: A receiver that lost its numbers goes on with what has previous number zero
      When messages 1 after 0, 2 after 1 and 3 after 2 arrive in stream a
      And the receiver loses its numbers
      And message <message> arrives in stream a
      Then the message is <verdict>

      Examples:
        | case      | message     | verdict  |
        | the-next  | 4 after 0   | accepted |
        | a-later   | 40 after 0  | accepted |
        | no-zero   | 4 after 3   | rejected |

    @req:EOD-4-03
    Scenario: A receiver that loses its numbers time and again
      When message 1 after 0 arrives 12 times in stream a, each time after the receiver lost its numbers
      Then each of the messages is accepted

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario: The last accepted numbers outlive one restart after the other
      When messages 1 to 60 arrive in each of 1 streams in turn, each of them twice
      And the receiver is started anew
      And messages 1 to 60 arrive in each of 1 streams in turn, each of them twice, with a restart after every 10
      Then each stream was answered as the one before

    @req:EOD-3.1.1.3.1-05 @needs:restart
    Scenario Outline: The last accepted number outlives a restart
      When messages 1 after 0 and 2 after 1 arrive in stream a
      And the receiver restarts
      And message <message> arrives in stream a
      Then the message is <verdict>

      Examples:
        | case   | message   | verdict  |
        | a-copy | 2 after 1 | rejected |
        | next   | 3 after 2 | accepted |
        | a-gap  | 9 after 8 | rejected |

    @req:EOD-4-01 @needs:virtual-clock
    Scenario Outline: A stream is remembered for as long as a sender waits between two resends
      When messages 1 after 0 and 2 after 1 arrive in stream a
      And 21600 seconds pass at once at the receiver
      And message <message> arrives in stream a
      Then the message is <verdict>

      Examples:
        | case   | message   | verdict  |
        | a-copy | 1 after 0 | rejected |
        | next   | 3 after 2 | accepted |

  Rule: Contents of an order acknowledgment

    @req:EOD-2-10
    Scenario Outline: It carries the last accepted number
      When messages <messages> arrive in stream a
      Then an order acknowledgment of stream a carries <last>

      Examples:
        | case         | messages                        | last |
        | one          | 1 after 0                       | 1    |
        | three        | 1 after 0, 2 after 1, 3 after 2 | 3    |
        | behind-a-gap | 1 after 0, 7 after 1            | 7    |
        | 17-bits      | 1 after 0, 65537 after 1        | 65537 |
        | 32-bits      | 1 after 0, 4294967294 after 1   | 4294967294 |

    @req:EOD-2-11
    Scenario Outline: Nothing is acknowledged that was not accepted
      When messages <messages> arrive in stream a
      Then an order acknowledgment of stream a carries <last>

      Examples:
        | case         | messages             | last |
        | too-early    | 1 after 0, 3 after 2 | 1    |
        | nothing      | 2 after 1            | 0    |
        | the-next-one | 4 after 0            | 4    |

  Rule: Sequences (MS-MQQB 3.1.5.8.6)

    @req:EOD-3.1.5.8.6-01 @needs:sequences
    Scenario Outline: A newer sequence begins with previous number zero
      When message 5 after 0 of sequence 1 arrives in stream a
      And message <number> after 0 of sequence <sequence> arrives in stream a
      Then the message is accepted

      Examples:
        | case          | number | sequence    |
        | from-one      | 1      | 2           |
        | from-further  | 9      | 2           |
        | the-same      | 5      | 2           |
        | high-half     | 1      | 4294967297  |
        | low-half-less | 1      | 4294967296  |
        | signed        | 1      | 9223372036854775808 |

    @req:EOD-3.1.5.8.6-01 @needs:sequences
    Scenario: A newer sequence differs in the lowest bits, as identifiers of one second do
      When message 5 after 0 of sequence 7544074736427532289 arrives in stream a
      And message 1 after 0 of sequence 7544074736427532290 arrives in stream a
      Then the message is accepted

    @req:EOD-3.1.5.8.6-01 @needs:sequences
    Scenario: The first sequence begins with previous number zero, too
      When message 5 after 0 of sequence 1 arrives in stream a
      Then the message is accepted

    @req:EOD-3.1.5.8.6-01 @needs:sequences
    Scenario: A newer sequence is accepted while the older one has a gap
      When message 1 after 0 of sequence 1 arrives in stream a
      And message 3 after 2 of sequence 1 arrives in stream a
      And message 1 after 0 of sequence 2 arrives in stream a
      Then the message is accepted

    @req:EOD-3.1.5.8.6-02 @needs:sequences
    Scenario: A newer sequence does not begin amid
      When message 1 after 0 of sequence 1 arrives in stream a
      And message 2 after 1 of sequence 2 arrives in stream a
      Then the message is rejected

    @req:EOD-3.1.5.8.6-02 @needs:sequences
    Scenario: Nor behind a number that looks like zero in two octets
      When message 1 after 0 of sequence 1 arrives in stream a
      And message 65537 after 65536 of sequence 2 arrives in stream a
      Then the message is rejected

    @req:EOD-4-08 @needs:sequences
    Scenario: A newer sequence that was rejected is not under way
      When message 1 after 0 of sequence 1 arrives in stream a
      And message 2 after 1 of sequence 2 arrives in stream a
      And message 2 after 1 of sequence 1 arrives in stream a
      Then the message is accepted

    @req:EOD-4-07 @needs:sequences
    Scenario: In a newer sequence numbers begin anew
      When message 5 after 0 of sequence 1 arrives in stream a
      And message 1 after 0 of sequence 2 arrives in stream a
      And message 2 after 1 of sequence 2 arrives in stream a
      Then the message is accepted

    @req:EOD-3.1.1.3.1-05 @needs:sequences @needs:restart
    Scenario Outline: Which sequence is under way outlives a restart
      When message 1 after 0 of sequence 2 arrives in stream a
      And the receiver restarts
      And message <message> arrives in stream a
      Then the message is <verdict>

      Examples:
        | case         | message                 | verdict  |
        | its-next     | 2 after 1 of sequence 2 | accepted |
        | an-older-one | 9 after 0 of sequence 1 | rejected |

    @req:EOD-4-06 @needs:sequences
    Scenario: A number that follows is accepted within a sequence, too
      When message 5 after 0 of sequence 1 arrives in stream a
      And message 65541 after 5 of sequence 1 arrives in stream a
      Then the message is accepted

    @req:EOD-3.1.5.8.6-03 @needs:sequences
    Scenario Outline: An older sequence is over
      When message 1 after 0 of sequence 2 arrives in stream a
      And message <message> of sequence 1 arrives in stream a
      Then the message is rejected

      Examples:
        | case     | message   |
        | its-next | 2 after 1 |
        | anew     | 9 after 0 |

    @req:EOD-3.1.5.8.6-03 @needs:sequences
    Scenario: Of an older sequence the low half of the id may be greater
      When message 1 after 0 of sequence 4294967297 arrives in stream a
      And message 9 after 0 of sequence 2 arrives in stream a
      Then the message is rejected

    @req:EOD-3.1.5.8.6-03 @needs:sequences
    Scenario Outline: An older sequence may have an identifier near that of the newer one
      When message 1 after 0 of sequence <newer> arrives in stream a
      And message 9 after 0 of sequence <older> arrives in stream a
      Then the message is rejected

      Examples:
        | case        | newer               | older               |
        | lowest-bits | 7544074736427532290 | 7544074736427532289 |
        | signed      | 9223372036854775808 | 9223372036854775807 |
