"""Judgements on the fixed part and the connected networks of a topology reply (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1).

Each function judges one thing of one reply. A part that is not there because the reply is too short makes the
judgement inconclusive, except in the one that is about being long enough.
"""

from collections import Counter

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import FIXED, ReplyView, hexes
from mqconform.harness.witness import Judgement, Span

REPLY_TYPE = 2
MAX_NETWORKS = 32


def long_enough(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that header and fixed fields are there (2.2.3)."""
    length = len(reply.octets)
    span = Span(0, min(length, FIXED), "TopologyPacketHeader")
    return judge.says(reply.whole, f"at least {FIXED} octets", f"{length} octets", span)


def type_is_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the Type (2.2.1)."""
    if reply.type is None:
        return judge.undecided("Type 2", "the reply ends before its Type")
    return judge.says(reply.type == REPLY_TYPE, "Type 2", f"Type {reply.type}", Span(1, 1, "Type"))


def correlation_repeats_request(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the CorrelationID octet by octet (2.2.2, 2.2.3, 3.2.5.1)."""
    wanted, found = reply.expected.correlation_id, reply.correlation_id
    span = Span(4, 16, "CorrelationID")
    return judge.says(found == wanted, wanted.hex(), found.hex() or "nothing", span)


def count_is_number_of_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count is the number of identifiers that are there (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided(f"count {reply.entries}", "the reply ends before ConnectedNetworkCount")
    span = Span(20, 4, "ConnectedNetworkCount")
    return judge.says(reply.count == reply.entries, f"count {reply.entries}", f"count {reply.count}", span)


def count_in_range(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count lies between 1 and 32 (2.2.3)."""
    if not reply.whole:
        return judge.undecided("count 1 to 32", "the reply ends before ConnectedNetworkCount")
    span = Span(20, 4, "ConnectedNetworkCount")
    return judge.says(1 <= reply.count <= MAX_NETWORKS, "count 1 to 32", f"count {reply.count}", span)


def networks_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array holds each connected network of the server once, in any order (2.2.3, 3.2.5.1)."""
    wanted, found = reply.expected.connected_networks, reply.networks
    span = Span(FIXED, 16 * reply.entries, "ConnectedNetworkArray")
    expected = f"in any order: {hexes(wanted)}"
    if Counter(wanted) != Counter(found):
        return judge.says(False, expected, hexes(found), span)
    order = "list-order" if found == wanted else "any-order"
    return judge.reading("SD-26", order, expected, hexes(found), situation="connected networks", span=span)


def mask_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IP (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("mask 00000000", "the reply ends before ConnectedNetworkMask")
    return judge.says(reply.mask == 0, "mask 00000000", f"mask {reply.mask:08x}", Span(24, 4, "ConnectedNetworkMask"))


def mask_has_a_bit_for_each_network(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IPX: how many bits are set, not which (2.2.3, 3.2.5.1, register SD-22)."""
    wanted = reply.expected.mask_ones
    if not reply.whole:
        return judge.undecided(f"{wanted} bits set", "the reply ends before ConnectedNetworkMask")
    observed = f"{reply.mask.bit_count()} bits set, mask {reply.mask:08x}"
    span = Span(24, 4, "ConnectedNetworkMask")
    return judge.says(reply.mask.bit_count() == wanted, f"{wanted} bits set", observed, span)


def size_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the size of a reply to a client of the own site (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("size 0", "the reply ends before DirectoryServiceServerSize")
    span = Span(28, 4, "DirectoryServiceServerSize")
    return judge.says(reply.size == 0, "size 0", f"size {reply.size}", span)


def nothing_follows_the_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that neither RespondingSiteID nor the array is there (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("nothing behind the networks", "the reply ends before the networks")
    behind = len(reply.octets) - reply.networks_end
    span = Span(reply.networks_end, max(behind, 0), "RespondingSiteID")
    return judge.says(behind <= 0, "nothing behind the networks", f"{max(behind, 0)} octets behind the networks", span)


def responding_site_is_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge RespondingSiteID (2.2.3, 3.2.5.1)."""
    wanted = reply.expected.responding_site_id or b""
    found = reply.responding_site
    span = Span(reply.networks_end, 16, "RespondingSiteID")
    return judge.says(found == wanted, wanted.hex(), found.hex() or "absent", span)


def size_counts_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the size is the number of octets of the array, its null included (2.2.3, 3.2.5.1, register SD-27)."""
    if not reply.whole:
        return judge.undecided("the octets of the array", "the reply ends before DirectoryServiceServerSize")
    length = len(reply.array)
    span = Span(28, 4, "DirectoryServiceServerSize")
    expected, observed = f"size {length}", f"size {reply.size}, the array has {length} octets"
    if length and reply.size == length - 2 and reply.array.endswith(b"\0\0"):
        return judge.reading("SD-27", "not-counted", expected, observed, span=span)
    if length and reply.size == length:
        return judge.reading("SD-27", "counted", expected, observed, span=span)
    return judge.says(False, expected if length else "a server array and its size", observed, span)


def as_long_as_it_says(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that count and size add up to the length of the reply (2.2.3, register SD-32)."""
    if not reply.whole:
        return judge.undecided("a length that fits count and size", "the reply ends before they do")
    claimed = FIXED + 16 * reply.count + (16 + reply.size if reply.size else 0)
    expected = f"{claimed} octets, from count {reply.count} and size {reply.size}"
    observed = f"{len(reply.octets)} octets"
    if len(reply.octets) > claimed and _only_a_tail(reply):
        span = Span(claimed, len(reply.octets) - claimed, "trailing octets")
        return judge.reading("SD-32", "trailing-octets", expected, observed, span=span)
    if reply.size and len(reply.octets) == claimed + 2 and reply.octets.endswith(b"\0\0"):
        return judge.reading("SD-27", "not-counted", expected, observed)
    return judge.says(len(reply.octets) == claimed, expected, observed)


def _only_a_tail(reply: ReplyView) -> bool:
    """Tell whether all fields are right and something merely follows them."""
    if reply.count != reply.entries:
        return False
    if reply.expected.responding_site_id is None:
        return reply.size == 0
    return reply.size == len(reply.array) and bool(reply.trailing)
