"""What a client mutant is: the reference discovery client with one thing done wrongly on purpose (MS-MQSD 3.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.builtin.discovery_server import ReferenceIut
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqsd_client_consequences import ALSO
from mqconform.reference.mqsd.client import UNDISPUTED, ClientState, Effect, Event, Readings, Send

Reaction = tuple[ClientState, Sequence[Effect]]
ClientFactory = Callable[[], ReferenceDiscoveryClient]


@dataclass(frozen=True, slots=True)
class ClientMutant:
    """A discovery client under test with one known peculiarity.

    Attributes:
        name: after ``mutant:`` on the command line.
        says: what is peculiar, in one sentence.
        client: makes its role ``discovery_client``.
        breaks: requirements of which at least one has to be found violated; none where it conforms.
    """

    name: str
    says: str
    client: ClientFactory
    breaks: tuple[str, ...] = ()

    @property
    def also(self) -> tuple[str, ...]:
        """Requirements, or prefixes of ids, that the same defect violates inevitably."""
        return ALSO.get(self.name, ())

    def iut(self) -> "ClientMutantIut":
        """Return the implementation, freshly started."""
        return ClientMutantIut(self)


class ClientMutantIut(ReferenceIut):
    """The reference with another discovery client, and no other role."""

    def __init__(self, mutant: ClientMutant) -> None:
        self.name = f"mutant {mutant.name}"
        self._client = mutant.client
        super().__init__()

    def description(self) -> Json:
        """Return the reference's description with the one role that is changed: the others need not be judged again."""
        return super().description() | {
            "roles": ["discovery_client"],
            "capabilities": ["virtual-clock"],
            "specs": {"MQSD": "13.0"},
        }

    def make_discovery_client(self) -> ReferenceDiscoveryClient:
        """Return the mutant's client."""
        return self._client()


class SpoilingClient(ReferenceDiscoveryClient):
    """A client that hears or does one thing wrongly.

    Args of the constructor:
        hears: what it takes an event for.
        does: what it makes of a right reaction, given the client before, the event, the client after and the effects.
        readings: what it follows apart from that.
    """

    def __init__(
        self,
        hears: "Hearing | None" = None,
        does: "Doing | None" = None,
        readings: Readings = UNDISPUTED,
    ) -> None:
        super().__init__(readings)
        self._hears, self._does = hears, does

    def react(self, client: ClientState, event: Event) -> Reaction:
        """Return the spoilt reaction."""
        after, effects = super().react(client, self._hears(client, event) if self._hears else event)
        return self._does(client, event, after, effects) if self._does else (after, effects)


Hearing = Callable[[ClientState, Event], Event]
Doing = Callable[[ClientState, Event, ClientState, Sequence[Effect]], Reaction]


def hearing(hears: Hearing) -> ClientFactory:
    """Return the factory of a client that takes events for something else."""
    return lambda: SpoilingClient(hears=hears)


def doing(does: Doing) -> ClientFactory:
    """Return the factory of a client that spoils its reactions."""
    return lambda: SpoilingClient(does=does)


def following(readings: Readings) -> ClientFactory:
    """Return the factory of a client that follows other readings."""
    return lambda: ReferenceDiscoveryClient(readings)


def sending(spoil: Callable[[bytes], bytes]) -> ClientFactory:
    """Return the factory of a client whose requests have other octets."""

    def does(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
        del before, event
        return after, [Send(one.network, spoil(one.datagram)) if isinstance(one, Send) else one for one in effects]

    return doing(does)
