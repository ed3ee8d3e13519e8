"""Every way in which a few messages can go, one after the other: both ends against the worst network there is.

What was ever sent may arrive at any time, as often as it likes, or never; the sender may send, expire and take on
messages at any time, the receiver acknowledge or lose its numbers. All states that can be reached are gone through, the
near ones first, so that what is found is as short as can be. Time is left out: all that a clock may bring about is
among the interleavings.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.eod import receiver, sender
from mqconform.reference.eod.elements import Numbers, OrderAcknowledgment
from mqconform.reference.eod.order_ack import IDLE
from mqconform.reference.eod.readings_of_receivers import UNDISPUTED as UNDISPUTED_RECEIVER
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings
from mqconform.reference.eod.readings_of_senders import UNDISPUTED as UNDISPUTED_SENDER
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.eod.receiver import IncomingStream
from mqconform.reference.eod.sender import OutgoingStream


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far to go."""

    messages: int = 3
    discards: int = 1
    receiver_losses: int = 1


@dataclass(frozen=True, slots=True)
class World:
    """Both ends of one stream and what is between them; messages are numbers from 1 in the order of queueing."""

    outgoing: OutgoingStream = sender.NEW
    incoming: IncomingStream = receiver.NEW
    sent: frozenset[tuple[int, Numbers]] = frozenset()
    """Every message that ever went out, with each set of numbers that it had."""
    acknowledged: frozenset[int] = frozenset()
    """Every number that an acknowledgment ever carried."""
    queued: int = 0
    discarded: frozenset[int] = frozenset()
    delivered: frozenset[int] = frozenset()
    """Since the beginning."""
    highest: int = 0
    """The greatest message that was delivered since the receiver last lost its numbers."""
    losses: int = 0
    problem: str = ""
    """What is wrong with the step that led here, empty where nothing is."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What an exploration found."""

    states: int
    """How many were gone through."""
    problem: str
    """What is wrong in the last state of the path, empty where every state is right."""
    path: tuple[str, ...]
    """What leads there, as few steps as possible."""


def explore(
    bounds: Bounds,
    sending: SenderReadings = UNDISPUTED_SENDER,
    receiving: ReceiverReadings = UNDISPUTED_RECEIVER,
) -> Explored:
    """Go through every state within the bounds, or up to the first that breaks the promise."""
    origin: dict[World, tuple[World, str] | None] = {World(): None}
    waiting = deque(origin)
    while waiting:
        world = waiting.popleft()
        for step, following in _steps(world, bounds, sending, receiving):
            problem = following.problem or _wrong(following, sending, receiving)
            if problem:
                return Explored(len(origin), problem, (*_path(origin, world), step))
            if following not in origin:
                origin[following] = (world, step)
                waiting.append(following)
    return Explored(len(origin), "", ())


def _steps(
    world: World, bounds: Bounds, sending: SenderReadings, receiving: ReceiverReadings
) -> Iterator[tuple[str, World]]:
    if world.queued < bounds.messages:
        message = world.queued + 1
        outgoing, _ = sender.enqueue(world.outgoing, message, sending)
        yield f"queue {message}", replace(world, outgoing=outgoing, queued=message)
    if world.outgoing.queue:
        yield "transmit", _transmitted(world, sending)
    for message, numbers in sorted(world.sent):
        yield f"{message} arrives, {numbers}", _arrived(world, message, numbers, receiving)
    number = world.incoming.last_accepted
    if number not in world.acknowledged:
        yield f"acknowledge {number}", replace(world, acknowledged=world.acknowledged | {number})
    for number in sorted(world.acknowledged):
        yield f"acknowledgment of {number} arrives", _released(world, number, sending)
    if len(world.discarded) < bounds.discards:
        for queued in world.outgoing.queue:
            outgoing = sender.discard(world.outgoing, queued.message)
            gone = world.discarded | {int(queued.message)}
            yield f"{queued.message} expires", replace(world, outgoing=outgoing, discarded=gone)
    if world.losses < bounds.receiver_losses:
        outgoing = sender.receiver_lost_state(world.outgoing)
        lost = replace(world, outgoing=outgoing, incoming=receiver.NEW, highest=0, losses=world.losses + 1)
        yield "the receiver loses its numbers", lost


def _transmitted(world: World, readings: SenderReadings) -> World:
    outgoing, sent = sender.transmit(world.outgoing, 0, readings)
    went = frozenset((int(transmission.message), transmission.numbers) for transmission in sent)
    return replace(world, outgoing=_timeless(outgoing), sent=world.sent | went)


def _arrived(world: World, message: int, numbers: Numbers, readings: ReceiverReadings) -> World:
    incoming, judgement = receiver.receive(world.incoming, numbers, 0, readings)
    incoming = replace(incoming, order_ack_timer=IDLE)
    if not judgement.accepted:
        return replace(world, incoming=incoming)
    if message == world.highest:
        return replace(world, problem=f"{message} is delivered twice")
    if message < world.highest:
        return replace(world, problem=f"{message} is delivered after {world.highest}")
    return replace(world, incoming=incoming, delivered=world.delivered | {message}, highest=message)


def _released(world: World, number: int, readings: SenderReadings) -> World:
    outgoing = sender.order_acknowledged(world.outgoing, OrderAcknowledgment(number), 0, readings)
    return replace(world, outgoing=_timeless(outgoing))


def _timeless(outgoing: OutgoingStream) -> OutgoingStream:
    return replace(outgoing, wait_until=None, waits=0)


_CYCLES: Final = 2
"""Transmissions within which a network without faults has to bring everything over."""


def _wrong(world: World, sending: SenderReadings, receiving: ReceiverReadings) -> str:
    """Return what is wrong in a state: what was lost, or what never gets on even without faults."""
    waiting = {int(queued.message) for queued in world.outgoing.queue}
    lost = set(range(1, world.queued + 1)) - waiting - world.discarded - world.delivered
    if lost:
        return f"{min(lost)} is lost"
    for _ in range(_CYCLES):
        if not world.outgoing.queue:
            return ""
        world = _undisturbed(world, sending, receiving)
        if world.problem:
            return f"without further faults, {world.problem}"
    return f"without further faults, {world.outgoing.queue[0].message} gets stuck" if world.outgoing.queue else ""


def _undisturbed(world: World, sending: SenderReadings, receiving: ReceiverReadings) -> World:
    """Return the world after a transmission that arrives in order and is acknowledged."""
    outgoing, sent = sender.transmit(world.outgoing, 0, sending)
    world = replace(world, outgoing=outgoing)
    for transmission in sent:
        world = _arrived(world, int(transmission.message), transmission.numbers, receiving)
        if world.problem:
            return world
    return _released(world, world.incoming.last_accepted, sending)


def _path(origin: dict[World, tuple[World, str] | None], world: World) -> tuple[str, ...]:
    steps = []
    while before := origin[world]:
        world, step = before
        steps.append(step)
    return tuple(reversed(steps))
