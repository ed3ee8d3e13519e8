"""Judgements on the connected networks of a topology reply and their count (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections import Counter

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import COUNT, FIXED, ReplyView, big_endian, hexes
from mqconform.harness.witness import Judgement, Span

MAX_NETWORKS = 32
_COUNT_SPAN = Span(COUNT.start, 4, "ConnectedNetworkCount")
_NO_COUNT = "the reply ends before ConnectedNetworkCount"


def count_is_number_of_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count is the number of identifiers that are there (2.2.3, 3.2.5.1)."""
    expected = f"count {reply.entries}"
    if not reply.whole:
        return judge.undecided(expected, _NO_COUNT)
    return judge.says(reply.count == reply.entries, expected, f"count {reply.count}", _COUNT_SPAN)


def count_is_little_endian(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the count's octets; a number that is wrong in either order tells nothing of it (2.2.3)."""
    expected = f"{reply.entries} with its low octet first"
    if not reply.whole:
        return judge.undecided(expected, _NO_COUNT)
    octets = reply.octets[COUNT]
    if reply.count == reply.entries:
        return judge.says(True, expected, octets.hex(" "))
    if big_endian(octets) == reply.entries:
        return judge.says(False, expected, f"{octets.hex(' ')}, high octet first", _COUNT_SPAN)
    return judge.undecided(expected, f"{octets.hex(' ')}, which is another number in either order")


def count_in_range(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count lies between 1 and 32 (2.2.3)."""
    if not reply.whole:
        return judge.undecided("count 1 to 32", _NO_COUNT)
    return judge.says(1 <= reply.count <= MAX_NETWORKS, "count 1 to 32", f"count {reply.count}", _COUNT_SPAN)


def networks_are_as_long_as_the_count(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the networks take 16 octets each, as many times as the count says (2.2.3)."""
    if not reply.whole:
        return judge.undecided("16 octets for each network", _NO_COUNT)
    expected, found = 16 * reply.count, min(16 * reply.entries, len(reply.octets) - FIXED)
    span = Span(FIXED, found, "ConnectedNetworkArray")
    return judge.says(found == expected, f"{expected} octets, from count {reply.count}", f"{found} octets", span)


def networks_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array holds each connected network of the server once, in any order (2.2.3, 3.2.5.1)."""
    wanted, found = reply.expected.connected_networks, reply.networks
    span = Span(FIXED, 16 * reply.entries, "ConnectedNetworkArray")
    expected = f"in any order: {hexes(wanted)}"
    if Counter(wanted) != Counter(found):
        return judge.says(False, expected, hexes(found), span)
    order = "list-order" if found == wanted else "any-order"
    return judge.reading("SD-26", order, expected, hexes(found), situation="connected networks", span=span)


def networks_are_in_packet_order(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the octets of each identifier (2, MS-DTYP 2.3.4.2).

    Identifiers that are wrong in another way tell nothing of the order.
    """
    wanted, found = reply.expected.connected_networks, reply.networks
    expected, span = hexes(wanted), Span(FIXED, 16 * reply.entries, "ConnectedNetworkArray")
    if set(found) & set(wanted):
        return judge.says(True, expected, hexes(found))
    if set(found) & {other for one in wanted for other in (text_order(one), one[::-1])}:
        return judge.says(False, expected, hexes(found), span)
    return judge.undecided(expected, "none of the server's networks in any order of octets")


def text_order(guid: bytes) -> bytes:
    """Return the octets of a GUID in the order of its text, high octet first."""
    return guid[3::-1] + guid[5:3:-1] + guid[7:5:-1] + guid[8:]
