"""When a receiver sends an order acknowledgment (MS-MQQB 3.1.1.3.1, 3.1.1.6.2)."""

from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.eod.elements import MAXIMUM_ORDER_ACK_DELAY, ORDER_ACK_TIMEOUT
from mqconform.reference.eod.readings_of_receivers import UNDISPUTED, ReceiverReadings, TenSeconds


@dataclass(frozen=True, slots=True)
class OrderAckTimer:
    """The timer of one stream; times are in nanoseconds."""

    deadline: int | None = None
    """When the acknowledgment goes out, None while nothing asks for one."""
    last_sent: int = 0
    """When the last one went out, or the session began."""
    oldest_arrival: int = 0
    """Arrival since which the timer runs; of meaning only while it does (register EOD-16)."""


IDLE: Final = OrderAckTimer()
"""The timer at the beginning of a session at time 0."""


def arrived(timer: OrderAckTimer, now: int, readings: ReceiverReadings = UNDISPUTED) -> OrderAckTimer:
    """Return the timer after the arrival of a message that asks for an acknowledgment (MS-MQQB 3.1.1.6.2).

    The first arrival starts it; further ones start it anew, but let it run once the last acknowledgment is ten
    seconds old, or, by the other reading, put it off no longer than ten seconds after the first of them.
    """
    if timer.deadline is None:
        return replace(timer, deadline=now + ORDER_ACK_TIMEOUT, oldest_arrival=now)
    if readings.ten_seconds is TenSeconds.SINCE_OLDEST_ARRIVAL:
        latest = timer.oldest_arrival + MAXIMUM_ORDER_ACK_DELAY
        return replace(timer, deadline=min(now + ORDER_ACK_TIMEOUT, latest))
    # Since the last acknowledgment: after a long silence arrivals put nothing off (EOD-16).
    if now - timer.last_sent < MAXIMUM_ORDER_ACK_DELAY:
        return replace(timer, deadline=now + ORDER_ACK_TIMEOUT)
    return timer


def expired(now: int) -> OrderAckTimer:
    """Return the timer after an acknowledgment at ``now``: it starts with the next arrival."""
    return OrderAckTimer(last_sent=now)


def acknowledgment_times(arrivals: tuple[int, ...], readings: ReceiverReadings = UNDISPUTED) -> tuple[int, ...]:
    """Return when acknowledgments go out for arrivals at given times, in rising order (MS-MQQB 3.1.1.6.2).

    Args:
        arrivals: times in nanoseconds since the session began, rising; each asks for an acknowledgment.
        readings: from when the ten seconds count.
    """
    timer, sent = IDLE, []
    for now in arrivals:
        if timer.deadline is not None and timer.deadline <= now:
            sent.append(timer.deadline)
            timer = expired(timer.deadline)
        timer = arrived(timer, now, readings)
    return (*sent, timer.deadline) if timer.deadline is not None else tuple(sent)
