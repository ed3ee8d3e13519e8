"""References that differ by a seed: the order of answers shuffled, or all that the text leaves open drawn by chance.

``ref:sampled?seed=N`` follows readings that the default profile passes, the same ones for the whole of its life, and
chooses anew each time where the text lets it. All that they may do is right, so no verdict may change with the seed;
where one does, a scenario leans on an order or a choice that the text leaves open.
"""

import random
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, Final, TypeVar

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole, RoutingAttemptFailed
from mqconform.harness.iut.role import RolePart
from mqconform.harness.records.printable import shortened
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.allowed import Alternative, Standing
from mqconform.reference.choice import Choice
from mqconform.reference.directory.elements import QueueManagerId
from mqconform.reference.directory.reading import ReadEvent
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings
from mqconform.reference.eod.readings_of_senders import SenderReadings
from mqconform.reference.eod.receiver import OrderedReceiver
from mqconform.reference.eod.sender import OrderedSender
from mqconform.reference.fault import with_arguments
from mqconform.reference.mqbr import clock, next_hops
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.next_hops import NextHops
from mqconform.reference.mqbr.router import ReferenceRouter, seeded
from mqconform.reference.mqsd.client import UNDISPUTED
from mqconform.reference.mqsd.faults.reply_parts import Asked, right_reply, units
from mqconform.reference.mqsd.faults.server_rules import written
from mqconform.reference.mqsd.server import Network

R = TypeVar("R")
JITTER: Final = 0.19
"""Seconds by which a clock goes before or behind that of the harness: what takes it 0.5 s takes more than 0.1 s."""


class ShuffledRouterRole(ReferenceRouterRole):
    """Holds its directory in an order of its own and makes open choices by chance.

    Args:
        seed: the same gives the same order and choices.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        super().__init__(lambda: ReferenceRouter(seeded(seed)))

    def load_directory(self, directory: Json) -> Json:
        """Take over the whole directory, shuffled."""
        return self.perform("load_directory", {"directory": shuffled(directory, self._rng)})

    def change_directory(self, directory: Json) -> Json:
        """Change the directory's content, shuffled anew."""
        return self.perform("change_directory", {"directory": shuffled(directory, self._rng)})

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops in another order."""
        hops = super().get_next_hops(source, destination)["next_hops"]
        return {"next_hops": self._rng.sample(hops, len(hops))}

    def routing_table(self) -> Json:
        """Show the table, its rows shuffled."""
        rows = self.perform("routing_table", {})["rows"]
        return {"rows": self._rng.sample(rows, len(rows))}


class ShuffledServer(ReferenceDiscoveryServer):
    """Lists networks and names in an order of its own each time (register SD-26)."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return the reply with its lists shuffled."""
        if self.server is None:
            return []
        parts = right_reply(Asked(self.server, network, datagram))
        if parts is None:
            return []
        parts = parts.with_networks(self._rng.sample(parts.networks, len(parts.networks)))
        if parts.foreign and parts.servers:
            parts = parts.with_array(units(written(tuple(self._rng.sample(parts.servers, len(parts.servers))))))
        return [parts.octets()]


class ShuffledReference(ReferenceIut):
    """All roles of the reference, shuffled by one seed."""

    def __init__(self, seed: int) -> None:
        self.name = f"mqconform reference, shuffled by {seed}"
        self._seed = seed
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        """Return the role as the seed shuffles it."""
        match role:
            case RoleName.ROUTER:
                return ShuffledRouterRole(self._seed)
            case RoleName.DISCOVERY_SERVER:
                return ShuffledServer(self._seed)
            case RoleName.DISCOVERY_CLIENT:
                return ReferenceDiscoveryClient(seed=self._seed)
            case _:
                return super().make(role)


def shuffled(directory: Any, rng: random.Random) -> Any:
    """Return a directory with every list of it in another order."""
    match directory:
        case dict():
            return {key: shuffled(value, rng) for key, value in directory.items()}
        case list():
            return [shuffled(member, rng) for member in rng.sample(directory, len(directory))]
    return directory


def drawn(readings: R, rng: random.Random) -> R:
    """Return readings of which each field is one that the default profile passes, by chance.

    Args:
        readings: a dataclass of ``Choice`` members; its own choices stay among those drawn from.
        rng: draws.
    """
    assert is_dataclass(readings)
    assert not isinstance(readings, type)
    chosen = {field.name: rng.choice(_passing(getattr(readings, field.name))) for field in fields(readings)}
    made: R = type(readings)(**chosen)
    return made


def _passing(choice: Choice) -> list[Choice]:
    # Where the readings of a place are all undecided, none of them is worse than the reference's own.
    worst = max(Standing.PERMITTED, choice.reading.standing)
    return [candidate for candidate in type(choice) if candidate.reading.standing <= worst]


class UnsteadyClock:
    """The clock of an implementation, which is now before and now behind that of the harness (register SD-49)."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._told = self._shown = 0.0

    def advance(self, seconds: float) -> float:
        """Return by how much it advances where the harness's advances by a number of seconds."""
        self._told += seconds
        before, around = self._shown, self._told + self._rng.uniform(-JITTER, JITTER)
        self._shown = max(before, round(around, 3))
        return self._shown - before


def unsteady(part: type[R], rng: random.Random) -> type[R]:
    """Return the class of an implementation that goes by an unsteady clock."""
    clock_of_its_own = UnsteadyClock(rng)
    return with_arguments(part, advance_clock=lambda seconds: (clock_of_its_own.advance(seconds),))


