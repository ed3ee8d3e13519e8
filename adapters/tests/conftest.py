"""Real UDP servers on loopback, and a real container engine, for the tests of the carriers."""

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from container_engine import any_engine
from container_images import load
from docker import APIClient
from surroundings import pytest_configure

from mqconform.adapters.containers import engine as docker_engine
from mqconform.adapters.containers.labels import LABEL, this_process
from mqconform.adapters.datagrams.iut import UdpIut, open_iut
from mqconform.harness.iut.interface import AdapterOptions, ServerFacts

__all__ = ["pytest_configure"]
FACTS = ServerFacts(
    enterprise="e6eaba61-d1c6-11db-baac-0003ff4e2d22",
    site="e6eaba60-d1c6-11db-baac-0003ff4e2d22",
    connected_networks=(),
    directory_servers=(),
)
PATIENT = 10.0
HEADER = bytes.fromhex("00010000")

Address = tuple[str, int]
Handler = Callable[["Server", bytes, Address], None]


class Wire:
    """Requests and the answers to them, octet by octet."""

    def __init__(self) -> None:
        self._identities = count(1)

    def request(self, body: bytes = bytes(16)) -> bytes:
        """A request with a RequestID of its own."""
        return HEADER + bytes(16) + next(self._identities).to_bytes(16, "big") + body

    @staticmethod
    def identity(datagram: bytes) -> bytes:
        return datagram[20:36]

    @staticmethod
    def answer_to(datagram: bytes, filling: bytes = bytes(28)) -> bytes:
        return b"\0\2\0\0" + datagram[20:36] + filling

    @staticmethod
    def polite(server: "Server", datagram: bytes, source: Address) -> None:
        """A handler that answers everything."""
        server.reply(Wire.answer_to(datagram), source)

    @staticmethod
    def silent(server: "Server", datagram: bytes, source: Address) -> None:
        """A handler that answers nothing."""


class Server:
    """A UDP server in a thread; ``handler`` sees each datagram."""

    def __init__(self, handler: Handler, host: str = "127.0.0.1") -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        self.socket.bind((host, 0))
        self.address = self.socket.getsockname()
        self.seen: list[bytes] = []
        self.dead = threading.Event()
        self._handler = handler
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(OSError):
                datagram, source = self.socket.recvfrom(65_536)
                if datagram != b"wake up":
                    self.seen.append(datagram)
                    self._handler(self, datagram, source)

    def reply(self, octets: bytes, destination: Address) -> None:
        self.socket.sendto(octets, destination)

    def die(self) -> None:
        """Close the port, from the server's own thread."""
        self._stopping.set()
        self.socket.close()
        self.dead.set()

    def stop(self) -> None:
        self._stopping.set()
        with contextlib.suppress(OSError), socket.socket(self.socket.family, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"wake up", self.address)
        self._thread.join(5)
        self.socket.close()


Serve = Callable[..., Server]
Open = Callable[..., UdpIut]


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def facts() -> ServerFacts:
    return FACTS


@pytest.fixture
def serve() -> Iterator[Serve]:
    started: list[Server] = []

    def starter(handler: Handler, host: str = "127.0.0.1") -> Server:
        started.append(Server(handler, host))
        return started[-1]

    yield starter
    for server in started:
        server.stop()


@pytest.fixture
def connect() -> Iterator[Open]:
    opened: list[UdpIut] = []

    def opener(server: Server, reply_timeout: float = PATIENT) -> UdpIut:
        host, port = server.address[:2]
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        opened.append(open_iut(target, AdapterOptions(reply_timeout=reply_timeout, facts=FACTS)))
        return opened[-1]

    yield opener
    for iut in opened:
        iut.close()


@pytest.fixture(scope="session")
def docker_host() -> Iterator[str]:
    """Where an engine is: the user's, or one of this test run."""
    with contextlib.ExitStack() as opened:
        try:
            address = opened.enter_context(any_engine())
        except RuntimeError as reason:
            pytest.skip(str(reason))
        yield address


@pytest.fixture(scope="session")
def unruly_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that misbehaves as it is told to; see unruly.c."""
    if shutil.which("cc") is None:
        pytest.skip("the program of an image is written in C, and no cc is installed")
    program = tmp_path_factory.mktemp("unruly") / "unruly"
    source = Path(__file__).with_name("unruly.c")
    subprocess.run(["cc", "-O1", "-static", "-o", program, source], check=True)
    return program


@pytest.fixture(scope="session")
def unruly(docker_host: str, unruly_program: Path) -> str:
    """Name of an image of it."""
    name, files = "mqconform-tests/unruly:1", {"/unruly": unruly_program.read_bytes()}
    load(APIClient(docker_host), name, files, Entrypoint=["/unruly"], User="1000")
    return name


@pytest.fixture
def engine(docker_host: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[docker_engine.Engine]:
    """An engine that is reached as a user would have it reached; nothing may be left on it by a test."""
    monkeypatch.setenv("DOCKER_HOST", docker_host)
    docker_engine.engine.cache_clear()
    found = docker_engine.engine()
    yield found
    left = {"label": f"{LABEL}={this_process()}"}
    assert [*found.api.containers(all=True, filters=left), *found.api.networks(filters=left)] == []
    docker_engine.engine.cache_clear()
