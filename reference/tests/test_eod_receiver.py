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


def test_a_rejected_message_is_acknowledged_like_an_accepted_one_or_not_at_all():
    duplicate = Numbers(5, 4)
    stream, _ = receive(LAST_5, duplicate, 0)
    assert acknowledge(stream, HALF)[1] == OrderAcknowledgment(5)
    stream, _ = receive(LAST_5, duplicate, 0, ReceiverReadings(arrivals=Arrivals.ACCEPTED_ONLY))
    assert acknowledge(stream, HALF)[1] is None


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