class SampledRouterRole(ReferenceRouterRole):
    """Answers with any next hops that the model allows at this moment.

    Where the routing table decides, the hops are those of the table that it shows.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._clock = UnsteadyClock(rng)
        self._state: clock.RouterState | None = None
        self._followed: dict[str, str] = {}
        self._no_route_is_empty = rng.random() < 0.5
        super().__init__(lambda: ReferenceRouter(lambda _, options: rng.randrange(options)))

    def reset(self) -> None:
        """Reset to the initial state; readings stay as they are."""
        super().reset()
        self._state = None

    def load_directory(self, directory: Json) -> Json:
        """Take over the whole directory, in another order."""
        return self.perform("load_directory", {"directory": shuffled(directory, self._rng)})

    def initialize(self, local: str) -> Json:
        """Become a queue manager."""
        answer = self.perform("initialize", {"local": local})
        self._state = clock.initialize(self.router.view, QueueManagerId(local.lower()))
        return answer

    def change_directory(self, directory: Json) -> Json:
        """Change the directory's content."""
        answer = self.perform("change_directory", {"directory": shuffled(directory, self._rng)})
        self._seen(lambda state: clock.change_directory(state, self.router.view.directory))
        return answer

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass."""
        answer = self.perform("advance_clock", {"seconds": self._clock.advance(seconds)})
        self._seen(lambda state: clock.advance_clock(state, seconds))
        return answer

    def fail_directory(self, object_type: str, at: str | None) -> Json:
        """Let readings of an object type fail, or heal them."""
        answer = self.perform("fail_directory", {"object_type": object_type, "at": at})
        self._seen(lambda state: clock.fail_directory(state, object_type, None if at is None else ReadEvent(at)))
        return answer

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return next hops that are allowed."""
        try:
            hops = super().get_next_hops(source, destination)["next_hops"]
        except RoutingAttemptFailed:
            hops = []
        drawn_hops = self._drawn(source.lower(), destination.lower(), tuple(hops))
        if not drawn_hops and not self._no_route_is_empty:
            raise RoutingAttemptFailed(f"there is no next hop from {source} to {destination}")
        return {"next_hops": self._rng.sample(drawn_hops, len(drawn_hops))}

    def _seen(self, event: Callable[[clock.RouterState], clock.RouterState]) -> None:
        if self._state is not None:
            self._state = event(self._state)

    def _drawn(self, source: str, destination: str, plain: NextHops) -> NextHops:
        if self._state is None or source != self._state.local:
            return plain
        alternatives = list(decide_next_hops(self._state, QueueManagerId(destination)).allowed)
        if any(_by_table(alternative) for alternative in alternatives):
            return plain
        open_ones = [
            alternative
            for alternative in alternatives
            if alternative.standing <= Standing.PERMITTED and self._is_followed(alternative)
        ]
        if not open_ones:
            return plain
        chosen = self._rng.choice(open_ones)
        self._followed |= {reading.register: reading.name for reading in chosen.readings}
        return chosen.outcome

    def _is_followed(self, alternative: Alternative[NextHops]) -> bool:
        return all(
            self._followed.get(reading.register, reading.name) == reading.name for reading in alternative.readings
        )


def _by_table(alternative: Alternative[NextHops]) -> bool:
    return next_hops.VIA_NEXT_SITE in alternative.derivation or next_hops.NO_NEXT_SITE in alternative.derivation


class SampledReference(ReferenceIut):
    """All roles of the reference, each drawn by one seed."""

    def __init__(self, seed: int) -> None:
        self.name = f"mqconform reference, sampled by {seed}"
        self._seed = seed
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        """Return the role as the seed draws it."""
        rng = random.Random(f"{self._seed} {role}")
        match role:
            case RoleName.ROUTER:
                return SampledRouterRole(rng)
            case RoleName.DISCOVERY_SERVER:
                return ShuffledServer(self._seed)
            case RoleName.DISCOVERY_CLIENT:
                return unsteady(ReferenceDiscoveryClient, rng)(drawn(UNDISPUTED, rng), self._seed)
            case RoleName.ORDERED_RECEIVER:
                return unsteady(OrderedReceiver, rng)(drawn(ReceiverReadings(), rng))
            case RoleName.ORDERED_SENDER:
                return unsteady(OrderedSender, rng)(drawn(SenderReadings(), rng))
            case _:
                return super().make(role)


KINDS: Final = MappingProxyType({"shuffled": ShuffledReference, "sampled": SampledReference})


def target_of(kind: str, seed: int) -> str:
    """Return the ``module:callable`` of a reference of one of the kinds, by its seed."""
    return f"{__name__}:{kind}_{seed}"


def target_named(text: str) -> str:
    """Return the ``module:callable`` of ``KIND?seed=N``.

    Raises:
        ConfigurationError: it says something else.
    """
    kind, _, seed = text.partition("?seed=")
    if kind not in KINDS or not re.fullmatch(r"[0-9]{1,19}", seed):
        forms = " or ".join(f"{kind}?seed=N" for kind in KINDS)
        expected = f"ref: takes nothing after the colon, or {forms}, N from 0 up, of at most 19 digits"
        raise ConfigurationError(f"--iut ref:{shortened(text, 80)}: {expected}")
    return target_of(kind, int(seed))


def __getattr__(attribute: str) -> Callable[[], ReferenceIut]:
    """Return the factory of ``KIND_N``: what ``ref:KIND?seed=N`` is resolved to."""
    kind, _, seed = attribute.rpartition("_")
    if kind not in KINDS or not seed.isdecimal():
        raise AttributeError(attribute)
    return lambda: KINDS[kind](int(seed))
