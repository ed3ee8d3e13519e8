Feature: Streams and transactions in any state (page, sections 1 to 4; MS-MQQB 3.1.5.8.6)
  What the other features write down one by one is crossed here, as the seed of the run has it.

  @role:ordered_receiver
  @req:EOD-2-10 @req:EOD-3.1.1.3.1-05 @req:EOD-4-01 @req:EOD-4-04 @req:EOD-4-05 @req:EOD-4-06 @req:EOD-4-07 @req:EOD-4-08
  Scenario: Whatever arrives, the two numbers decide
    Given a receiver of streams
    When generated messages arrive in streams whose names are alike
    Then each was judged by its numbers, and nothing else was acknowledged

  @role:ordered_receiver @needs:sequences
  @req:EOD-2-10 @req:EOD-3.1.1.3.1-05 @req:EOD-3.1.5.8.6-01 @req:EOD-3.1.5.8.6-02 @req:EOD-3.1.5.8.6-03
  @req:EOD-4-01 @req:EOD-4-04 @req:EOD-4-06 @req:EOD-4-07 @req:EOD-4-08
  Scenario: Whatever sequence arrives, its identifier and the two numbers decide
    Given a receiver of streams
    When generated messages of sequences arrive in streams whose names are alike
    Then each was judged by its numbers, and nothing else was acknowledged

  @role:ordered_sender
  @req:EOD-2-02 @req:EOD-2-05 @req:EOD-3-02 @req:EOD-3-04 @req:EOD-3-05
  @req:EOD-3-06 @req:EOD-3-07 @req:EOD-3-09 @req:EOD-3-10
  Scenario: Whatever happens to its messages, a sender sends those that wait
    Given a sender of streams
    When generated calls are made to the sender
    Then everything went out as it should, each time

  @role:transaction @req:EOD-1-02 @req:EOD-1-03 @req:EOD-1-06 @req:EOD-1-07 @req:EOD-1-08
  Scenario: Whatever transactions are open, each sends all or nothing
    Given a queue manager without any queue
    When generated transactions send, end and are delivered
    Then what they sent is where it should be, after each call
