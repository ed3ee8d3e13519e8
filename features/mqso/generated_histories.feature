@role:queue_manager
Feature: Generated histories of queue managers (1.1, 3.3.4, 5.1.1.2, 5.5.1)
  Sends, receives, waits, time, restarts and transactions in any order, as far as an implementation offers them. What no
  reading explains is made small and saved as a case.

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |

  @req:MQSO-5.1.1.2-01 @req:MQSO-1.1-04 @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.2-09
  Scenario: Whatever applications do, each message is received once and in order
    When generated histories of plain messages are played
    Then the specification explains each of them

  @needs:transactions
  @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.4-04 @req:MQSO-3.3.4.7-02 @req:MQSO-3.3.4.7-04 @req:MQSO-5.1.1.2-01
  Scenario: Whatever happens to transactions, all of each shows or nothing
    When generated histories with transactions are played
    Then the specification explains each of them

  @needs:transactions
  @req:MQSO-5.1.1.2-01 @req:MQSO-3.3.4.6-02 @req:MQSO-3.3.4.7-01 @req:MQSO-3.3.4.7-04 @req:MQSO-5.1.1.3-15
  Scenario: In whatever way messages are asked for, each is handed out as it should be
    When generated histories of all kinds are played
    Then the specification explains each of them

  @needs:security
  @req:MQSO-7.3-02 @req:MQSO-7.3-03 @req:MQSO-7.4.1.4.2-02 @req:MQSO-7.4.1.4.2-03 @req:MQSO-7.4.1.4.2-05
  Scenario: A queue serves the users on its lists in every way, and says who is authenticated
    When generated histories of users are played
    Then the specification explains each of them
