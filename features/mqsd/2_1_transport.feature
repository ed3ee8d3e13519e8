@role:discovery_server
Feature: Transport of discovery messages (MS-MQSD 1.8, 2.1, 3.2.3)
  Discovery is connectionless. The text names TCP and SPX ports for it; the register reads them as the UDP port
  and the IPX socket of the same numbers (SD-01). The number of the port is a MUST, and configuration as well (SD-02):
  that a server listens on the port of the text is seen only where that port is tried.

  @req:MQSD-2.1-01 @req:MQSD-3.2.3-01 @needs:udp
  Scenario: The server listens on the port it is configured with
    Given a discovery server configured to listen on UDP
    When clients of the server's own site and of another site send topology requests
    Then the server is heard on its port

  @req:MQSD-2.2-01 @req:MQSD-3.2.5.1-15 @needs:udp
  Scenario: A datagram is answered by a datagram
    Given a discovery server that listens on UDP
    When clients of the server's own site and of another site send topology requests
    Then the reply comes from the host that was asked
    And one datagram holds the reply

  @req:MQSD-2.1-04 @needs:udp
  Scenario: The server listens on the port of the text
    Given a discovery server that listens on the UDP port of the text
    When clients of the server's own site and of another site send topology requests
    Then the server is heard on its port

  @req:MQSD-3.2.5.1-01 @needs:udp
  Scenario Outline: A reply of long lists that Ethernet carries at once is whole over UDP
    Given a discovery server whose long reply Ethernet carries at once listens on UDP
    When a client of <whose> site sends a topology request
    Then the steps allow the reply

    Examples:
      | case         | whose            |
      | own-site     | the server's own |
      | another-site | another          |

  @req:MQSD-3.2.5.1-01 @needs:udp
  Scenario Outline: A request over UDP gets the reply that the steps make
    Given a discovery server that listens on UDP
    When a client of <whose> site sends a topology request
    Then the steps allow the reply

    Examples:
      | case         | whose            |
      | own-site     | the server's own |
      | another-site | another          |

  @req:MQSD-3.2.5.1-01 @needs:udp
  Scenario Outline: A server that is configured anew answers so over UDP
    Given a discovery server that listens on UDP
    And it gets another site, other networks and other names while it listens
    When a client of <whose> site sends a topology request
    Then the steps allow the reply

    Examples:
      | case         | whose            |
      | own-site     | the server's own |
      | another-site | another          |

  @req:MQSD-3.2.5-02 @needs:udp
  Scenario Outline: A malformed datagram over UDP does not stop the service
    Given a discovery server that listens on UDP
    When a datagram of <n> octets of value <value> arrives
    Then what comes back to a malformed datagram is allowed
    And the server still answers

    Examples:
      | case      | n  | value |
      | empty     | 0  | 0     |
      | one-octet | 1  | 255   |
      | one-short | 51 | 1     |

  @req:MQSD-2.2.1-04 @needs:udp
  Scenario: The Version of a request is ignored over UDP, too
    Given a discovery server that listens on UDP
    When a topology request with Version 1 arrives
    Then the reply is the one a request with Version 0 gets

  @req:MQSD-2.2.1-10 @needs:udp
  Scenario: So are its Reserved octets
    Given a discovery server that listens on UDP
    When a topology request with Reserved 65535 arrives
    Then the reply is the one a request with Reserved 0 gets

  @req:MQSD-2.2-01 @needs:udp
  Scenario: A reply that exceeds what the network carries at once leaves the choice to the server
    Given a discovery server whose reply exceeds what Ethernet carries at once
    When a client of another site asks over UDP
    Then the server does one of the things that SD-07 allows

  @req:MQSD-1.8-01
  Scenario Outline: No octets of a vendor stand behind the last field of a reply
    Given a discovery server
    When a client of <whose> site sends a topology request
    Then nothing stands behind the last field

    Examples:
      | case         | whose            |
      | own-site     | the server's own |
      | another-site | another          |

  @req:MQSD-3.2.5-02 @needs:udp
  Scenario: A burst of requests over UDP is answered request by request
    Given a discovery server that listens on UDP
    When 8 topology requests with distinct ids arrive at once, again where replies are missing
    Then each request of a burst is answered

  @req:MQSD-3.2.5.1-15 @req:MQSD-2.1-03 @needs:udp
  Scenario: Each of two clients gets the reply to its own request
    Given a discovery server that listens on UDP
    When two clients on ports of their own send topology requests in turn
    Then each client gets the replies to its own requests

  @req:MQSD-3.2.5.1-15 @req:MQSD-2.1-03 @needs:udp
  Scenario: Two clients that use one RequestID get a reply each
    Given a discovery server that listens on UDP
    When two clients on ports of their own send topology requests with one RequestID
    Then each client gets the replies to its own requests
