"""Faults of queue managers in a domain with sites: of the way that messages take, and of the machines on it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from msgspec import structs

from mqconform.reference.directory.elements import Directory
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Entry, MachineName, QueueName
from mqconform.reference.mqso.events import At, Event, Failed
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import is_public, parts_of
from mqconform.reference.mqso.routes import Routes, Topology
from mqconform.reference.mqso.system import System, Unacknowledged, meets
from mqconform.reference.mqso.transfers import Answers, Results


class _BestWayOnly(Network):
    """No router goes around a dead link."""

    def around(
        self, system: System, machine: MachineName, name: QueueName, answers: Answers
    ) -> tuple[MachineName, ...]:
        return ()


ROUTES_NOTHING = fault(_BestWayOnly, "routes-nothing", "4.3.1.3-06 3.3.4.5-07 4.3.1.3-05 5.1.2-05",
    "A message goes to its destination directly or not at all.",
    onward=lambda self, system, machine, name: ((parts_of(name)[0],),))  # fmt: skip
ROUTERS_ROUTE_NOTHING = fault(_BestWayOnly, "routers-route-nothing", "5.1.2-05 3.3.4.5-07 4.3.1.3-06",
    "A routing server hands messages to their destination directly or not at all.",
    onward=lambda self, system, machine, name: (
        ((parts_of(name)[0],),) if _routes(system, machine) else _BestWayOnly.onward(self, system, machine, name)
    ))  # fmt: skip
FORGETS_ANSWERS_ON_THE_WAY = fault(Network, "forgets-answers-on-the-way", "5.1.1-03 3.3.4.8-01",
    "A machine on the way forgets which message another answers, and where answers to it are to go.",
    passed_on=lambda self, system, transfer, entry, hop: Network.passed_on(
        self, system, transfer,
        structs.replace(entry, message=structs.replace(entry.message, correlation=None, response=None)), hop,
    ))  # fmt: skip
COUNTS_LINKS = fault(_BestWayOnly, "counts-links", "4.3.1.3-08 5.1.2-07",
    "Of two ways a message takes the one with fewer links, whatever they cost.",
    onward=lambda self, system, machine, name: (
        _BestWayOnly.onward(self, _with(system, _all_at_one_cost), machine, name)
    ))  # fmt: skip
KNOWS_ONE_LINK = fault(_BestWayOnly, "knows-one-link", "4.3.1.3-05 5.1.2-07 5.1.2-05",
    "Of the routing links of the directory only the first is known.",
    onward=lambda self, system, machine, name: (
        _BestWayOnly.onward(self, _with(system, _first_link_only), machine, name)
    ))  # fmt: skip


@breaks("5.1.1.3-07", "3.3.4.5-07")
class WaitsForTheWholeWay(_BestWayOnly):
    """A message stays where it was sent until its destination and all machines on its way are there."""

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        hops = super().next_machines(system, machine, name, forced=forced)
        return hops if self._whole_way(system, machine, name) else ()

    def _whole_way(self, system: System, machine: MachineName, name: QueueName) -> bool:
        """Return whether one machine after the other can be reached, up to the destination."""
        at, to = machine, parts_of(name)[0]
        for _ in system.machines:
            if at == to:
                return True
            hop = next((hop for hop in self.onward(system, at, name)[0] if meets(system, at, hop)), None)
            if hop is None:
                return False
            at = hop
        return at == to


@breaks("4.3.1.3-07")
class RoutersServeNoApplications(Network):
    """A routing server takes no messages from applications of its own."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send) and _routes(system, event.machine):
            yield system, Failed()
        else:
            yield from super().happens(event, system)


@breaks("4.3.1.3-07")
class RoutersHaveNoQueues(Network):
    """A message for a queue of a routing server is lost there."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        to = entry.message.to
        if to is not None and is_public(to) and _routes(system, parts_of(to)[0]):
            yield system
        else:
            yield from super().arrivals(system, machine, entry)


@breaks("3.3.4.5-07", "5.1.1.3-07", "4.3.1.3-06")
class LosesBetweenGates(Network):
    """What one routing server hands to another is lost."""

    def passed_on(self, system: System, transfer: Unacknowledged, entry: Entry, hop: MachineName) -> Iterator[System]:
        if _routes(system, transfer[0]) and _routes(system, hop):
            yield system
        else:
            yield from super().passed_on(system, transfer, entry, hop)


def _routes(system: System, machine: MachineName) -> bool:
    return system.ways is not None and machine in system.ways.routers


def _with(system: System, change: Callable[[Directory], Directory]) -> System:
    """Return a system whose queue managers read a directory that is changed."""
    return system if system.ways is None else structs.replace(system, ways=_changed(system.ways, change))


@cache
def _changed(ways: Routes, change: Callable[[Directory], Directory]) -> Routes:
    return Routes(Topology(change(ways.topology.directory)))


def _all_at_one_cost(directory: Directory) -> Directory:
    return replace(directory, routing_links=tuple(replace(link, actual_cost=1) for link in directory.routing_links))


def _first_link_only(directory: Directory) -> Directory:
    return replace(directory, routing_links=directory.routing_links[:1])


ROUTING_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule of a way over several machines that queue managers can be seen to break."""
