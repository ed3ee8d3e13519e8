"""When an exchange of datagrams is complete, settled, overflowing or silent; no sockets."""

from collections import Counter

import pytest

from mqconform.adapters.datagrams import arrivals as udp_arrivals
from mqconform.adapters.datagrams.arrivals import Arrivals, ids_of, request_id
from mqconform.harness.iut.interface import Datagram

FENCE, ONE, TWO, OLD = (bytes([number]) * 16 for number in (0xFE, 1, 2, 9))


def reply(identity: bytes) -> Datagram:
    return Datagram(b"\0\2\0\0" + identity + bytes(12), "192.0.2.1:1801")


def arrivals(*identities: bytes, sent: int = 1, expected: int = 0) -> Arrivals:
    caught = Arrivals(sent, FENCE, expected, current=Counter((ONE, TWO)), earlier={OLD, TWO})
    for identity in identities:
        caught.take(reply(identity), from_iut=True)
    return caught


def test_waiting_ends_when_what_can_come_has_come():
    for identities, sent, expected, complete, settled in (
        ((), 0, 0, False, False),
        ((FENCE,), 0, 0, True, True),
        ((FENCE,), 1, 0, False, True),
        ((FENCE,), 1, 1, False, False),
        ((ONE,), 1, 1, False, False),
        ((ONE, FENCE), 1, 1, True, True),
        ((FENCE, ONE), 2, 1, False, True),
        ((FENCE, ONE), 2, 2, False, False),
        ((FENCE, ONE, TWO), 2, 2, True, True),
        ((FENCE, OLD), 1, 1, False, False),
        ((ONE, ONE), 1, 1, False, True),
        ((FENCE, FENCE), 1, 1, False, False),
    ):
        caught = arrivals(*identities, sent=sent, expected=expected)
        assert (caught.complete, caught.settled) == (complete, settled), (identities, sent, expected)


def test_a_copy_of_the_answer_to_the_fence_is_a_reply_only_in_place_of_one_that_is_due():
    for identities, expected, replies in (
        ((FENCE, ONE, FENCE), 1, [ONE]),
        ((FENCE, FENCE), 0, []),
        ((FENCE, FENCE), 1, [FENCE]),
        ((FENCE, FENCE, ONE), 1, [ONE]),
    ):
        got = arrivals(*identities, expected=expected).result(refused=False)
        assert [one.octets[4:20] for one in got.replies] == replies, identities
        assert got.alive is True, identities


def test_another_answer_to_the_fence_is_a_reply():
    caught = arrivals(FENCE)
    caught.take(Datagram(reply(FENCE).octets + b"more"), from_iut=True)
    assert len(caught.result(refused=False).replies) == 1


def test_replies_to_earlier_exchanges_are_counted_and_are_none_of_this_one():
    caught = arrivals(OLD, TWO, FENCE, ONE, TWO, OLD)
    got = caught.result(refused=False)
    assert [one.octets[4:20] for one in got.replies] == [TWO, ONE]
    assert caught.late == 3
    assert not arrivals(OLD).silent


def test_what_answers_a_request_that_was_waited_for_in_full_is_shown_and_fills_no_gap():
    caught = arrivals(FENCE, expected=1)
    caught.overdue = {OLD}
    caught.take(reply(OLD), from_iut=True)
    assert [one.octets[4:20] for one in caught.result(refused=False).replies] == [OLD]
    assert (caught.late, caught.settled) == (0, False)
    assert [*caught.unanswered()] == [ONE, TWO]


def test_alive_is_said_only_where_it_is_known():
    for identities, refused, alive in (
        ((FENCE,), False, True),
        ((FENCE,), True, True),
        ((), False, False),
        ((ONE,), False, False),
        ((ONE, ONE), False, None),
        ((ONE, ONE), True, False),
    ):
        assert arrivals(*identities).result(refused=refused).alive is alive, (identities, refused)


def test_datagrams_from_elsewhere_answer_nothing():
    caught = arrivals()
    caught.take(reply(FENCE), from_iut=False)
    caught.take(reply(ONE), from_iut=False)
    assert (caught.silent, caught.complete, len(caught.result(refused=False).foreign)) == (True, False, 2)


def test_what_is_kept_is_bounded_by_number_and_by_octets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(udp_arrivals, "MAX_DATAGRAMS", 3)
    monkeypatch.setattr(udp_arrivals, "MAX_OCTETS", 1_000)
    for from_iut in (True, False):
        many, large = arrivals(), arrivals()
        for _ in range(3):
            assert not many.overflow
            many.take(reply(ONE), from_iut=from_iut)
        assert many.result(refused=False).overflow
        large.take(Datagram(bytes(1_000)), from_iut=from_iut)
        assert large.result(refused=False).alive is None


def test_what_is_too_short_has_no_request_id():
    assert request_id(bytes(20) + ONE) == ONE
    assert request_id(bytes(35)) is None
    assert [*ids_of([b"", bytes(35), bytes(20) + TWO + b"more"])] == [TWO]
