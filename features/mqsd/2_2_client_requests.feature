@role:discovery_client @needs:clock
Feature: Requests of a discovery client (MS-MQSD 2, 2.1, 2.2.1, 2.2.2)

  Rule: Form of a request over IP

    Background:
      Given a client of enterprise 00112233-4455-6677-8899-aabbccddeeff and site e6eaba60-d1c6-11db-baac-0003ff4e2d22 on networks 1 and 2
      When the client starts discovery
      And 17 seconds pass

    @req:MQSD-2.1-01 @req:MQSD-2.2-01 @req:MQSD-3.1.5.1-05
    Scenario: A request is one datagram, broadcast without any exchange before it
      Then datagrams are seen on the networks themselves
      And requests go out on networks 1 and 2, and on no other
      And the specification allows every step

    @req:MQSD-2.2.1-01 @req:MQSD-2.2.2-01 @req:MQSD-2.2.2-02
    Scenario: A request starts with the packet header
      Then each request has Version 0
      And each request has Type 1
      And each request has Reserved 0

    @req:MQSD-2.2.2-09 @req:MQSD-2.2.2-12
    Scenario: A request over IP has no IPX fields
      Then each request is one datagram of 52 octets
      And the specification allows every step

    @req:MQSD-2.2.1-02 @req:MQSD-2.2.1-03
    Scenario: Version is zero
      Then each request has Version 0
      And the specification allows every step

    @req:MQSD-2.2.1-05 @req:MQSD-2.2.1-06
    Scenario: Type is 1
      Then each request has Type 1
      And the specification allows every step

    @req:MQSD-2.2.1-08 @req:MQSD-2.2.1-09
    Scenario: Reserved is zero
      Then each request has Reserved 0
      And the specification allows every step

    @req:MQSD-2-01 @req:MQSD-2.2.2-03 @req:MQSD-3.1.3-01 @req:MQSD-3.1.5.1-04
    Scenario: EnterpriseID is the client's, as a GUID packet
      Then each request has EnterpriseID 00112233-4455-6677-8899-aabbccddeeff
      And the specification allows every step

    @req:MQSD-2.2.2-06 @req:MQSD-3.1.5.1-04
    Scenario: SiteID is the client's
      Then each request has SiteID e6eaba60-d1c6-11db-baac-0003ff4e2d22
      And the specification allows every step

  @req:MQSD-2.2.2-04 @req:MQSD-3.1.4.1-07
  Scenario: Each event has a RequestID of its own
    Given a client on networks 1 and 2
    When the client starts discovery
    And 33 seconds pass
    And the client starts discovery again
    And 33 seconds pass
    Then no RequestID is used by two events
    And the specification allows every step

  @needs:virtual-clock
  @req:MQSD-2.2.2-04 @req:MQSD-3.1.4.1-07
  Scenario: A client that starts afresh repeats no RequestID
    Given a client on networks 1 and 2
    When the client starts discovery
    And 33 seconds pass
    And the client is started afresh on networks 3 and 4
    And the client starts discovery
    And 33 seconds pass
    Then no RequestID of an earlier start comes again

  @needs:ipx-client
  @req:MQSD-2.2.2-07 @req:MQSD-2.2.2-08 @req:MQSD-2.2.2-10 @req:MQSD-2.2.2-11 @req:MQSD-2.2.2-13
  Scenario: A request over IPX lists the IPX networks
    Given a client on an IPX network
    When the client starts discovery
    Then the specification allows every step
