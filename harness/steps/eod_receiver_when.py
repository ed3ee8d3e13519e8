"""Givens and Whens for a receiver of streams: arrivals, crashes and time."""

import re

from pytest_bdd import given, parsers, when

from mqconform.harness.steps.eod_receiver_scene import IncomingScene
from mqconform.harness.steps.eod_receiver_scene import incoming as incoming  # noqa: PLC0414 - pytest finds the fixture so

_NUMBERS = re.compile(r"(\d+) after (\d+)")


@given("a receiver of streams")
def receiver_of_streams(incoming: IncomingScene) -> None:
    """Take a receiver as freshly started."""
    del incoming


@when(
    parsers.re(r"messages? (?P<numbers>\d+ after \d+(?:(?:, | and )\d+ after \d+)*) arrives? in stream (?P<stream>\w+)")
)
def messages_arrive(incoming: IncomingScene, numbers: str, stream: str) -> None:
    """Let messages arrive, one after the other."""
    incoming.answers.clear()
    for sequence, previous in _NUMBERS.findall(numbers):
        incoming.arrive({"stream": stream, "sequence": int(sequence), "previous": int(previous)})


@when(
    parsers.re(
        r"message (?P<sequence>\d+) after (?P<previous>\d+) of sequence (?P<identifier>\d+) arrives "
        r"in stream (?P<stream>\w+)"
    )
)
def message_of_sequence_arrives(
    incoming: IncomingScene, sequence: str, previous: str, identifier: str, stream: str
) -> None:
    """Let a message arrive that names its sequence (MS-MQQB 3.1.5.8.6)."""
    incoming.answers.clear()
    numbers = {"sequence_id": int(identifier), "sequence": int(sequence), "previous": int(previous)}
    incoming.arrive({"stream": stream, **numbers})


@when("the receiver loses its numbers")
def receiver_loses_its_numbers(incoming: IncomingScene) -> None:
    """Crash it, and its store with it."""
    incoming.ask("lose_state", {}, "the receiver loses its numbers")


@when("the receiver restarts")
def receiver_restarts(incoming: IncomingScene) -> None:
    """Crash it; the store outlives that."""
    incoming.ask("restart", {}, "the receiver restarts")


@when(parsers.re(r"(?P<seconds>\d+(?:\.\d)?) seconds pass at the receiver"))
def seconds_pass_at_the_receiver(incoming: IncomingScene, seconds: str) -> None:
    """Let virtual time pass."""
    incoming.wait(round(float(seconds) * 10))


@when(
    parsers.re(
        r"messages (?P<first>\d+) to (?P<last>\d+) arrive in stream (?P<stream>\w+), "
        r"one every (?P<seconds>\d+\.\d) seconds"
    )
)
def messages_arrive_steadily(incoming: IncomingScene, first: str, last: str, stream: str, seconds: str) -> None:
    """Let messages arrive in order and in time."""
    incoming.answers.clear()
    for number in range(int(first), int(last) + 1):
        incoming.arrive({"stream": stream, "sequence": number, "previous": number - 1})
        incoming.wait(round(float(seconds) * 10))
