"""The one interface between the harness and an implementation under test (IUT).

Adapters know this module and nothing else of the project. An adapter is a function
``open_iut(target, options) -> Iut`` registered in the entry point group ``mqconform.adapters``;
docs of the methods and their parameters are the IUT protocol page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from mqconform.harness.records.iut_description import IutDescription
from mqconform.harness.records.printable import excerpt
from mqconform.harness.records.problem import ConfigurationError, IutProblem

__all__ = [
    "MAX_LINE",
    "METHOD_NOT_FOUND",
    "PROTOCOL_VERSION",
    "ROUTING_FAILED",
    "AdapterOptions",
    "ClientFacts",
    "ConfigurationError",
    "Datagram",
    "DatagramCarrier",
    "DirectoryServerFact",
    "Exchange",
    "ForeignResponder",
    "Iut",
    "IutDescription",
    "IutErrorAnswer",
    "IutFault",
    "IutProblem",
    "Json",
    "LiveClient",
    "LiveClients",
    "LiveEffect",
    "NotApplicable",
    "OwnNetwork",
    "ServerFacts",
    "Silent",
    "T",
    "Unreachable",
    "Unsupported",
    "describe",
    "excerpt",
    "filled_in",
]

PROTOCOL_VERSION = 1
METHOD_NOT_FOUND = -32601
ROUTING_FAILED = -32010
MAX_LINE = 16 * 1024 * 1024
"""Longest answer of one call, in octets; a longer one is the IUT's fault."""

Json = dict[str, Any]
T = TypeVar("T")


class Unsupported(IutProblem):
    """The IUT declared that it does not offer a method (-32601); never a pass, never a fail."""


class NotApplicable(IutProblem):
    """The situation cannot be brought about on this IUT, for the reason given."""


class Unreachable(IutProblem):
    """Nothing was ever heard from the IUT, so that nothing can be said about it."""


class Silent(Unreachable):
    """The carrier waited in vain for an IUT that it has never heard."""


class ForeignResponder(IutProblem):
    """Another host than the IUT answered; the message names it."""


class IutFault(IutProblem):
    """The IUT broke the contract of its carrier: it crashed, hung, or answered what no answer can be.

    Attributes:
        kind: one of ``exited``, ``deadline``, ``not-json``, ``wrong-id``, ``oversize``, ``schema``, ``error``,
            ``exception``, ``silent``. ``error`` is an error answer where the protocol knows none.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class IutErrorAnswer(IutProblem):
    """The IUT answered a call with a JSON-RPC error other than "method not found".

    Attributes:
        code: the JSON-RPC error code.
        text: the message of the error.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"error {code}: {message}")
        self.code = code
        self.text = message


