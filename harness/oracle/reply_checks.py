"""Judgements on the header and the fixed fields of a topology reply (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1).

Each function judges one thing of one reply. A part that is not there because the reply is too short makes the
judgement inconclusive, except in the one that is about being long enough.
"""

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import CORRELATION_AT, FIXED, ReplyView
from mqconform.harness.witness import Judgement, Span

REPLY_TYPE = 2


def long_enough(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that header and fixed fields are there (2.2.3)."""
    length = len(reply.octets)
    span = Span(0, min(length, FIXED), "TopologyPacketHeader")
    return judge.says(reply.whole, f"at least {FIXED} octets", f"{length} octets", span)


def begins_with_header(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that four octets stand in front of the CorrelationID (2.2.1, 2.2.3).

    A reply with the id of another request shows by its Type or its networks where its fields lie.
    """
    expected = f"CorrelationID at offset {CORRELATION_AT}, behind Version, Type and Reserved"
    if reply.correlation_id == reply.expected.correlation_id:
        return judge.says(True, expected, f"CorrelationID at offset {CORRELATION_AT}")
    at = reply.octets.find(reply.expected.correlation_id)
    if at >= 0:
        return judge.says(False, expected, f"CorrelationID at offset {at}", Span(0, at, "TopologyPacketHeader"))
    if reply.type == REPLY_TYPE or reply.networks_recognised:
        return judge.says(True, expected, "the other fields lie where they should")
    return judge.undecided(expected, "no field of the reply can be recognised")


def type_is_reply(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the Type (2.2.1)."""
    if reply.type is None:
        return judge.undecided("Type 2", "the reply ends before its Type")
    return judge.says(reply.type == REPLY_TYPE, "Type 2", f"Type {reply.type}", Span(1, 1, "Type"))


def correlation_repeats_request(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge the CorrelationID octet by octet (2.2.2, 2.2.3, 3.2.5.1)."""
    wanted, found = reply.expected.correlation_id, reply.correlation_id
    span = Span(CORRELATION_AT, 16, "CorrelationID")
    return judge.says(found == wanted, wanted.hex(), found.hex() or "nothing", span)


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
