@role:queue_manager
Feature: States of the queue manager, and its store (5.1.1.1, 5.5.5, 6.4.4)

  Background:
    Given a queue manager with the queues
      | queue | transactional | room |
      | inbox | no            | any  |

  @needs:throttling
  Rule: Throttling

    @req:MQSO-5.1.1.1-11 @req:MQSO-5.1.1.1-12
    Scenario Outline: No message is accepted while throttled
      When m1 is sent to inbox
      And throttling begins
      And m2 is sent to inbox<how>
      And throttling ends
      Then inbox holds m1, or m1 and m2 where the send of m2 waited

      Examples:
        | case        | how           |
        | express     |               |
        | recoverable | , recoverable |

    @req:MQSO-5.1.1.1-13
    Scenario: Messages are accepted after throttling
      When throttling begins
      And throttling ends
      And m1 is sent to inbox
      Then inbox holds m1

    @req:MQSO-5.1.1.1-13 @req:MQSO-5.1.1.1-11
    Scenario: Throttling begins again
      When throttling begins
      And throttling ends
      And m1 is sent to inbox
      And throttling begins
      And m2 is sent to inbox
      And throttling ends
      And m3 is sent to inbox
      Then inbox holds m1 and m3, in this order, or m1, m2 and m3 where the send of m2 waited

  @needs:store-faults
  Rule: A full store

    @req:MQSO-5.5.5-01
    Scenario: A full store takes nothing that has to be stored
      When m1 is sent to inbox, recoverable
      And the store is full
      And m2 is sent to inbox, recoverable
      And the store has room again
      And m3 is sent to inbox, recoverable
      Then inbox holds m1 and m3

    @needs:restart @req:MQSO-5.5.5-01
    Scenario: What a full store refused does not come with a restart
      When m1 is sent to inbox, recoverable
      And the store is full
      And m2 is sent to inbox, recoverable
      And the store has room again
      And the queue manager is restarted
      Then inbox holds m1

    @req:MQSO-3.3.4.1-04 @req:MQSO-5.5.5-01
    Scenario: Nothing is left of a creation for which there is no room
      When the store is full
      And a plain queue fresh is created
      And the store has room again
      And m1 is sent to fresh
      And a plain queue fresh is created
      And m2 is sent to fresh
      Then fresh holds m2, or m1 and m2 where the first creation succeeded

    @req:MQSO-3.3.4.1-04 @req:MQSO-3.3.4.1-06 @req:MQSO-5.5.5-01
    Scenario: Nothing is left of a change for which there is no room
      Given a plain queue small with room for 3 messages
      When the store is full
      And small gets room for 1 message
      And the store has room again
      And m1 and m2 are sent to small
      Then small holds m1 and m2, or m1 where the change succeeded

  @needs:store-faults @needs:restart
  Rule: An inconsistent store

    @req:MQSO-5.5.5-02
    Scenario: What can be repaired is repaired
      When m1, m2 and m3 are sent to inbox, recoverable
      And the queue manager is restarted
      And a message is received from inbox
      And the store becomes inconsistent
      And the queue manager is restarted
      And m4 is sent to inbox
      Then inbox holds m2, m3 and m4, in this order

    @req:MQSO-5.5.5-03 @req:MQSO-5.1.1.1-10
    Scenario: What cannot be repaired ends all work
      When m1 is sent to inbox, recoverable
      And the store is damaged beyond repair
      And m2 is sent to inbox, recoverable
      And a message is received from inbox
      Then nothing was received

    @req:MQSO-5.5.5-03 @req:MQSO-5.1.1.1-05 @req:MQSO-6.6.2-09 @req:MQSO-6.6.2-10
    Scenario: It does not start with a store that cannot be repaired
      When m1 is sent to inbox, recoverable
      And the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And a message is received from inbox
      Then the start failed

    @req:MQSO-5.5.5-03 @req:MQSO-5.1.1.1-03
    Scenario: It goes on with a store that was repaired
      When m1 is sent to inbox, recoverable
      And the queue manager is restarted after a crash
      And a message is received from inbox
      And m2 is sent to inbox, recoverable
      And the store is damaged beyond repair
      And the store is repaired
      And the queue manager starts
      Then inbox holds m2

  @needs:store-faults @needs:restart @needs:virtual-clock
  Rule: A failed start is retried, after any time (QM-34)

    @req:MQSO-5.1.1.1-06 @req:MQSO-6.4.4.1-01 @req:MQSO-6.4.4.1-02 @req:MQSO-6.6.2-11
    Scenario: It starts by itself when what kept it from starting is gone
      When m1 is sent to inbox, recoverable
      And the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And the store is repaired
      And the queue manager runs for 21600 seconds
      Then inbox holds m1

    @req:MQSO-5.1.1.1-06 @req:MQSO-6.4.4.1-02
    Scenario: It is tried more than once
      When m1 is sent to inbox, recoverable
      And the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And the queue manager runs for 21600 seconds
      And a message is received from inbox
      And the store is repaired
      And the queue manager runs for 21600 seconds
      And a message is received from inbox
      Then m1 was received

    @req:MQSO-5.1.1.1-06 @req:MQSO-6.4.4.1-02
    Scenario: What it may do before and has to do after a retry
      When the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And the store is repaired
      And the queue manager runs for 30 seconds
      And m1 is sent to inbox, recoverable
      And the queue manager runs for 21600 seconds
      And m2 is sent to inbox
      Then inbox holds m1 and m2, in this order, or m2 where the retry came later than m1

    @req:MQSO-5.1.1.1-02 @req:MQSO-6.6.2-10
    Scenario: Trying again changes nothing while the store is damaged
      When the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And the queue manager runs for 21600 seconds
      And m1 is sent to inbox
      And the store is repaired
      And the queue manager starts
      Then inbox holds nothing

  @needs:management
  Rule: The reported state

    @req:MQSO-4.3.1.3-01 @req:MQSO-6.6.1-06
    Scenario: The mode is that for which it was configured
      When an application asks for the state
      Then the mode shown is workgroup

    @req:MQSO-5.1.1.1-04 @req:MQSO-6.6.1-08 @req:MQSO-6.6-06
    Scenario: It is running as it is handed over
      When an application asks for the state
      Then the states shown are running

    @needs:restart @needs:virtual-clock @req:MQSO-5.1.1.1-04 @req:MQSO-5.1.1.1-10 @req:MQSO-5.1.1.1-18
    Scenario: A stop leads to Stopped, a start to Running
      When the queue manager stops
      And the queue manager runs for 21600 seconds
      And an application asks for the state
      And the queue manager starts
      And an application asks for the state
      Then the states shown are stopped, running

    @needs:restart @needs:store-faults @needs:virtual-clock @req:MQSO-5.1.1.1-02 @req:MQSO-5.1.1.1-05
    Scenario: A start that fails leads to Stopped
      When the queue manager stops
      And the store is damaged beyond repair
      And the queue manager starts
      And the queue manager runs for 3 seconds
      And an application asks for the state
      Then the states shown are stopped
