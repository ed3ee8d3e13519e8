"""Which messages a receiver accepts, and which acknowledgments it sends when.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6. Times are tenths of a second.
"""

from collections.abc import Sequence
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.receiver_models import Answer
from mqconform.harness.judge.eod.receiving import Arrival, IncomingScene, SentAck
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import then_judged
from mqconform.harness.judge.marks import bears_on
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then
from mqconform.reference.choice import Choice
from mqconform.reference.eod.elements import MAXIMUM_ORDER_ACK_DELAY, ORDER_ACK_TIMEOUT, SECOND
from mqconform.reference.eod.order_ack import acknowledgment_times
from mqconform.reference.eod.readings_of_receivers import (
    Arrivals,
    NothingAccepted,
    ReceiverReadings,
    TenSeconds,
    Timers,
)

TENTH: Final = SECOND // 10
WITHIN: Final = 5
"""Tenths by which a time that the text fixes may be off either way, with a virtual clock as with a real one."""
APART: Final = 2 * WITHIN
"""Tenths by which two times of one length may differ: each may be off, the one early and the other late."""
WHOLE_SECONDS: Final = 10
"""Tenths by which a clock of whole seconds may move the ten seconds (register EOD-17)."""


@then(r"the message is (?P<verdict>accepted|rejected)")
def message_is(incoming: IncomingScene, verdict: str) -> None:
    _judge_as(incoming, incoming.answers[-1], {"accepted": verdict == "accepted"})


@then(r"each of the messages is (?P<verdict>accepted|rejected)")
def each_message_is(incoming: IncomingScene, verdict: str) -> None:
    for answer in incoming.answers:
        _judge_as(incoming, answer, {"accepted": verdict == "accepted"})


@then("each of the many messages was judged by its numbers")
def many_are_judged(incoming: IncomingScene) -> None:
    incoming.witness(worst_answer(incoming.judge, incoming.answers))


def worst_answer(judge: Judge, answers: Sequence[Answer]) -> Judgement:
    """Judge many answers: the worst of them counts, the first where several are as bad."""
    judgements = [judge_answer(judge, answer) for answer in answers]
    worst = max(judgements, key=lambda judgement: judgement.verdict)
    passed = f"all of {len(judgements)} arrivals judged by the two numbers"
    return judge.says(True, passed, passed) if worst.verdict is Verdict.PASS else worst


@then("each stream was answered as the one before")
def streams_are_answered_alike(incoming: IncomingScene) -> None:
    before = [arrival.accepted for arrival in incoming.arrived_earlier]
    by_stream: dict[str, list[bool]] = {}
    for arrival in incoming.arrivals:
        by_stream.setdefault(arrival.stream, []).append(arrival.accepted)
    other = [name for name, accepted in by_stream.items() if accepted != before]
    passed = f"{len(by_stream)} streams of {len(before)} arrivals, answered alike"
    alike = incoming.judge.says(True, passed, passed)
    incoming.witness(worst_answer(incoming.judge, incoming.answers) if other else alike)


@then(r"an order acknowledgment of stream (?P<stream>\w+) carries (?P<number>\d+)")
def order_ack_carries(incoming: IncomingScene, stream: str, number: str) -> None:
    answer = incoming.ask("order_ack", {"stream": stream}, f"an order acknowledgment of stream {stream}")
    _judge_as(incoming, answer, {"sequence": int(number)})


def judge_answer(judge: Judge, answer: Answer) -> Judgement:
    """Judge one answer: the model's own, one that a reading explains, or a wrong one."""
    expected, observed = (f"{answer.what}: {_answer_in_words(result)}" for result in (answer.expected, answer.observed))
    if answer.observed == answer.expected and not answer.astray:
        for other in answer.telling:
            return judge.reading(*_register_entry(other.instead), expected, observed)
        return judge.says(True, expected, observed)
    for other in answer.fitting:
        return judge.reading(*_register_entry(other.follows), expected, observed)
    if answer.astray:
        return judge.undecided(expected, f"{observed}; an earlier arrival was answered wrongly")
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


@then("each order acknowledgment carried the number of the message that was accepted last")
def acks_carry_last_accepted(incoming: IncomingScene) -> None:
    """Judge the numbers of everything that went out, for what they name and for what they claim."""
    for check in (acks_name_the_last, acks_claim_no_more):
        incoming.witness(check(incoming.judge, incoming.acks), check)


@bears_on("EOD-2-10")
def acks_name_the_last(judge: Judge, acks: Sequence[SentAck]) -> Judgement:
    """Judge that each acknowledgment carries the number that was accepted last (page, section 2)."""
    return _judge_numbers(judge, acks, all(ack.number == ack.accepted for ack in acks), "the last accepted number")


