"""Networks in namespaces with the client of one implementation and the server of another, and no other host.

Each has a computer of its own, and what passes on the networks is captured. ``mqconform matrix`` plays on them.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from mqconform.adapters.networks.broadcast import BroadcastNetworks
from mqconform.adapters.networks.capture import Capture, CaptureIncomplete
from mqconform.adapters.networks.client import PREFIX, each_of, interface_of, subnet_of
from mqconform.adapters.networks.client_program import Program, ProgramClient, ThisMachine
from mqconform.adapters.networks.foreign_watch import udp_in
from mqconform.adapters.networks.namespaces import BridgedNetworks, NamespacesUnavailable
from mqconform.harness.iut.interface import ClientFacts, Json, NotApplicable

T = TypeVar("T")
SERVER = 1
"""Last octet of the server's address."""
MOST_FRAMES = 4_000
"""A search takes a dozen; what comes after that is not kept."""
SOCKETS = ("/proc/thread-self/net/udp", "/proc/thread-self/net/udp6")


class _Flooded(Exception):
    """More passed than any search takes."""


class SharedNetworks:
    """Networks with a client's computer on all of them and a server's computer on one, until closed.

    Args of the constructor:
        networks: addresses such as ``10.0.1.0``, 24 bits each, in the order of the client's interfaces.
        with_server: the one of them that the server is on.
        port: the server's UDP port.
        capture: pcapng file that takes all that passes.

    Attributes:
        each: for each network what stands for it to a client: ``network``, ``address``, ``prefix``, ``interface``.
        server_address: the server's.
        flooded: whether more passed than is kept.

    Raises, when made:
        NotApplicable: this machine makes no networks; the message says why.
    """

    def __init__(self, networks: Sequence[str], with_server: str, port: int, capture: Path) -> None:
        self.each = each_of(networks)
        self.server_address = str(subnet_of(with_server)[SERVER])
        self.flooded, self._port = False, port
        self._frames = 0
        self._request_seen = threading.Event()
        self._opened = ExitStack()
        try:
            names = [interface_of(network) for network in networks]
            segments = self._opened.enter_context(BridgedNetworks(names))
            self._client = segments.host(
                {network["interface"]: f"{network['address']}/{PREFIX}" for network in self.each}
            )
            self._server = segments.host({interface_of(with_server): f"{self.server_address}/{PREFIX}"})
            self._capture = segments.wires.run(lambda: Capture(capture, names, self._counted))
        except NamespacesUnavailable as error:
            self._opened.close()
            raise NotApplicable(f"no networks can be made here: {error}") from error
        except BaseException:
            self._opened.close()
            raise

    def at_client(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs on the client's computer; what it opens and starts stays there."""
        return self._client.run(function)

    def at_server(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs on the server's computer; what it opens and starts stays there."""
        return self._server.run(function)

    def program_client(self, facts: ClientFacts, ids: Json, most_said: int) -> ProgramClient:
        """Return a client that is a program on the client's computer; what passes is seen in the capture alone."""
        computers = ThisMachine(facts.start[0])
        return ProgramClient(facts, ids, self._client, self.each, computers, most_said=most_said)

    def start_server(self, words: Sequence[str]) -> Program:
        """Start a program on the server's computer."""
        return Program(self._server, list(words), ThisMachine(words[0]))

    def broadcast(self, addresses: Sequence[str], port: int) -> BroadcastNetworks:
        """Open sockets that broadcast from the client's computer; see ``BroadcastNetworks``."""
        return self._client.run(lambda: BroadcastNetworks(addresses, port))

    def serving(self) -> bool:
        """Whether something on the server's computer has opened the UDP port of MS-MQSD 2.1."""
        return self._server.run(lambda: _is_open(self._port))

    def asks(self, seconds: float) -> bool:
        """Wait for a request of the client, and return whether there was one since the last call."""
        asked = self._request_seen.wait(seconds)
        self._request_seen.clear()
        return asked

    def close(self) -> str:
        """Take everything down, and return what is missing from the capture, empty where nothing is."""
        with self._opened:
            try:
                self._capture.stop()
            except CaptureIncomplete as problem:
                return str(problem)
        return ""

    def _counted(self, frame: bytes) -> str:
        self._frames += 1
        if self._frames > MOST_FRAMES:
            self.flooded = True
            raise _Flooded(f"more than {MOST_FRAMES} frames passed")
        datagram = udp_in(frame)
        if datagram is not None and datagram[3] == self._port:
            self._request_seen.set()
        return ""


def _is_open(port: int) -> bool:
    """Read the kernel's table of sockets: the second word of a line is the local address and port, in hexadecimal."""
    tables = [Path(name).read_text("ascii") for name in SOCKETS if Path(name).exists()]  # a kernel may have no IPv6
    return any(line.split()[1].endswith(f":{port:04X}") for table in tables for line in table.splitlines()[1:])
