"""Places of fields, integers and runs of octets in a packet, and what is found in it.

Everything here is plain on octets and lists, and compiled on arrays (``bulk_packets``): indices and integers alone.
"""

from typing import Any, Final, NamedTuple

from mqconform.reference.mqsd.audit.wire_rules import Rule
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.messages import HEADER, REPLY, REQUEST

Octets = Any
"""Octets, or an array of them."""
Integers = Any
"""A list of integers, or an array of 64-bit integers."""

GUID: Final = GUID_SIZE
VERSION_AT, TYPE_AT, RESERVED_AT = (rule.offset for rule in HEADER.fields)
HEADER_SIZE, REQUEST_SIZE, REPLY_SIZE = HEADER.size, REQUEST.size, REPLY.size
ENTERPRISE_AT: Final = REQUEST["EnterpriseID"].offset
REQUEST_ID_AT: Final = REQUEST["RequestID"].offset
SITE_ID_AT: Final = REQUEST["SiteID"].offset
IPX_COUNT_AT: Final = REQUEST["IPXNetworkCount"].offset
IPX_NUMBERS_AT: Final = REQUEST["IPXNetworkNumberArray"].offset
IPX_FROM: Final = REQUEST["IPXNetworkCount"].from_length
CORRELATION_AT: Final = REPLY["CorrelationID"].offset
COUNT_AT: Final = REPLY["ConnectedNetworkCount"].offset
MASK_AT: Final = REPLY["ConnectedNetworkMask"].offset
SIZE_AT: Final = REPLY["DirectoryServiceServerSize"].offset
NETWORKS_AT: Final = REPLY["ConnectedNetworkArray"].offset
MOST: Final = REPLY["ConnectedNetworkCount"].most


class Found(NamedTuple):
    """Room for the findings in one packet."""

    state: Integers
    """How many there are, and their rules as bits."""
    rule: Integers
    offset: Integers
    """First octet of what shows a finding, counted from the start of the packet."""
    length: Integers
    """Octets that show it, 0 where something is missing there."""


def most_findings(length: int) -> int:
    """Return how many findings a packet of some octets can have: three for each entry of four octets."""
    return length + 16


def found(findings: Found, rule: int, offset: int, length: int) -> None:
    """Note a finding."""
    place = findings.state[0]
    findings.rule[place], findings.offset[place], findings.length[place] = rule, offset, length
    findings.state[0] = place + 1
    findings.state[1] |= 1 << findings.rule[place]


def has(findings: Found, rules: int) -> bool:
    """Tell whether one of some rules, given as bits, was found."""
    return bool((findings.state[1] & rules) != 0)


def clear(findings: Found) -> None:
    """Forget all findings."""
    findings.state[0] = findings.state[1] = 0


def bits(*rules: Rule) -> int:
    """Return rules as bits."""
    return sum(1 << int(rule) for rule in rules)


def word(octets: Octets, at: int) -> int:
    """Return the 32-bit integer at ``at``, low octet first."""
    low = int(octets[at]) | int(octets[at + 1]) << 8
    return low | int(octets[at + 2]) << 16 | int(octets[at + 3]) << 24


def character(octets: Octets, at: int) -> int:
    """Return the code unit at ``at``, low octet first."""
    return int(octets[at]) | int(octets[at + 1]) << 8


def is_zero(octets: Octets, at: int, length: int) -> bool:
    """Tell whether a run of octets is all zeros."""
    for place in range(at, at + length):  # noqa: SIM110 - compiled: generators are not
        if octets[place]:
            return False
    return True
