from itertools import accumulate

import pytest

from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import SECOND, Numbers, OrderAcknowledgment, resend_interval
from mqconform.reference.eod.readings_of_senders import Intervals, NumbersOverSessions, OtherSequence, SenderReadings

UNDISPUTED = SenderReadings()


def queued(count: int, readings: SenderReadings = UNDISPUTED) -> sender.OutgoingStream:
    stream = sender.NEW
    for number in range(1, count + 1):
        stream, _ = sender.enqueue(stream, f"m{number}", readings)
    return stream


def acknowledged(stream: sender.OutgoingStream, number: int, now: int = 0, readings: SenderReadings = UNDISPUTED):
    return sender.order_acknowledged(stream, OrderAcknowledgment(number), now, readings)


def links(stream: sender.OutgoingStream, readings: SenderReadings = UNDISPUTED) -> list[tuple[int, int]]:
    return [(one.numbers.sequence, one.numbers.previous) for one in sender.transmission(stream, readings)]


def test_an_acknowledgment_releases_up_to_its_own_number_also_after_one_of_a_number_not_yet_given():
    stream, _ = sender.enqueue(acknowledged(queued(3), 9), "m4")
    assert links(acknowledged(stream, 2)) == [(4, 0)]
    assert links(acknowledged(stream, 4)) == []


def test_the_schedule_of_resends():
    times = [*accumulate(resend_interval(index) // SECOND for index in range(12))]
    assert times == [30, 60, 90, 390, 690, 990, 2790, 4590, 6390, 27990, 49590, 71190]
    stream, _ = sender.transmit(queued(2), 0)
    for due in times:
        assert sender.resend(stream, due * SECOND - 1) == (stream, ())
        stream, sent = sender.resend(stream, due * SECOND)
        assert [(one.message, one.numbers.previous) for one in sent] == [("m1", 0), ("m2", 1)]


def test_a_late_look_moves_no_later_resend():
    stream, _ = sender.transmit(queued(1), 0)
    stream, _ = sender.resend(stream, 59 * SECOND)
    assert stream.wait_until == 60 * SECOND


def test_an_acknowledgment_that_leaves_messages_starts_the_wait_anew():
    for intervals, next_wait in (
        (Intervals.WITH_WAITS, 300),
        (Intervals.ANEW_WITH_PROGRESS, 30),
        (Intervals.WITH_ACKNOWLEDGMENTS, 30),
    ):
        readings = SenderReadings(intervals=intervals)
        stream, _ = sender.transmit(queued(2), 0, readings)
        for due in (30, 60, 90):
            stream, _ = sender.resend(stream, due * SECOND, readings)
        stream = acknowledged(stream, 1, 100 * SECOND, readings)
        assert stream.wait_until == (100 + next_wait) * SECOND, (intervals, next_wait)


def test_a_restart_keeps_numbers_and_sends_at_once():
    stream, _ = sender.transmit(acknowledged(queued(3), 1), 0)
    stream = sender.restarted(stream, SECOND)
    assert stream.wait_until == SECOND
    assert links(stream) == [(2, 0), (3, 2)]
    anew = sender.restarted(stream, SECOND, SenderReadings(numbers_over_sessions=NumbersOverSessions.ANEW))
    assert links(anew) == [(4, 0), (5, 4)]


def test_an_acknowledgment_of_another_sequence_is_ignored_unless_a_reading_says_otherwise():
    stream, _ = sender.enqueue(sender.begin_sequence(sender.NEW, 2), "m1")
    late = OrderAcknowledgment(7, 1)
    assert sender.order_acknowledged(stream, late, 0) == stream
    acting = SenderReadings(other_sequence=OtherSequence.ACTED_UPON)
    assert sender.order_acknowledged(stream, late, 0, acting).queue == ()


def test_a_new_sequence_begins_with_one_once_everything_is_acknowledged():
    stream = sender.begin_sequence(acknowledged(queued(3), 3), 5)
    assert sender.enqueue(stream, "m4")[1] == Numbers(1, 0, 5)
    with pytest.raises(ValueError, match="cannot follow"):
        sender.begin_sequence(queued(1), 5)
    with pytest.raises(ValueError, match="cannot follow"):
        sender.begin_sequence(stream, 5)