@bears_on("EOD-2-11")
def acks_claim_no_more(judge: Judge, acks: Sequence[SentAck]) -> Judgement:
    """Judge that no acknowledgment goes beyond what was accepted (page, section 2)."""
    return _judge_numbers(judge, acks, all(ack.number <= ack.accepted for ack in acks), "nothing beyond what it is")


def _judge_numbers(judge: Judge, acks: Sequence[SentAck], right: bool, expected: str) -> Judgement:  # noqa: FBT001
    observed = ", ".join(f"{ack}, {ack.accepted} accepted" for ack in acks)
    if not acks:
        return judge.undecided(expected, "no order acknowledgment")
    return judge.says(right, expected, observed)


@then_judged("zero was acknowledged, or nothing")
def zero_was_acknowledged(incoming: IncomingScene) -> Judgement:
    """Judge what acknowledges a stream of which nothing was accepted: zero, or silence (register EOD-13)."""
    judge, acks = incoming.judge, incoming.acks
    expected = "0, or no order acknowledgment"
    if any(ack.accepted for ack in acks):
        return judge.undecided(expected, f"{_in_words(acks)}; it accepted a message out of turn")
    if any(ack.number for ack in acks):
        return judge.says(False, expected, _in_words(acks))
    # A number is 1 or more in MS-MQQB 2.2.4.1, and the page begins with zero.
    choice = NothingAccepted.ZERO if acks else NothingAccepted.SILENCE
    return judge.reading(*_register_entry(choice), expected, _in_words(acks))


@then("each stream is acknowledged now and then, and goes on being so")
def streams_are_acknowledged(incoming: IncomingScene) -> None:
    """Judge that streams that go on are acknowledged, at any times; the worst of them counts."""
    streams = dict.fromkeys(arrival.stream for arrival in incoming.arrivals)
    judgements = [
        acknowledged_now_and_then(
            incoming.judge,
            [arrival for arrival in incoming.arrivals if arrival.stream == stream],
            [ack for ack in incoming.acks if ack.stream == stream],
        )
        for stream in streams
    ]
    incoming.witness(max(judgements, key=lambda judgement: judgement.verdict))


