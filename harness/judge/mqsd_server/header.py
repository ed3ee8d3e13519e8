"""The header of a topology reply and the identifier behind it (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1).

Each check judges one thing of one reply. A part that is not there because the reply is too short makes the judgement
inconclusive, except in the check that is about being long enough.
"""

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_AT, GUID, ReplyCheck, ReplyView
from mqconform.harness.records.witness import Judgement, Span
from mqconform.reference.mqsd.specification import FACTS

REPLY_TYPE = 2


@bears_on("MQSD-2.2.3-04", "MQSD-2.2.3-07", "MQSD-2.2.3-10")
def long_enough(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that header and fixed fields are there (2.2.3)."""
    length = len(reply.octets)
    span = Span(0, min(length, FACTS.reply_size), "TopologyPacketHeader")
    return judge.says(reply.whole, f"at least {FACTS.reply_size} octets", f"{length} octets", span)


@bears_on("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-08", "MQSD-2.2.3-01", "MQSD-2.2.3-02")
def begins_with_header(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that four octets stand in front of the CorrelationID (2.2.1, 2.2.3).

    A reply with the id of another request shows by its Type or its networks where its fields lie.
    """
    expected = f"CorrelationID at offset {FACTS.correlation_id.start}, behind Version, Type and Reserved"
    if reply.correlation_id == reply.expected.correlation_id:
        return judge.says(True, expected, f"CorrelationID at offset {FACTS.correlation_id.start}")
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
    request_id, correlation_id = reply.expected.correlation_id, reply.correlation_id
    span = Span(CORRELATION_AT, GUID, "CorrelationID")
    return judge.says(correlation_id == request_id, request_id.hex(), correlation_id.hex() or "nothing", span)


SENTENCES: dict[str, ReplyCheck] = {
    "the reply begins with the header": begins_with_header,
    "the reply is long enough for the header and the fixed fields": long_enough,
    "the reply's Type is 2": type_is_reply,
    "the CorrelationID repeats the RequestID": correlation_repeats_request,
}
