"""Packets as conversations see them, and what is noted of conversations: arrays for compiled loops."""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.wire_rules import Message
from mqconform.reference.mqsd.specification import FACTS

REQUEST, REPLY = int(Message.REQUEST), int(Message.REPLY)
HAS_ID, HAS_SITE, LISTS, COMPLETE, FOLLOWED = 1, 2, 4, 8, 16
"""What a packet shows: its identifier, a site, a server list (by its size), all of its octets; behind the networks of a
reply without a list, what is neither a few octets nor a padding of zeros (register SD-24, SD-32)."""
NO_TIME: Final = -(2**63)
"""The time of a packet that was captured without one."""
SECOND: Final = 1_000_000_000
WAIT: Final = FACTS.response_timeout * SECOND
"""Nanoseconds for which a client waits (MS-MQSD 3.1.2.1)."""


class Exchange(NamedTuple):
    """Packets with an identifier; one entry of each array for one packet.

    The client is who sent the request or got the reply, the server the other one. Addresses, sites and identifiers
    are two numbers each, IPv4 as mapped into IPv6.
    """

    id_high: Masks
    id_low: Masks
    message: Octets
    """Values of ``Message``."""
    time: Int64s
    """Nanoseconds since 1970, or ``NO_TIME``."""
    client_high: Masks
    client_low: Masks
    client_port: Int32s
    server_high: Masks
    server_low: Masks
    server_port: Int32s
    identification: Int32s
    """Of IPv4, -1 in IPv6."""
    length: Int32s
    """Octets of the payload."""
    site_high: Masks
    """SiteID of a request, RespondingSiteID of a reply."""
    site_low: Masks
    enterprise: Masks
    """A hash of EnterpriseID."""
    shown: Octets
    """What the packet shows, as bits."""
    known_server: Int32s
    """Which known configuration is that of the server, -1 for none."""


class Knowledge(NamedTuple):
    """What is known beside the packets."""

    answered: Masks
    """Sorted hashes of clients of whom any reply was captured: half of the address xor the other half."""
    until: int
    """Time of the last packet of the audit."""
    sites: Masks
    """Site of each server whose configuration is known, as two numbers."""
    lists: Flags
    """Whether each of those has names to list."""
    since: int
    """Time of the first packet of the audit: a request soon before it was not captured."""


class Conversations(NamedTuple):
    """One entry of each array for one conversation."""

    first: Int64s
    """The packet that came first."""
    last: Int64s
    requests: Int32s
    replies: Int32s
    copies: Int32s
    """Packets that were captured again."""
    networks: Int32s
    """Different pairs of a client's address and where its request went, up to 64."""
    servers: Int32s
    """Different addresses that replied, where replies could be matched."""
    weight: Octets
    """0, or the weight of the heaviest finding."""
    rule: Octets
    """The first of the heaviest findings, 0 where there is none."""
    row: Int64s
    """The packet that shows it, -1 where there is none."""
    rules: Masks
    """One bit for each rule that was found."""
    answer: Int64s
    """Nanoseconds from the request to the first reply to it, ``NO_TIME`` where there is nothing to tell: clocks of
    several captures differ, and in a crowded conversation replies are not matched."""
    answer_row: Int64s
    """The packet that is this reply, -1 where there is none."""


class Listed(NamedTuple):
    """What conversations have any number of, in their order: of each the conversation, what it is, and the packet."""

    total: Int64s
    """One number: how many there are."""
    conversation: Int64s
    what: Int64s
    row: Int64s


class Judged(NamedTuple):
    """What conversations were found to be."""

    conversations: Conversations
    findings: Listed
    """Rules that were found."""
    pauses: Listed
    """Nanoseconds from a request to the next one of the same discovery."""


class Scan(NamedTuple):
    """All that the loops work on: packets in order of conversations and times, none of them a copy."""

    packets: Exchange
    capture: Int32s
    rows: Int64s
    """Which packet of the caller's each is."""
    knowledge: Knowledge
    severities: Octets
    of: Conversations
    findings: Listed
    pauses: Listed


@compiled_reader
def note(scan: Scan, number: int, rule: int, row: int) -> None:
    """Note a finding."""
    of, severity = scan.of, scan.severities[rule]
    of.rules[number] |= np.uint64(1) << np.uint64(rule)
    if severity > of.weight[number]:
        of.weight[number], of.rule[number], of.row[number] = severity, rule, scan.rows[row]
    add(scan.findings, number, rule, scan.rows[row])


@compiled_reader
def add(listed: Listed, number: int, what: int, row: int) -> None:
    """Add what a conversation has, while there is room."""
    at = listed.total[0]
    if at < len(listed.row):
        listed.conversation[at], listed.what[at], listed.row[at] = number, what, row
        listed.total[0] += 1


@compiled_reader
def same_client(packets: Exchange, row: int, other: int) -> bool:
    """Return whether two packets have the same client address."""
    low = packets.client_low[row] == packets.client_low[other]
    return bool(low and packets.client_high[row] == packets.client_high[other])


@compiled_reader
def same_server(packets: Exchange, row: int, other: int) -> bool:
    """Return whether two packets have the same server address."""
    low = packets.server_low[row] == packets.server_low[other]
    return bool(low and packets.server_high[row] == packets.server_high[other])


@compiled_reader
def same_network(packets: Exchange, row: int, other: int) -> bool:
    """Return whether two requests went out on the same network: from one address to one address."""
    return same_client(packets, row, other) and same_server(packets, row, other)
