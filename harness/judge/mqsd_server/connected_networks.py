"""ConnectedNetworkCount, -Mask and -Array of a topology reply (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections import Counter

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import (
    COUNT,
    FIXED,
    GUID,
    MASK,
    ReplyCheck,
    ReplyView,
    big_endian,
    hexes,
)
from mqconform.harness.records.witness import Judgement, Span

MAX_NETWORKS = 32
_COUNT_SPAN = Span(COUNT.start, 4, "ConnectedNetworkCount")
_MASK_SPAN = Span(MASK.start, 4, "ConnectedNetworkMask")
_NO_COUNT = "the reply ends before ConnectedNetworkCount"
_NO_MASK = "the reply ends before ConnectedNetworkMask"


@bears_on("MQSD-2.2.3-05", "MQSD-3.2.5.1-06")
def count_is_number_of_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count is the number of identifiers that are there (2.2.3, 3.2.5.1)."""
    expected = f"count {reply.entries}"
    if not reply.whole:
        return judge.undecided(expected, _NO_COUNT)
    return judge.says(reply.count == reply.entries, expected, f"count {reply.count}", _COUNT_SPAN)


@bears_on("MQSD-2.2.3-04")
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


def mask_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IP (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("mask 00000000", _NO_MASK)
    return judge.says(reply.mask == 0, "mask 00000000", f"mask {reply.mask:08x}", _MASK_SPAN)


def mask_has_a_bit_for_each_network(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IPX: how many bits are set, not which (2.2.3, 3.2.5.1, register SD-22)."""
    ones = reply.expected.mask_ones
    if not reply.whole:
        return judge.undecided(f"{ones} bits set", _NO_MASK)
    observed = f"{reply.mask.bit_count()} bits set, mask {reply.mask:08x}"
    return judge.says(reply.mask.bit_count() == ones, f"{ones} bits set", observed, _MASK_SPAN)


@bears_on("MQSD-2.2.3-15")
def networks_are_as_long_as_the_count(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the networks take 16 octets each, as many times as the count says (2.2.3)."""
    if not reply.whole:
        return judge.undecided("16 octets for each network", _NO_COUNT)
    expected, length = GUID * reply.count, min(GUID * reply.entries, len(reply.octets) - FIXED)
    span = Span(FIXED, length, "ConnectedNetworkArray")
    return judge.says(length == expected, f"{expected} octets, from count {reply.count}", f"{length} octets", span)


@bears_on("MQSD-2.2.3-14", "MQSD-2.2.3-16", "MQSD-3.2.5.1-05")
def networks_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array holds each connected network of the server once, in any order (2.2.3, 3.2.5.1)."""
    configured, networks = reply.expected.connected_networks, reply.networks
    expected, observed, span = f"in any order: {hexes(configured)}", hexes(networks), _array_span(reply)
    if Counter(configured) != Counter(networks):
        return judge.says(False, expected, observed, span)
    order = "list-order" if networks == configured else "any-order"
    return judge.reading("SD-26", order, expected, observed, situation="connected networks", span=span)


@bears_on("MQSD-2-01")
def networks_are_in_packet_order(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the octets of each identifier (2, MS-DTYP 2.3.4.2).

    Identifiers that are wrong in another way tell nothing of the order.
    """
    configured, networks = reply.expected.connected_networks, reply.networks
    expected, observed = hexes(configured), hexes(networks)
    if set(networks) & set(configured):
        return judge.says(True, expected, observed)
    if set(networks) & {other for network in configured for other in (text_order(network), network[::-1])}:
        return judge.says(False, expected, observed, _array_span(reply))
    return judge.undecided(expected, "none of the server's networks in any order of octets")


def text_order(guid: bytes) -> bytes:
    """Return the octets of a GUID in the order of its text, high octet first."""
    return guid[3::-1] + guid[5:3:-1] + guid[7:5:-1] + guid[8:]


def _array_span(reply: ReplyView) -> Span:
    return Span(FIXED, GUID * reply.entries, "ConnectedNetworkArray")


SENTENCES: dict[str, ReplyCheck] = {
    "ConnectedNetworkCount has its low octet first": count_is_little_endian,
    "ConnectedNetworkCount is the number of connected networks": count_is_number_of_networks,
    "ConnectedNetworkCount lies between 1 and 32": count_in_range,
    "ConnectedNetworkMask is zero": mask_is_zero,
    "ConnectedNetworkMask has as many ones as there are networks": mask_has_a_bit_for_each_network,
    "ConnectedNetworkArray is as long as the count says": networks_are_as_long_as_the_count,
    "ConnectedNetworkArray holds the server's connected networks": networks_are_the_servers,
    "ConnectedNetworkArray holds its identifiers in packet order": networks_are_in_packet_order,
}
