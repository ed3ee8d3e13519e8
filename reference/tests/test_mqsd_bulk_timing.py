"""How long answers took and clients waited: the compiled pass says what counting by hand does."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mqsd_bulk_conversations import REPLY, REQUEST, SECOND, Packet, exchange

from mqconform.reference.mqsd.audit.bulk_conversations import NO_TIME, judge_conversations
from mqconform.reference.mqsd.audit.bulk_packets import RULES

HOUR = 3_600


def times(packets: Sequence[Packet]) -> tuple[list[int], list[int]]:
    """Return the answers and the pauses in packets of one conversation, in nanoseconds, in order of time."""
    severities = np.frombuffer(bytes([3] * RULES), np.uint8)
    judged = judge_conversations(exchange([*packets]), 0, 0, severities)
    answers = judged.conversations.answer
    return answers[answers != NO_TIME].tolist(), judged.pauses.what.tolist()


def test_an_answer_takes_from_its_own_request_to_the_first_reply():
    asked_twice = [Packet(REQUEST, 1), Packet(REQUEST, 16, client=20), Packet(REPLY, 16.25, client=20)]
    assert times(asked_twice) == ([SECOND // 4], [15 * SECOND])
    answered_late = [Packet(REQUEST, 1), Packet(REQUEST, 16, client=20), Packet(REPLY, 17, client=10)]
    assert times(answered_late)[0] == [16 * SECOND]
    answered_twice = [Packet(REQUEST, 1), Packet(REPLY, 1.5), Packet(REPLY, 9)]
    assert times(answered_twice) == ([SECOND // 2], [])


def test_what_has_no_time_or_belongs_elsewhere_tells_none():
    assert times([Packet(REQUEST, -1), Packet(REPLY, 2)]) == ([], [])
    assert times([Packet(REPLY, 2), Packet(REQUEST, 2.5)]) == ([], [])
    assert times([Packet(REPLY, 2)]) == ([], [])
    assert times([Packet(REQUEST, 1), Packet(REPLY, 2, client=20)]) == ([], [])
    assert times([Packet(REQUEST, 1), Packet(REQUEST, 16, enterprise=4)]) == ([], [])
    assert times([Packet(REQUEST, 1), Packet(REQUEST, 2 + HOUR)]) == ([], [])


def test_a_reply_before_the_request_is_passed_over_for_the_next():
    assert times([Packet(REPLY, 0.5), Packet(REQUEST, 1), Packet(REPLY, 3)])[0] == [2 * SECOND]


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from((REQUEST, REPLY)), st.integers(0, 60), st.sampled_from((10, 20))), max_size=8)
)
def test_times_are_those_that_counting_by_hand_finds(drawn: list[tuple[int, int, int]]):
    packets = sorted((Packet(message, float(at), client) for message, at, client in drawn), key=lambda one: one.at)
    answers, pauses = times(packets)
    asked = [one for one in packets if one.message == REQUEST]
    assert pauses == [round((b.at - a.at) * SECOND) for a, b in pairwise(asked)]
    expected = []
    for reply in (one for one in packets if one.message == REPLY):
        before = [one.at for one in asked if one.client == reply.client and one.at <= reply.at]
        if before:
            expected.append(round((reply.at - before[-1]) * SECOND))
    assert answers == expected[:1]
