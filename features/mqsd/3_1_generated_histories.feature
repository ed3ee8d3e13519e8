@role:discovery_client @needs:virtual-clock
Feature: Generated histories of a discovery client (MS-MQSD 3.1)
  Events in any order, replies of any kind on any network, and waits to the tenth of a second: whatever happens, one
  permitted combination of readings has to explain all that the client does.

  @req:MQSD-3.1.5.2-04 @req:MQSD-3.1.5.2-14 @req:MQSD-3.1.5.2-21 @req:MQSD-3.1.5.2-28 @req:MQSD-3.1.6.1-02
  Scenario: Whatever happens, the client does what the text allows
    When generated histories are played to it
    Then the specification allows each of them
