from dataclasses import replace
from itertools import pairwise

from mqconform.reference.eod.elements import SECOND, Numbers, OrderAcknowledgment
from mqconform.reference.eod.order_ack import acknowledgment_times
from mqconform.reference.eod.readings_of_receivers import (
    Arrivals,
    NewerSequence,
    NothingAccepted,
    ReceiverReadings,
    TenSeconds,
    Window,
)
from mqconform.reference.eod.receiver import (
    NEW,
    IncomingStream,
    Judgement,
    acknowledge,
    judge,
    order_acknowledgment,
    receive,
    restarted,
)

HALF = SECOND // 2
LAST_5 = IncomingStream(last_accepted=5)


def test_a_message_is_judged_by_its_numbers_and_the_last_accepted_one():
    for stream, message, expected in (
        (NEW, Numbers(1, 0), Judgement.IN_ORDER),
        (NEW, Numbers(9, 0), Judgement.IN_ORDER),
        (NEW, Numbers(2, 1), Judgement.GAP),
        (NEW, Numbers(0, 0), Judgement.DUPLICATE),
        (LAST_5, Numbers(6, 5), Judgement.IN_ORDER),
        (LAST_5, Numbers(6, 3), Judgement.IN_ORDER),
        (LAST_5, Numbers(9, 5), Judgement.IN_ORDER),
        (LAST_5, Numbers(9, 0), Judgement.IN_ORDER),
        (LAST_5, Numbers(5, 4), Judgement.DUPLICATE),
        (LAST_5, Numbers(5, 0), Judgement.DUPLICATE),
        (LAST_5, Numbers(1, 0), Judgement.DUPLICATE),
        (LAST_5, Numbers(7, 6), Judgement.GAP),
        (replace(LAST_5, sequence_id=3), Numbers(7, 0, 4), Judgement.FIRST_OF_SEQUENCE),
        (replace(LAST_5, sequence_id=3), Numbers(2, 1, 4), Judgement.NOT_FIRST_OF_SEQUENCE),
        (replace(LAST_5, sequence_id=3), Numbers(6, 5, 2), Judgement.OLDER_SEQUENCE),
    ):
        assert judge(stream, message) is expected, (stream, message)


def test_an_accepted_message_moves_the_last_accepted_number_and_a_rejected_one_does_not():
    after, judgement = receive(LAST_5, Numbers(9, 5), 0)
    assert (judgement.accepted, after.last_accepted) == (True, 9)
    after, judgement = receive(LAST_5, Numbers(9, 8), 0)
    assert (judgement.accepted, after.last_accepted, after.gap_seen) == (False, 5, True)


def test_the_refused_reading_moves_the_window_with_a_rejected_message():
    moving = ReceiverReadings(window=Window.MOVES_ON_ARRIVAL)
    after, _ = receive(LAST_5, Numbers(9, 8), 0, moving)
    assert judge(after, Numbers(6, 5)) is Judgement.DUPLICATE


def test_a_newer_sequence_may_wait_for_the_gaps_of_the_older_one():
    gap, _ = receive(LAST_5, Numbers(7, 6), 0)
    waiting = ReceiverReadings(newer_sequence=NewerSequence.AWAITS_OLDER)
    assert judge(gap, Numbers(1, 0, 8), waiting) is Judgement.OLDER_SEQUENCE_AWAITED
    assert judge(LAST_5, Numbers(1, 0, 8), waiting) is Judgement.FIRST_OF_SEQUENCE
    assert judge(gap, Numbers(1, 0, 8)) is Judgement.FIRST_OF_SEQUENCE


def test_an_acknowledgment_carries_the_last_accepted_number():
    assert order_acknowledgment(replace(LAST_5, sequence_id=7)) == OrderAcknowledgment(5, 7)
    assert order_acknowledgment(NEW) == OrderAcknowledgment(0)
    assert order_acknowledgment(NEW, ReceiverReadings(nothing_accepted=NothingAccepted.SILENCE)) is None


def test_one_message_is_acknowledged_after_half_a_second_and_once():
    stream, _ = receive(NEW, Numbers(1, 0), 3 * SECOND)
    stream, none = acknowledge(stream, 3 * SECOND + HALF - 1)
    assert none is None
    stream, sent = acknowledge(stream, 3 * SECOND + HALF)
    assert sent == OrderAcknowledgment(1)
    assert acknowledge(stream, 1_000 * SECOND)[1] is None


def test_a_rejected_message_is_acknowledged_like_an_accepted_one_or_not_at_all():
    duplicate = Numbers(5, 4)
    stream, _ = receive(LAST_5, duplicate, 0)
    assert acknowledge(stream, HALF)[1] == OrderAcknowledgment(5)
    stream, _ = receive(LAST_5, duplicate, 0, ReceiverReadings(arrivals=Arrivals.ACCEPTED_ONLY))
    assert acknowledge(stream, HALF)[1] is None


STEADY = tuple(number * SECOND // 4 for number in range(1, 101))


def test_acknowledgments_are_scheduled():
    for arrivals, ten_seconds, expected in (
        ((), TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, ()),
        ((SECOND,), TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, (1.5,)),
        ((SECOND, SECOND + HALF - 1), TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, (2.0 - 1e-9,)),
        ((SECOND, SECOND + HALF), TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, (1.5, 2.0)),
        # After ten quiet seconds a further arrival does not put the acknowledgment off.
        ((20 * SECOND, 20 * SECOND + HALF // 2), TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, (20.5,)),
        (STEADY, TenSeconds.SINCE_LAST_ACKNOWLEDGMENT, (10.25, 20.5, 25.5)),
        (STEADY, TenSeconds.SINCE_OLDEST_ARRIVAL, (10.25, 20.25, 25.5)),
    ):
        times = acknowledgment_times(arrivals, ReceiverReadings(ten_seconds=ten_seconds))
        assert [round(time / SECOND, 9) for time in times] == list(expected), (arrivals, ten_seconds)


def test_a_steady_stream_is_acknowledged_at_most_ten_and_a_half_seconds_apart():
    for gap in (SECOND // 100, SECOND // 10, SECOND // 3, HALF - 1):
        arrivals = tuple(range(0, 60 * SECOND, gap))
        for ten_seconds in TenSeconds:
            times = (0, *acknowledgment_times(arrivals, ReceiverReadings(ten_seconds=ten_seconds)))
            assert max(later - earlier for earlier, later in pairwise(times)) <= 10.5 * SECOND


def test_a_restart_keeps_the_number_and_a_loss_does_not():
    stream, _ = receive(LAST_5, Numbers(6, 5), 0)
    assert restarted(stream, SECOND).last_accepted == 6
    assert judge(restarted(stream, SECOND), Numbers(6, 0)) is Judgement.DUPLICATE
    assert judge(NEW, Numbers(6, 0)) is Judgement.IN_ORDER
