@role:queue_manager @needs:concurrent
Feature: Concurrent calls (1.1, 3.3.4.4, 3.3.4.7, 5.1.1.2)
  Applications call in lanes. Each call takes effect at one moment, so that some order of all calls explains what was
  answered and what is left.

  Background:
    Given a queue manager with the queues
      | queue  | transactional | room |
      | inbox  | no            | any  |
      | orders | yes           | any  |

  @req:MQSO-1.1-04 @req:MQSO-5.1.1.2-09
  Scenario: Of two who receive one message one gets it
    When m1 is sent to inbox
    And at the same time
      | lane | call               |
      | 1    | receive from inbox |
      | 2    | receive from inbox |
    Then some order of the calls explains what was answered and what inbox holds

  @req:MQSO-1.1-04 @req:MQSO-5.1.1.2-09
  Scenario: Who receive at the same time get different messages
    When m1, m2, m3 and m4 are sent to inbox
    And at the same time
      | lane | call               |
      | 1    | receive from inbox |
      | 1    | receive from inbox |
      | 2    | receive from inbox |
      | 3    | look at inbox      |
    Then some order of the calls explains what was answered and what inbox holds

  @req:MQSO-3.3.4.3-07 @req:MQSO-3.3.4.8-01
  Scenario: What two send at the same time is there, each in its order
    When at the same time
      | lane | call             |
      | 1    | send m1 to inbox |
      | 1    | send m2 to inbox |
      | 2    | send m3 to inbox |
      | 2    | send m4 to inbox |
    Then some order of the calls explains what was answered and what inbox holds

  @req:MQSO-3.3.4.3-07 @req:MQSO-5.1.1.2-09
  Scenario: What is sent while another receives is received or there
    When m1 is sent to inbox
    And at the same time
      | lane | call               |
      | 1    | send m2 to inbox   |
      | 1    | send m3 to inbox   |
      | 2    | receive from inbox |
      | 2    | receive from inbox |
    Then some order of the calls explains what was answered and what inbox holds

  @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.4-04 @req:MQSO-4.3.1.2-04
  Scenario: Who looks while a transaction commits sees all of it or nothing
    When transaction t1 begins
    And m1 is sent to orders in t1
    And m2 is sent to inbox
    And at the same time
      | lane | call           |
      | 1    | commit t1      |
      | 2    | look at orders |
      | 2    | look at orders |
    Then some order of the calls explains what was answered and what orders holds

  @req:MQSO-3.2.1-07 @req:MQSO-3.3.4.4-04
  Scenario: What two send to a transactional queue at the same time comes there from a transaction only
    When transaction t1 begins
    And at the same time
      | lane | call                           |
      | 1    | send m1 to orders in t1        |
      | 2    | send m2 to orders, recoverable |
    And t1 commits
    Then some order of the calls explains what was answered and what orders holds

  @req:MQSO-3.3.4.7-04 @req:MQSO-3.3.4.7-05 @req:MQSO-5.1.1.3-13
  Scenario: Transactions that receive at the same time get different messages
    When transaction t1 begins
    And m1 is sent to orders in t1
    And m2 is sent to orders in t1
    And t1 commits
    And transaction t2 begins
    And transaction t3 begins
    And at the same time
      | lane | call                      |
      | 1    | receive from orders in t2 |
      | 2    | receive from orders in t3 |
    Then some order of the calls explains what was answered and what orders holds

  @req:MQSO-3.3.4.7-02 @req:MQSO-4.3.1.2-11 @req:MQSO-5.1.1.3-15
  Scenario: What an abort gives back another gets or finds
    When transaction t1 begins
    And m1 is sent to orders in t1
    And t1 commits
    And transaction t2 begins
    And transaction t3 begins
    And a message is received from orders in t2
    And at the same time
      | lane | call                      |
      | 1    | abort t2                  |
      | 2    | receive from orders in t3 |
    Then some order of the calls explains what was answered and what orders holds
