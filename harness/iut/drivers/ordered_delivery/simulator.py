"""Run a sender against a receiver through a fault schedule, under a virtual clock, and keep the history.

The simulation is the world around the two ends: it queues and lets expire, carries packets, and has the clocks by
which a sender sends again (the schedule of MS-MQQB) and a receiver acknowledges. What the ends decide - numbers, links,
acceptance, what is released - is theirs, asked for by the operations that every implementation offers.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, SenderEnd, restarted
from mqconform.harness.iut.drivers.ordered_delivery.schedule import Action, Schedule, Step
from mqconform.harness.iut.interface import IutFault
from mqconform.reference.eod.elements import SECOND, Numbers, resend_interval
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer, arrived, expired
from mqconform.reference.history.streams import Entry, Kind

CYCLES_AFTER_HEALING: Final = 3
"""Resends of a stream for which a simulation goes on once faults have healed: one to bridge, one to spare."""
MOST_ENTRIES: Final = 200_000
"""Of a history; only an end that sends messages that were never queued comes near."""
HEALING: Final = 60 * SECOND
"""From the last step to the end of all faults."""
LATENCY: Final = SECOND // 100
"""On the way where nothing is wrong, in nanoseconds."""


@dataclass(slots=True)
class _Outgoing:
    """What the world knows of a stream at its sender."""

    key: str
    """Its name at the sender."""
    sequence: str
    """Its name at the receiver, which is another one for each sequence that the sender begins in it."""
    queued: int = 0
    unacknowledged: dict[str, int] = field(default_factory=dict)
    """Message -> number, in order."""
    sent: set[str] = field(default_factory=set)
    """Messages that went out at least once."""
    wait_until: int = -1
    waits: int = 0
    cycles: int = 0
    """Resends since faults healed."""


class _Simulation:
    def __init__(self, schedule: Schedule, sender: Call, receiver: Call) -> None:
        self.history: list[Entry] = []
        self.now = 0
        self._sender, self._receiver = SenderEnd(sender), receiver
        self._schedule = schedule
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._messages, self._acknowledgments = deque[Step](), deque[Step]()
        """Of either way through the network the faults that wait for packets; each packet meets one."""
        self._partitioned_until = self._healed_at = -1
        self._outgoing: dict[str, _Outgoing] = {}
        self._keys: dict[str, None] = {}
        """Every stream that ever was."""
        self._timers: dict[str, OrderAckTimer] = {}
        self._queued = self._lives = 0

    def run(self) -> tuple[Entry, ...]:
        time = 0
        for step in self._schedule:
            time += step.after
            self._at(time, lambda step=step: self._perform(step))  # type: ignore[misc]
        self._at(time + HEALING, self._heal)
        while self._due:
            self.now, _, happen = heappop(self._due)
            happen()
        for stream in self._outgoing.values():  # what is left at the end shows what was never released
            self._sent(stream)
        return tuple(self.history)

    def _at(self, time: int, happen: Callable[[], None]) -> None:
        self._order += 1
        heappush(self._due, (time, self._order, happen))

    def _tell(self, kind: Kind, stream: str, message: str | None = None, number: int = 0, previous: int = 0) -> None:
        if len(self.history) >= MOST_ENTRIES:
            raise IutFault("oversize", f"ordered_sender.transmit: more than {MOST_ENTRIES} entries in one history")
        self.history.append(Entry(kind, stream, message, number, previous, self.now))

    # What the schedule does.

    def _perform(self, step: Step) -> None:
        match step.action:
            case Action.QUEUE:
                self._queue(step.stream)
            case Action.EXPIRE:
                self._expire(step.stream, step.which)
            case Action.LOSE_MESSAGE | Action.DUPLICATE_MESSAGE | Action.DELAY_MESSAGE:
                self._messages.append(step)
            case Action.LOSE_ACKNOWLEDGMENT | Action.DUPLICATE_ACKNOWLEDGMENT | Action.DELAY_ACKNOWLEDGMENT:
                self._acknowledgments.append(step)
            case Action.PARTITION:
                self._partitioned_until = max(self._partitioned_until, self.now + step.lasting)
            case _:
                self._crash(step.action)

    def _heal(self) -> None:
        self._messages.clear()
        self._acknowledgments.clear()
        self._partitioned_until = -1
        self._healed_at = self.now
        for stream in self._outgoing.values():
            if stream.wait_until > self.now:  # a wait that grew while faults lasted is cut short: time is no matter
                self._wait(stream, self.now)

    def _crash(self, action: Action) -> None:
        match action:
            case Action.RECEIVER_RESTARTS:
                if restarted(self._receiver, "ordered_receiver"):
                    self._timers = {key: expired(self.now) for key in self._timers}
            case Action.RECEIVER_LOSES_STATE:
                self._lose_receiver()
            case Action.SENDER_RESTARTS:
                if restarted(self._sender.call, "ordered_sender"):
                    for stream in self._outgoing.values():
                        self._transmit(stream)
            case Action.SENDER_LOSES_STATE:
                for stream in self._outgoing.values():
                    self._tell(Kind.SENDER_LOST_STATE, stream.sequence)
                self._outgoing.clear()
                self._lives += 1

    def _lose_receiver(self) -> None:
        self._receiver("ordered_receiver.lose_state", {})
        self._timers.clear()
        for key in self._keys:
            self._tell(Kind.RECEIVER_LOST_STATE, key)
        for stream in self._outgoing.values():
            self._sender.receiver_lost_state(stream.key)

    def _arrivals(self, faults: deque[Step]) -> tuple[int, ...]:
        """Return when a packet that is sent now arrives: never, once or twice."""
        fault, due = faults.popleft() if faults else None, self.now + LATENCY
        if self.now < self._partitioned_until:
            return ()
        match fault:
            case Step(action=Action.LOSE_MESSAGE | Action.LOSE_ACKNOWLEDGMENT):
                return ()
            case Step(action=Action.DUPLICATE_MESSAGE | Action.DUPLICATE_ACKNOWLEDGMENT, lasting=lasting):
                return due, due + lasting
            case Step(lasting=lasting):
                return (due + lasting,)
        return (due,)

    # The sender's side.

    def _stream(self, name: str) -> _Outgoing:
        if name not in self._outgoing:
            # A sender without its store must use no number of a stream twice: it begins another stream.
            key = f"{name}{self._lives or ''}"
            self._outgoing[name] = _Outgoing(key, key)
            self._keys[key] = None
        return self._outgoing[name]

    def _queue(self, name: str) -> None:
        stream = self._stream(name)
        self._queued += 1
        message = f"m{self._queued}"
        numbers = self._sender.enqueue(stream.key, message)
        if stream.queued and not stream.unacknowledged and numbers == Numbers(1, 0):
            stream.sequence = f"{stream.key}, sequence {message}"  # begun by it (MS-MQQB 3.1.7.1.3; register EOD-30)
            self._keys[stream.sequence] = None
        stream.queued += 1
        stream.unacknowledged[message] = numbers.sequence
        self._tell(Kind.ENQUEUED, stream.sequence, message)
        self._transmit(stream)

    def _expire(self, name: str, which: int) -> None:
        stream = self._stream(name)
        if not stream.unacknowledged:
            return
        message = [*stream.unacknowledged][(which - 1) % len(stream.unacknowledged)]
        self._tell(Kind.DISCARDED, stream.sequence, message, stream.unacknowledged.pop(message))
        self._sender.discard(stream.key, message)
        if not stream.unacknowledged:
            stream.wait_until, stream.waits = -1, 0

    def _transmit(self, stream: _Outgoing) -> None:
        for message, numbers in self._sent(stream):
            for time in self._arrivals(self._messages):
                self._at(time, lambda key=stream.sequence, m=message, n=numbers: self._arrive(key, m, n))  # type: ignore[misc]
        if stream.unacknowledged and stream.wait_until <= self.now:
            self._wait(stream, self.now + resend_interval(stream.waits))

    def _sent(self, stream: _Outgoing) -> list[tuple[str, Numbers]]:
        sent = self._sender.transmit(stream.key)
        stream.sent.update(message for message, _ in sent)
        for message, numbers in sent:
            self._tell(Kind.SENT, stream.sequence, message, numbers.sequence, numbers.previous)
        return sent

    def _wait(self, stream: _Outgoing, until: int) -> None:
        stream.wait_until = until
        self._at(until, lambda: self._resend(stream, until))

    def _resend(self, stream: _Outgoing, due: int) -> None:
        if stream.wait_until != due or stream not in self._outgoing.values():
            return
        if self._healed_at >= 0:
            stream.cycles += 1
            if stream.cycles > CYCLES_AFTER_HEALING:
                return
        stream.waits += 1
        self._transmit(stream)

    def _acknowledged(self, key: str, number: int) -> None:
        stream = next((outgoing for outgoing in self._outgoing.values() if outgoing.sequence == key), None)
        if stream is None:
            return
        self._tell(Kind.RELEASED, key, number=number)
        self._sender.order_ack(stream.key, number)
        before = len(stream.unacknowledged)
        stream.unacknowledged = {
            message: sequence for message, sequence in stream.unacknowledged.items() if sequence > number
        }
        if not stream.unacknowledged:
            stream.wait_until, stream.waits = -1, 0
        elif len(stream.unacknowledged) < before:
            self._wait(stream, self.now + resend_interval(stream.waits))
            if not stream.sent.issuperset(stream.unacknowledged):  # a window kept them back, and has room again
                self._transmit(stream)

    # The receiver's side.

    def _arrive(self, key: str, message: str, numbers: Numbers) -> None:
        params = {"stream": key, "sequence": numbers.sequence, "previous": numbers.previous}
        accepted = self._receiver("ordered_receiver.receive", params)["accepted"]
        kind = Kind.ACCEPTED if accepted else Kind.REJECTED
        self._tell(kind, key, message, numbers.sequence, numbers.previous)
        timer = arrived(self._timers.get(key, IDLE), self.now)
        self._timers[key] = timer
        if timer.deadline is not None:
            self._at(timer.deadline, lambda: self._acknowledge(key, timer.deadline))

    def _acknowledge(self, key: str, due: int | None) -> None:
        timer = self._timers.get(key, IDLE)
        if timer.deadline != due:
            return
        self._timers[key] = expired(self.now)
        number: int = self._receiver("ordered_receiver.order_ack", {"stream": key})["sequence"]
        self._tell(Kind.ACKNOWLEDGED, key, number=number)
        for time in self._arrivals(self._acknowledgments):
            self._at(time, lambda: self._acknowledged(key, number))


def simulate(schedule: Schedule, sender: Call, receiver: Call) -> tuple[Entry, ...]:
    """Run a schedule between two ends in their initial state, and return the history.

    ``sender`` performs the operations of ``ordered_sender``, ``receiver`` those of ``ordered_receiver``.
    """
    return _Simulation(schedule, sender, receiver).run()
