"""Queue managers of the reference in an enterprise: what they send to each other goes by the hooks of each machine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.most_usual import Chooser, most_usual
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Key, MachineName
from mqconform.reference.mqso.events import Answer, Done, Event
from mqconform.reference.mqso.forwarding import Forwarding
from mqconform.reference.mqso.frozen_map import FrozenMap
from mqconform.reference.mqso.hooks import Hooks
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.packets import Mishap, Passage, Undiscovered
from mqconform.reference.mqso.system import System, system_of
from mqconform.reference.mqso.topology import Topology, topology_of

HooksOfAll = Callable[[Topology], Mapping[MachineName, Hooks]]
"""Returns the hooks of every machine of an enterprise, as freshly started."""
GATE: Final = "gate-of-"
"""With the name of a machine behind it: the gate of the site that a scenario's machine has for itself."""
MOST_PASSAGES: Final = 50_000
"""Steps of transfers that are remembered; a router that sends in circles makes many."""


class ForwardedQueueManagers(ReferenceQueueManagers):
    """Role ``queue_manager`` for an enterprise.

    Args:
        hooks: what the machines route, send and receive with.
        topology: the enterprise, whose machines are those that are configured; None to give each configured machine a
            site of its own, with a gate that no scenario knows of and links between all sites.
    """

    def __init__(
        self,
        hooks: HooksOfAll,
        topology: Topology | None = None,
        network: Network | None = None,
        choose: Chooser = most_usual,
    ) -> None:
        self._hooks, self._topology = hooks, topology
        super().__init__(network, choose)

    def reset(self) -> None:
        """Become as freshly started."""
        super().reset()
        self.forwarding: Forwarding | None = None
        self._passages: list[Passage] = []

    def configure(
        self,
        machines: list[Json],
        coordinator: bool = True,  # noqa: FBT001, FBT002 - a field of the protocol
        users: list[Json] | None = None,
        directory: object = None,
        clients: Sequence[Json] = (),
        **_: object,
    ) -> Json:
        """Start afresh, all machines running, in the enterprise of the directory where there is one."""
        super().configure(machines, coordinator, users, directory, clients)
        if self.system is not None:
            names = [machine["name"] for machine in machines]
            enterprise = self._topology or (None if self.system.ways is None else self.system.ways.topology)
            topology = enterprise or _sites_apart(names)
            hidden = [machine for machine in topology.identifiers if machine not in self.system.machines]
            machines_of_all = FrozenMap({**self.system.machines, **system_of(hidden).machines})
            self.system = replace(self.system, machines=machines_of_all)
            hooks = self._hooks(topology)
            self.forwarding = Forwarding(
                topology,
                hooks,
                self.network,
                self._one_of,
                self._note,
                waits_at_source=enterprise is None,
            )
        return {}

    def destine(self, source: str, to: str, mishap: str) -> Json:
        """Let something happen to the next packet of a stream, or of its acknowledgments, between two machines."""
        assert self.forwarding is not None, "configure first"
        self.forwarding.destine(MachineName(source), MachineName(to), Mishap(mishap))
        return {}

    def heal(self) -> Json:
        """Let nothing more happen to packets."""
        assert self.forwarding is not None, "configure first"
        self.forwarding.heal()
        return {}

    def passages(self) -> tuple[Passage, ...]:
        """Return what passed since the last call, messages by the names that their senders gave them."""
        passages, self._passages = self._passages, []
        return tuple(
            passage if isinstance(passage, Undiscovered) else replace(passage, key=self._name(passage.key))  # type: ignore[arg-type]  # None stays
            for passage in passages
        )

    def waiting(self) -> tuple[Passage, ...]:
        """Return what waits at its source for an acknowledgment."""
        waits = self.forwarding.waiting() if self.forwarding else ()
        return tuple(replace(message, key=str(self._name(Key(message.key)))) for message in waits)

    def _name(self, key: Key | None) -> Key | None:
        return None if key is None else Key(str(self._sent.get(key, key)))

    def _note(self, passage: Passage) -> None:
        if len(self._passages) < MOST_PASSAGES:
            self._passages.append(passage)

    def transfer(self) -> None:
        """Let messages pass that can."""
        if self.forwarding is None:
            super().transfer()
        elif self.system is not None:
            while (after := self.network.next_by_directory(self.system)) is not None:
                self.system = after
            while (sent := next(self.network.multicasts(self.system), None)) is not None:
                self.system = sent
            self.system = self.forwarding.passed(self.system)

    def _step(self, event: Event) -> Answer:
        if self.system is None or self.forwarding is None or not isinstance(event, events.TimePassed):
            return super()._step(event)
        until = self._now + event.by
        while (due := self.forwarding.next_due()) is not None and self._now < due < until:
            super()._step(events.TimePassed(due - self._now))
        return super()._step(events.TimePassed(until - self._now))

    @property
    def _now(self) -> int:
        return 0 if self.system is None else next(iter(self.system.machines.values())).now

    def _one_of(self, systems: Iterable[System]) -> System:
        chosen: System = self.choose([(system, Done()) for system in systems])[0]
        return chosen


def _sites_apart(names: list[str]) -> Topology:
    """Return an enterprise where each machine has a site with a gate of its own, and any two sites are linked."""
    machines = [{"name": name, "sites": [name], "routing_server": False} for name in names]
    gates = [{"name": f"{GATE}{name}", "sites": [name], "routing_server": True} for name in names]
    return topology_of(
        {
            "enterprise": {"name": "sites-apart"},
            "sites": [{"name": name, "site_gates": [f"{GATE}{name}"]} for name in names],
            "routing_links": [
                {"id": f"{name}-{other}", "site1": name, "site2": other, "cost": 1}
                for place, name in enumerate(names)
                for other in names[:place]
            ],
            "queue_managers": [*machines, *gates],
        }
    )
