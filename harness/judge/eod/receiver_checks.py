"""Which messages a receiver accepts, and which acknowledgments it sends when.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6. Times are tenths of a second.
"""

import re
from collections.abc import Sequence
from typing import Final

from pytest_bdd import parsers, then

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.receiver_models import Answer
from mqconform.harness.judge.eod.receiving import Arrival, IncomingScene, SentAck
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.witness import Judgement
from mqconform.reference.choice import Choice
from mqconform.reference.eod.elements import MAXIMUM_ORDER_ACK_DELAY, ORDER_ACK_TIMEOUT, SECOND
from mqconform.reference.eod.order_ack import acknowledgment_times
from mqconform.reference.eod.readings_of_receivers import Arrivals, NothingAccepted, ReceiverReadings, TenSeconds

TENTH: Final = SECOND // 10
WITHIN: Final = 1
"""Tenths by which a time may be off: no rule says whether the end of an interval belongs to it."""
WHOLE_SECONDS: Final = 10 + WITHIN
"""Tenths by which a clock of whole seconds may move the ten seconds (register EOD-17)."""
_ACK: Final = re.compile(r"(\d+) at ([\d.]+) s")


@then(parsers.re(r"the message is (?P<verdict>accepted|rejected)"))
def message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of the last message."""
    _judge_as(incoming, incoming.answers[-1], {"accepted": verdict == "accepted"})


@then(parsers.re(r"each of the messages is (?P<verdict>accepted|rejected)"))
def each_message_is(incoming: IncomingScene, verdict: str) -> None:
    """Judge what became of each message of the last When."""
    for answer in incoming.answers:
        _judge_as(incoming, answer, {"accepted": verdict == "accepted"})


@then(parsers.re(r"an order acknowledgment of stream (?P<stream>\w+) carries (?P<number>\d+)"))
def order_ack_carries(incoming: IncomingScene, stream: str, number: str) -> None:
    """Judge what an acknowledgment would carry now."""
    answer = incoming.ask("order_ack", {"stream": stream}, f"an order acknowledgment of stream {stream}")
    _judge_as(incoming, answer, {"sequence": int(number)})


def judge_answer(judge: Judge, answer: Answer) -> Judgement:
    """Judge one answer: the model's own, one that a reading explains, or a wrong one."""
    expected, observed = (f"{answer.what}: {_answer_in_words(result)}" for result in (answer.expected, answer.seen))
    if answer.seen == answer.expected and not answer.astray:
        for other in answer.telling:
            return judge.reading(*_register_entry(other.instead), expected, observed)
        return judge.says(True, expected, observed)
    for other in answer.fitting:
        return judge.reading(*_register_entry(other.follows), expected, observed)
    if answer.astray:
        return judge.undecided(expected, f"{observed}; what went before was not answered as it should be")
    return judge.says(False, expected, observed)


def _judge_as(incoming: IncomingScene, answer: Answer, expected: dict[str, object]) -> None:
    """Judge an answer; the words of the feature have to be what the model says."""
    disagreement = f"the feature disagrees with the model about {answer.what}"
    assert answer.expected == expected, f"{disagreement}: {expected} against {answer.expected}"
    incoming.witness(judge_answer(incoming.judge, answer))


def _answer_in_words(answer: Json) -> str:
    match answer:
        case {"accepted": bool(accepted)}:
            return "accepted" if accepted else "rejected"
        case {"sequence": number}:
            return f"carries {number}"
    return "done"


@then(
    parsers.re(
        r"order acknowledgments? of stream (?P<stream>\w+) went out: (?P<wanted>\d+ at [\d.]+ s(?:, \d+ at [\d.]+ s)*)"
    )
)
def order_acks_went_out(incoming: IncomingScene, stream: str, wanted: str) -> None:
    """Judge when acknowledgments of a stream went out, and what they carried."""
    times = [(round(float(at) * 10), int(number)) for number, at in _ACK.findall(wanted)]
    of_stream = [ack for ack in incoming.acks if ack.stream == stream]
    incoming.witness(acks_go_out(incoming.judge, times, of_stream))


@then("no order acknowledgment went out")
def no_order_ack_went_out(incoming: IncomingScene) -> None:
    """Judge that none did."""
    incoming.witness(acks_go_out(incoming.judge, (), incoming.acks))


def acks_go_out(judge: Judge, wanted: Sequence[tuple[int, int]], acks: Sequence[SentAck]) -> Judgement:
    """Judge that acknowledgments went out at these times with these numbers, and no others."""
    expected = ", ".join(f"{number} at {at / 10:g} s" for at, number in wanted) or "no order acknowledgment"
    right = len(wanted) == len(acks) and all(
        abs(ack.at - at) <= WITHIN and ack.number == number for (at, number), ack in zip(wanted, acks, strict=True)
    )
    return judge.says(right, expected, _in_words(acks))