@dataclass(frozen=True, slots=True)
class DirectoryServerFact:
    """One entry of a server's DirectoryServerList with the protocols it is said to support."""

    name: str
    ip: bool
    ipx: bool


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a discovery server is configured with; GUIDs as lower-case 8-4-4-4-12 text."""

    enterprise: str
    site: str
    connected_networks: tuple[str, ...]
    directory_servers: tuple[DirectoryServerFact, ...]

    def params(self) -> Json:
        """Return the parameters of ``discovery_server.configure``."""
        servers = [{"name": server.name, "ip": server.ip, "ipx": server.ipx} for server in self.directory_servers]
        return {
            "enterprise": self.enterprise,
            "site": self.site,
            "connected_networks": list(self.connected_networks),
            "directory_servers": servers,
        }


@dataclass(frozen=True, slots=True)
class ClientFacts:
    """How a discovery client that takes no orders is made to search (docs/facts-file.md).

    Attributes:
        start: command that makes it search once, placeholders included.
        service: command of a program that stays while the client lives, none where ``start`` is all of it.
        network: arguments that stand for each network where a command has ``{networks}``.
        enterprise: what it is configured with where the commands do not tell it, else empty; ``site`` likewise.
        outcome: ``none``, ``exit-status`` or ``json``: how ``start`` shows what came of the search.
        tolerance: seconds by which the end of a wait may be early or late.
        patience: seconds from ``start`` to the first request.
    """

    start: tuple[str, ...]
    service: tuple[str, ...] = ()
    network: tuple[str, ...] = ()
    enterprise: str = ""
    site: str = ""
    outcome: str = "none"
    tolerance: float = 0.5
    patience: float = 20.0


def filled_in(
    words: Sequence[str], placeholders: Mapping[str, object], lists: Mapping[str, tuple[Sequence[str], Sequence[Json]]]
) -> list[str]:
    """Return a command with its placeholders filled in; other braces are left alone.

    Args:
        words: the command, ``{NAME}`` standing for something wherever it has placeholders.
        placeholders: what each of them stands for, by name.
        lists: of a word that stands for a list: the arguments that stand for each of it, and what placeholders of its
            own each has.
    """
    filled: list[str] = []
    for word in words:
        arguments, every = lists.get(word, ((word,), ({},)))
        for own, argument in product(every, arguments):
            for name, value in {**placeholders, **own}.items():
                argument = argument.replace(f"{{{name}}}", str(value))  # noqa: PLW2901 - word by word
            filled.append(argument)
    return filled


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """What the user set for the connection.

    Attributes:
        deadline: seconds that a control call may take.
        reply_timeout: seconds to wait for a datagram; unless the user says otherwise what MS-MQSD 3.1.2.1 gives a
            client. This module imports no specification; a test holds the number equal to the reference's.
        facts: what a server without control is configured with.
        client: how a client without control is made to search.
        evidence: directory for captures; None where nothing is kept.
        clock: ``real`` or ``virtual`` for discovery clients, empty for what they have.
        tolerance: seconds by which the end of a wait may be early or late; None for the default.
        discovery_port: UDP port of discovery servers where the target names none (MS-MQSD 2.1); ``open_iut`` of the
            harness fills it in, so that adapters hold no number of the specification.
    """

    deadline: float = 5.0
    reply_timeout: float = 15.0
    facts: ServerFacts | None = None
    client: ClientFacts | None = None
    evidence: Path | None = None
    clock: str = ""
    tolerance: float | None = None
    discovery_port: int = 0


@dataclass(frozen=True, slots=True)
class Datagram:
    """A datagram that arrived in answer to something.

    Attributes:
        octets: the payload.
        source: ``host:port`` it came from; empty where the carrier has no addresses.
    """

    octets: bytes
    source: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back for some datagrams sent together.

    Attributes:
        replies: datagrams from the IUT, in order of arrival, without the first answer to the fence and without
            replies to earlier exchanges, which come late and are no answer to this one.
        foreign: datagrams from hosts other than the one that was asked.
        alive: whether the IUT answered the fence that followed. None where that cannot be said: no fence was
            sent, more arrived than is kept, or the IUT sent more replies than there were datagrams and none of
            them names the fence, as a server that garbles the CorrelationID does.
        overflow: whether more arrived than the harness is willing to keep.
    """

    replies: tuple[Datagram, ...]
    foreign: tuple[Datagram, ...] = ()
    alive: bool | None = None
    overflow: bool = False


class Iut(Protocol):
    """An implementation under test, however it is reached."""

    description: IutDescription
    facts: ServerFacts | None
    """What it is configured with where the harness cannot configure it, else None."""

    def call(self, method: str, params: Json) -> Json:
        """Perform one operation of the IUT protocol and return its result object.

        Raises:
            Unsupported: the IUT has no such method.
            NotApplicable: this carrier cannot bring the situation about.
            IutErrorAnswer: the IUT answered with an error.
            IutFault: the IUT broke the contract.
        """

    def evidence(self) -> tuple[str, ...]:
        """Return what else was seen of the IUT: tail of its stderr, exit status, addresses."""

    def close(self) -> None:
        """End the connection and everything that the adapter started; never raises."""


