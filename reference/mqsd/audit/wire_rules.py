"""What can be wrong with, or open about, one discovery packet over IP, by the octets of it alone (MS-MQSD 2.2).

Only the table of these rules lives here; ``packet_scan`` and ``wire_judgement`` apply them. The numbers stand in files
that outlive a release: they are never used again for something else.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from mqconform.reference.mqsd.messages import SERVER_LIST


class Direction(IntEnum):
    """Where a packet goes by its ports (MS-MQSD 2.1): what its sender means it to be."""

    EITHER = 0
    """Both ports or none are a server's: Type alone tells."""
    TO_SERVER = 1
    TO_CLIENT = 2


class Message(IntEnum):
    """What a packet was judged as, by its Type."""

    NONE = 0
    REQUEST = 1
    REPLY = 2


_COUNT: Final = "ConnectedNetworkCount"
_SIZE: Final = "DirectoryServiceServerSize"
_NETWORKS: Final = "ConnectedNetworkArray"
_IPX_NUMBERS: Final = "IPXNetworkNumberArray"


class Rule(IntEnum):
    """A rule: its number, the requirement, the field that it is about, what was found, and the register's reading.

    ``NONE`` stands where nothing was found; the rules from ``NETWORKS`` on need to know the server's configuration.
    """

    requirement: str
    field: str
    """The specification's name of the field."""
    says: str
    """What was found, in words; ``{field}`` in the table stands for the field's name."""
    reading: tuple[str, str] | None
    """Entry and reading of the ambiguity register that decide; None where the text does, and the packet fails."""

    def __new__(
        cls, number: int, requirement: str = "", field: str = "", says: str = "", reading: tuple[str, str] | None = None
    ) -> Self:
        """Make a number of the rule with what it is about."""
        rule = int.__new__(cls, number)
        rule._value_ = number
        rule.requirement, rule.field, rule.reading = requirement, field, reading
        rule.says = says.format(field=field)
        return rule

    # fmt: off
    NONE = 0
    HEADER_CUT = 1, "MQSD-2.2.1-01", "TopologyPacketHeader", "the packet ends within its header"
    NO_TYPE = 2, "MQSD-2.2.1-05", "Type", "Type is neither 1 nor 2"
    REQUEST_VERSION = 3, "MQSD-2.2.1-03", "Version", "Version of a request is not 0"
    REQUEST_TYPE = 4, "MQSD-2.2.1-06", "Type", "what goes to a server is not of Type 1"
    REQUEST_RESERVED = 5, "MQSD-2.2.1-09", "Reserved", "Reserved of a request is not 0"
    ENTERPRISE_CUT = 6, "MQSD-2.2.2-03", "EnterpriseID", "the request ends before or within EnterpriseID"
    REQUEST_ID_CUT = 7, "MQSD-2.2.2-04", "RequestID", "the request ends before or within RequestID"
    SITE_ID_CUT = 8, "MQSD-2.2.2-06", "SiteID", "the request ends before or within SiteID"
    SITE_ID_ZERO = 9, "MQSD-2.2.2-06", "SiteID", "SiteID is all zeros", ("SD-15", "zero-site")
    REQUEST_TRAILING = 10, "MQSD-2.2.2-01", "TopologyClientRequest", "octets follow SiteID over IP"
    IPX_COUNT_PRESENT = 11, "MQSD-2.2.2-09", "IPXNetworkCount", "IPXNetworkCount is present over IP"
    IPX_ARRAY_PRESENT = 12, "MQSD-2.2.2-12", _IPX_NUMBERS, "{field} is present over IP"
    IPX_COUNT_RANGE = 13, "MQSD-2.2.2-10", "IPXNetworkCount", "IPXNetworkCount is not 1 to 32"
    IPX_ARRAY_LENGTH = 14, "MQSD-2.2.2-13", _IPX_NUMBERS, "{field} is not as long as IPXNetworkCount says"
    REQUEST_ELSEWHERE = (15, "MQSD-3.1.5.1-05", "Type", "a request goes to another port than a server's",
        ("SD-03", "another-port"))
    REPLY_VERSION = 16, "MQSD-2.2.1-02", "Version", "Version of a reply is not 0", ("SD-11", "version-nonzero")
    REPLY_TYPE = 17, "MQSD-2.2.1-07", "Type", "what comes from a server is not of Type 2"
    REPLY_RESERVED = 18, "MQSD-2.2.1-08", "Reserved", "Reserved of a reply is not 0", ("SD-11", "version-nonzero")
    CORRELATION_CUT = 19, "MQSD-2.2.3-03", "CorrelationID", "the reply ends before or within CorrelationID"
    COUNT_CUT = 20, "MQSD-2.2.3-04", _COUNT, "the reply ends before or within {field}"
    MASK_CUT = 21, "MQSD-2.2.3-07", "ConnectedNetworkMask", "the reply ends before or within ConnectedNetworkMask"
    SIZE_CUT = 22, "MQSD-2.2.3-10", _SIZE, "the reply ends before or within {field}"
    COUNT_ZERO = 23, "MQSD-2.2.3-06", _COUNT, "{field} is 0", ("SD-21", "count-zero")
    COUNT_ABOVE = (24, "MQSD-2.2.3-06", _COUNT, "{field} is above 32, and that many networks are there",
        ("SD-21", "count-above-32"))
    COUNT_RANGE = 25, "MQSD-2.2.3-06", _COUNT, "{field} is above 32, and the networks are not there"
    COUNT_TOO_LOW = 26, "MQSD-2.2.3-05", _COUNT, "{field} is 0, and networks or what follows do not fit"
    MASK = 27, "MQSD-2.2.3-08", "ConnectedNetworkMask", "ConnectedNetworkMask is not 0 over IP"
    SIZE_ODD = 28, "MQSD-2.2.3-19", _SIZE, "{field} is odd, characters have two octets"
    NETWORKS_CUT = 29, "MQSD-2.2.3-15", _NETWORKS, "the reply ends within {field}"
    SITE_CUT = 30, "MQSD-2.2.3-17", "RespondingSiteID", "the reply ends before or within RespondingSiteID"
    ARRAY_CUT = 31, "MQSD-2.2.3-11", SERVER_LIST, "the server list is shorter than DirectoryServiceServerSize"
    SIZE_WITHOUT_TERMINATOR = 32, "MQSD-2.2.3-11", _SIZE, "{field} leaves out the terminator", ("SD-27", "not-counted")
    SIZE_TOO_LOW = 33, "MQSD-2.2.3-11", _SIZE, "the server list is longer than {field}"
    SIZE_ZERO_WITH_ARRAY = 34, "MQSD-2.2.3-11", _SIZE, "{field} is 0, and a server list is there"
    SITE_WITHOUT_ARRAY = (35, "MQSD-2.2.3-18", "RespondingSiteID",
        "16 octets follow the networks although DirectoryServiceServerSize is 0", ("SD-24", "size-zero-with-site"))
    TRAILING = 36, "MQSD-1.8-01", "TopologyServerReply", "octets follow the last field", ("SD-32", "trailing-octets")
    TERMINATOR_ONLY = (37, "MQSD-2.2.3-27", SERVER_LIST, "the server list is its terminator",
        ("SD-24", "terminator-only"))
    IP_FLAG = 38, "MQSD-2.2.3-21", SERVER_LIST, "the first character of an entry is neither 1 nor 0"
    IPX_FLAG = 39, "MQSD-2.2.3-22", SERVER_LIST, "the second character of an entry is neither 1 nor 0"
    NO_PROTOCOL = 40, "MQSD-2.2.3-21", SERVER_LIST, "an entry has neither of the protocols", ("SD-25", "flags-00")
    NO_NAME = 41, "MQSD-2.2.3-45", SERVER_LIST, "an entry has no name"
    EMPTY_ENTRY = 42, "MQSD-2.2.3-46", SERVER_LIST, "no entry stands where one must"
    NULL_BETWEEN = 43, "MQSD-2.2.3-43", SERVER_LIST, "nulls stand between entries", ("SD-28", "null-between-entries")
    BEHIND_END = 44, "MQSD-2.2.3-27", SERVER_LIST, "octets follow the end of the list"
    NO_END = 45, "MQSD-2.2.3-44", SERVER_LIST, "no null ends the list"
    REPLY_FROM_ELSEWHERE = (46, "MQSD-3.2.5.1-15", "Type", "a reply comes from another port than a server's",
        ("SD-05", "other-port"))
    NETWORKS = 47, "MQSD-2.2.3-16", _NETWORKS, "the networks are not those of the server"
    NETWORKS_ORDER = (48, "MQSD-3.2.5.1-05", _NETWORKS, "the networks stand in another order than the server's",
        ("SD-26", "any-order"))
    NETWORKS_PLACEHOLDER = (49, "MQSD-3.2.5.1-05", _NETWORKS, "a server without networks sends one",
        ("SD-21", "placeholder"))
    SITE = 50, "MQSD-2.2.3-17", "RespondingSiteID", "RespondingSiteID is not the site of the server"
    NAMES = 51, "MQSD-3.2.5.1-13", SERVER_LIST, "the names are not those of the server's list"
    NAMES_ORDER = (52, "MQSD-3.2.5.1-13", SERVER_LIST, "the names stand in another order than the server's list",
        ("SD-26", "any-order"))
    NAMES_TWICE = (53, "MQSD-3.2.5.1-13", SERVER_LIST, "a name of the server's list is sent more than once",
        ("SD-26", "duplicates"))
    FLAGS = (54, "MQSD-2.2.3-21", SERVER_LIST,
        "the flags of an entry are not the protocols that the configuration states for its server",
        ("SD-25", "not-as-configured"))
    # fmt: on


WIRE_RULES: Final = tuple(rule for rule in Rule if rule)
"""Every rule but ``NONE``."""

CUT: Final = {rule.field: rule for rule in Rule if rule.name.endswith("_CUT")}
"""Field -> the rule on a packet that ends before or within it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a packet breaks or leaves open, and where."""

    rule: Rule
    offset: int
    """First octet, counted from the start of the packet; its end where something is missing there."""
    length: int
    """Octets that show it, 0 where something is missing."""
