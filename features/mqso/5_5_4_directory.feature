@role:queue_manager @needs:several-machines @needs:directory @needs:virtual-clock
Feature: Loss and return of the directory (5.5.4, 5.1.1.1)

  A queue manager meets the loss when it asks the directory for something, so that each scenario has it do so. When it
  meets that the directory is back is its own affair; after six hours it has.

  Background:
    Given queue managers with a directory and the queues
      | machine | mode       | queue  | kind    |
      | laptop  | integrated | notes  | private |
      | office  | integrated | orders | public  |
      | office  | integrated | acks   | private |
      | shop    | workgroup  | offers | private |

  Rule: The directory is lost while the queue manager runs

    @req:MQSO-5.1.1.1-16 @req:MQSO-5.5.4-09
    Scenario: What is sent without directory is taken on and arrives once it is back
      When machine laptop sends m1 to public queue orders at office
      And 6 hours pass everywhere
      And the directory is lost for laptop
      And laptop looks for orders in the directory
      And machine laptop sends m2 to public queue orders at office, recoverable
      And the directory is back for laptop
      And 6 hours pass everywhere
      Then the send of laptop succeeded
      And orders at office holds m1 and m2, or m2 and m1 where the way was not kept in order

    @req:MQSO-5.1.1.1-17
    Scenario: What is sent by public names waits while the directory is lost
      When machine laptop sends m1 to public queue orders at office
      And 6 hours pass everywhere
      And the directory is lost for laptop
      And laptop looks for orders in the directory
      And machine laptop sends m2 to public queue orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds m1

    @req:MQSO-5.1.1.1-17
    Scenario: What waited for the network waits for the directory as well
      When the network between laptop and office fails
      And machine laptop sends m1 to public queue orders at office, recoverable
      And the directory is lost for laptop
      And laptop looks for orders in the directory
      And the network between laptop and office is back
      And 6 hours pass everywhere
      Then orders at office holds nothing

    @req:MQSO-5.5.4-07 @req:MQSO-5.5.4-01
    Scenario: Nothing is found without directory
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      Then the look of laptop failed

    @req:MQSO-5.5.4-07 @req:MQSO-3.3.4.1-06
    Scenario: No public queue is created without directory
      When the directory is lost for laptop
      And laptop creates public queue stock at laptop
      And the directory is back for laptop
      And 6 hours pass everywhere
      And office looks for stock in the directory
      Then the creation of laptop failed
      And office did not find stock at laptop

    @req:MQSO-5.5.4-07 @req:MQSO-3.3.4.1-06
    Scenario: What cannot be changed without directory is as before
      When the directory is lost for office
      And office gives public queue orders at office room for 1 messages
      And the directory is back for office
      And 6 hours pass everywhere
      And machine office sends m1 and m2 to orders
      Then the change of office failed
      And orders at office holds m1 and m2

    @needs:management
    @req:MQSO-5.5.4-06 @req:MQSO-5.1.1.1-15
    Scenario: A queue manager that has met the loss says so
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And an administrator asks laptop for its state
      Then laptop is shown without directory

    @req:MQSO-5.5.4-08 @req:MQSO-4.3.3-03
    Scenario: Queues of its own are created and used without directory
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And laptop creates private queue drafts
      And machine laptop sends m1 to drafts
      And machine laptop sends m2 to notes
      Then the creation of laptop succeeded
      And drafts at laptop holds m1
      And notes at laptop holds m2

    @req:MQSO-5.5.4-08 @req:MQSO-4.3.3-03
    Scenario: Messages of others with direct names arrive without directory
      When the directory is lost for office
      And office looks for orders in the directory
      And machine shop sends m1 to acks at office, recoverable
      And 6 hours pass everywhere
      Then acks at office holds m1

    @req:MQSO-5.5.4-08 @req:MQSO-5.1.1.1-16
    Scenario: A send with a direct name is taken on without directory
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And machine laptop sends m1 to acks at office, recoverable
      And the directory is back for laptop
      And 6 hours pass everywhere
      Then the send of laptop succeeded
      And acks at office holds m1

    @req:MQSO-5.1.1.1-17 @req:MQSO-5.5.4-08
    Scenario: Whether messages with direct names wait without directory is left open
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And machine laptop sends m1 to acks at office, recoverable
      And 6 hours pass everywhere
      Then acks at office holds nothing, or m1 where direct names need no directory

    @req:MQSO-5.1.1.1-17
    Scenario: Until it has met the loss a queue manager may transfer messages
      When machine laptop sends m1 to public queue orders at office
      And 6 hours pass everywhere
      And the directory is lost for laptop
      And machine laptop sends m2 to public queue orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds m1, or m1 and m2 where the loss was not met

    @req:MQSO-5.5.4-09
    Scenario: Once the directory is back all works by itself
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And the directory is back for laptop
      And 6 hours pass everywhere
      And laptop looks for orders in the directory
      And laptop creates public queue stock at laptop
      Then laptop found orders at office
      And the creation of laptop succeeded

    @needs:management
    @req:MQSO-5.5.4-09
    Scenario: Once the directory is back the queue manager says so
      When the directory is lost for laptop
      And laptop looks for orders in the directory
      And the directory is back for laptop
      And 6 hours pass everywhere
      And an administrator asks laptop for its state
      Then laptop is shown with directory

  @needs:restart
  Rule: The directory is lost when the queue manager starts

    @needs:management
    @req:MQSO-5.5.4-02 @req:MQSO-4.3.1.3-01 @req:MQSO-5.5.4-01
    Scenario: A start without directory leads to Workgroup mode
      When queue manager laptop stops
      And the directory is lost for laptop
      And queue manager laptop starts
      And an administrator asks laptop for its state
      Then laptop is shown in workgroup mode

    @req:MQSO-5.5.4-03 @req:MQSO-4.3.3-03
    Scenario: After a start without directory private queues and direct names work
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And laptop creates private queue drafts
      And machine laptop sends m1 to drafts
      And machine laptop sends m2 to acks at office, recoverable
      And 6 hours pass everywhere
      Then drafts at laptop holds m1
      And acks at office holds m2

    @req:MQSO-5.5.4-04
    Scenario: After a start without directory nothing is found and no public queue created
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And laptop looks for orders in the directory
      And laptop creates public queue stock at laptop
      Then the look of laptop failed
      And the creation of laptop failed

    @req:MQSO-5.5.4-04 @req:MQSO-4.3.1.3-02
    Scenario: After a start without directory nothing is sent by public names
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And machine laptop sends m1 to public queue orders at office, recoverable
      And 6 hours pass everywhere
      Then the send of laptop failed
      And orders at office holds nothing

    @req:MQSO-5.5.4-05
    Scenario: A directory that comes back later changes nothing until the next start
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And the directory is back for laptop
      And 6 hours pass everywhere
      And laptop looks for orders in the directory
      And laptop creates public queue stock at laptop
      Then the look of laptop failed
      And the creation of laptop failed

    @req:MQSO-5.5.4-05
    Scenario: The next start with the directory brings Directory-Integrated mode back
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And the directory is back for laptop
      And queue manager laptop is restarted
      And laptop looks for orders in the directory
      Then laptop found orders at office

    @needs:management
    @req:MQSO-5.5.4-05
    Scenario Outline: The mode after the directory has come back
      When the directory is lost for laptop
      And queue manager laptop is restarted
      And the directory is back for laptop
      And <more>
      And an administrator asks laptop for its state
      Then laptop is shown <mode>

      Examples:
        | case      | more                              | mode              |
        | waits     | 6 hours pass everywhere           | in workgroup mode |
        | restarted | queue manager laptop is restarted | integrated        |

    @req:MQSO-5.5.1-07
    Scenario: What is in a public queue outlives a time without directory
      When machine office sends m1 to orders, recoverable
      And the directory is lost for office
      And queue manager office is restarted
      And the directory is back for office
      And queue manager office is restarted
      Then orders at office holds m1

    @req:MQSO-5.5.1-05
    Scenario: What waits for a public name outlives a time without directory
      When machine laptop sends m1 to public queue orders at office
      And 6 hours pass everywhere
      And the directory is lost for laptop
      And laptop looks for orders in the directory
      And machine laptop sends m2 to public queue orders at office, recoverable
      And queue manager laptop is restarted
      And the directory is back for laptop
      And queue manager laptop is restarted
      And 6 hours pass everywhere
      Then orders at office holds m1 and m2, or m2 and m1 where the way was not kept in order

  Rule: A queue manager in Workgroup mode among others (1.1, 4.3.1.3)

    @req:MQSO-1.1-06 @req:MQSO-4.3.1.3-02
    Scenario: It finds no public queue and creates none
      When shop looks for orders in the directory
      And shop creates public queue stock at shop
      Then shop did not find orders at office
      And the creation of shop failed

    @req:MQSO-4.3.3-03 @req:MQSO-5.1.1.2-04
    Scenario: It sends to a public queue by its direct name as to a private one
      When machine shop sends m1 to orders at office, recoverable
      And 6 hours pass everywhere
      Then orders at office holds m1
