"""How messages pass between machines that are not neighbours, each step by the hooks of a machine (3.3.4.5, 5.1.1.3).

One way that things may go, and not all: what takes a seat may be a program, which answers once. The order is that of
the text: a message waits in its outgoing queue; the router of each machine says where it goes next; transactional
messages go as ordered streams between their ends, are sent again until they are acknowledged, and leave their source
then (4.3.1.2). A machine that routes keeps what is recoverable and loses the rest in a crash (3.2.1).
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from mqconform.reference.eod.elements import SECOND, Numbers
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer, arrived, expired
from mqconform.reference.eod.resend_schedule import resend_interval
from mqconform.reference.mqso.discovering import is_among, within_reach
from mqconform.reference.mqso.elements import Assurance, Entry, Key, MachineName, Message
from mqconform.reference.mqso.hindrances import is_ordered, is_over, may_send, meets, ordered_in, system_without
from mqconform.reference.mqso.hooks import Hooks
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.packets import (
    Arrived,
    Mishap,
    OrderAck,
    Packet,
    Passage,
    Routed,
    Stream,
    StreamAtSource,
    Undiscovered,
    Vanished,
)
from mqconform.reference.mqso.promises import SentAgain, Waits
from mqconform.reference.mqso.station import is_far, parts_of
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.topology import Topology

MOST_HOPS: Final = 29
"""Hops after which a packet is not handed on any more (MS-MQQB 3.1.5.8.2)."""
DELAY: Final = 40 * SECOND
"""By which a late packet is late: longer than the first wait for an acknowledgment."""
MOST_ROUNDS: Final = 1_000
"""Rounds of one moment; what a router answers could keep packets moving."""


class Forwarding:
    """The transfers of one enterprise.

    Args:
        topology: its machines.
        hooks: what each of them routes, sends and receives with, as freshly started.
        network: the rules of what arrives.
        choose: takes one of several systems that an arrival may lead to.
        note: takes what is to be known of each step.
        waits_at_source: whether a message stays where it was sent until its destination can take it, and no way leads
            around a cut between the two, as between machines that nothing stands between.
    """

    def __init__(  # noqa: PLR0913 - what transfers rely on, each an argument
        self,
        topology: Topology,
        hooks: Mapping[MachineName, Hooks],
        network: Network,
        choose: Callable[[Iterable[System]], System],
        note: Callable[[Passage], None],
        *,
        waits_at_source: bool = False,
    ) -> None:
        self._topology, self._hooks, self._network = topology, hooks, network
        self._choose, self._note = choose, note
        self._waits_at_source = waits_at_source
        self._now = 0
        self._streams: defaultdict[Stream, StreamAtSource] = defaultdict(StreamAtSource)
        self._timers: dict[Stream, OrderAckTimer] = {}
        self._newest: dict[Stream, int] = {}
        """The newest sequence of each stream that has come to its destination."""
        self._held: list[Packet] = []
        self._late: list[tuple[int, Packet]] = []
        self._mishaps: defaultdict[tuple[MachineName, MachineName], deque[Mishap]] = defaultdict(deque)
        self._obstacles: frozenset[object] = frozenset()
        self._running = frozenset(hooks)
        self._without_directory: set[MachineName] = set()
        for machine in hooks:
            self._start(machine)

    def destine(self, source: MachineName, to: MachineName, mishap: Mishap) -> None:
        """Let something happen to the next ordered packet from one machine to another."""
        self._mishaps[source, to].append(mishap)

    def heal(self) -> None:
        """Let nothing more happen to packets."""
        self._mishaps.clear()

    def next_due(self) -> int | None:
        """Return when something is due by itself, in nanoseconds; None where nothing is."""
        waits = (outgoing.wait_until for outgoing in self._streams.values())
        timers = (timer.deadline for timer in self._timers.values())
        times = [*waits, *timers, *(time for time, _ in self._late)]
        return min((time for time in times if time is not None), default=None)

    def waiting(self) -> tuple[Waits, ...]:
        """Return what has been sent in streams and is not acknowledged."""
        return tuple(
            Waits(key, stream.source) for stream, outgoing in self._streams.items() for key in outgoing.unacknowledged
        )

    def passed(self, system: System) -> System:
        """Return the system after all that passes at this moment."""
        self._now = next(iter(system.machines.values())).now
        self._notice(system)
        self._held += [packet for time, packet in self._late if time <= self._now]
        self._late = [(time, packet) for time, packet in self._late if time > self._now]
        for _ in range(MOST_ROUNDS):
            before, waiting = system, [*self._held]
            system = self._queued(system)
            self._acknowledge(system)
            system = self._carried(self._sent_plainly(system))
            if system == before and self._held == waiting:
                break
        return system

    # What fails and is over.

    def _notice(self, system: System) -> None:
        """Take note of machines that ended or started, and let all be sent again once something hinders no more."""
        running = frozenset(name for name, world in system.machines.items() if world.running)
        for machine in self._running - running:
            self._crashed(machine)
        for machine in running - self._running:
            self._start(machine)
            self._hooks[machine].sending.restart()
            self._hooks[machine].receiving.restart()
        self._running = running
        worlds = system.machines.items()
        closed = [(name, "closed") for name, world in worlds if world.throttled or world.full or not world.running]
        obstacles: frozenset[object] = system.cut | system.paused | system.offline | frozenset(closed)
        if self._obstacles - obstacles:
            for outgoing in self._streams.values():
                outgoing.wait_until = self._now if outgoing.unacknowledged else None
        self._obstacles = obstacles

    def _start(self, machine: MachineName) -> None:
        """Let a machine find the directory, and its router initialise from it (5.1.2, 5.5.4)."""
        names = tuple(self._hooks[machine].discovering.directory_servers())
        if is_among(within_reach(self._topology, machine), names):
            self._without_directory.discard(machine)
            self._hooks[machine].routing.start()
        else:
            self._without_directory.add(machine)
            self._note(Undiscovered(machine, names))

    def _crashed(self, machine: MachineName) -> None:
        lost = [packet for packet in self._held if packet.at == machine and not packet.outlives_crash]
        for packet in lost:
            self._note(Vanished(machine, packet.key, "in a crash"))
        self._held = [packet for packet in self._held if packet not in lost]
        for stream in self._timers:
            if stream.destination == machine:
                self._timers[stream] = expired(self._now)

    # The sources.

    def _queued(self, system: System) -> System:
        """Return the system without what has run out of time, with all else that is to be sent on its way."""
        for machine, world in system.machines.items():
            for name in filter(is_far, world.queues):
                if not may_send(system, machine, name):
                    continue
                worlds = self._network.station(machine).expired(system.at(machine), name, touched=True)
                system = self._choose(system.having(machine, expired_world) for expired_world in worlds)
                self._enqueue(system, Stream(machine, name))
        for stream, outgoing in self._streams.items():
            self._discard(system, stream, outgoing)
            due = outgoing.wait_until is not None and outgoing.wait_until <= self._now
            if due and may_send(system, stream.source, stream.queue):
                outgoing.waits += 1
                outgoing.wait_until = None
                self._transmit(stream, outgoing)
            elif due:
                outgoing.wait_until = None  # until something hinders no more
        return system

    def _enqueue(self, system: System, stream: Stream) -> None:
        queue = system.machines[stream.source].queues.get(stream.queue)
        outgoing = self._streams[stream]
        waiting = ordered_in(queue.entries if queue else ())
        fresh = [entry for entry in waiting if entry.message.key not in outgoing.entries]
        for entry in fresh:
            numbers = self._hooks[stream.source].sending.enqueue(str(stream), entry.message.key)
            if outgoing.entries and not outgoing.unacknowledged and numbers == Numbers(1, 0):
                outgoing.sequence += 1
            outgoing.entries[entry.message.key] = entry
            outgoing.unacknowledged[entry.message.key] = numbers.sequence
        if fresh:
            self._transmit(stream, outgoing)

    def _discard(self, system: System, stream: Stream, outgoing: StreamAtSource) -> None:
        """Tell the sender of messages that have left the outgoing queue without an acknowledgment."""
        queue = system.machines[stream.source].queues.get(stream.queue)
        present = {entry.message.key for entry in queue.entries} if queue else set()
        for key in [key for key in outgoing.unacknowledged if key not in present]:
            del outgoing.unacknowledged[key]
            self._hooks[stream.source].sending.discard(str(stream), key)
        if not outgoing.unacknowledged:
            outgoing.wait_until, outgoing.waits = None, 0

    def _transmit(self, stream: Stream, outgoing: StreamAtSource) -> None:
        for key, numbers in self._hooks[stream.source].sending.transmit(str(stream)):
            # What nobody queued goes out all the same: that it was never sent shows where it is received.
            if key in outgoing.entries and key not in outgoing.unacknowledged:
                self._note(SentAgain(key, stream.source))
            entry = outgoing.entries.get(key) or Entry(
                Message(Key(key), Assurance.TRANSACTIONAL, to=stream.queue, source=stream.source)
            )
            outgoing.sent.add(key)
            source, to = stream.source, stream.destination
            self._dispatch(Packet(source, to, source, entry, numbers, outgoing.sequence))
        if outgoing.unacknowledged and outgoing.wait_until is None:
            outgoing.wait_until = self._now + resend_interval(outgoing.waits)

    def _dispatch(self, packet: Packet) -> None:
        """Send an ordered packet on its way, unless something is to happen to it."""
        mishaps = self._mishaps[packet.source, packet.to]
        match mishaps.popleft() if mishaps else None:
            case Mishap.LOST:
                self._note(Vanished(packet.at, packet.key, "on its way"))
            case Mishap.LATE:
                self._late.append((self._now + DELAY, packet))
            case None:
                self._held.append(packet)

    def _sent_plainly(self, system: System) -> System:
        """Return the system with messages outside streams handed to their first hop, which takes them over."""
        for machine, world in system.machines.items():
            for name, queue in world.queues.items():
                if not is_far(name) or not may_send(system, machine, name):
                    continue
                if self._waits_at_source and not meets(system, machine, parts_of(name)[0]):
                    continue
                for entry in [entry for entry in queue.entries if entry.available and not is_ordered(entry)]:
                    hop = self._hop(system, Packet(machine, parts_of(name)[0], machine, entry))
                    if hop is not None:
                        self._held.append(hop)
                        system = system_without(system, machine, name, {entry.message.key})
        return system

    # On the way.

    def _carried(self, system: System) -> System:
        waiting, self._held = self._held, []
        for packet in waiting:
            system = self._farthest(system, packet)
        return system

    def _farthest(self, system: System, packet: Packet) -> System:
        """Return the system where a packet has come as far as it can."""
        while packet.at != packet.to:
            if packet.hops > MOST_HOPS:
                self._note(Vanished(packet.at, packet.key, f"after {MOST_HOPS} hops"))
                return system
            onward = self._hop(system, packet)
            if onward is None:
                return self._stays(system, packet)
            packet = onward
        return self._arrives(system, packet)

    def _hop(self, system: System, packet: Packet) -> Packet | None:
        """Return a packet at its next hop, None where it stays: the first that is there takes it (MQSO-3.3.4.5-07)."""
        parted = self._waits_at_source and not system.linked(packet.source, packet.to)
        if parted or not system.machines[packet.at].running:
            return None
        if packet.at in self._without_directory:
            # Without the directory nothing is routed, and messages go straight to who can be reached (5.5.4).
            return replace(packet, at=packet.to, hops=1) if self._passes(system, packet.at, packet.to) else None
        answer = self._hooks[packet.at].routing.next_hops(packet.to)
        machines = (self._topology.names.get(hop.lower()) for hop in answer or () if hop is not None)
        hop = next((hop for hop in machines if hop is not None and self._passes(system, packet.at, hop)), None)
        self._note(Routed(packet.at, packet.to, packet.key, answer, hop or MachineName("")))
        return None if hop is None else replace(packet, at=hop, hops=packet.hops + 1)

    def _passes(self, system: System, machine: MachineName, hop: MachineName) -> bool:
        return frozenset({machine, hop}) in self._topology.neighbours and meets(system, machine, hop)

    def _stays(self, system: System, packet: Packet) -> System:
        """Return the system where a packet cannot go on: an ordered one is sent again by its source in time."""
        if isinstance(packet.content, Entry) and is_over(packet.content, self._now):
            if packet.ordered:
                return system
            message = replace(packet.content.message, source=packet.source)
            worlds = self._network.station(packet.at).undelivered(system.at(packet.at), message)
            return self._choose(system.having(packet.at, world) for world in worlds)
        if packet.at != packet.source or not packet.ordered:
            self._held.append(packet)
        return system

    # The destinations.

    def _arrives(self, system: System, packet: Packet) -> System:
        if isinstance(packet.content, OrderAck):
            return self._released(system, packet.content)
        if packet.numbers is not None and packet.content.message.to is not None:
            stream = Stream(packet.source, packet.content.message.to, packet.sequence)
            if stream.sequence < self._newest.get(replace(stream, sequence=0), 0):
                self._note(Vanished(packet.to, packet.key, "as a part of an older sequence"))
                return system  # as for a receiver with sequence ids (EOD-3.1.5.8.6-03)
            self._newest[replace(stream, sequence=0)] = stream.sequence
            accepted = self._hooks[packet.to].receiving.receive(str(stream), packet.numbers)
            self._note(Arrived(packet.to, packet.content.message.key, packet.numbers, accepted))
            self._timers[stream] = arrived(self._timers.get(stream, IDLE), self._now)
            if not accepted:
                return system
        return self._choose(self._network.arrivals(system, packet.source, packet.content))

    def _acknowledge(self, system: System) -> None:
        """Send the order acknowledgments whose time has come (MS-MQQB 3.1.1.6.2)."""
        for stream, timer in self._timers.items():
            machine = stream.destination
            if timer.deadline is not None and timer.deadline <= self._now and system.machines[machine].running:
                self._timers[stream] = expired(self._now)
                number = self._hooks[machine].receiving.order_ack(str(stream))
                self._dispatch(Packet(machine, stream.source, machine, OrderAck(stream, number)))

    def _released(self, system: System, acknowledgment: OrderAck) -> System:
        """Return the system where what is acknowledged has left its source (4.3.1.2, MQSO-4.3.1.2-08)."""
        stream = replace(acknowledgment.stream, sequence=0)
        outgoing = self._streams[stream]
        if outgoing.sequence != acknowledgment.stream.sequence:
            return system  # of a sequence that is over
        self._hooks[stream.source].sending.order_ack(str(stream), acknowledgment.number)
        covered = {Key(key) for key, number in outgoing.unacknowledged.items() if number <= acknowledgment.number}
        outgoing.unacknowledged = {
            key: number for key, number in outgoing.unacknowledged.items() if Key(key) not in covered
        }
        if not outgoing.unacknowledged:
            outgoing.wait_until, outgoing.waits = None, 0
        elif covered:
            outgoing.wait_until = self._now + resend_interval(outgoing.waits)
            if not outgoing.sent.issuperset(outgoing.unacknowledged):
                self._transmit(stream, outgoing)  # a window kept them back, and has room again
        return system_without(system, stream.source, stream.queue, covered)
