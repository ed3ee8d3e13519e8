"""Generated arrivals at a receiver of streams and generated calls of a sender, each in any state that others have left.

Names are alike, numbers far apart; copies, acknowledgments and expiry come late and twice; crashes fall between. The
first wrong answer or transmission ends a search, so that one mistake is not counted several times.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability
from mqconform.harness.judge.eod.receiver_checks import judge_answer, worst_answer
from mqconform.harness.judge.eod.receiving import IncomingScene
from mqconform.harness.judge.eod.sender_checks import (
    first_has_previous_zero,
    links_lead_to_the_one_before,
    nothing_else_is_sent,
    nothing_is_left_out,
    numbers_are_those_given,
    the_order_is_that_of_the_queue,
)
from mqconform.harness.judge.eod.sending import OutgoingScene
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.eod.receiver import NEW, judge

HISTORIES: Final = 8
"""Each begins afresh."""
STEPS: Final = 60
_LONG: Final = "orders_of_the_branch_in_the_old_town_" * 3
"""Within 124 characters: no text says how long a name may be, and names of queues are no longer in the field."""
_PAIRS: Final = (
    ("orders", "Orders"),
    ("orders_1", "orders_12"),
    ("oslo-1/orders", "oslo-1/orders-paid"),
    ("oslo-1\\private$\\orders", "oslo-2\\private$\\orders"),
    ("paid orders", "paid  orders"),
    ("oslo-\u00e5", "oslo-a\u030a"),
    (f"{_LONG}1", f"{_LONG}2"),
    (f"1{_LONG}", f"2{_LONG}"),
)
_GREATEST: Final = 2**32 - 1
_JUMPS: Final = (*(1,) * 9, 2, 9, 300, 40_000, 2**24, 2**31)
_BACK: Final = (0, 1, 7, 90, 5_000, 2**20)
_IDENTIFIERS: Final = (1, 2**32, 7_544_074_736_427_532_289, 7_544_074_735_760_441_342, 2**63 - 2)
"""Where the ids of sequences begin: small, above 32 bits, as in real use, about the sign of the low half or of all."""
_PAUSES: Final = (30, 30, 30, 300, 90_000, 2_000_000, 43_000_000)
"""Tenths of a second: up to a day and to where milliseconds need more than 32 bits."""


def names_alike(random: Random) -> list[str]:
    """Return names of streams that are taken for one by those who fold, cut or search names."""
    return [name for pair in random.sample(_PAIRS, 2) for name in pair]


@when(r"generated messages (?P<of_sequences>of sequences )?arrive in streams whose names are alike")
@from_seed
def generated_messages_arrive(incoming: IncomingScene, of_sequences: str | None) -> None:
    """Let messages arrive that are next, copies, or too early; of sequences none too early (EOD-02, EOD-24)."""
    draw = _numbers_in_sequence if of_sequences else _numbers
    random = Random(incoming.run.plan.seed)
    events = [Capability.VIRTUAL_CLOCK, Capability.RESTART, "lose", *(["arrive"] * 20)]
    possible = [event for event in events if event in {"lose", "arrive", *incoming.run.iut.description.capabilities}]
    for _ in range(HISTORIES * incoming.run.plan.thorough):
        incoming.start_anew()
        names, unasked = names_alike(random), set[str | int]()
        for _ in range(STEPS):
            match random.choice(possible):
                case Capability.RESTART:
                    incoming.ask("restart", {}, "the receiver restarts")
                    unasked = {*incoming.models.plain.streams}
                case "lose":
                    incoming.ask("lose_state", {}, "the receiver loses its numbers")
                    unasked.clear()
                case Capability.VIRTUAL_CLOCK:
                    incoming.pass_at_once(random.choice(_PAUSES))
                    _judge_acknowledgments(incoming)
                case _:
                    stream = random.choice(names)
                    _judge_arrival(incoming, {"stream": stream, **draw(random, incoming, stream)}, stream in unasked)
                    unasked.discard(stream)
            if incoming.trouble:
                return


def _numbers(random: Random, incoming: IncomingScene, stream: str) -> Json:
    last = incoming.models.plain.streams.get(stream, NEW).last_accepted
    following = min(last + random.choice(_JUMPS), _GREATEST)
    match random.choice(("next", "next", "next", "copy", "early")):
        case "copy":
            sequence, previous = max(1, last - random.choice(_BACK)), 0
        case "early":
            before = random.choice((last + 1, following + 1))
            sequence, previous = min(before + 1, _GREATEST), min(before, _GREATEST - 1)
        case _:
            sequence, previous = following, random.choice((last, last, last, 0, last // 2))
    return {"sequence": sequence, "previous": min(previous, sequence - 1)}


def _numbers_in_sequence(random: Random, incoming: IncomingScene, stream: str) -> Json:
    known = incoming.models.plain.streams.get(stream, NEW)
    identifier, last = known.sequence_id or random.choice(_IDENTIFIERS), known.last_accepted
    match random.choice(("next", "next", "copy", "newer", "amid", "older")) if known.sequence_id else "next":
        case "next":
            sequence, previous = last + random.choice(_JUMPS[:-2]), last
        case "copy":
            sequence, previous = max(1, last - 1), 0
        case "older":
            identifier -= min(random.choice((1, 2**32)), identifier)
            sequence, previous = random.choice(((1, 0), (last + 1, 0), (last + 1, last)))
        case kind:
            identifier += random.choice((1, 2, 2**32))
            sequence, previous = (last + 1, last) if kind == "amid" else (random.choice((1, 5)), 0)
    return {"sequence_id": identifier, "sequence": sequence, "previous": previous}


def _judge_arrival(incoming: IncomingScene, params: Json, after_restart: bool) -> None:  # noqa: FBT001 (one call)
    """Let a message arrive; a wrong answer violates the rule that tells what is made of it.

    The first one after a restart that a receiver would give which forgot its numbers violates what a restart promises.
    """
    streams = incoming.models.plain.streams
    numbers = Numbers(params["sequence"], params["previous"], params.get("sequence_id", 0))
    requirement = judge(streams.get(params["stream"], NEW), numbers).requirements[0]
    if streams and params["stream"] not in streams:
        requirement = "EOD-4-01"
    incoming.arrive(params)
    answer = incoming.answers[-1]
    if answer.astray or answer.observed != answer.expected:
        judgement = judge_answer(incoming.judge, answer)
        if after_restart and answer.observed["accepted"] == judge(NEW, numbers).accepted:
            requirement = "EOD-3.1.1.3.1-05"
        if judgement.verdict is Verdict.FAIL:
            incoming.trouble = requirement, judgement


def _judge_acknowledgments(incoming: IncomingScene) -> None:
    """Judge what went out: the number accepted last, by some reading that explains all answers (EOD-2-10)."""
    models = [incoming.models.plain, *(incoming.models.others[other] for other in incoming.models.fitting)]
    for ack in incoming.acks:
        allowed = {model.streams.get(model.key(ack.stream), NEW).last_accepted for model in models}
        if ack.number not in allowed:
            expected = f"{' or '.join(map(str, sorted(allowed)))} for stream {ack.stream}"
            incoming.trouble = "EOD-2-10", incoming.judge.says(False, expected, f"{ack}")
    incoming.acks.clear()


@then("each was judged by its numbers, and nothing else was acknowledged")
def arrivals_were_judged(incoming: IncomingScene) -> None:
    incoming.witness_search(lambda: worst_answer(incoming.judge, incoming.answers))


_ONE_WAIT: Final = 400
"""Tenths of a second: the first wait of the recommended schedule, and a third of it."""
_CONTENTS: Final = {"EOD-3-04", "EOD-3-06", "EOD-3-07"}
"""Requirements that tell which messages go out."""


@when("generated calls are made to the sender")
@from_seed
def generated_calls(outgoing: OutgoingScene) -> None:
    random = Random(outgoing.run.plan.seed)
    calls = ["queue"] * 6 + ["transmit"] * 4 + ["end"] * 2 + ["end beside others"] * 2 + ["receiver lost"]
    if Capability.RESTART in outgoing.run.iut.description.capabilities:
        calls.append("restart")
    if Capability.VIRTUAL_CLOCK in outgoing.run.iut.description.capabilities:
        calls.append("wait")
    for _ in range(HISTORIES * outgoing.run.plan.thorough):
        outgoing.start_anew()
        names, gone = names_alike(random), set[str]()
        numbers = iter(random.sample(range(1, 10_000), 15 * STEPS))
        for _ in range(STEPS):
            stream = random.choice(names)
            call = random.choice(calls) if outgoing.stream(stream).queue else "queue"
            if call == "queue":
                for _ in range(random.choice((1, 1, 1, 1, 15))):
                    outgoing.queue(stream, f"m{next(numbers)}")
            else:
                others = [name for name in names if name != stream and outgoing.stream(name).queue]
                _call(random, outgoing, call, [stream, *others], gone)
            if outgoing.trouble:
                return


def _call(random: Random, outgoing: OutgoingScene, call: str, streams: list[str], gone: set[str]) -> None:
    """Make a call for the first of some streams."""
    stream, *others = streams
    match call:
        case "end":
            _let_end(random, outgoing, stream, gone)
        case "end beside others":
            _transmit(outgoing, others, gone)
            _let_end(random, outgoing, stream, gone)
            _transmit(outgoing, others, gone, beside=True)
        case "receiver lost":
            outgoing.receiver_lost_state(stream)
        case "restart":
            _restart(outgoing)
        case "wait":
            _transmit(outgoing, streams, gone)
            _wait(outgoing, gone)
        case _:
            _transmit(outgoing, [stream], gone)


def _let_end(random: Random, outgoing: OutgoingScene, stream: str, gone: set[str]) -> None:
    """Let a message expire, or the acknowledgment of one under way arrive, once or several times."""
    queue = outgoing.stream(stream).queue
    under_way = [queued.message for queued in queue if queued.transmitted]
    if not under_way or random.randrange(2):
        message = random.choice(queue).message
        outgoing.expire(stream, message)
        gone.add(str(message))
        return
    for message in random.choice(([random.choice(under_way)], [under_way[-1], under_way[0], under_way[-1]])):
        outgoing.acknowledge(stream, message)


def _restart(outgoing: OutgoingScene) -> None:
    """Crash the sender; what waits may be linked as if it had never been sent (MS-MQQB 3.1.3.2)."""
    outgoing.restart()
    for name, stream in outgoing.streams.items():
        queue = tuple(replace(queued, transmitted=False) for queued in stream.queue)
        outgoing.streams[name] = replace(stream, queue=queue)


def _transmit(outgoing: OutgoingScene, streams: list[str], gone: set[str], *, beside: bool = False) -> None:
    """Let the sender send, and judge it: streams are to be apart where a call was made in another one alone."""
    for stream in streams:
        if outgoing.trouble:
            return
        outgoing.transmit(stream)
        for requirement, judgement in _judged(outgoing, stream, gone):
            if judgement.verdict is Verdict.FAIL:
                outgoing.trouble = "EOD-2-05" if beside and requirement in _CONTENTS else requirement, judgement
                break


def _wait(outgoing: OutgoingScene, gone: set[str]) -> None:
    """Let time pass after all streams with messages were sent, and judge what the sender sends again of its own."""
    if outgoing.trouble:
        return
    for stream, resent in outgoing.resent_while(_ONE_WAIT).items():
        outgoing.last_transmission = resent
        wrong = (found for found in _judged(outgoing, stream, gone) if found[1].verdict is Verdict.FAIL)
        outgoing.trouble = outgoing.trouble or next(wrong, None)


def _judged(outgoing: OutgoingScene, stream: str, gone: set[str]) -> Iterator[tuple[str, Judgement]]:
    judge, transmission = outgoing.judge, outgoing.transmission
    expired = not gone.isdisjoint(str(sent.message) for sent in transmission.sent)
    yield "EOD-3-04" if expired else "EOD-3-07", nothing_else_is_sent(judge, transmission)
    yield "EOD-3-06", nothing_is_left_out(judge, transmission)
    yield "EOD-3-10", numbers_are_those_given(judge, outgoing.numbered.get(stream, ()), transmission)
    yield "EOD-2-02", the_order_is_that_of_the_queue(judge, transmission)
    yield "EOD-3-05" if transmission.has_gaps else "EOD-3-02", links_lead_to_the_one_before(judge, transmission)
    yield "EOD-3-09", first_has_previous_zero(judge, transmission)


@then("everything went out as it should, each time")
def all_went_out(outgoing: OutgoingScene) -> None:
    passed = f"{HISTORIES * outgoing.run.plan.thorough} histories of {STEPS} calls, transmitted as they should"
    outgoing.witness_search(lambda: outgoing.judge.says(True, passed, passed))
