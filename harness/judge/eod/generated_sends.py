"""Generated calls of a sender of streams: each in any state that the others have left.

Acknowledgments are late and come twice, messages expire before and after they were sent, names are alike, and crashes
fall between. The first wrong transmission ends the search, so that one mistake is not counted several times.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from mqconform.harness.iut.role import Capability
from mqconform.harness.judge.eod.generated_arrivals import names_alike
from mqconform.harness.judge.eod.sender_checks import (
    first_has_previous_zero,
    links_lead_to_the_one_before,
    nothing_else_is_sent,
    nothing_is_left_out,
    numbers_are_those_given,
    the_order_is_that_of_the_queue,
)
from mqconform.harness.judge.eod.sending import OutgoingScene
from mqconform.harness.judge.from_seed import from_seed
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when

HISTORIES: Final = 8
"""Each begins afresh."""
STEPS: Final = 60
_CONTENTS: Final = {"EOD-3-04", "EOD-3-06", "EOD-3-07"}
"""Requirements that tell which messages go out."""


@when("generated calls are made to the sender")
@from_seed
def generated_calls(outgoing: OutgoingScene) -> None:
    """Make calls until a transmission is wrong."""
    random = Random(outgoing.run.plan.seed)
    calls = ["queue"] * 6 + ["transmit"] * 4 + ["end"] * 2 + ["end beside others"] * 2
    if Capability.RESTART in outgoing.run.iut.description.capabilities:
        calls.append("restart")
    for _ in range(HISTORIES * outgoing.run.plan.thorough):
        outgoing.start_anew()
        names, gone = names_alike(random), set[str]()
        numbers = iter(random.sample(range(1, 10_000), 15 * STEPS))
        for _ in range(STEPS):
            stream = random.choice(names)
            match random.choice(calls) if outgoing.stream(stream).queue else "queue":
                case "queue":
                    for _ in range(random.choice((1, 1, 1, 1, 15))):
                        outgoing.queue(stream, f"m{next(numbers)}")
                case "end":
                    _let_end(random, outgoing, stream, gone)
                case "end beside others":
                    others = [name for name in names if name != stream and outgoing.stream(name).queue]
                    _transmit(outgoing, others, gone)
                    _let_end(random, outgoing, stream, gone)
                    _transmit(outgoing, others, gone, beside=True)
                case "restart":
                    _restart(outgoing)
                case _:
                    _transmit(outgoing, [stream], gone)
            if outgoing.trouble:
                return


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
    """Record what the histories came to."""
    if outgoing.trouble is None:
        passed = f"{HISTORIES * outgoing.run.plan.thorough} histories of {STEPS} calls, transmitted as they should"
        outgoing.witness(outgoing.judge.says(True, passed, passed))
        return
    requirement, judgement = outgoing.trouble
    outgoing.run.witness(outgoing.case, (requirement,), judgement)
