@role:queue_manager @needs:security
Feature: Senders and access to queues (7.3, 7.4.1.4)
  In a domain, whose directory knows users by their certificates. Eve has a certificate that it does not know.

  Background:
    Given a queue manager of a domain with the users
      | user | certificate |
      | eve  | no          |
      | ann  | yes         |
      | bob  | yes         |
    And its queues
      | queue   | writers  | readers  | authenticated only |
      | inbox   | anybody  | anybody  | no                 |
      | anns    | ann      | anybody  | no                 |
      | secret  | anybody  | ann      | no                 |
      | shared  | ann, bob | ann, bob | no                 |
      | genuine | anybody  | anybody  | yes                |
      | acks    | anybody  | anybody  | no                 |

  Rule: The sender of a message (7.4.1.4.2)

    @req:MQSO-7.4.1.4.2-01 @req:MQSO-7.4.1.4.2-02 @req:MQSO-7.4.1.4.2-03 @req:MQSO-7.3-04
    Scenario: Who signs with a certificate of the directory is authenticated
      When m1 is sent to inbox, signed by ann
      And m2 is sent to inbox, signed by bob
      Then inbox holds m1 and m2, in this order
      And m1 is handed out as authenticated
      And m2 is handed out as authenticated

    @req:MQSO-7.4.1.4.2-03 @req:MQSO-7.4.1.2-01
    Scenario: Who signs in the name of another user is rejected
      When m1 is sent to inbox, signed by ann in the name of bob
      And m2 is sent to inbox, signed by ann
      Then inbox holds m2
      And m2 is handed out as authenticated

    @req:MQSO-7.4.1.4.2-03
    Scenario: What is rejected for its sender does not get to who waits
      When r1 waits 30 seconds for inbox
      And m1 is sent to inbox, signed by bob in the name of ann
      And m2 is sent to inbox, signed by bob
      Then r1 has got m2
      And inbox holds nothing

    @needs:clock @req:MQSO-7.4.1.4.2-03 @req:MQSO-6.1.6.5-01
    Scenario: What is rejected for its sender did not arrive
      When m1 is sent to inbox, signed by ann in the name of bob, asking for acknowledgment of its arrival at acks
      And m2 is sent to inbox, signed by ann, asking for acknowledgment of its arrival at acks
      And the queue manager runs for 4 seconds
      Then inbox holds m2
      And acks holds the positive acknowledgment of m2

    @req:MQSO-7.4.1.4.2-04 @req:MQSO-7.4.1.4.2-02
    Scenario: Whose certificate the directory does not know is unauthenticated
      When m1 is sent to inbox, signed by eve
      And m2 is sent to inbox, signed by ann
      Then inbox holds m1 and m2, in this order
      And m1 is not handed out as authenticated
      And m2 is handed out as authenticated

    @req:MQSO-7.4.1.4.2-04 @req:MQSO-7.4.1.4.2-02
    Scenario: A name from the directory does not make up for a certificate that it does not know
      When m1 is sent to inbox, signed by eve in the name of ann
      Then inbox holds m1
      And m1 is not handed out as authenticated

    @req:MQSO-7.4.1.4.2-05
    Scenario Outline: With less than signature, certificate and identity nobody is authenticated
      When m1 is sent to inbox, <how>
      Then inbox holds m1
      And m1 is not handed out as authenticated

      Examples:
        | case         | how                                 |
        | no-signature | in the name of ann                  |
        | no-identity  | signed by ann in the name of nobody |

    @req:MQSO-7.4.1.4.2-01 @req:MQSO-7.4.1.4.2-05
    Scenario: Each message is looked at by itself
      When m1 is sent to inbox, in the name of ann
      And m2 is sent to inbox, signed by ann
      And m3 is sent to inbox, in the name of ann
      Then inbox holds m1, m2 and m3, in this order
      And m2 is handed out as authenticated
      And m3 is not handed out as authenticated

    @req:MQSO-7.4.1.4.2-01
    Scenario: Who looks is told the same as who receives
      When m1 is sent to inbox, signed by ann
      And an application looks at inbox
      Then inbox holds m1
      And m1 is handed out as authenticated

    @req:MQSO-7.4.1.4.2-04
    Scenario: Who looks is told of an unknown sender as well
      When m1 is sent to inbox, signed by eve
      And an application looks at inbox
      Then inbox holds m1
      And m1 is not handed out as authenticated

    @req:MQSO-7.4.1.4.2-04
    Scenario: Who waits is told of an unknown sender as well
      When r1 waits 30 seconds for inbox
      And m1 is sent to inbox, signed by eve
      Then r1 has got m1

    @req:MQSO-7.4.1.4.2-03 @req:MQSO-7.4.1.4.2-05
    Scenario: A queue that wants authenticated senders
      When m1 is sent to genuine, signed by ann
      And m2 is sent to genuine, in the name of ann
      And m3 is sent to genuine, signed by bob
      Then genuine holds m1 and m3, or m1, m2 and m3 where m2 is delivered as unauthenticated
      And m1 is handed out as authenticated
      And m2 is not handed out as authenticated

  Rule: Signatures (7.4.1.4.1)

    @req:MQSO-7.4.1.4.1-01 @req:MQSO-7.4.1.2-01
    Scenario: What was altered after it was signed proves nothing
      When m1 is sent to inbox, signed by ann and altered
      And m2 is sent to inbox, signed by ann
      Then inbox holds m2, or m1 and m2 where m1 is unauthenticated
      And m1 is not handed out as authenticated
      And m2 is handed out as authenticated

  Rule: Encryption (7.4.1.4.3)

    @req:MQSO-5.1.1-03
    Scenario: What was encrypted is handed out in plain
      When m1 is sent to inbox, signed by ann, encrypted
      And m2 is sent to inbox, signed by ann
      Then inbox holds m1 and m2, in this order

  Rule: Access to a queue (7.3)

    @req:MQSO-7.3-03
    Scenario: A queue takes messages from those on its list
      When m1 is sent to anns, signed by ann
      And m2 is sent to anns, signed by bob
      And m3 is sent to anns, signed by ann
      Then anns holds m1 and m3, in this order

    @req:MQSO-7.3-03
    Scenario: A list is that of its queue
      When m1 is sent to anns, signed by bob
      And m2 is sent to inbox, signed by bob
      Then anns holds nothing
      And inbox holds m2

    @req:MQSO-7.3-02 @req:MQSO-7.3-03
    Scenario: All who are on a list may use its queue
      When m1 is sent to shared, signed by ann
      And m2 is sent to shared, signed by bob
      And ann receives a message from shared
      And bob receives a message from shared
      Then m1 and m2 were received, in this order

    @req:MQSO-7.3-03 @req:MQSO-7.4.1.4.2-03
    Scenario: Who names a user of the list does not get in
      When m1 is sent to anns, signed by bob in the name of ann
      And m2 is sent to anns, signed by ann
      Then anns holds m2

    @req:MQSO-7.3-02
    Scenario: A queue hands out messages to those on its list
      When m1, m2 and m3 are sent to secret, signed by bob
      And ann receives 2 messages from secret
      Then m1 and m2 were received, in this order

    @req:MQSO-7.3-02
    Scenario: Who may send to a queue may not for that receive from it
      When m1 is sent to secret, signed by bob
      And bob receives a message from secret
      Then nothing was received

    @req:MQSO-7.3-02
    Scenario: Who may not receive may not look either
      When m1 is sent to secret, signed by ann
      And bob looks at a message of secret
      Then nothing was received

  Rule: Restarts, changes and transactions

    @needs:restart @req:MQSO-7.3-03 @req:MQSO-7.3-02
    Scenario: Lists of users outlive changes and restarts
      When m1 is sent to anns, signed by ann, recoverable
      And anns gets room for 5 messages
      And m2 is sent to anns, signed by bob, recoverable
      And m3 is sent to secret, signed by bob, recoverable
      And the queue manager is restarted
      And m4 is sent to anns, signed by bob, recoverable
      And bob looks at a message of secret
      And bob receives a message from secret
      Then anns holds m1

    @needs:transactions @req:MQSO-7.3-03 @req:MQSO-7.3-02
    Scenario: Lists of users hold in transactions
      Given a transactional queue safe for writers ann and readers ann
      When transaction t1 begins
      And m1 is sent to safe in t1, signed by ann
      And m2 is sent to safe in t1, signed by bob
      And m3 is sent to safe in t1, signed by ann
      And t1 commits
      And transaction t2 begins
      And bob receives a message from safe in t2
      And bob looks at a message of safe
      And ann receives 2 messages from safe in t2
      And t2 commits
      Then the specification explains every observation

    @req:MQSO-7.3-02
    Scenario: Lists of users hold for waits and identifiers
      When m1, m2 and m3 are sent to secret, signed by ann
      And bob receives m2 of secret by its identifier
      And bob waits 30 seconds for secret
      And ann receives m2 of secret by its identifier
      And ann waits 30 seconds for secret
      And ann receives a message from secret
      Then the specification explains every observation

    @needs:restart @req:MQSO-7.4.1.4.2-05 @req:MQSO-7.3-02 @req:MQSO-3.3.4.1-05
    Scenario: What a queue was created with outlives another creation, changes and restarts
      When m1 is sent to genuine, in the name of ann, recoverable
      And genuine gets room for 9 messages
      And m2 is sent to genuine, in the name of ann, recoverable
      And a plain queue secret is created
      And m3 is sent to secret, signed by ann, recoverable
      And bob receives a message from secret
      And the queue manager is restarted
      And m4 is sent to genuine, in the name of ann, recoverable
      And m5 is sent to genuine, signed by ann, recoverable
      Then the specification explains every observation
