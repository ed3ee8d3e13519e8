@role:discovery_server
Feature: Discovery server (MS-MQSD 3.2)

  Rule: Listening and answering (3.2.3, 3.2.5)

    @req:MQSD-3.2.5-01
    Scenario Outline: A request is answered with a reply
      Given a discovery server
      When a client of <whose> site sends a topology request
      Then exactly one reply comes back

      Examples:
        | case         | whose            |
        | own-site     | the server's own |
        | another-site | another          |

    @req:MQSD-3.2.5-02
    Scenario Outline: After a reply the server listens again
      Given a discovery server
      When <n> topology requests arrive one after the other
      Then each request is answered

      Examples:
        | case          | n   |
        | three         | 3   |
        | three-hundred | 300 |

    @req:MQSD-3.2.5-02
    Scenario Outline: A burst of requests is answered request by request
      Given a discovery server
      When <n> topology requests with distinct ids arrive at once
      Then each request is answered

      Examples:
        | case  | n  |
        | two   | 2  |
        | eight | 8  |
        | many  | 32 |

    @req:MQSD-3.2.5-01
    Scenario: The same request is answered each time it arrives
      Given a discovery server
      When the same topology request arrives 3 times
      Then each arrival is answered

    @req:MQSD-3.2.5-02
    Scenario Outline: A malformed datagram does not stop the service
      Given a discovery server
      When a malformed datagram arrives: <octets>
      Then what comes back to a malformed datagram is allowed
      And the server still answers

      Examples:
        | case               | octets                                                                 |
        | one-octet          | 00                                                                     |
        | header-only        | 00010000                                                               |
        | type-only-of-reply | 00020000                                                               |
        | text               | 474554202f20485454502f312e310d0a0d0a                                   |
        | one-short-of-id    | 0001000061baeae6c6d1db11baac0003ff4e2d2203a191f23ce34faba930be3a33e432 |

    @req:MQSD-3.2.5-02
    Scenario Outline: A request cut short does not stop the service
      Given a discovery server
      When a topology request of <n> octets arrives
      Then what comes back to a malformed datagram is allowed
      And the server still answers

      Examples:
        | case         | n  |
        | cut-in-id    | 21 |
        | without-site | 36 |
        | two-short    | 50 |
        | one-short    | 51 |

    @req:MQSD-3.2.5-02
    Scenario Outline: An empty or oversized datagram does not stop the service
      Given a discovery server
      When a datagram of <n> octets of value 255 arrives
      Then what comes back to a malformed datagram is allowed
      And the server still answers

      Examples:
        | case     | n     |
        | empty    | 0     |
        | ethernet | 1472  |
        | large    | 9000  |
        | largest  | 65507 |

    @req:MQSD-3.2.5-02
    Scenario: Generated malformed datagrams do not stop the service
      Given a discovery server
      When generated malformed datagrams arrive
      Then none of them stops the service

    @req:MQSD-3.2.5-03 @needs:send-faults
    Scenario: After a network error the server reopens its socket and listens
      Given a discovery server
      When the next send meets a network error
      Then a later request is answered
      And the server has opened another socket
      And the server listens

    @req:MQSD-3.2.5-03 @needs:send-faults
    Scenario: After each of several network errors the server reopens its socket and listens
      Given a discovery server
      When 10 sends meet a network error, each after the server answers again
      Then a later request is answered
      And the server has opened another socket
      And the server listens

    @req:MQSD-3.2.5-03 @req:MQSD-3.2.5.1-13 @needs:send-faults @sequence
    Scenario: After a network error the server knows all that it knew
      Given a discovery server with 13 directory servers
      When the next send meets a network error
      Then a later request is answered
      When a client of another site sends a topology request
      Then the array names every directory server

    @req:MQSD-3.2.5-04 @needs:send-faults
    Scenario: When the socket cannot be opened again the server stops
      Given a discovery server
      When the next send meets a network error and the socket cannot be opened
      Then the server does not listen

  Rule: Receiving a TopologyClientRequest (3.2.5.1)

    @req:MQSD-3.2.5.1-01
    Scenario: The three packets of the examples section
      Given the discovery server of the protocol examples
      When the request of the protocol examples arrives
      Then the reply has the octets of the second example reply

    @req:MQSD-3.2.5.1-01
    Scenario: The first packet pair of the examples section
      Given the local discovery server of the protocol examples
      When the request of the protocol examples arrives
      Then the reply has the octets of the first example reply

    @req:MQSD-3.2.5.1-02
    Scenario Outline: A tail too short for the IPX fields is ignored
      Given a discovery server
      When a topology request of <n> octets arrives
      Then the reply is the one a request without the tail gets

      Examples:
        | case        | n  |
        | no-tail     | 52 |
        | one-octet   | 53 |
        | count-only  | 56 |
        | three-short | 57 |
        | one-short   | 59 |

    @req:MQSD-3.2.5.1-02 @needs:ipx
    Scenario Outline: A request over IPX may be too short for the IPX fields as well
      Given a discovery server
      When a topology request of <n> octets arrives over IPX
      Then the reply is the one a request with IPX fields gets

      Examples:
        | case       | n  |
        | no-tail    | 52 |
        | count-only | 56 |
        | one-short  | 59 |

    @req:MQSD-3.2.5.1-01
    Scenario Outline: IPX fields on an IP request change nothing
      Given a discovery server
      When a topology request with <n> IPX network numbers arrives
      Then the reply is the one a request without the tail gets

      Examples:
        | case | n  |
        | one  | 1  |
        | two  | 2  |
        | most | 32 |

    @req:MQSD-3.2.5-02
    Scenario Outline: An IPX count that does not fit leaves the choice to the server
      Given a discovery server
      When a topology request with IPX count <count> and <n> IPX network numbers arrives
      Then what comes back to a malformed datagram is allowed
      And the server still answers

      Examples:
        | case      | count      | n  |
        | zero      | 0          | 1  |
        | too-many  | 33         | 33 |
        | not-there | 5          | 1  |
        | too-few   | 1          | 5  |
        | huge      | 4294967295 | 1  |

    @req:MQSD-3.2.5.1-04
    Scenario: Replies in a burst carry each its own request's id
      Given a discovery server
      When 16 topology requests with distinct ids arrive at once
      Then the replies carry the ids of their requests

    @req:MQSD-3.2.5.1-05 @req:MQSD-3.2.5.1-06
    Scenario Outline: Every connected network of the server is copied and counted
      Given a discovery server with <n> connected networks
      When a client of <whose> site sends a topology request
      Then ConnectedNetworkArray holds the server's connected networks
      And ConnectedNetworkCount is the number of connected networks

      Examples:
        | case        | n       | whose            |
        | one         | 1       | another          |
        | two-own     | 2       | the server's own |
        | most        | 32      | another          |
        | most-own    | 32      | the server's own |
        | several     | several | another          |
        | several-own | several | the server's own |

    @req:MQSD-3.2.5.1-05 @req:MQSD-3.2.5.1-06
    Scenario: Networks that differ in one octet are networks of their own
      Given a discovery server whose connected networks differ in one octet each
      When a client of another site sends a topology request
      Then ConnectedNetworkArray holds the server's connected networks
      And ConnectedNetworkCount is the number of connected networks

    @req:MQSD-3.2.5.1-07
    Scenario Outline: To a request over IP the mask is zero
      Given a discovery server with <n> connected networks
      When a client of another site sends a topology request
      Then ConnectedNetworkMask is zero

      Examples:
        | case    | n       |
        | one     | 1       |
        | most    | 32      |
        | several | several |

    @req:MQSD-3.2.5.1-07 @needs:ipx
    Scenario: A request over IPX leaves no bits behind for one over IP
      Given a discovery server
      When a client over IPX and then a client over IP send topology requests
      Then ConnectedNetworkMask is zero

    @req:MQSD-3.2.5.1-08 @req:MQSD-3.2.5.1-09 @needs:ipx
    Scenario: A request over IP takes no bits away from one over IPX
      Given a discovery server
      When a client over IP and then a client over IPX send topology requests
      Then ConnectedNetworkMask has as many ones as there are networks

    @req:MQSD-3.2.5.1-08 @req:MQSD-3.2.5.1-09 @needs:ipx
    Scenario Outline: To a request over IPX one bit is set for each network
      Given a discovery server with <n> connected networks
      When a client of another site sends a topology request over IPX
      Then ConnectedNetworkMask has as many ones as there are networks

      Examples:
        | case | n  |
        | one  | 1  |
        | four | 4  |
        | most | 32 |

    @req:MQSD-3.2.5.1-10 @req:MQSD-3.2.5.1-11
    Scenario: A client of the server's own site gets no server list
      Given a discovery server
      When a client of the server's own site sends a topology request
      Then DirectoryServiceServerSize is zero
      And neither RespondingSiteID nor DirectoryServiceServerArray is present

    @req:MQSD-3.2.5.1-12 @req:MQSD-3.2.5.1-13 @req:MQSD-3.2.5.1-14
    Scenario: A client of another site gets the server's site and list
      Given a discovery server
      When a client of another site sends a topology request
      Then RespondingSiteID is the server's site
      And the array names every directory server
      And DirectoryServiceServerSize counts the octets of the array

    @req:MQSD-3.2.5.1-12
    Scenario Outline: A site identifier that is nearly the server's is another site
      Given a discovery server
      When a client of a site that differs in octet <octet> sends a topology request
      Then RespondingSiteID is the server's site

      Examples:
        | case       | octet |
        | first      | 0     |
        | second     | 1     |
        | third      | 2     |
        | fourth     | 3     |
        | fifth      | 4     |
        | sixth      | 5     |
        | seventh    | 6     |
        | eighth     | 7     |
        | ninth      | 8     |
        | tenth      | 9     |
        | eleventh   | 10    |
        | twelfth    | 11    |
        | thirteenth | 12    |
        | fourteenth | 13    |
        | fifteenth  | 14    |
        | last       | 15    |

    @req:MQSD-3.2.5.1-12
    Scenario: A site identifier is compared beyond an octet of zero
      Given a discovery server configured as {"enterprise": "6a0f7a1c-93d5-4c19-8f3f-0b5c8e2d4a01", "site": "00112233-4455-6677-8899-aabbccddeeff", "connected_networks": ["c2a4e6f8-1357-4bdf-9ace-02468ace1357"], "directory_servers": [{"name": "PSC", "ip": true, "ipx": false}]}
      When a client of a site that differs in octet 15 sends a topology request
      Then RespondingSiteID is the server's site

    @req:MQSD-3.2.5.1-12
    Scenario Outline: A server that moves to a site nearly alike answers for that site
      Given a discovery server
      And the server moves to a site that differs in octet <octet>
      When a client of a site that differs in octet <octet> sends a topology request
      Then RespondingSiteID is the server's site

      Examples:
        | case  | octet |
        | first | 0     |
        | last  | 15    |

    @req:MQSD-3.2.5.1-12
    Scenario: A client without a site is a client of another site
      Given a discovery server
      When a client of no site sends a topology request
      Then RespondingSiteID is the server's site

    @req:MQSD-3.2.5.1-13
    Scenario Outline: Every name of the server's list is copied
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array names every directory server

      Examples:
        | case  | names                                    |
        | one   | ["nt4pec"]                               |
        | two   | ["PSC", "BSC1"]                          |
        | eight | ["a", "b", "c", "d", "e", "f", "g", "h"] |
        | any   | not empty                                |
        | in-one-another | ["server-12", "server-1", "12"] |

    @req:MQSD-3.2.5.1-13
    Scenario: A server whose list has become longer names all of it
      Given a discovery server with 2 directory servers
      And a discovery server with 60 directory servers
      When a client of another site sends a topology request
      Then the array names every directory server

    @req:MQSD-3.2.5.1-13
    Scenario Outline: Every name of a long list is copied
      Given a discovery server with <n> directory servers
      When a client of another site sends a topology request
      Then the array names every directory server

      Examples:
        | case        | n   |
        | thirteen    | 13  |
        | thirty-two  | 32  |
        | one-more    | 33  |
        | two-hundred | 200 |

    @req:MQSD-2.2-01 @req:MQSD-3.2.5.1-14
    Scenario: A list of more octets than a signed number of 16 bits can tell
      Given a discovery server with 1500 directory servers
      When a client of another site sends a topology request
      Then the server does one of the things that SD-07 allows
      And DirectoryServiceServerSize counts the octets of the array, where there is a reply

    @req:MQSD-3.2.5.1-13
    Scenario: An empty server list leaves the choice to the server
      Given a discovery server whose server list is []
      When a client of another site sends a topology request
      Then the server does one of the things that SD-24 allows
      And the server still answers

    @req:MQSD-3.2.5-01
    Scenario: A client of another enterprise is answered
      Given a discovery server
      When a client of another enterprise sends a topology request
      Then the server does one of the things that SD-13 allows
      And the server still answers

    @req:MQSD-3.2.5.1-01
    Scenario Outline: An answer to a client of another enterprise is an answer like any other
      Given a discovery server
      When a client of <whose> sends a topology request
      Then a reply, where there is one, is as the steps make it

      Examples:
        | case         | whose                                         |
        | another-site | another enterprise                            |
        | own-site     | another enterprise and the server's own site  |

    @req:MQSD-3.2.5.1-01 @needs:ipx
    Scenario Outline: A request over IPX gets the reply that the steps make
      Given a discovery server
      When a client of <whose> site sends a topology request over IPX
      Then the steps allow the reply

      Examples:
        | case         | whose            |
        | own-site     | the server's own |
        | another-site | another          |

    @req:MQSD-3.2.5.1-01
    Scenario: Generated requests get the reply that the steps make
      Given a discovery server
      When generated topology requests arrive
      Then the steps allow every reply

    @req:MQSD-3.2.5.1-01
    Scenario: Generated configurations get the reply that the steps make
      Given a discovery server
      When generated topology requests arrive at generated configurations
      Then the steps allow every reply
