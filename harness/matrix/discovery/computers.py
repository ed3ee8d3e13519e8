"""The networks of one scenario as the harness sees them; adapters make them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, TypeVar

from mqconform.harness.iut import ConfigurationError, Json

T = TypeVar("T")
GROUP = "mqconform.services"


class GivenUp(Exception):
    """The matrix was interrupted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take.

    Attributes:
        patience: seconds for a server to open its port, and for a client to begin.
        deadline: seconds for one call.
        given_up: set when the matrix is interrupted.
    """

    patience: float
    deadline: float
    given_up: threading.Event

    def go_on(self) -> None:
        """Do nothing, unless the matrix was interrupted.

        Raises:
            GivenUp: it was.
        """
        if self.given_up.is_set():
            raise GivenUp


class Program(Protocol):
    """A program that was started on one of the computers."""

    name: str
    ended: int | None
    """When it ended, in nanoseconds of ``time.monotonic_ns``; None while it runs."""
    said: int
    """Octets that it has written to its standard output."""

    def descriptors(self) -> list[int]:
        """Return what becomes readable when it says something or ends."""

    def look(self) -> None:
        """Take in what it has said, and whether it has ended."""

    def status(self) -> str:
        """Say how it ended."""

    def stderr(self) -> str:
        """Return the end of what it wrote to standard error."""

    def result(self, outcome: str) -> tuple[int, Json, Json | None] | None:
        """Return when the search was over, its completion, and the state shown with it."""

    def end(self) -> None:
        """End it with all that it has started."""


class Computers(Protocol):
    """A client's computer and a server's, with networks between them and a capture of what passes."""

    each: list[Json]
    """For each network what stands for it to a client: ``network``, ``address``, ``prefix``, ``interface``."""
    server_address: str
    flooded: bool

    def at_client(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs on the client's computer."""

    def at_server(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs on the server's computer."""

    def start_client(self, words: Sequence[str]) -> Program:
        """Start a program on the client's computer."""

    def start_server(self, words: Sequence[str]) -> Program:
        """Start a program on the server's computer."""

    def serving(self) -> bool:
        """Whether the UDP port of MS-MQSD 2.1 is open on the server's computer."""

    def asks(self, seconds: float) -> bool:
        """Wait for a request of the client, and return whether there was one since the last call."""

    def close(self) -> str:
        """Take everything down, and return what is missing from the capture."""


def shared_networks(networks: Sequence[str], with_server: str, capture: Path) -> Computers:
    """Make networks through whichever adapter is installed.

    Raises:
        NotApplicable: this machine makes none.
    """
    made: Computers = _service("shared-networks")(networks, with_server, capture)
    return made


def why_no_networks() -> str:
    """Return why no networks can be made here, empty where they can."""
    reason: str = _service("shared-networks-obstacle")()
    return reason


def udp_service(host: str, port: int, respond: Callable[[bytes], Sequence[bytes]]) -> Any:
    """Open a UDP port that answers."""
    return _service("udp")(host, port, respond)


def broadcast_networks(networks: Sequence[str], port: int) -> Any:
    """Open sockets that broadcast, in the network namespace of the calling thread."""
    return _service("broadcast")(networks, port)


def _service(name: str) -> Any:
    points = tuple(entry_points(group=GROUP, name=name))
    if not points:
        raise ConfigurationError(f"the service {name} is not installed; install mqconform anew")
    return points[0].load()
