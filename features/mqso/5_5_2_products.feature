@role:queue_manager @needs:several-machines
Feature: Products of operations between machines (3.3.4.5, 4.3.1.2, 5.1.1.2, 5.1.1.3, 5.5.1, 5.5.2, 6.1.6)
  Several senders, queues and outages at once; each is to leave the others alone.

  Background:
    Given queue managers with the queues
      | machine | queue  | transactional | room |
      | laptop  | acks   | no            | any  |
      | shop    | acks   | no            | any  |
      | office  | orders | no            | any  |
      | office  | small  | no            | 1    |
      | office  | safe   | yes           | any  |
      | office  | vault  | yes           | any  |

  Rule: Streams beside each other

    @needs:transactions @needs:clock @needs:restart @req:MQSO-3.2.1-04 @req:MQSO-3.3.4.5-01 @req:MQSO-5.1.1.2-01
    Scenario: Streams of several machines, and restarts of both ends
      When machine laptop sends m1 to safe at office in a transaction
      And machine shop sends m2 to safe at office in a transaction
      And machine laptop sends m3 to vault at office in a transaction
      And 6 hours pass everywhere
      And queue manager laptop is restarted after a crash
      And machine laptop sends m4 to safe at office in a transaction
      And machine shop sends m5 to safe at office in a transaction
      And 6 hours pass everywhere
      And queue manager office is restarted
      And machine laptop sends m6 to safe at office in a transaction
      And machine laptop sends m7 to vault at office in a transaction
      And machine shop sends m8 to safe at office in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @req:MQSO-5.5.2-01 @req:MQSO-5.1.1.2-17 @req:MQSO-5.1.1.2-22 @req:MQSO-3.2.1-04
    Scenario: Of two outages one ends
      When the network between laptop and office fails
      And the network between shop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And machine laptop sends m2 to safe at office in a transaction
      And machine laptop sends m3 and m4 to safe at office in a transaction
      And machine laptop sends m5 to vault at office in a transaction
      And machine shop sends m6 to safe at office in a transaction
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And machine office receives 5 messages from safe in a transaction
      And the network between shop and office is back
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @req:MQSO-3.3.4.3-09 @req:MQSO-3.2.1-04
    Scenario: Some tens of messages for another machine
      When machine laptop sends m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34 and m35 to safe at office in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @needs:offline @needs:management
    @req:MQSO-5.1.1.2-23 @req:MQSO-5.1.1.2-24 @req:MQSO-5.1.1.2-17 @req:MQSO-5.1.1.3-05
    Scenario: A paused outgoing queue beside another one
      When laptop pauses what waits for safe at office
      And machine laptop sends m1 to safe at office in a transaction
      And machine laptop sends m2 to safe at office in a transaction, to reach it within 7200 seconds, asking for a dead letter
      And machine laptop sends m3 to vault at office in a transaction
      And an application counts what waits at laptop
      And 6 hours pass everywhere
      And an application counts what waits at laptop
      And machine office receives a message from vault in a transaction
      And laptop pauses what waits for vault at office
      And laptop resumes what waits for safe at office
      And machine laptop sends m4 to vault at office in a transaction
      And 6 hours pass everywhere
      And an application counts what waits at laptop
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-05
    Scenario Outline: A transaction that sends to two queues and receives is done whole or not at all
      When machine office sends m1 to safe in a transaction
      And office begins transaction t1
      And machine office receives a message from safe in t1
      And machine office sends m2 to vault in t1
      And machine office sends m4 to acks at shop in t1
      And machine office sends m3 to acks at laptop in t1
      And office <ends> t1
      And laptop begins transaction t2
      And machine laptop sends m5 to safe at office in t2
      And machine laptop sends m6 to vault at office in t2
      And laptop <ends> t2
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

  Rule: Reports, copies and letters from afar

    @needs:transactions @needs:clock @req:MQSO-6.1.6.5-01 @req:MQSO-5.1.1.2-26 @req:MQSO-5.1.1-03
    Scenario: All that can be asked for comes from afar
      When machine laptop sends m1 to orders at office, recoverable, asking for everything
      And 6 hours pass everywhere
      And machine shop sends m2 to orders at office, recoverable, asking for everything, in answer to m1
      And 6 hours pass everywhere
      And machine office receives 2 messages from orders
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @req:MQSO-6.1.6.5-01 @req:MQSO-5.1.1.2-26 @req:MQSO-5.1.1-03
    Scenario: A transaction that sends afar may ask for everything
      When machine laptop sends m1 to safe at office in a transaction, asking for everything
      And machine laptop sends m2 to safe at office in a transaction, asking for everything, in answer to m1
      And 6 hours pass everywhere
      And machine office receives 2 messages from safe in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:clock @req:MQSO-5.1.1.2-07 @req:MQSO-6.1.6.5-02
    Scenario: What another machine has no room for is told
      When machine laptop sends m1 and m2 to small at office, recoverable, asking for everything
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:clock @req:MQSO-3.3.4.5-04 @req:MQSO-6.1.6.5-02
    Scenario: What another machine has no queue for is told
      When machine laptop sends m1 to nowhere at office, recoverable, asking for everything
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @needs:restart @req:MQSO-6.1.6.5-01 @req:MQSO-5.5.1-07 @req:MQSO-5.5.1-03
    Scenario: Reports on their way outlive a restart as their messages do
      When machine laptop sends m1 to safe at office in a transaction, asking for everything
      And 6 hours pass everywhere
      And the network between laptop and office fails
      And machine office receives a message from safe in a transaction
      And queue manager office is restarted
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @req:MQSO-5.1.1.2-17 @req:MQSO-5.1.1.2-12 @req:MQSO-5.1.1.2-14
    Scenario Outline: What waits for a queue elsewhere is none of an own queue of that name
      When laptop creates transactional queue safe at laptop
      And the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction
      And laptop <ends> safe at laptop
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then safe at office holds m1

      Examples:
        | case    | ends    |
        | purge   | purges  |
        | deleted | deletes |

    @needs:transactions @needs:clock @req:MQSO-5.1.1.3-04 @req:MQSO-5.1.1.3-05
    Scenario: Timers that outages do not stop
      When the network between laptop and office fails
      And machine laptop sends m1 to safe at office in a transaction, to be received within 30000 seconds
      And machine laptop sends m2 to safe at office in a transaction, to reach it within 6000000 seconds
      And 6 hours pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      And the network between laptop and office fails
      And machine laptop sends m3 to safe at office in a transaction, to reach it within 6000000 seconds
      And 1250 hours pass everywhere
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

  Rule: Receives from afar

    @needs:remote-read @needs:clock @req:MQSO-5.2.1.2.3-01 @req:MQSO-3.3.4.6-02 @req:MQSO-5.1.1.3-12 @req:MQSO-5.1.1.2-08
    Scenario: A look and a wait from afar
      When machine office sends m1 and m2 to orders
      And machine laptop looks at orders at office
      And machine laptop receives a message from orders at office
      And machine laptop looks at orders at office
      And machine shop receives a message from orders at office
      And machine laptop waits 60 seconds for orders at office
      And machine office sends m3 and m4 to orders
      And 70 seconds pass everywhere
      Then the specification explains what all machines hold

  Rule: Several messages wait for each queue

    @needs:transactions @needs:clock @needs:offline
    @req:MQSO-3.2.1-04 @req:MQSO-3.3.4.3-09 @req:MQSO-5.1.1.2-24 @req:MQSO-5.5.2-02
    Scenario Outline: Several messages wait until nothing hinders them
      When <begins>
      And machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And machine laptop sends m4 and m5 to vault at office in a transaction
      And machine laptop sends m6 to safe at office in a transaction
      And 6 hours pass everywhere
      And <ends>
      And machine laptop sends m7 to safe at office in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case    | begins                                      | ends                                          |
        | outage  | the network between laptop and office fails | the network between laptop and office is back |
        | pause   | laptop pauses what waits for safe at office | laptop resumes what waits for safe at office  |
        | offline | office is taken offline                     | office is brought online                      |

    @needs:transactions @needs:clock @needs:restart
    @req:MQSO-3.2.1-04 @req:MQSO-3.3.4.3-09 @req:MQSO-5.5.2-02
    Scenario Outline: Several messages wait until their destination runs
      When <begins>
      And machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And machine laptop sends m4 and m5 to vault at office in a transaction
      And machine laptop sends m6 to safe at office in a transaction
      And 6 hours pass everywhere
      And <ends>
      And machine laptop sends m7 to safe at office in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case  | begins                       | ends                              |
        | crash | queue manager office crashes | queue manager office starts       |
        | stop  | queue manager office stops   | queue manager office starts       |

    @needs:transactions @needs:clock @needs:throttling @needs:store-faults
    @req:MQSO-3.2.1-04 @req:MQSO-3.3.4.3-09 @req:MQSO-5.5.2-02
    Scenario Outline: Several messages wait until their destination can take them
      When <begins>
      And machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And machine laptop sends m4 and m5 to vault at office in a transaction
      And machine laptop sends m6 to safe at office in a transaction
      And 6 hours pass everywhere
      And <ends>
      And machine laptop sends m7 to safe at office in a transaction
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case       | begins                      | ends                               |
        | throttling | office begins to throttle   | office ends throttling             |
        | full       | the store of office is full | the store of office has room again |

    @needs:transactions @needs:clock @needs:offline
    @req:MQSO-5.1.1.2-23 @req:MQSO-5.1.1.1-14 @req:MQSO-5.1.1.2-22 @req:MQSO-3.2.1-04
    Scenario Outline: What hinders messages goes on whatever else is done
      When machine office sends m1 to vault in a transaction
      And <begins>
      And machine laptop sends m2 to safe at office in a transaction
      And machine laptop sends m3 to acks, recoverable
      And office begins transaction t1
      And machine office receives 2 messages from vault in t1
      And machine office receives a message from safe in t1
      And office commits t1
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And <ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case    | begins                                      | ends                                          |
        | outage  | the network between laptop and office fails | the network between laptop and office is back |
        | pause   | laptop pauses what waits for safe at office | laptop resumes what waits for safe at office  |
        | offline | office is taken offline                     | office is brought online                      |

    @needs:transactions @needs:clock @needs:throttling @needs:store-faults
    @req:MQSO-5.1.1.1-11 @req:MQSO-5.5.5-01 @req:MQSO-3.2.1-04
    Scenario Outline: A destination that can take nothing takes nothing whatever else it does
      When machine office sends m1 to vault in a transaction
      And <begins>
      And machine laptop sends m2 to safe at office in a transaction
      And machine laptop sends m3 to acks, recoverable
      And office begins transaction t1
      And machine office receives 2 messages from vault in t1
      And machine office receives a message from safe in t1
      And office commits t1
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And <ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case       | begins                      | ends                               |
        | throttling | office begins to throttle   | office ends throttling             |
        | full       | the store of office is full | the store of office has room again |

    @needs:transactions @needs:clock @needs:offline
    @req:MQSO-5.1.1.2-23 @req:MQSO-5.1.1.1-14 @req:MQSO-5.5.2-01 @req:MQSO-3.2.1-04
    Scenario Outline: Of two things that hinder messages one ends
      When <first>
      And <second>
      And machine laptop sends m1 and m2 to safe at office in a transaction
      And <first ends>
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And <second ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case           | first                                       | second                                      | first ends                                    | second ends                                   |
        | outage-pause   | the network between laptop and office fails | laptop pauses what waits for safe at office | the network between laptop and office is back | laptop resumes what waits for safe at office  |
        | pause-outage   | laptop pauses what waits for safe at office | the network between laptop and office fails | laptop resumes what waits for safe at office  | the network between laptop and office is back |
        | outage-offline | the network between laptop and office fails | office is taken offline                     | the network between laptop and office is back | office is brought online                      |
        | offline-outage | office is taken offline                     | the network between laptop and office fails | office is brought online                      | the network between laptop and office is back |
        | pause-offline  | laptop pauses what waits for safe at office | office is taken offline                     | laptop resumes what waits for safe at office  | office is brought online                      |
        | offline-pause  | office is taken offline                     | laptop pauses what waits for safe at office | office is brought online                      | laptop resumes what waits for safe at office  |

    @needs:transactions @needs:clock @needs:throttling @needs:store-faults
    @req:MQSO-5.1.1.1-11 @req:MQSO-5.5.5-01 @req:MQSO-5.5.2-01 @req:MQSO-3.2.1-04
    Scenario Outline: Of two things that hinder a destination or the way to it one ends
      When <first>
      And <second>
      And machine laptop sends m1 and m2 to safe at office in a transaction
      And <first ends>
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And <second ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case              | first                                       | second                                      | first ends                                    | second ends                                   |
        | outage-throttling | the network between laptop and office fails | office begins to throttle                   | the network between laptop and office is back | office ends throttling                        |
        | throttling-outage | office begins to throttle                   | the network between laptop and office fails | office ends throttling                        | the network between laptop and office is back |
        | throttling-full   | office begins to throttle                   | the store of office is full                 | office ends throttling                        | the store of office has room again            |
        | full-throttling   | the store of office is full                 | office begins to throttle                   | the store of office has room again            | office ends throttling                        |
        | outage-full       | the network between laptop and office fails | the store of office is full                 | the network between laptop and office is back | the store of office has room again            |
        | full-outage       | the store of office is full                 | the network between laptop and office fails | the store of office has room again            | the network between laptop and office is back |

    @needs:transactions @needs:clock @needs:offline
    @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-05 @req:MQSO-3.2.1-04
    Scenario Outline: What a transaction has not committed stays back when nothing hinders it
      When <begins>
      And laptop begins transaction t1
      And machine laptop sends m1 to safe at office in t1
      And machine laptop sends m2 to vault at office in a transaction
      And <ends>
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And laptop aborts t1
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case    | begins                                      | ends                                          |
        | outage  | the network between laptop and office fails | the network between laptop and office is back |
        | pause   | laptop pauses what waits for safe at office | laptop resumes what waits for safe at office  |
        | offline | office is taken offline                     | office is brought online                      |

    @needs:transactions @needs:clock @needs:throttling @needs:store-faults
    @req:MQSO-3.3.4.4-01 @req:MQSO-3.3.4.4-02 @req:MQSO-4.3.1.2-05 @req:MQSO-3.2.1-04
    Scenario Outline: What a transaction has not committed stays back when its destination can take it
      When <begins>
      And laptop begins transaction t1
      And machine laptop sends m1 to safe at office in t1
      And machine laptop sends m2 to vault at office in a transaction
      And <ends>
      And machine office receives a message from safe in a transaction
      And 6 hours pass everywhere
      And machine office receives a message from safe in a transaction
      And laptop aborts t1
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case       | begins                      | ends                               |
        | throttling | office begins to throttle   | office ends throttling             |
        | full       | the store of office is full | the store of office has room again |

    @needs:transactions @needs:clock @needs:restart
    @req:MQSO-3.2.1-04 @req:MQSO-3.3.4.3-09 @req:MQSO-5.5.2-02 @req:MQSO-5.5.1-02
    Scenario Outline: Several messages wait over a restart of their sender
      When the network between laptop and office fails
      And machine laptop sends m1, m2 and m3 to safe at office in a transaction
      And machine laptop sends m4 and m5 to vault at office in a transaction
      And machine laptop sends m6 to safe at office in a transaction
      And laptop begins transaction t1
      And machine laptop sends m7 to vault at office in t1
      And queue manager laptop is <restarted>
      And machine laptop sends m8 to safe at office in a transaction
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case  | restarted               |
        | stop  | restarted               |
        | crash | restarted after a crash |

    @needs:transactions @needs:clock @needs:restart @needs:offline
    @req:MQSO-5.1.1.1-14 @req:MQSO-5.5.2-01 @req:MQSO-3.2.1-04 @req:MQSO-5.5.1-02
    Scenario Outline: What hinders messages goes on over an abort and a restart of their sender
      When <begins>
      And machine laptop sends m1 to safe at office in a transaction
      And laptop begins transaction t1
      And machine laptop sends m2 to safe at office in t1
      And laptop aborts t1
      And machine office receives a message from safe in a transaction
      And queue manager laptop is restarted after a crash
      And machine office receives a message from safe in a transaction
      And <ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case    | begins                                      | ends                                          |
        | outage  | the network between laptop and office fails | the network between laptop and office is back |
        | offline | office is taken offline                     | office is brought online                      |

    @needs:transactions @needs:clock @needs:restart @needs:throttling @needs:store-faults
    @req:MQSO-5.1.1.1-11 @req:MQSO-5.5.5-01 @req:MQSO-3.2.1-04
    Scenario Outline: A destination takes nothing over an abort and a restart of its sender
      When <begins>
      And machine laptop sends m1 to safe at office in a transaction
      And laptop begins transaction t1
      And machine laptop sends m2 to safe at office in t1
      And laptop aborts t1
      And machine office receives a message from safe in a transaction
      And queue manager laptop is restarted after a crash
      And machine office receives a message from safe in a transaction
      And <ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case       | begins                      | ends                               |
        | throttling | office begins to throttle   | office ends throttling             |
        | full       | the store of office is full | the store of office has room again |

  Rule: Receives from afar beside transactions

    @needs:transactions @needs:external-transactions @needs:remote-read @needs:clock
    @req:MQSO-5.2.1.2.3-01 @req:MQSO-6.1.2.5-02 @req:MQSO-3.3.4.7-04 @req:MQSO-3.3.4.4-01
    Scenario Outline: A receive from another machine gets nothing of what transactions there have
      When machine office sends m1 and m2 to safe in a transaction
      And office begins transaction t1
      And machine office receives a message from safe in t1
      And machine office sends m3 to safe in t1
      And machine laptop looks at safe at office
      And laptop begins external transaction t2
      And machine laptop receives 2 messages from safe at office in t2
      And machine shop looks at safe at office
      And office <ends> t1
      And machine shop looks at safe at office
      And laptop aborts t2
      And 4 seconds pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case   | ends    |
        | commit | commits |
        | abort  | aborts  |

  Rule: Reports

    @needs:transactions @needs:clock @needs:offline @req:MQSO-6.1.6.5-01 @req:MQSO-5.5.2-01 @req:MQSO-3.2.1-04
    Scenario Outline: Reports wait as messages do
      When machine laptop sends m1 to safe at office in a transaction, asking for acknowledgment of its receive at acks
      And machine laptop sends m2 to orders at office, recoverable, asking for acknowledgment of its receive at acks
      And 6 hours pass everywhere
      And <begins>
      And machine office receives a message from safe in a transaction
      And machine office receives a message from orders
      And 6 hours pass everywhere
      And <ends>
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

      Examples:
        | case    | begins                                      | ends                                          |
        | outage  | the network between laptop and office fails | the network between laptop and office is back |
        | offline | laptop is taken offline                     | laptop is brought online                      |

    @needs:clock @needs:offline @req:MQSO-6.1.6.5-01 @req:MQSO-5.5.2-02
    Scenario: What an offline queue manager has to tell is told when it is online
      When machine laptop sends m1 to orders at office, recoverable, asking for acknowledgment of its receive at acks
      And machine laptop sends m2 to orders at office, recoverable, to be received within 28800 seconds, asking for acknowledgment of its failure at acks
      And 6 hours pass everywhere
      And office is taken offline
      And machine office receives a message from orders
      And 6 hours pass everywhere
      And office is brought online
      And 6 hours pass everywhere
      Then the specification explains what all machines hold

    @needs:transactions @needs:clock @needs:restart @req:MQSO-6.1.6.5-01 @req:MQSO-3.2.1-04
    Scenario: Reports wait until their queue manager runs again
      When machine laptop sends m1 to safe at office in a transaction, asking for acknowledgment of its receive at acks
      And machine laptop sends m2 to orders at office, recoverable, asking for acknowledgment of its receive at acks
      And 6 hours pass everywhere
      And queue manager laptop stops
      And machine office receives a message from safe in a transaction
      And machine office receives a message from orders
      And 6 hours pass everywhere
      And queue manager laptop starts
      And 6 hours pass everywhere
      Then the specification explains what all machines hold
