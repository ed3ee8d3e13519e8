"""The hooks of machines whose seats are taken: each asks the implementation that sits there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, ReceiverEnd, SenderEnd
from mqconform.harness.iut.interface import (
    AdapterOptions,
    ConfigurationError,
    IutErrorAnswer,
    IutFault,
    IutProblem,
    Json,
    Unsupported,
)
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.records.printable import visible
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.elements import Numbers
from mqconform.reference.mqso.discovering import (
    CONNECTED_NETWORK,
    DIRECTORY_SERVERS,
    SITE_OF_SERVERS,
    DiscoveryClient,
)
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.hooks import Hooks, NextHops, reference_hooks
from mqconform.reference.mqso.topology import Topology

SEATS: Final[Mapping[str, RoleName]] = {
    "discovery": RoleName.DISCOVERY_SERVER,
    "router": RoleName.ROUTER,
    "sender": RoleName.ORDERED_SENDER,
    "receiver": RoleName.ORDERED_RECEIVER,
}
"""Each seat and the role that takes it."""
REFERENCE: Final = "ref:"
MOST_HOPS: Final = 1_000
"""In one answer of a router; an enterprise has fewer machines."""
MOST_MESSAGES: Final = 20_000
"""Of all transmissions of a sender in one schedule; one that sends what nobody queued comes near."""
LONGEST_NAME: Final = 40
"""Of a message, in characters; those that were queued have fewer."""


@dataclass(slots=True)
class DiscoverySeat:
    """The discovery server that one machine asks; ``call`` performs operations of ``discovery_server``."""

    call: Call
    topology: Topology
    configured: bool = False

    def __call__(self, request: bytes) -> list[bytes]:
        """Return the replies to a request over IP."""
        if not self.configured:
            self._configure()
        answer = self.call("discovery_server.receive", {"network": "ip", "datagram": request.hex()})
        return [bytes.fromhex(reply) for reply in answer["replies"]]

    def _configure(self) -> None:
        self.configured = True
        self.call(
            "discovery_server.configure",
            {
                "enterprise": self.topology.directory.enterprise.identifier,
                "site": SITE_OF_SERVERS,
                "connected_networks": [CONNECTED_NETWORK],
                "directory_servers": [{"name": name, "ip": True, "ipx": False} for name in DIRECTORY_SERVERS],
            },
        )


@dataclass(frozen=True, slots=True)
class RouterSeat:
    """The router of one machine; ``call`` performs operations of ``router``."""

    call: Call
    topology: Topology
    machine: MachineName

    def start(self) -> None:
        """Start with the machine."""
        self.call("router.load_directory", {"directory": self.topology.document})
        self.call("router.initialize", {"local": self.topology.identifiers[self.machine]})

    def next_hops(self, to: MachineName) -> NextHops | None:
        """Return the next hops to a machine; any error answer says that there are none.

        Raises:
            IutFault: there are more than any enterprise has machines.
        """
        identifiers = self.topology.identifiers
        ask = {"source": identifiers[self.machine], "destination": identifiers[to]}
        try:
            next_hops = self.call("router.get_next_hops", ask)["next_hops"]
        except IutErrorAnswer:
            return None
        if len(next_hops) > MOST_HOPS:
            raise IutFault("oversize", f"router.get_next_hops: more than {MOST_HOPS} next hops")
        return tuple(next_hops)


@dataclass(frozen=True, slots=True)
class SenderSeat(SenderEnd):
    """The ordered sender of one machine; ``sizes`` has the number of messages of each transmission."""

    sizes: list[int] = field(default_factory=list)

    def transmit(self, stream: str) -> list[tuple[str, Numbers]]:
        """Return what a transmission sends now.

        Raises:
            IutFault: all transmissions together are more than any schedule can have queued.
        """
        messages = SenderEnd.transmit(self, stream)
        self.sizes.append(len(messages))
        if sum(self.sizes) > MOST_MESSAGES:
            raise IutFault("oversize", f"ordered_sender.transmit: more than {MOST_MESSAGES} messages in one schedule")
        # A name that no message has would be shown to the user as it came.
        return [(visible(str(message)[:LONGEST_NAME]), numbers) for message, numbers in messages]


class Seats:
    """Implementations in the seats of a system, one of each for every machine; to be closed.

    Args:
        specs: seat -> ``KIND:ID`` of what takes it; the reference where none does.
        options: how to reach them.
    """

    def __init__(self, specs: Mapping[str, str], options: AdapterOptions) -> None:
        self._specs = {seat: spec for seat, spec in specs.items() if spec != REFERENCE}
        self._options = options
        self._open: dict[str, list[CheckedIut]] = {seat: [] for seat in self._specs}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all implementations; never raises."""
        for iuts in self._open.values():
            while iuts:
                iuts.pop().close()

    def check(self) -> None:
        """Reach one implementation of each seat.

        Raises:
            ConfigurationError: it cannot be reached so, or does not have the role of its seat.
            IutProblem: nothing answers, or what no answer can be.
        """
        for seat in self._specs:
            self._calls(seat, 1)

    def hooks(self, topology: Topology) -> Mapping[MachineName, Hooks]:
        """Return the hooks of all machines, as freshly started."""
        machines = [*topology.identifiers]
        calls = {seat: self._calls(seat, len(machines)) for seat in self._specs}
        hooks = {machine: reference_hooks(topology, machine) for machine in machines}
        for place, machine in enumerate(machines):
            hooks[machine] = _taken(hooks[machine], {seat: calls[seat][place] for seat in calls}, topology, machine)
        return hooks

    def _calls(self, seat: str, count: int) -> Sequence[Call]:
        """Return the operations of ``count`` implementations for a seat, each reset."""
        iuts = self._open[seat]
        while len(iuts) < count:
            iuts.append(self._connected(seat))
        calls = [self._call_of(seat, iut) for iut in iuts[:count]]
        for call in calls:
            call("reset", {})
        return calls

    def _connected(self, seat: str) -> CheckedIut:
        spec, role = self._specs[seat], SEATS[seat]
        iut = connect(spec, self._options)
        if role not in iut.description.roles:
            iut.close()
            declared = ", ".join(sorted(iut.description.roles)) or "none"
            raise ConfigurationError(
                f"--seat {seat}={spec}: is no {role}; the roles it declares are {declared}; name an implementation "
                f"with the role {role}"
            )
        return iut

    def _call_of(self, seat: str, iut: CheckedIut) -> Call:
        def call(method: str, params: Json) -> Json:
            try:
                return iut.call(method, params)
            except (IutErrorAnswer, Unsupported):
                raise
            except IutProblem as problem:
                if iut in self._open[seat]:  # it is in no state to go on: the next system gets another
                    self._open[seat].remove(iut)
                    iut.close()
                if isinstance(problem, IutFault):
                    raise IutFault(problem.kind, f"--seat {seat}={self._specs[seat]}: {problem}") from problem
                raise

        return call


def _taken(hooks: Hooks, calls: Mapping[str, Call], topology: Topology, machine: MachineName) -> Hooks:
    """Return hooks that call the implementations of the seats that are taken."""
    if "discovery" in calls:
        server = DiscoverySeat(calls["discovery"], topology)
        hooks = replace(hooks, discovering=DiscoveryClient(topology, machine, server))
    if "router" in calls:
        hooks = replace(hooks, routing=RouterSeat(calls["router"], topology, machine))
    if "sender" in calls:
        hooks = replace(hooks, sending=SenderSeat(calls["sender"]))
    if "receiver" in calls:
        hooks = replace(hooks, receiving=ReceiverEnd(calls["receiver"]))
    return hooks
