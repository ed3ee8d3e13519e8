@role:discovery_server
Feature: Syntax of the messages a discovery server reads and writes (MS-MQSD 2.2)

  Rule: TopologyPacketHeader (2.2.1)

    @req:MQSD-2.2.3-01 @req:MQSD-2.2.3-02 @req:MQSD-2.2.1-01 @req:MQSD-2.2.1-02 @req:MQSD-2.2.1-08
    Scenario Outline: A reply begins with the header
      Given a discovery server
      When a client of <whose> site sends a topology request
      Then the reply begins with the header

      Examples:
        | case         | whose            |
        | own-site     | the server's own |
        | another-site | another          |

    @req:MQSD-2.2.3-04 @req:MQSD-2.2.3-07 @req:MQSD-2.2.3-10
    Scenario: A reply has its fixed fields
      Given a discovery server
      When a client of another site sends a topology request
      Then the reply is long enough for the header and the fixed fields

    @req:MQSD-2.2.1-07 @req:MQSD-2.2.1-05
    Scenario Outline: A reply is of Type 2
      Given a discovery server
      When a client of <whose> site sends a topology request
      Then the reply's Type is 2

      Examples:
        | case         | whose            |
        | own-site     | the server's own |
        | another-site | another          |

    @req:MQSD-2.2.1-04
    Scenario Outline: The Version of a request is ignored
      Given a discovery server
      When a topology request with Version <version> arrives
      Then the reply is the one a request with Version 0 gets

      Examples:
        | case        | version |
        | one         | 1       |
        | two         | 2       |
        | low-bits    | 127     |
        | highest-bit | 128     |
        | all-bits    | 255     |

    @req:MQSD-2.2.1-10
    Scenario Outline: The Reserved field of a request is ignored
      Given a discovery server
      When a topology request with Reserved <reserved> arrives
      Then the reply is the one a request with Reserved 0 gets

      Examples:
        | case         | reserved |
        | first-octet  | 1        |
        | second-octet | 256      |
        | both-octets  | 65535    |

    @req:MQSD-2.2.1-05
    Scenario: A header with Type 1 announces a request
      Given a discovery server
      When clients of the server's own site and of another site send topology requests
      Then the server takes it for a request

    @req:MQSD-2.2.1-05
    Scenario Outline: A header with another Type announces no request
      Given a discovery server
      When a topology request with Type <type> arrives
      Then the server treats it as no request
      And the server still answers

      Examples:
        | case    | type |
        | zero    | 0    |
        | reply   | 2    |
        | three   | 3    |
        | highest | 255  |

  Rule: CorrelationID (2.2.2, 2.2.3)

    @req:MQSD-2.2.3-03 @req:MQSD-2.2.2-05
    Scenario Outline: The CorrelationID repeats the octets of the RequestID
      Given a discovery server
      When a topology request with RequestID <octets> arrives
      Then the CorrelationID repeats the RequestID

      Examples:
        | case         | octets                           |
        | rising       | 000102030405060708090a0b0c0d0e0f |
        | example      | 03a191f23ce34faba930be3a33e432dd |
        | all-zero     | 00000000000000000000000000000000 |
        | all-one      | ffffffffffffffffffffffffffffffff |
        | highest-bits | 80808080808080808080808080808080 |

  Rule: Connected networks (2.2.3)

    @req:MQSD-2.2.3-04 @req:MQSD-2.2.3-05 @req:MQSD-2.2.3-15
    Scenario Outline: The count is the number of identifiers that follow
      Given a discovery server with <n> connected networks
      When a client of the server's own site sends a topology request
      Then ConnectedNetworkCount has its low octet first
      And ConnectedNetworkCount is the number of connected networks
      And ConnectedNetworkArray is as long as the count says

      Examples:
        | case    | n       |
        | one     | 1       |
        | two     | 2       |
        | most    | 32      |
        | several | several |

    @req:MQSD-2.2.3-06
    Scenario Outline: The count lies between 1 and 32
      Given a discovery server with <n> connected networks
      When a client of another site sends a topology request
      Then ConnectedNetworkCount lies between 1 and 32

      Examples:
        | case    | n       |
        | lowest  | 1       |
        | middle  | 17      |
        | most    | 32      |
        | several | several |

    @req:MQSD-2.2.3-06
    Scenario Outline: A list that no count can express leaves the choice to the server
      Given a discovery server with <n> connected networks
      When a client of another site sends a topology request
      Then the server does one of the things that <entry> allows

      Examples:
        | case     | n   | entry |
        | none     | 0   | SD-21 |
        | one-more | 33  | SD-21 |
        | hundred  | 100 | SD-21 |

    @req:MQSD-2.2.3-14 @req:MQSD-2.2.3-16 @req:MQSD-2-01
    Scenario Outline: The array holds the identifiers as 16 octets in packet order
      Given a discovery server with <n> connected networks
      When a client of another site sends a topology request
      Then ConnectedNetworkArray holds the server's connected networks
      And ConnectedNetworkArray holds its identifiers in packet order

      Examples:
        | case    | n       |
        | one     | 1       |
        | five    | 5       |
        | most    | 32      |
        | several | several |

    @req:MQSD-2.2.3-08 @req:MQSD-2.2.3-07
    Scenario Outline: Over IP the mask is all zeros
      Given a discovery server with <n> connected networks
      When a client of <whose> site sends a topology request
      Then ConnectedNetworkMask is zero

      Examples:
        | case        | n       | whose            |
        | one-own     | 1       | the server's own |
        | one         | 1       | another          |
        | most        | 32      | another          |
        | several-own | several | the server's own |
        | several     | several | another          |

    @req:MQSD-2.2.3-09 @needs:ipx
    Scenario Outline: Over IPX the mask has as many ones as there are networks
      Given a discovery server with <n> connected networks
      When a client of <whose> site sends a topology request over IPX
      Then ConnectedNetworkMask has as many ones as there are networks

      Examples:
        | case    | n  | whose            |
        | one-own | 1  | the server's own |
        | three   | 3  | another          |
        | most    | 32 | another          |

  Rule: Server list (2.2.3)

    @req:MQSD-2.2.3-11 @req:MQSD-2.2.3-10 @req:MQSD-2.2.3-19
    Scenario Outline: The size counts the octets of the array, terminator included
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then DirectoryServiceServerSize has its low octet first
      And DirectoryServiceServerSize counts the octets of the array
      And the array ends the reply

      Examples:
        | case      | names                  |
        | one-short | ["A"]                  |
        | one       | ["nt4pec"]             |
        | three     | ["PSC", "BSC1", "bsc"] |
        | any       | not empty              |

    @req:MQSD-2.2.3-12
    Scenario: The size is zero for the server's own site
      Given a discovery server
      When a client of the server's own site sends a topology request
      Then DirectoryServiceServerSize is zero

    @req:MQSD-2.2.3-13 @req:MQSD-2.2.3-18
    Scenario: Nothing follows the networks for the server's own site
      Given a discovery server
      When a client of the server's own site sends a topology request
      Then neither RespondingSiteID nor DirectoryServiceServerArray is present

    @req:MQSD-2.2.3-17
    Scenario: RespondingSiteID is the server's site
      Given a discovery server
      When a client of another site sends a topology request
      Then RespondingSiteID is the server's site

    @req:MQSD-2.2.3-19 @req:MQSD-2.2.3-20 @req:MQSD-2.2.3-23
    Scenario Outline: The array lists the names as UTF-16, separated by commas
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array is written in UTF-16
      And the array names every directory server

      Examples:
        | case          | names                            |
        | one           | ["nt4pec"]                       |
        | three         | ["PSC", "BSC1", "bsc"]           |
        | digits-only   | ["10", "01", "0node"]            |
        | beyond-latin  | ["\u00e9\u4e2d", "\u05d0\u0639"] |
        | supplementary | ["\ud83d\udce8-server"]          |
        | any           | not empty                        |

    @req:MQSD-2.2.3-21 @req:MQSD-2.2.3-22 @req:MQSD-2.2.3-30 @req:MQSD-2.2.3-31 @req:MQSD-2.2.3-20
    Scenario Outline: Each entry begins with a flag for IP and a flag for IPX, as its server supports them
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then each entry begins with a flag for IP
      And each entry has a flag for IPX behind that
      And the flags say which servers speak IP
      And the flags say which servers speak IPX

      Examples:
        | case  | names                  |
        | one   | ["nt4pec"]             |
        | three | ["PSC", "BSC1", "bsc"] |
        | any   | not empty              |

    @req:MQSD-2.2.3-24 @req:MQSD-2.2.3-25
    Scenario Outline: Names are delimited and hold neither comma nor null
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then no name holds a comma or a null

      Examples:
        | case  | names                  |
        | three | ["PSC", "BSC1", "bsc"] |
        | any   | not empty              |

    @req:MQSD-2.2.3-26 @req:MQSD-2.2.3-27
    Scenario Outline: The array follows the grammar
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array follows the grammar

      Examples:
        | case  | names                                    |
        | one   | ["nt4pec"]                               |
        | two   | ["A", "B"]                               |
        | eight | ["a", "b", "c", "d", "e", "f", "g", "h"] |
        | any   | not empty                                |

    @req:MQSD-2.2.3-28
    Scenario: Support is the digit one, low octet first
      Given a discovery server one of whose servers speaks a protocol
      When a client of another site sends a topology request
      Then support is the digit one

    @req:MQSD-2.2.3-29
    Scenario: Lack of support is the digit zero, low octet first
      Given a discovery server one of whose servers lacks a protocol
      When a client of another site sends a topology request
      Then lack of support is the digit zero

    @req:MQSD-2.2.3-45
    Scenario Outline: An entry has two flags and at least one name character
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then each entry has two flags and a name

      Examples:
        | case  | names           |
        | short | ["A", "nt4pec"] |
        | any   | not empty       |

    @req:MQSD-2.2.3-43 @req:MQSD-2.2.3-46
    Scenario Outline: A comma stands between entries and only there
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then commas stand between the entries and only there

      Examples:
        | case    | names                  |
        | three   | ["PSC", "BSC1", "bsc"] |
        | several | longer than one        |

    @req:MQSD-2.2.3-44
    Scenario Outline: One null ends the list
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then one null ends the array

      Examples:
        | case | names           |
        | one  | ["nt4pec"]      |
        | two  | ["PSC", "BSC1"] |
        | any  | not empty       |

    @req:MQSD-2.2.3-38 @req:MQSD-2.2.3-32 @req:MQSD-2.2.3-34
    Scenario Outline: A low octet below that of a comma makes a character of a name
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array lists the name between as it is

      Examples:
        | case                  | names                                    |
        | lowest                | ["Psc", "a\u0001b", "Bsc1"]              |
        | lowest-and-high-octet | ["Psc", "a\uff01b", "Bsc1"]              |
        | highest               | ["Psc", "a+b", "Bsc1"]                   |
        | high-octet-of-comma   | ["Psc", "a\u2c01b", "a\u2d01b"]         |
        | blank                 | ["Psc", " ", "Bsc1"]                     |

    @req:MQSD-2.2.3-39 @req:MQSD-2.2.3-33 @req:MQSD-2.2.3-35
    Scenario Outline: The low octet of a comma with another high octet is no comma
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array lists the name between as it is

      Examples:
        | case        | names                                    |
        | lowest      | ["Psc", "a\u012cb", "a\u012db"]         |
        | both-octets | ["Psc", "a\u2c2cb", "a\u2d2db"]         |
        | highest     | ["Psc", "a\uff2cb", "a\uff2db"]         |

    @req:MQSD-2.2.3-40 @req:MQSD-2.2.3-36
    Scenario Outline: A low octet above that of a comma makes a character of a name
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array lists the name between as it is

      Examples:
        | case              | names                       |
        | lowest            | ["Psc", "a-b", "Bsc1"]      |
        | highest           | ["Psc", "a\u00ffb", "Bsc1"] |
        | highest-code-unit | ["Psc", "a\uffffb", "Bsc1"] |
        | flag-like         | ["Psc", "0011", "Bsc1"]     |
        | flags-in-front    | ["Psc", "01b", "Bsc1"]      |
        | plain             | not empty                   |

    @req:MQSD-2.2.3-41 @req:MQSD-2.2.3-37
    Scenario Outline: A low octet of zero with a high octet is no null
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array lists the name between as it is

      Examples:
        | case                | names                                    |
        | lowest              | ["Psc", "a\u0100b", "a\u0101b"]         |
        | high-octet-of-comma | ["Psc", "a\u2c00b", "a\u2d01b"]         |
        | highest             | ["Psc", "a\uff00b", "a\uff01b"]         |

    @req:MQSD-2.2.3-42
    Scenario: A plain name is listed as it is
      Given a discovery server whose server list is not empty
      When a client of another site sends a topology request
      Then the array lists the name between as it is

    @req:MQSD-2.2.3-42
    Scenario Outline: A surrogate without its partner is a character like any other
      Given a discovery server whose server list is <names>
      When a client of another site sends a topology request
      Then the array lists the name between as it is

      Examples:
        | case        | names                       |
        | high        | ["Psc", "a\ud801b", "Bsc1"] |
        | low         | ["Psc", "a\udc01b", "Bsc1"] |
        | high-at-end | ["Psc", "a\udbff", "Bsc1"]  |

    @req:MQSD-2.2.3-42 @req:MQSD-2.2.3-11
    Scenario Outline: A name may be of any length from one character
      Given a discovery server one of whose servers has a name of <n> characters
      When a client of another site sends a topology request
      Then the array lists the name between as it is
      And DirectoryServiceServerSize counts the octets of the array

      Examples:
        | case            | n   |
        | shortest        | 1   |
        | netbios-longest | 15  |
        | one-more        | 16  |
        | long            | 255 |
        | longest-tested  | 500 |
