"""Givens and Whens for a sender of streams: messages, acknowledgments, expiry, crashes and time."""

import re

from pytest_bdd import given, parsers, when

from mqconform.harness.steps.eod_sender_scene import OutgoingScene
from mqconform.harness.steps.eod_sender_scene import outgoing as outgoing  # noqa: PLC0414 - pytest finds the fixture so

_NAME = re.compile(r"m\d+")


@given("a sender of streams")
def sender_of_streams(outgoing: OutgoingScene) -> None:
    """Take a sender as freshly started."""
    del outgoing


@when(parsers.re(r"messages? (?P<names>m\d+(?:(?:, | and )m\d+)*) (?:is|are) queued in stream (?P<stream>\w+)"))
def messages_are_queued(outgoing: OutgoingScene, names: str, stream: str) -> None:
    """Let the sender take on messages, one after the other."""
    for name in _NAME.findall(names):
        outgoing.queue(stream, name)


@when(parsers.re(r"stream (?P<stream>\w+) is transmitted"))
def stream_is_transmitted(outgoing: OutgoingScene, stream: str) -> None:
    """Let the sender send what is not acknowledged."""
    outgoing.transmit(stream)


@when(parsers.re(r"the acknowledgment of (?P<name>m\d+) in stream (?P<stream>\w+) arrives"))
def acknowledgment_arrives(outgoing: OutgoingScene, name: str, stream: str) -> None:
    """Acknowledge everything up to a message."""
    outgoing.acknowledge(stream, name)


@when(parsers.re(r"message (?P<name>m\d+) of stream (?P<stream>\w+) expires"))
def message_expires(outgoing: OutgoingScene, name: str, stream: str) -> None:
    """Let a message expire before it is acknowledged."""
    outgoing.expire(stream, name)


@when(parsers.re(r"the receiver of stream (?P<stream>\w+) turns out to start from zero"))
def receiver_starts_from_zero(outgoing: OutgoingScene, stream: str) -> None:
    """Tell the sender that the receiver lost its numbers."""
    outgoing.receiver_lost_state(stream)


@when("the sender restarts")
def sender_restarts(outgoing: OutgoingScene) -> None:
    """Crash it; the store outlives that."""
    outgoing.restart()


@when(parsers.re(r"(?P<seconds>[\d.]+(?:, [\d.]+)*) seconds pass at the sender"))
def seconds_pass_at_the_sender(outgoing: OutgoingScene, seconds: str) -> None:
    """Let virtual time pass, piece by piece."""
    for piece in seconds.split(", "):
        outgoing.wait(round(float(piece) * 10))
