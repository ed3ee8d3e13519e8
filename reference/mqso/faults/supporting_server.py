"""Faults of supporting servers, which work for applications on computers without a queue manager (6.1.7)."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Entry
from mqconform.reference.mqso.events import At
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results

_Change = Callable[[tuple[Entry, ...]], tuple[Entry, ...]]


@breaks("6.1.7.5-01")
class SendsOfClientsAtOnce(Network):
    """What a client sends in a transaction is not hidden until the transaction commits."""

    def for_client(self, system: System, event: At) -> Results:
        for after, answer in super().for_client(system, event):
            if isinstance(event.event, events.Send) and event.event.transaction is not None:
                yield _shown(after, event), answer
            else:
                yield after, answer


@breaks("6.1.7.5-01")
class ReceivesOfClientsForGood(Network):
    """What a client received in a transaction is gone, and not back after an abort."""

    def for_client(self, system: System, event: At) -> Results:
        inner = event.event
        aborts = isinstance(inner, events.End) and not inner.commit
        yield from super().for_client(_consumed(system, event) if aborts else system, event)


@breaks("6.1.7.5-01")
class LocksHoldNoClients(Network):
    """What one client received in an open transaction is handed out to another as well."""

    def for_client(self, system: System, event: At) -> Results:
        if not isinstance(event.event, events.Receive):
            yield from super().for_client(system, event)
            return
        yield from super().for_client(_unlocked(system, event), event)


def _at_server(system: System, event: At, entries: _Change) -> System:
    """Return the system with other entries in the queues of a client's server."""
    server = system.clients[event.machine]
    world = system.at(server)
    for name, queue in world.queues.items():
        world = world.with_queue(name, replace(queue, entries=entries(queue.entries)))
    return system.having(server, world)


def _shown(system: System, event: At) -> System:
    return _at_server(system, event, lambda entries: tuple(replace(entry, hidden_by=None) for entry in entries))


def _unlocked(system: System, event: At) -> System:
    return _at_server(system, event, lambda entries: tuple(replace(entry, locked_by=None) for entry in entries))


def _consumed(system: System, event: At) -> System:
    assert isinstance(event.event, events.End)
    ended = event.event.transaction
    return _at_server(system, event, lambda entries: tuple(entry for entry in entries if entry.locked_by != ended))


SUPPORTING_SERVER_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule of supporting servers that queue managers can be seen to break."""
