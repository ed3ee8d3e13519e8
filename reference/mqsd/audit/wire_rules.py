"""What can be wrong with, or open about, one discovery packet over IP, by the octets of it alone (MS-MQSD 2.2).

Only the table of these rules lives here. ``wire_judgement`` applies them readably to one packet, ``bulk_packets`` to
millions; both give the same findings. The numbers stand in files that outlive a release: they are never used again
for something else.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class Direction(IntEnum):
    """Where a packet goes by its ports (MS-MQSD 2.1): what its sender means it to be."""

    EITHER = 0
    """Both ports or none are a server's: Type alone tells."""
    TO_SERVER = 1
    TO_CLIENT = 2


class Message(IntEnum):
    """What a packet was judged as."""

    NONE = 0
    REQUEST = 1
    REPLY = 2


class Rule(IntEnum):
    """Numbers of the rules; ``NONE`` where nothing was found."""

    NONE = 0
    HEADER_CUT = 1
    NO_TYPE = 2
    REQUEST_VERSION = 3
    REQUEST_TYPE = 4
    REQUEST_RESERVED = 5
    ENTERPRISE_CUT = 6
    REQUEST_ID_CUT = 7
    SITE_ID_CUT = 8
    SITE_ID_ZERO = 9
    REQUEST_TRAILING = 10
    IPX_COUNT_PRESENT = 11
    IPX_ARRAY_PRESENT = 12
    IPX_COUNT_RANGE = 13
    IPX_ARRAY_LENGTH = 14
    REQUEST_ELSEWHERE = 15
    REPLY_VERSION = 16
    REPLY_TYPE = 17
    REPLY_RESERVED = 18
    CORRELATION_CUT = 19
    COUNT_CUT = 20
    MASK_CUT = 21
    SIZE_CUT = 22
    COUNT_ZERO = 23
    COUNT_ABOVE = 24
    COUNT_RANGE = 25
    COUNT_TOO_LOW = 26
    MASK = 27
    SIZE_ODD = 28
    NETWORKS_CUT = 29
    SITE_CUT = 30
    ARRAY_CUT = 31
    SIZE_WITHOUT_TERMINATOR = 32
    SIZE_TOO_LOW = 33
    SIZE_ZERO_WITH_ARRAY = 34
    SITE_WITHOUT_ARRAY = 35
    TRAILING = 36
    TERMINATOR_ONLY = 37
    IP_FLAG = 38
    IPX_FLAG = 39
    NO_PROTOCOL = 40
    NO_NAME = 41
    EMPTY_ENTRY = 42
    NULL_BETWEEN = 43
    BEHIND_END = 44
    NO_END = 45
    REPLY_FROM_ELSEWHERE = 46
    NETWORKS = 47
    NETWORKS_ORDER = 48
    NETWORKS_PLACEHOLDER = 49
    SITE = 50
    NAMES = 51
    NAMES_ORDER = 52
    NAMES_TWICE = 53
    FLAGS = 54


@dataclass(frozen=True, slots=True)
class WireRule:
    """What a rule is about."""

    requirement: str
    field: str
    """The specification's name of the field."""
    says: str
    """What was found, in words."""
    reading: tuple[str, str] | None = None
    """Entry and reading of the ambiguity register that decide; None where the text does, and the packet fails."""


_SYNTAX: Final = "MQSD-2.2.3-"
_ARRAY: Final = "DirectoryServiceServerArray"

