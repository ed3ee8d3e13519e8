@role:discovery_server
Feature: Transport of discovery messages (MS-MQSD 2.1, 3.2.3)
  Discovery is connectionless. The text names TCP and SPX ports for it; the register reads them as the UDP port
  and the IPX socket of the same numbers (SD-01), and a port is configuration (SD-02).

  @req:MQSD-2.1-01 @req:MQSD-2.2-01 @needs:udp
  Scenario: A datagram is answered by a datagram
    Given a discovery server that listens on UDP
    When clients of the server's own site and of another site send topology requests
    Then the server is heard on its port
    And one datagram holds the reply

  @req:MQSD-2.1-04 @req:MQSD-3.2.3-01 @needs:udp
  Scenario: The server listens on the port it is configured with
    Given a discovery server that listens on UDP
    When clients of the server's own site and of another site send topology requests
    Then the server is heard on its port
    And the reply comes from the host that was asked

  @req:MQSD-3.2.5.1-15 @req:MQSD-2.1-03 @needs:udp
  Scenario: Each of two clients gets the reply to its own request
    Given a discovery server that listens on UDP
    When two clients on ports of their own send topology requests in turn
    Then each client gets the replies to its own requests
