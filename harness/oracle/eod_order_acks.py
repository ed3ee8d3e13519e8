"""Judgements on when order acknowledgments go out (MS-MQQB 3.1.1.3.1, 3.1.1.6.2); times are tenths of a second."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement
from mqconform.reference.eod.elements import MAXIMUM_ORDER_ACK_DELAY, ORDER_ACK_TIMEOUT, SECOND
from mqconform.reference.eod.order_ack import acknowledgment_times
from mqconform.reference.eod.readings_of_receivers import Arrivals, NothingAccepted, ReceiverReadings, TenSeconds

TENTH: Final = SECOND // 10
WITHIN: Final = 1
"""Tenths by which a time may be off: whether the end of an interval belongs to it is nobody's rule."""
WHOLE_SECONDS: Final = 10 + WITHIN
"""Tenths by which a clock of whole seconds may move the ten seconds (register EOD-17)."""


@dataclass(frozen=True, slots=True)
class SentAck:
    """An order acknowledgment that was seen to go out."""

    at: int
    """Tenths of a second since the receiver was started."""
    stream: str
    number: int

    def __str__(self) -> str:
        """Return ``2 at 0.9 s``."""
        return f"{self.number} at {self.at / 10:g} s"


@dataclass(frozen=True, slots=True)
class Arrived:
    """An arrival that asks for an acknowledgment, or would by the reading that every arrival does."""

    at: int
    accepted: bool


def acks_go_out(judge: Judge, wanted: Sequence[tuple[int, int]], seen: Sequence[SentAck]) -> Judgement:
    """Judge that acknowledgments went out at these times with these numbers, and no others."""
    expected = ", ".join(f"{number} at {at / 10:g} s" for at, number in wanted) or "no order acknowledgment"
    right = len(wanted) == len(seen) and all(
        abs(one.at - at) <= WITHIN and one.number == number for (at, number), one in zip(wanted, seen, strict=True)
    )
    return judge.says(right, expected, told(seen))


def acks_while_nothing_is_accepted(judge: Judge, at: int, seen: Sequence[SentAck]) -> Judgement:
    """Judge what acknowledges a stream of which nothing was accepted: zero, or silence (register EOD-13)."""
    expected = f"0 at {at / 10:g} s, or no order acknowledgment"
    if not seen:
        return judge.reading(*_of(NothingAccepted.SILENCE), expected, told(seen))
    if len(seen) == 1 and seen[0].number == 0 and abs(seen[0].at - at) <= WITHIN:
        return judge.reading(*_of(NothingAccepted.ZERO), expected, told(seen))
    return judge.says(False, expected, told(seen))


def acks_for_rejected(judge: Judge, at: int, number: int, seen: Sequence[SentAck]) -> Judgement:
    """Judge what a rejected message leads to when everything before it is acknowledged (register EOD-16)."""
    expected = f"{number} at {at / 10:g} s"
    if not seen:
        return judge.reading(*_of(Arrivals.ACCEPTED_ONLY), expected, told(seen))
    if len(seen) == 1 and seen[0].number == number and abs(seen[0].at - at) <= WITHIN:
        return judge.reading(*_of(Arrivals.EVERY), expected, told(seen))
    return judge.says(False, expected, told(seen))


def steady_arrivals_put_off(judge: Judge, arrivals: Sequence[Arrived], seen: Sequence[SentAck]) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off until about ten seconds after the one before."""
    last = seen[0].at if seen else 0
    until = last + MAXIMUM_ORDER_ACK_DELAY // TENTH - WHOLE_SECONDS
    early = [one for one in seen[1:] if one.at < until]
    expected = f"no further order acknowledgment before {until / 10:g} s"
    return judge.says(bool(seen) and not early, expected, f"{told(seen)}; {_steady(arrivals)}")


def steady_arrivals_are_acknowledged(judge: Judge, arrivals: Sequence[Arrived], seen: Sequence[SentAck]) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off no longer than they may (registers EOD-16, EOD-17)."""
    times = tuple(one.at * TENTH for one in arrivals)
    by_reading = {one: acknowledgment_times(times, ReceiverReadings(ten_seconds=one))[1] // TENTH for one in TenSeconds}
    expected = f"a second order acknowledgment at {' or '.join(f'{at / 10:g} s' for at in by_reading.values())}"
    observed = f"{told(seen)}; {_steady(arrivals)}"
    if len(seen) < 2:
        return judge.says(False, expected, observed)
    off = {one: abs(seen[1].at - at) for one, at in by_reading.items()}
    closest = min(off, key=off.__getitem__)
    if off[closest] > WHOLE_SECONDS + ORDER_ACK_TIMEOUT // TENTH:
        return judge.says(False, expected, observed)
    exact = off[closest] <= WITHIN
    judge.readings.record("EOD-17", "exact" if exact else "whole-seconds")
    if exact:
        return judge.reading(*_of(closest), expected, observed)
    return judge.says(True, expected, observed)


def told(seen: Sequence[SentAck]) -> str:
    """Return acknowledgments in words."""
    return ", ".join(map(str, seen)) or "no order acknowledgment"


def _steady(arrivals: Sequence[Arrived]) -> str:
    return f"{len(arrivals)} arrivals up to {arrivals[-1].at / 10:g} s"


def _of(choice: NothingAccepted | Arrivals | TenSeconds) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name