@runtime_checkable
class DatagramCarrier(Protocol):
    """An IUT that is reached by real datagrams instead of calls."""

    lossless: bool
    """Whether the medium cannot lose a datagram (loopback): silence is then the IUT's."""

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> Exchange:
        """Send datagrams, then a fence, and return what came back. Nothing is sent twice.

        The fence is a well-formed request with a RequestID of its own: once octets 4 to 20 of a reply equal its
        octets 20 to 36 (CorrelationID and RequestID), a server that answers in order has answered the rest. It
        saves waiting for silence. As no order is required of a server, what is still missing then gets

        - the whole ``reply_timeout``, while fewer than ``expected`` replies have come: pass the number of
          datagrams that a server has to answer;
        - a short grace, while fewer replies than datagrams have come: a malformed datagram needs no
          answer, and a long wait for each would be absurd.

        An IUT that was heard before and is now silent or refuses gives ``alive=False``. Once it has refused, or
        was silent three times in a row, later exchanges return so at once until something is heard from it again.
        A few dozen small datagrams at a time fit the buffers between two sockets; more may be lost even where the
        medium is lossless.

        Raises:
            Unreachable: nothing was ever heard from the IUT.
            ValueError: the fence is too short or has the RequestID of a datagram.
        """


@runtime_checkable
class OwnNetwork(Protocol):
    """An IUT on a network of its own: what is to reach a port that it opens has to be opened there."""

    def enter(self, function: Callable[[], T]) -> T:
        """Return what a function returns whose sockets are to be on that network.

        Raises:
            NotApplicable: the network cannot be entered, for the reason given.
        """


@dataclass(frozen=True, slots=True)
class LiveEffect:
    """Something that a client in real time was seen to do.

    Attributes:
        at: when, in nanoseconds of ``time.monotonic_ns``.
        effect: as the IUT protocol has it, a ``send`` or a ``complete``.
        state: what it showed of itself with that, as ``discovery_client.state`` has it.
    """

    at: int
    effect: Json
    state: Json | None = None


class LiveClient(Protocol):
    """A discovery client on its own networks, where time is real."""

    capture: str
    """Name of the file that holds all that passed on its networks."""

    @property
    def over(self) -> bool:
        """Whether the client has ended and nothing more can come of it."""

    @property
    def foreign(self) -> tuple[str, ...]:
        """Other senders of what looks like a reply: ``host:port``, and what it was."""

    def start(self) -> None:
        """Make it search (MS-MQSD 3.1.4.1).

        Raises:
            NotApplicable: it searches but once.
        """

    def bring(self, network: str, datagram: bytes, sender: str) -> int:
        """Send it a datagram from a server of that name on a network, and return when, as in ``LiveEffect``."""

    def change_networks(self, networks: list[Json]) -> None:
        """Connect its computer to these networks, which are as in ``discovery_client.configure``.

        Raises:
            NotApplicable: its computer stays where it is.
        """

    def state(self) -> Json | None:
        """Return what it shows of itself now, as ``discovery_client.state`` has it; None where it shows nothing."""

    def next(self, until: int) -> LiveEffect | None:
        """Return what it does next, None if it has done nothing by then; ``until`` is a time as in ``LiveEffect``.

        Raises:
            IutFault: it ended otherwise than the facts say, or said what no outcome can be.
        """

    def close(self) -> None:
        """End it and take its networks down; never raises."""


@runtime_checkable
class LiveClients(Protocol):
    """An IUT that can be had as many clients at once, each in real time."""

    shows_completion: bool
    """Whether a client tells that a search is over."""
    tolerance: float
    """Seconds by which the end of a wait may be early or late."""
    patience: float
    """Seconds from the start to the first request."""

    def live_client(self, configuration: Json, name: str) -> LiveClient:
        """Return a client in its initial state.

        Args:
            configuration: parameters of ``discovery_client.configure``.
            name: for its evidence.

        Raises:
            NotApplicable: it cannot be configured so, or this machine makes no networks.
            IutFault: it does not start.
        """


def describe(answer: Mapping[str, Any]) -> IutDescription:
    """Return the description in an ``initialize`` result that has passed its schema."""
    return IutDescription(
        name=str(answer["name"]),
        version=str(answer["version"]),
        vendor=str(answer.get("vendor", "")),
        roles=frozenset(answer["roles"]),
        capabilities=frozenset(answer["capabilities"]),
        specs=dict(answer.get("specs", {})),
        declined=frozenset(answer.get("declined", ())),
    )