WIRE_RULES: Final[dict[Rule, WireRule]] = {
    Rule.HEADER_CUT: WireRule("MQSD-2.2.1-01", "TopologyPacketHeader", "the packet ends within its header"),
    Rule.NO_TYPE: WireRule("MQSD-2.2.1-05", "Type", "Type is neither 1 nor 2"),
    Rule.REQUEST_VERSION: WireRule("MQSD-2.2.1-03", "Version", "Version of a request is not 0"),
    Rule.REQUEST_TYPE: WireRule("MQSD-2.2.1-06", "Type", "what goes to a server is not of Type 1"),
    Rule.REQUEST_RESERVED: WireRule("MQSD-2.2.1-09", "Reserved", "Reserved of a request is not 0"),
    Rule.ENTERPRISE_CUT: WireRule("MQSD-2.2.2-03", "EnterpriseID", "the request ends before or within EnterpriseID"),
    Rule.REQUEST_ID_CUT: WireRule("MQSD-2.2.2-04", "RequestID", "the request ends before or within RequestID"),
    Rule.SITE_ID_CUT: WireRule("MQSD-2.2.2-06", "SiteID", "the request ends before or within SiteID"),
    Rule.SITE_ID_ZERO: WireRule("MQSD-2.2.2-06", "SiteID", "SiteID is all zeros", ("SD-15", "zero-site")),
    Rule.REQUEST_TRAILING: WireRule("MQSD-2.2.2-01", "TopologyClientRequest", "octets follow SiteID over IP"),
    Rule.IPX_COUNT_PRESENT: WireRule("MQSD-2.2.2-09", "IPXNetworkCount", "IPXNetworkCount is present over IP"),
    Rule.IPX_ARRAY_PRESENT: WireRule(
        "MQSD-2.2.2-12", "IPXNetworkNumberArray", "IPXNetworkNumberArray is present over IP"
    ),
    Rule.IPX_COUNT_RANGE: WireRule("MQSD-2.2.2-10", "IPXNetworkCount", "IPXNetworkCount is not 1 to 32"),
    Rule.IPX_ARRAY_LENGTH: WireRule(
        "MQSD-2.2.2-13", "IPXNetworkNumberArray", "IPXNetworkNumberArray is not as long as IPXNetworkCount says"
    ),
    Rule.REQUEST_ELSEWHERE: WireRule(
        "MQSD-3.1.5.1-05", "Type", "a request goes to another port than a server's", ("SD-03", "another-port")
    ),
    Rule.REPLY_VERSION: WireRule(
        "MQSD-2.2.1-02", "Version", "Version of a reply is not 0", ("SD-11", "version-nonzero")
    ),
    Rule.REPLY_TYPE: WireRule("MQSD-2.2.1-07", "Type", "what comes from a server is not of Type 2"),
    Rule.REPLY_RESERVED: WireRule(
        "MQSD-2.2.1-08", "Reserved", "Reserved of a reply is not 0", ("SD-11", "version-nonzero")
    ),
    Rule.CORRELATION_CUT: WireRule(f"{_SYNTAX}03", "CorrelationID", "the reply ends before or within CorrelationID"),
    Rule.COUNT_CUT: WireRule(
        f"{_SYNTAX}04", "ConnectedNetworkCount", "the reply ends before or within ConnectedNetworkCount"
    ),
    Rule.MASK_CUT: WireRule(
        f"{_SYNTAX}07", "ConnectedNetworkMask", "the reply ends before or within ConnectedNetworkMask"
    ),
    Rule.SIZE_CUT: WireRule(
        f"{_SYNTAX}10", "DirectoryServiceServerSize", "the reply ends before or within DirectoryServiceServerSize"
    ),
    Rule.COUNT_ZERO: WireRule(
        f"{_SYNTAX}06", "ConnectedNetworkCount", "ConnectedNetworkCount is 0", ("SD-21", "count-zero")
    ),
    Rule.COUNT_ABOVE: WireRule(
        f"{_SYNTAX}06",
        "ConnectedNetworkCount",
        "ConnectedNetworkCount is above 32, and so many networks are there",
        ("SD-21", "count-above-32"),
    ),
    Rule.COUNT_RANGE: WireRule(
        f"{_SYNTAX}06", "ConnectedNetworkCount", "ConnectedNetworkCount is above 32, and the networks are not there"
    ),
    Rule.COUNT_TOO_LOW: WireRule(
        f"{_SYNTAX}05", "ConnectedNetworkCount", "ConnectedNetworkCount is 0, and networks or what follows do not fit"
    ),
    Rule.MASK: WireRule(f"{_SYNTAX}08", "ConnectedNetworkMask", "ConnectedNetworkMask is not 0 over IP"),
    Rule.SIZE_ODD: WireRule(
        f"{_SYNTAX}19", "DirectoryServiceServerSize", "DirectoryServiceServerSize is odd, characters have two octets"
    ),
    Rule.NETWORKS_CUT: WireRule(f"{_SYNTAX}15", "ConnectedNetworkArray", "the reply ends within ConnectedNetworkArray"),
    Rule.SITE_CUT: WireRule(f"{_SYNTAX}17", "RespondingSiteID", "the reply ends before or within RespondingSiteID"),
    Rule.ARRAY_CUT: WireRule(f"{_SYNTAX}11", _ARRAY, "the server list is shorter than DirectoryServiceServerSize"),
    Rule.SIZE_WITHOUT_TERMINATOR: WireRule(
        f"{_SYNTAX}11",
        "DirectoryServiceServerSize",
        "DirectoryServiceServerSize leaves out the terminator",
        ("SD-27", "not-counted"),
    ),
    Rule.SIZE_TOO_LOW: WireRule(
        f"{_SYNTAX}11", "DirectoryServiceServerSize", "the server list is longer than DirectoryServiceServerSize"
    ),
    Rule.SIZE_ZERO_WITH_ARRAY: WireRule(
        f"{_SYNTAX}11", "DirectoryServiceServerSize", "DirectoryServiceServerSize is 0, and a server list is there"
    ),
    Rule.SITE_WITHOUT_ARRAY: WireRule(
        f"{_SYNTAX}18",
        "RespondingSiteID",
        "16 octets follow the networks although DirectoryServiceServerSize is 0",
        ("SD-24", "size-zero-with-site"),
    ),
    Rule.TRAILING: WireRule(
        f"{_SYNTAX}19", "TopologyServerReply", "octets follow the last field", ("SD-32", "trailing-octets")
    ),
    Rule.TERMINATOR_ONLY: WireRule(
        f"{_SYNTAX}27", _ARRAY, "the server list is its terminator", ("SD-24", "terminator-only")
    ),
    Rule.IP_FLAG: WireRule(f"{_SYNTAX}21", _ARRAY, "the first character of an entry is neither 1 nor 0"),
    Rule.IPX_FLAG: WireRule(f"{_SYNTAX}22", _ARRAY, "the second character of an entry is neither 1 nor 0"),
    Rule.NO_PROTOCOL: WireRule(f"{_SYNTAX}21", _ARRAY, "an entry has neither of the protocols", ("SD-25", "flags-00")),
    Rule.NO_NAME: WireRule(f"{_SYNTAX}45", _ARRAY, "an entry has no name"),
    Rule.EMPTY_ENTRY: WireRule(f"{_SYNTAX}46", _ARRAY, "no entry stands where one must"),
    Rule.NULL_BETWEEN: WireRule(
        f"{_SYNTAX}43", _ARRAY, "nulls stand between entries", ("SD-28", "null-between-entries")
    ),
    Rule.BEHIND_END: WireRule(f"{_SYNTAX}27", _ARRAY, "octets follow the end of the list"),
    Rule.NO_END: WireRule(f"{_SYNTAX}44", _ARRAY, "no null ends the list"),
    Rule.REPLY_FROM_ELSEWHERE: WireRule(
        "MQSD-3.2.5.1-15", "Type", "a reply comes from another port than a server's", ("SD-05", "other-port")
    ),
    Rule.NETWORKS: WireRule(f"{_SYNTAX}16", "ConnectedNetworkArray", "the networks are not those of the server"),
    Rule.NETWORKS_ORDER: WireRule(
        "MQSD-3.2.5.1-05",
        "ConnectedNetworkArray",
        "the networks stand in another order than the server's",
        ("SD-26", "any-order"),
    ),
    Rule.NETWORKS_PLACEHOLDER: WireRule(
        "MQSD-3.2.5.1-05",
        "ConnectedNetworkArray",
        "a server without networks sends one",
        ("SD-21", "placeholder"),
    ),
    Rule.SITE: WireRule(f"{_SYNTAX}17", "RespondingSiteID", "RespondingSiteID is not the site of the server"),
    Rule.NAMES: WireRule("MQSD-3.2.5.1-13", _ARRAY, "the names are not those of the server's list"),
    Rule.NAMES_ORDER: WireRule(
        "MQSD-3.2.5.1-13",
        _ARRAY,
        "the names stand in another order than the server's list",
        ("SD-26", "any-order"),
    ),
    Rule.NAMES_TWICE: WireRule(
        "MQSD-3.2.5.1-13", _ARRAY, "a name of the server's list is sent more than once", ("SD-26", "duplicates")
    ),
    Rule.FLAGS: WireRule(
        f"{_SYNTAX}21",
        _ARRAY,
        "the flags of an entry are not the protocols that the configuration states for its server",
        ("SD-25", "not-as-configured"),
    ),
}
"""Every rule but ``NONE``; those from ``NETWORKS`` on need to know the server's configuration."""

FIRST_FACT_RULE: Final = Rule.NETWORKS
"""The first of the rules that compare with a server's configuration."""