def acknowledged_now_and_then(judge: Judge, arrivals: Sequence[Arrival], acks: Sequence[SentAck]) -> Judgement:
    """Judge that acknowledgments go out in the second half of many arrivals as well (EOD-4-09).

    The page says "occasionally": neither for each message nor within any time.
    """
    half = arrivals[len(arrivals) // 2].at
    expected = f"order acknowledgments, some of them after {half / 10:g} s"
    return judge.says(any(ack.at > half for ack in acks), expected, f"{_in_words(acks)}; {_steady(arrivals)}")


@then_judged(r"stream (?P<stream>\w+) is acknowledged for rejected messages as well, and goes on being so")
def rejected_stream_is_acknowledged(incoming: IncomingScene, stream: str) -> Judgement:
    """Judge what rejected messages lead to where nothing else arrives (EOD-4-10; register EOD-16)."""
    rejected = [arrival for arrival in incoming.arrivals if not arrival.accepted]
    acks = [ack for ack in incoming.acks if ack.stream == stream and rejected and ack.at > rejected[0].at]
    judge = incoming.judge
    if not rejected:
        return judge.undecided("rejected messages", "none was rejected")
    if not acks:
        return judge.reading(*_register_entry(Arrivals.ACCEPTED_ONLY), "order acknowledgments", _in_words(acks))
    goes_on = acknowledged_now_and_then(judge, rejected, acks)
    if goes_on.verdict is Verdict.FAIL:
        return goes_on
    return judge.reading(*_register_entry(Arrivals.EVERY), goes_on.expected, goes_on.observed)


@then(r"order acknowledgment of stream (?P<stream>\w+) went out: (?P<number>\d+) at (?P<at>[\d.]+) s")
def order_ack_went_out(incoming: IncomingScene, stream: str, number: str, at: str) -> None:
    of_stream = [ack for ack in incoming.acks if ack.stream == stream]
    incoming.witness(ack_goes_out(incoming.judge, int(number), round(float(at) * 10), of_stream))


def ack_goes_out(judge: Judge, number: int, at: int, acks: Sequence[SentAck]) -> Judgement:
    """Judge that the first acknowledgment went out at about a time, with a number (EOD-3.1.1.3.1-03)."""
    expected = f"{number} at {at / 10:g} s"
    right = bool(acks) and abs(acks[0].at - at) <= WITHIN and acks[0].number == number
    return judge.says(right, expected, _in_words(acks))


@then(r"each arrival in stream (?P<stream>\w+) was followed by an order acknowledgment before the next")
def each_arrival_was_acknowledged(incoming: IncomingScene, stream: str) -> None:
    times = [arrival.at for arrival in incoming.arrivals if arrival.stream == stream]
    acks = [ack for ack in incoming.acks if ack.stream == stream]
    incoming.witness(acks_follow(incoming.judge, times, acks))


def acks_follow(judge: Judge, arrivals: Sequence[int], acks: Sequence[SentAck]) -> Judgement:
    """Judge that an acknowledgment went out between each arrival and the next (EOD-3.1.1.6.2-01)."""
    ends = [*arrivals[1:], max((ack.at for ack in acks), default=0)]
    right = all(any(begin <= ack.at <= end for ack in acks) for begin, end in zip(arrivals, ends, strict=True))
    expected = f"one after each of {', '.join(f'{at / 10:g} s' for at in arrivals)}"
    return judge.says(right, expected, _in_words(acks))


@then("one order acknowledgment went out")
def one_order_ack_went_out(incoming: IncomingScene) -> None:
    acks = incoming.acks
    incoming.witness(incoming.judge.says(len(acks) == 1, "one order acknowledgment", _in_words(acks)))


@then("no order acknowledgment went out")
def no_order_ack_went_out(incoming: IncomingScene) -> None:
    acks = incoming.acks
    incoming.witness(incoming.judge.says(not acks, "no order acknowledgment", _in_words(acks)))


@then("the rejected message was acknowledged as soon as the one before")
def rejected_message_was_acknowledged(incoming: IncomingScene) -> None:
    rejected = incoming.arrivals[-1].at
    before = [ack.at for ack in incoming.acks if ack.at <= rejected]
    after = [ack for ack in incoming.acks if ack.at > rejected]
    for check in (rejection_asks_for_ack, rejection_is_timed):
        incoming.witness(check(incoming.judge, before[:1], rejected, after), check)


@bears_on("EOD-3.1.1.6.2-04")
def rejection_asks_for_ack(judge: Judge, before: Sequence[int], rejected: int, after: Sequence[SentAck]) -> Judgement:
    """Judge that a rejected message counts like the accepted one at 0 s (MS-MQQB 3.1.1.6.2; register EOD-16)."""
    if not before:
        return judge.undecided("an acknowledgment of the accepted message", _in_words(after))
    expected = f"an order acknowledgment about {before[0] / 10:g} s after the rejected message"
    if not after:
        return judge.reading(*_register_entry(Arrivals.ACCEPTED_ONLY), expected, _in_words(after))
    if abs(after[0].at - rejected - before[0]) <= APART:
        return judge.reading(*_register_entry(Arrivals.EVERY), expected, _in_words(after))
    return judge.says(False, expected, _in_words(after))


@bears_on("EOD-3.1.1.3.1-03")
def rejection_is_timed(judge: Judge, before: Sequence[int], rejected: int, after: Sequence[SentAck]) -> Judgement:
    """Judge when a rejected message is acknowledged, where it is (MS-MQQB 3.1.1.3.1)."""
    del before
    due = rejected + ORDER_ACK_TIMEOUT // TENTH
    expected = f"an order acknowledgment at {due / 10:g} s"
    if not after:
        return judge.undecided(expected, _in_words(after))
    return judge.says(abs(after[0].at - due) <= WITHIN, expected, _in_words(after))


@then_judged("nothing was acknowledged while messages went on arriving")
def arrivals_put_acks_off(incoming: IncomingScene) -> Judgement:
    """Judge that no acknowledgment went out from the first to the last of steady arrivals (EOD-3.1.1.6.2-02)."""
    steady = incoming.arrivals[1:]
    arrivals, acks = steady, incoming.acks
    early = [ack for ack in acks if arrivals[0].at < ack.at <= arrivals[-1].at]
    expected = f"no order acknowledgment between {arrivals[0].at / 10:g} and {arrivals[-1].at / 10:g} s"
    return incoming.judge.says(not early, expected, _in_words(acks))


@then_judged("steady arrivals put the order acknowledgment off for about ten seconds")
@bears_on("EOD-3.1.1.6.2-02")
def each_arrival_began_the_wait_anew(incoming: IncomingScene) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off until about ten seconds after the one before."""
    judge, acks = incoming.judge, incoming.acks
    last = acks[0].at if acks else 0
    until = last + MAXIMUM_ORDER_ACK_DELAY // TENTH - WHOLE_SECONDS - WITHIN
    early = [ack for ack in acks[1:] if ack.at < until]
    expected = f"no further order acknowledgment before {until / 10:g} s"
    observed = f"{_in_words(acks)}; {_steady(incoming.arrivals)}"
    return judge.says(not early, expected, observed) if acks else judge.undecided(expected, observed)


@then_judged("steady arrivals after the restart put an acknowledgment off for about ten seconds at most")
def an_acknowledgment_went_out_after_the_restart(incoming: IncomingScene) -> Judgement:
    """Judge that the ten seconds do not count from a time before the restart, nor from one that is yet to come.

    They may count from the restart itself (MS-MQQB 3.1.3.2); as a recommended value half of them may be added.
    """
    began = incoming.restarted
    latest = began + 3 * MAXIMUM_ORDER_ACK_DELAY // TENTH // 2 + ORDER_ACK_TIMEOUT // TENTH + WHOLE_SECONDS + WITHIN
    right = any(began < ack.at <= latest for ack in incoming.acks)
    expected = f"an order acknowledgment between {began / 10:g} and {latest / 10:g} s"
    return incoming.judge.says(right, expected, f"{_in_words(incoming.acks)}; {_steady(incoming.arrivals)}")


@then_judged("steady arrivals put it off no longer")
@bears_on("EOD-3.1.1.6.2-03", "EOD-3.1.1.3.1-04")
def an_acknowledgment_went_out_all_the_same(incoming: IncomingScene) -> Judgement:
    """Judge that steady arrivals put the acknowledgment off no longer than they may (registers EOD-16, EOD-17).

    The ten seconds are a recommended value: outside the profile ``strict`` half of them may be added.
    """
    judge, arrivals, acks = incoming.judge, incoming.arrivals, incoming.acks
    times = tuple(arrival.at * TENTH for arrival in arrivals)
    by_reading = {
        choice: acknowledgment_times(times, ReceiverReadings(ten_seconds=choice))[1] // TENTH for choice in TenSeconds
    }
    late = 0 if judge.profile is Profile.STRICT else MAXIMUM_ORDER_ACK_DELAY // TENTH // 2
    latest = max(by_reading.values()) + WHOLE_SECONDS + WITHIN + late
    expected = f"a second order acknowledgment at {' or '.join(f'{at / 10:g} s' for at in by_reading.values())}"
    observed = f"{_in_words(acks)}; {_steady(arrivals)}"
    rejected = not any(arrival.accepted for arrival in arrivals[1:])
    if len(acks) < 2 and rejected:
        return judge.reading(*_register_entry(Arrivals.ACCEPTED_ONLY), expected, observed)
    if len(acks) < 2 or acks[1].at > latest:
        return judge.says(False, expected, observed)
    if rejected:  # what they do to the timer is open, so that its time does not tell since when it counts
        return judge.says(True, expected, observed)
    off = {choice: abs(acks[1].at - at) for choice, at in by_reading.items()}
    closest = min(off, key=off.__getitem__)
    exact = off[closest] <= WITHIN
    judge.readings.record("EOD-17", "exact" if exact else "whole-seconds")
    if exact:
        return judge.reading(*_register_entry(closest), expected, observed)
    return judge.says(True, expected, observed)


@then_judged(r"stream (?P<stream>\w+) was acknowledged as soon as it was alone")
def stream_was_not_put_off(incoming: IncomingScene, stream: str) -> Judgement:
    """Judge that a stream is acknowledged beside another one as it is alone (EOD-2-05; register EOD-04).

    MS-MQQB has one timer for a session, which arrivals of any of its streams start anew: the reading timer-by-session.
    """
    alone, beside = ([ack for ack in acks if ack.stream == stream] for acks in (incoming.earlier, incoming.acks))
    judge = incoming.judge
    expected = f"as without the other streams: {_in_words(alone)}"
    if not alone:
        return judge.undecided(expected, _in_words(beside))
    if not beside or beside[0].number != alone[0].number:
        return judge.says(False, expected, _in_words(beside))
    moved = abs(beside[0].at - alone[0].at) > APART
    return judge.reading(*_register_entry(Timers.SESSION if moved else Timers.STREAM), expected, _in_words(beside))


def _in_words(acks: Sequence[SentAck]) -> str:
    return ", ".join(map(str, acks)) or "no order acknowledgment"


def _steady(arrivals: Sequence[Arrival]) -> str:
    return f"{len(arrivals)} arrivals up to {arrivals[-1].at / 10:g} s"


def _register_entry(choice: Choice) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name