@then(parsers.re(r"zero was acknowledged at (?P<at>[\d.]+) s, or nothing"))
def zero_was_acknowledged(incoming: IncomingScene, at: str) -> None:
    """Judge what acknowledges a stream of which nothing was accepted."""
    incoming.witness(acks_while_nothing_is_accepted(incoming.judge, round(float(at) * 10), incoming.acks))


def acks_while_nothing_is_accepted(judge: Judge, at: int, acks: Sequence[SentAck]) -> Judgement:
    """Judge what acknowledges a stream of which nothing was accepted: zero, or silence (register EOD-13)."""
    expected = f"0 at {at / 10:g} s, or no order acknowledgment"
    if not acks:
        return judge.reading(*_register_entry(NothingAccepted.SILENCE), expected, _in_words(acks))
    if len(acks) == 1 and acks[0].number == 0 and abs(acks[0].at - at) <= WITHIN:
        return judge.reading(*_register_entry(NothingAccepted.ZERO), expected, _in_words(acks))
    return judge.says(False, expected, _in_words(acks))


@then(parsers.re(r"the rejected message was acknowledged with (?P<number>\d+) at (?P<at>[\d.]+) s"))
def rejected_message_was_acknowledged(incoming: IncomingScene, number: str, at: str) -> None:
    """Judge what followed a rejected message after everything before it had been acknowledged."""
    tenths = round(float(at) * 10)
    later = [ack for ack in incoming.acks if ack.at > incoming.arrivals[-1].at]
    incoming.witness(acks_for_rejected(incoming.judge, tenths, int(number), later))


def acks_for_rejected(judge: Judge, at: int, number: int, acks: Sequence[SentAck]) -> Judgement:
    """Judge what a rejected message leads to when everything before it is acknowledged (register EOD-16)."""
    expected = f"{number} at {at / 10:g} s"
    if not acks:
        return judge.reading(*_register_entry(Arrivals.ACCEPTED_ONLY), expected, _in_words(acks))
    if len(acks) == 1 and acks[0].number == number and abs(acks[0].at - at) <= WITHIN:
        return judge.reading(*_register_entry(Arrivals.EVERY), expected, _in_words(acks))
    return judge.says(False, expected, _in_words(acks))


@then("steady arrivals put the order acknowledgment off for about ten seconds")
def each_arrival_began_the_wait_anew(incoming: IncomingScene) -> None:
    """Judge that each arrival began the wait anew."""
    incoming.witness(steady_arrivals_put_off(incoming.judge, incoming.arrivals, incoming.acks))


def steady_arrivals_put_off(judge: Judge, arrivals: Sequence[Arrival], acks: Sequence[SentAck]) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off until about ten seconds after the one before."""
    last = acks[0].at if acks else 0
    until = last + MAXIMUM_ORDER_ACK_DELAY // TENTH - WHOLE_SECONDS
    early = [ack for ack in acks[1:] if ack.at < until]
    expected = f"no further order acknowledgment before {until / 10:g} s"
    return judge.says(bool(acks) and not early, expected, f"{_in_words(acks)}; {_steady(arrivals)}")


@then("steady arrivals put it off no longer")
def an_acknowledgment_went_out_all_the_same(incoming: IncomingScene) -> None:
    """Judge that an acknowledgment went out all the same."""
    incoming.witness(steady_arrivals_are_acknowledged(incoming.judge, incoming.arrivals, incoming.acks))


def steady_arrivals_are_acknowledged(judge: Judge, arrivals: Sequence[Arrival], acks: Sequence[SentAck]) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off no longer than they may (registers EOD-16, EOD-17)."""
    times = tuple(arrival.at * TENTH for arrival in arrivals)
    by_reading = {
        choice: acknowledgment_times(times, ReceiverReadings(ten_seconds=choice))[1] // TENTH for choice in TenSeconds
    }
    expected = f"a second order acknowledgment at {' or '.join(f'{at / 10:g} s' for at in by_reading.values())}"
    observed = f"{_in_words(acks)}; {_steady(arrivals)}"
    if len(acks) < 2:
        return judge.says(False, expected, observed)
    off = {choice: abs(acks[1].at - at) for choice, at in by_reading.items()}
    closest = min(off, key=off.__getitem__)
    if off[closest] > WHOLE_SECONDS + ORDER_ACK_TIMEOUT // TENTH:
        return judge.says(False, expected, observed)
    exact = off[closest] <= WITHIN
    judge.readings.record("EOD-17", "exact" if exact else "whole-seconds")
    if exact:
        return judge.reading(*_register_entry(closest), expected, observed)
    return judge.says(True, expected, observed)


def _in_words(acks: Sequence[SentAck]) -> str:
    return ", ".join(map(str, acks)) or "no order acknowledgment"


def _steady(arrivals: Sequence[Arrival]) -> str:
    return f"{len(arrivals)} arrivals up to {arrivals[-1].at / 10:g} s"


def _register_entry(choice: Choice) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name
