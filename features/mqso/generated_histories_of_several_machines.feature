@role:queue_manager @needs:several-machines @needs:virtual-clock
Feature: Generated histories of several queue managers (3.2.1, 3.3.4.5, 4.3.1.2, 5.5.2)
  Messages between three machines, in transactions and outside, with outages, restarts and all that hinders a transfer, as
  far as an implementation offers them. What no reading explains is made small and saved as a case.

  Background:
    Given queue managers with the queues
      | machine | queue | transactional |
      | laptop  | none  | no            |

  @req:MQSO-3.2.1-04 @req:MQSO-1.1-01 @req:MQSO-3.3.4.3-09 @req:MQSO-3.3.4.5-01 @req:MQSO-5.5.2-02
  Scenario: Whatever hinders it, each message arrives where it should, once and in order
    When generated histories of several machines are played
    Then the specification explains each of them on all machines

  @needs:directory
  @req:MQSO-4.3.1.3-03 @req:MQSO-3.3.4.1-11 @req:MQSO-5.1.1.1-16 @req:MQSO-5.5.4-09 @req:MQSO-6.1.3.5-02 @req:MQSO-3.2.1-04
  Scenario: Whatever becomes of the directory, public queues have what was sent to them and are as they were changed
    When generated histories of a domain are played
    Then the specification explains each of them in the domain
