"""The networks of one scenario as the harness sees them; an adapter makes them, and the command hands that over."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from mqconform.harness.iut.drivers.discovery_client.calls import Networks
from mqconform.harness.iut.interface import ClientFacts, Json, LiveClient

T = TypeVar("T")


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

    ended: int | None
    """When it ended, in nanoseconds of ``time.monotonic_ns``; None while it runs."""

    def look(self) -> None:
        """Take in what it has said, and whether it has ended."""

    def status(self) -> str:
        """Say how it ended."""

    def stderr(self) -> str:
        """Return the end of what it wrote to standard error."""

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

    def program_client(self, facts: ClientFacts, ids: Json, most_said: int) -> LiveClient:
        """Return a client that is a program on the client's computer.

        Args:
            facts: how it is made to search.
            ids: ``enterprise`` and ``site`` of the client.
            most_said: octets that it may write to its standard output in one search.
        """

    def start_server(self, words: Sequence[str]) -> Program:
        """Start a program on the server's computer."""

    def broadcast(self, addresses: Sequence[str], port: int) -> Networks:
        """Open sockets that broadcast from the client's computer.

        Args:
            addresses: its own address on each network, with the prefix length; they name the networks.
            port: UDP port to which is broadcast.
        """

    def serving(self) -> bool:
        """Whether the UDP port of MS-MQSD 2.1 is open on the server's computer."""

    def asks(self, seconds: float) -> bool:
        """Wait for a request of the client, and return whether there was one since the last call."""

    def close(self) -> str:
        """Take everything down, and return what is missing from the capture."""


@dataclass(frozen=True, slots=True)
class NetworkMaker:
    """How networks for a scenario are made; the command hands it over, since adapters make them.

    Attributes:
        obstacle: returns why this machine makes no networks, empty where it does.
        make: takes the networks, the one of them that the server is on, its UDP port, and the file of the capture;
            raises NotApplicable where the networks cannot be made.
    """

    obstacle: Callable[[], str]
    make: Callable[[Sequence[str], str, int, Path], Computers]
