"""What a machine's part in transfers is made of: discovery, routing, ordered sending and receiving (3.3.4.5, 4.3.1.2).

Each is a seat that any implementation of the role may take; the references of MS-MQSD, MS-MQBR and exactly-once
delivery sit there by default. They keep state, unlike the rest of the model: what takes a seat may be a program.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from mqconform.reference.eod import receiver, sender
from mqconform.reference.eod.elements import Numbers, OrderAcknowledgment
from mqconform.reference.eod.receiver import IncomingStream
from mqconform.reference.eod.sender import OutgoingStream
from mqconform.reference.mqbr.router import ReferenceRouter, RoutingAttemptFails
from mqconform.reference.mqso.discovering import DiscoveryClient, answered, server_in
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.topology import Topology

NextHops = tuple[str | None, ...]
"""Identifiers of machines, or Nothing, as a router answers; see ``Routing``."""


class Discovering(Protocol):
    """How one machine finds directory servers (MS-MQSD)."""

    def directory_servers(self) -> Sequence[str]:
        """Return the names that are found by a start (MS-MQSD 3.1.4.1)."""


class Routing(Protocol):
    """The router of one machine (MS-MQBR 3.1)."""

    def start(self) -> None:
        """Start with the machine: initialise the RoutingTable (3.1.3)."""

    def next_hops(self, to: MachineName) -> NextHops | None:
        """Return the next hops to a machine, None where the routing attempt fails (3.1.5.1)."""


class OrderedSending(Protocol):
    """The ordered sender of one machine; a stream goes to one queue of another machine."""

    def enqueue(self, stream: str, message: str) -> Numbers:
        """Queue a message, and return the numbers it gets."""

    def transmit(self, stream: str) -> Sequence[tuple[str, Numbers]]:
        """Return what a transmission sends now: messages with their numbers."""

    def order_ack(self, stream: str, number: int) -> None:
        """Take an order acknowledgment."""

    def discard(self, stream: str, message: str) -> None:
        """Take out a message whose time is up."""

    def restart(self) -> object:
        """Crash, and find queue and numbers in the store again."""


class OrderedReceiving(Protocol):
    """The ordered receiver of one machine."""

    def receive(self, stream: str, numbers: Numbers) -> bool:
        """Return whether a message is accepted."""

    def order_ack(self, stream: str) -> int:
        """Return the number that an order acknowledgment carries now."""

    def restart(self) -> object:
        """Crash, and find the numbers in the store again."""


class ReferenceRouting:
    """The router of the reference, which takes the first option at each open place."""

    def __init__(self, topology: Topology, machine: MachineName) -> None:
        self._topology, self._local = topology, topology.identifiers[machine]
        self._router = ReferenceRouter()

    def start(self) -> None:
        """Initialise the RoutingTable (MS-MQBR 3.1.3)."""
        self._router.load_directory(self._topology.document)
        self._router.initialize(self._local)

    def next_hops(self, to: MachineName) -> NextHops | None:
        """Return the next hops to a machine (MS-MQBR 3.1.5.1)."""
        try:
            return tuple(self._router.get_next_hops(self._local, self._topology.identifiers[to]))
        except RoutingAttemptFails:
            return None


@dataclass(slots=True)
class ReferenceSending:
    """The ordered sender of the reference; who calls it keeps the clock, so that its own stands still."""

    streams: dict[str, OutgoingStream] = field(default_factory=dict)

    def enqueue(self, stream: str, message: str) -> Numbers:
        """Give a message its numbers (page, section 3)."""
        self.streams[stream], numbers = sender.enqueue(self._known(stream), message)
        return numbers

    def transmit(self, stream: str) -> Sequence[tuple[str, Numbers]]:
        """Send everything that is not acknowledged, in order (page, section 3)."""
        self.streams[stream], sent = sender.transmit(self._known(stream), 0)
        return [(str(message.message), message.numbers) for message in sent]

    def order_ack(self, stream: str, number: int) -> None:
        """Release what an order acknowledgment covers (page, section 3)."""
        self.streams[stream] = sender.order_acknowledged(self._known(stream), OrderAcknowledgment(number), 0)

    def discard(self, stream: str, message: str) -> None:
        """Take an expired message out of its stream (page, section 3)."""
        self.streams[stream] = sender.discard(self._known(stream), message)

    def restart(self) -> None:
        """Crash and recover (MS-MQQB 3.1.3.2)."""
        self.streams = {name: sender.restarted(stream, 0) for name, stream in self.streams.items()}

    def _known(self, stream: str) -> OutgoingStream:
        return self.streams.get(stream, sender.NEW)


@dataclass(slots=True)
class ReferenceReceiving:
    """The ordered receiver of the reference, without a clock likewise."""

    streams: dict[str, IncomingStream] = field(default_factory=dict)

    def receive(self, stream: str, numbers: Numbers) -> bool:
        """Accept or reject a message (page, section 4)."""
        before = self.streams.get(stream, receiver.NEW)
        self.streams[stream], judgement = receiver.receive(before, numbers, 0)
        return judgement.accepted

    def order_ack(self, stream: str) -> int:
        """Return the last accepted number (page, sections 2 and 4)."""
        acknowledgment = receiver.order_acknowledgment(self.streams.get(stream, receiver.NEW))
        return acknowledgment.number if acknowledgment else 0

    def restart(self) -> None:
        """Crash and recover (EOD-3.1.1.3.1-05)."""
        self.streams = {name: receiver.restarted(stream, 0) for name, stream in self.streams.items()}


@dataclass(frozen=True, slots=True)
class Hooks:
    """What one machine finds the directory, routes, sends and receives with."""

    discovering: Discovering
    routing: Routing
    sending: OrderedSending
    receiving: OrderedReceiving


HooksOf = Callable[[Topology, MachineName], Hooks]
"""Returns the hooks of a machine, as freshly started."""


def reference_hooks(topology: Topology, machine: MachineName) -> Hooks:
    """Return the references in all seats of a machine."""
    discovering = DiscoveryClient(topology, machine, partial(answered, server_in(topology)))
    return Hooks(discovering, ReferenceRouting(topology, machine), ReferenceSending(), ReferenceReceiving())
