"""Packets as conversations see them, and what is noted of conversations: arrays for compiled loops."""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.audit.wire_rules import Message
from mqconform.reference.mqsd.specification import FACTS

REQUEST, REPLY = int(Message.REQUEST), int(Message.REPLY)
HAS_SITE, LISTS, COMPLETE, FOLLOWED = 2, 4, 8, 16
"""What a packet shows: a site, a server list (by its size), all of its octets; without a list, a site or more behind
the networks."""
NO_TIME = -(2**63)
"""The time of a packet that was captured without one."""
WAIT: Final = FACTS.response_timeout * 1_000_000_000
"""Nanoseconds for which a client waits (MS-MQSD 3.1.2.1).

Machine code has it built in: what numba keeps on disk of another revision has to be removed by hand.
"""


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


class Conversations(NamedTuple):
    """One entry of each array for one conversation."""

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


def no_conversations_judged(count: int) -> Conversations:
    """Return as many conversations of which nothing is known yet."""
    return Conversations(
        requests=np.zeros(count, np.int32),
        replies=np.zeros(count, np.int32),
        copies=np.zeros(count, np.int32),
        networks=np.zeros(count, np.int32),
        servers=np.zeros(count, np.int32),
        weight=np.zeros(count, np.uint8),
        rule=np.zeros(count, np.uint8),
        row=np.full(count, -1, np.int64),
        rules=np.zeros(count, np.uint64),
    )


class Findings(NamedTuple):
    """One entry of each array for one thing found."""

    conversation: Int64s
    rule: Octets
    row: Int64s
    """The packet that shows it."""


@compiled_reader
def note(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    conversations: Conversations, findings: Findings, count: int, severities: Octets, number: int, rule: int, row: int
) -> int:
    """Note a finding, and return how many there are now."""
    conversations.rules[number] |= np.uint64(1) << np.uint64(rule)
    if severities[rule] > conversations.weight[number]:
        conversations.weight[number], conversations.rule[number] = severities[rule], rule
        conversations.row[number] = row
    if count < len(findings.rule):
        findings.conversation[count], findings.rule[count], findings.row[count] = number, rule, row
        return count + 1
    return count


@compiled_reader
def same_client(exchange: Exchange, row: int, other: int) -> bool:
    """Tell whether two packets have the same client address."""
    low = exchange.client_low[row] == exchange.client_low[other]
    return bool(low and exchange.client_high[row] == exchange.client_high[other])


@compiled_reader
def same_server(exchange: Exchange, row: int, other: int) -> bool:
    """Tell whether two packets have the same server address."""
    low = exchange.server_low[row] == exchange.server_low[other]
    return bool(low and exchange.server_high[row] == exchange.server_high[other])


@compiled_reader
def same_network(exchange: Exchange, row: int, other: int) -> bool:
    """Tell whether two requests went out on the same network: from one address to one address."""
    return same_client(exchange, row, other) and same_server(exchange, row, other)


@compiled_reader
def last_request(exchange: Exchange, order: Int64s, begin: int, end: int, copies: Flags) -> int:
    """Return the last request of a conversation that has one."""
    last = begin
    for place in range(begin, end):
        if exchange.message[order[place]] == REQUEST and not copies[order[place]]:
            last = place
    return int(order[last])
