"""The fields of a topology reply but its server list: what they hold, and what they may hold (MS-MQSD 2.2.3, 3.2.5.1).

Each check judges one thing of one reply. A part that is not there because the reply is too short makes the judgement
inconclusive, except in the check that is about being long enough. A client of another site is told the server's site
and its directory servers, a client of the server's own site neither: nothing then stands behind the networks.
"""

from collections import Counter
from collections.abc import Sequence

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.judge.mqsd_server.reply_view import (
    CORRELATION_ID,
    COUNT,
    FIXED,
    GUID,
    MASK,
    SIZE,
    ReplyView,
    hexes,
    span,
)
from mqconform.harness.judge.mqsd_server.scene import then_reply
from mqconform.harness.records.results import Span
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.guid import text_order
from mqconform.reference.mqsd.messages import REPLY, FieldRule, PacketType


@then_reply("the reply is long enough for the header and the fixed fields")
@bears_on("MQSD-2.2.3-04", "MQSD-2.2.3-07", "MQSD-2.2.3-10")
def long_enough(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that header and fixed fields are there (2.2.3)."""
    length = len(reply.octets)
    span = Span(0, min(length, FIXED), "TopologyPacketHeader")
    return judge.says(reply.whole, f"at least {FIXED} octets", f"{length} octets", span)


@then_reply("the reply begins with the header")
@bears_on("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-08", "MQSD-2.2.3-01", "MQSD-2.2.3-02")
def begins_with_header(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that four octets stand in front of the CorrelationID (2.2.1, 2.2.3).

    A reply with the id of another request shows by its Type or its networks where its fields lie.
    """
    place = CORRELATION_ID.start
    expected = f"CorrelationID at offset {place}, after Version, Type and Reserved"
    if reply.correlation_id == reply.expected.correlation_id:
        return judge.says(True, expected, f"CorrelationID at offset {place}")
    at = reply.octets.find(reply.expected.correlation_id)
    if at >= 0:
        return judge.says(False, expected, f"CorrelationID at offset {at}", Span(0, at, "TopologyPacketHeader"))
    if reply.type == PacketType.SERVER_REPLY or reply.networks_recognised:
        return judge.says(True, expected, "the other fields are at their offsets")
    return judge.undecided(expected, "no field of the reply is recognisable")


@then_reply("the reply's Type is 2")
def type_is_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the Type (2.2.1)."""
    if reply.type is None:
        return judge.undecided("Type 2", "the reply ends before its Type")
    return judge.says(reply.type == PacketType.SERVER_REPLY, "Type 2", f"Type {reply.type}", Span(1, 1, "Type"))


@then_reply("the CorrelationID repeats the RequestID")
def correlation_repeats_request(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the CorrelationID octet by octet (2.2.2, 2.2.3, 3.2.5.1)."""
    request_id, correlation_id = reply.expected.correlation_id, reply.correlation_id
    observed = correlation_id.hex() or "nothing"
    return judge.says(correlation_id == request_id, request_id.hex(), observed, span(REPLY["CorrelationID"]))


_NO_COUNT, _NO_MASK, _NO_SIZE = (f"the reply ends before {field.name}" for field in (COUNT, MASK, SIZE))


@then_reply("ConnectedNetworkCount is the number of connected networks")
@bears_on("MQSD-2.2.3-05", "MQSD-3.2.5.1-06")
def count_is_number_of_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count is the number of identifiers that are there (2.2.3, 3.2.5.1)."""
    expected = f"count {reply.entries}"
    if not reply.whole:
        return judge.undecided(expected, _NO_COUNT)
    return judge.says(reply.count == reply.entries, expected, f"count {reply.count}", span(COUNT))


@then_reply("ConnectedNetworkCount has its low octet first")
@bears_on("MQSD-2.2.3-04")
def count_is_little_endian(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the count's octets; a number that is wrong in either order tells nothing of it (2.2.3)."""
    return _little_endian(judge, reply, COUNT, reply.entries, (reply.entries,))


def _little_endian(judge: Judge, reply: ReplyView, field: FieldRule, number: int, right: tuple[int, ...]) -> Judgement:
    expected = f"{number} with its low octet first"
    if not reply.whole:
        return judge.undecided(expected, f"the reply ends before {field.name}")
    octets = reply.octets[field.place]
    if field.number(reply.octets) in right:
        return judge.says(True, expected, octets.hex(" "))
    if int.from_bytes(octets, "big") in right:
        return judge.says(False, expected, f"{octets.hex(' ')}, high octet first", span(field))
    return judge.undecided(expected, f"{octets.hex(' ')}, a different number in both octet orders")


@then_reply("ConnectedNetworkCount lies between 1 and 32")
def count_in_range(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the count lies between 1 and 32 (2.2.3)."""
    if not reply.whole:
        return judge.undecided("count 1 to 32", _NO_COUNT)
    return judge.says(1 <= reply.count <= COUNT.most, "count 1 to 32", f"count {reply.count}", span(COUNT))


@then_reply("ConnectedNetworkMask is zero")
def mask_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IP (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("mask 00000000", _NO_MASK)
    return judge.says(reply.mask == 0, "mask 00000000", f"mask {reply.mask:08x}", span(MASK))


@then_reply("ConnectedNetworkMask has as many ones as there are networks")
def mask_has_a_bit_for_each_network(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the mask of a reply over IPX: how many bits are set, not which (2.2.3, 3.2.5.1, register SD-22)."""
    ones = reply.expected.mask_ones
    if not reply.whole:
        return judge.undecided(f"{ones} bits set", _NO_MASK)
    expected, observed = f"{ones} bits set", f"{reply.mask.bit_count()} bits set, mask {reply.mask:08x}"
    if reply.mask.bit_count() == ones:
        return judge.reading("SD-22", "popcount-only", expected, observed)
    return judge.says(False, expected, observed, span(MASK))


@then_reply("ConnectedNetworkArray is as long as the count says")
@bears_on("MQSD-2.2.3-15")
def networks_are_as_long_as_the_count(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the networks take 16 octets each, as many times as the count says (2.2.3)."""
    if not reply.whole:
        return judge.undecided("16 octets for each network", _NO_COUNT)
    expected, length = GUID * reply.count, min(GUID * reply.entries, len(reply.octets) - FIXED)
    span = Span(FIXED, length, "ConnectedNetworkArray")
    return judge.says(length == expected, f"{expected} octets, from count {reply.count}", f"{length} octets", span)


@then_reply("ConnectedNetworkArray holds the server's connected networks")
@bears_on("MQSD-2.2.3-14", "MQSD-2.2.3-16", "MQSD-3.2.5.1-05")
def networks_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array holds each connected network of the server once, in any order (2.2.3, 3.2.5.1)."""
    configured, networks = reply.expected.connected_networks, reply.networks
    expected, observed, span = f"in any order: {hexes(configured)}", hexes(networks), _array_span(reply)
    # 2.2.3 calls them the networks of directory servers, 3.2.5.1 those of the answering one (SD-23).
    if Counter(configured) < Counter(networks):
        return judge.reading("SD-23", "lists-of-other-servers", expected, observed, span=span)
    if Counter(configured) != Counter(networks):
        return judge.says(False, expected, observed, span)
    order = "list-order" if networks == configured else "any-order"
    return judge.reading("SD-26", order, expected, observed, situation="connected networks", span=span)


@then_reply("ConnectedNetworkArray holds its identifiers in packet order")
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
    return judge.undecided(expected, "no network of the server, in either octet order")


def _array_span(reply: ReplyView) -> Span:
    return Span(FIXED, GUID * reply.entries, "ConnectedNetworkArray")


@then_reply("RespondingSiteID is the server's site")
@bears_on("MQSD-2.2.3-17", "MQSD-3.2.5.1-12")
def responding_site_is_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge RespondingSiteID (2.2.3, 3.2.5.1)."""
    configured = reply.expected.responding_site_id or b""
    site = reply.responding_site
    span = Span(reply.networks_end, len(site), "RespondingSiteID")
    return judge.says(site == configured, configured.hex(), site.hex() or "absent", span)


@then_reply("nothing stands behind the last field")
def nothing_behind_the_last_field(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge what a vendor could add, octets behind all fields (1.8, register SD-32)."""
    expected = "no octets after the last field"
    if not reply.whole:
        return judge.undecided(expected, "the reply ends before its last field")
    own_site = reply.expected.responding_site_id is None
    behind = reply.octets[reply.networks_end :] if own_site and not reply.size else reply.trailing
    if not behind:
        return judge.reading("SD-32", "exact-length", expected, "none")
    span = Span(len(reply.octets) - len(behind), len(behind), "trailing octets")
    return judge.reading("SD-32", "trailing-octets", expected, f"{len(behind)} octets", span=span)


@then_reply("neither RespondingSiteID nor DirectoryServiceServerArray is present")
@bears_on("MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-11")
def nothing_follows_the_networks(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that neither RespondingSiteID nor the array is there (2.2.3, 3.2.5.1, register SD-32).

    Fewer octets than an identifier has, or a padding of zeros, are neither.
    """
    expected = "nothing after the networks"
    if not reply.whole:
        return judge.undecided(expected, "the reply ends before the networks")
    behind = reply.octets[reply.networks_end :]
    observed = f"{len(behind)} octets after the networks"
    span = Span(reply.networks_end, len(behind), "RespondingSiteID")
    padding = len(behind) < GUID or (len(behind) > GUID and not any(behind))
    if behind and padding and reply.size == 0:
        return judge.reading("SD-32", "trailing-octets", expected, observed, span=span)
    return judge.says(not behind, expected, observed, span)


@then_reply("DirectoryServiceServerSize is zero")
@bears_on("MQSD-2.2.3-12", "MQSD-3.2.5.1-10")
def size_is_zero(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the size for a client of the server's own site (2.2.3, 3.2.5.1)."""
    if not reply.whole:
        return judge.undecided("size 0", _NO_SIZE)
    return judge.says(reply.size == 0, "size 0", f"size {reply.size}", span(SIZE))


@then_reply("DirectoryServiceServerSize counts the octets of the array")
@bears_on("MQSD-2.2.3-11", "MQSD-3.2.5.1-14")
def size_counts_the_array(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the size is the number of octets of the array, its null included (2.2.3, 3.2.5.1, register SD-27)."""
    if not reply.whole:
        return judge.undecided("the octets of the array", _NO_SIZE)
    length = len(reply.array)
    expected, observed = f"size {length}", f"size {reply.size}, the array has {length} octets"
    # The grammar has the null within the array; prose may be read to leave it out (2.2.3; SD-27).
    if length and reply.size == length - 2 and reply.array.endswith(b"\0\0"):
        return judge.reading("SD-27", "not-counted", expected, observed, span=span(SIZE))
    if length and reply.size == length:
        return judge.reading("SD-27", "counted", expected, observed, span=span(SIZE))
    return judge.says(False, expected if length else "a server array and its size", observed, span(SIZE))


@then_reply("DirectoryServiceServerSize has its low octet first")
@bears_on("MQSD-2.2.3-10")
def size_is_little_endian(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the order of the size's octets; a number that is wrong in either order tells nothing of it (2.2.3)."""
    length = len(reply.array)
    if reply.whole and not length:
        return judge.undecided(f"{length} with its low octet first", "no array")
    return _little_endian(judge, reply, SIZE, length, (length, length - 2))


def uncountable_networks(judge: Judge, expected: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge the answer of a server with more networks than a count can say, or with none (2.2.3, register SD-21)."""
    # The steps copy the whole list, and 2.2.3 has no number for more than 32.
    if len(expected.connected_networks) > COUNT.most:
        return _too_many_networks(judge, expected.connected_networks, reply)
    return _no_networks(judge, reply)


def _too_many_networks(judge: Judge, configured: Sequence[bytes], reply: ReplyView | None) -> Judgement:
    most, number = COUNT.most, len(configured)
    expected = f"no reply, {most} of the {number} networks, or all of them, counted rightly"
    if reply is None:
        return judge.reading("SD-21", "no-reply-above-32", expected, "silence")
    networks, served = Counter(reply.networks), Counter(configured)
    observed = f"count {reply.count} and {reply.entries} networks"
    if reply.count == reply.entries == number and networks == served:
        return judge.reading("SD-21", "count-above-32", expected, observed, span=span(COUNT))
    if reply.count == reply.entries == most and networks <= served:
        return judge.reading("SD-21", "truncated-to-32", expected, observed)
    return judge.says(False, expected, observed, span(COUNT))


def _no_networks(judge: Judge, reply: ReplyView | None) -> Judgement:
    expected = "no reply, a reply with count 0, or a placeholder network"
    if reply is None:
        return judge.reading("SD-21", "no-reply", expected, "silence")
    length = len(reply.octets)
    if not reply.whole:
        return judge.says(False, expected, f"a reply of {length} octets", Span(0, FIXED, ""))
    observed = f"count {reply.count} in a reply of {length} octets"
    behind = length - REPLY.length(reply.octets)
    if reply.count > 1 or not 0 <= behind < GUID:
        return judge.says(False, expected, observed, span(COUNT))
    if behind:
        return judge.reading("SD-32", "trailing-octets", expected, observed)
    return judge.reading("SD-21", "placeholder" if reply.count else "count-zero", expected, observed)


def without_names(judge: Judge, expected: ExpectedReply, reply: ReplyView | None) -> Judgement:
    """Judge the answer to a client of another site by a server without names to list (register SD-24)."""
    allowed = "no reply, size 0 with or without RespondingSiteID, or a lone terminator"
    if reply is None:
        return judge.reading("SD-24", "no-reply", allowed, "silence")
    behind = reply.octets[reply.networks_end :]
    observed = f"size {reply.size} and {len(behind)} octets after the networks"
    for reading, size, tail in _listing_nothing(expected.responding_site_id or b""):
        if reply.size == size and behind == tail:
            return judge.reading("SD-24", reading, allowed, observed)
        if reply.size == size and behind.startswith(tail) and len(behind) - len(tail) < GUID:
            return judge.reading("SD-32", "trailing-octets", allowed, observed)
    return judge.says(False, allowed, observed, span(SIZE))


def _listing_nothing(site: bytes) -> tuple[tuple[str, int, bytes], ...]:
    """Return the readings of SD-24 that are a reply: size, and what follows the networks."""
    return (
        ("size-zero-with-site", 0, site),
        ("size-zero-without-site", 0, b""),
        ("terminator-only", 2, site + b"\0\0"),
    )
