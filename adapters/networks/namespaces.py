"""Network namespaces of this process: hosts on bridged networks, out of reach of the machine's own network.

They have no names. The kernel removes one, with its bridges and veth pairs, as soon as nothing holds it any more:
no descriptor, thread or process. So a run that is killed leaves nothing behind, and there is nothing to clean up.
"""

import ctypes
import os
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from fcntl import ioctl
from pathlib import Path
from threading import Event
from time import monotonic
from types import TracebackType
from typing import Any, Self, TypeVar

CLONE_NEWNET = 0x4000_0000
"""``sched.h``; Python names ``setns`` and this from 3.12 on."""
SECONDS = 30.0
"""What one call of ``ip``, or an interface that comes up, may take."""
LOOK_EACH = 0.002
"""Seconds between looks at an interface."""
SIOCGIFFLAGS, IFF_RUNNING = 0x8913, 0x40
"""``sockios.h`` and ``if.h``."""

T = TypeVar("T")


class NamespacesUnavailable(Exception):
    """This machine makes no network namespaces, or no networks in them; the message says why."""


class Namespace:
    """A network namespace; close it, or use it in a ``with`` statement.

    Args of the constructor:
        existing: the file that stands for one; empty for a new one with its loopback interface up.

    Raises, when made:
        NamespacesUnavailable: it may not be made or entered, or ``ip`` is missing.
    """

    def __init__(self, existing: str = "") -> None:
        self._descriptor = _in_a_thread(lambda: _opened(existing))
        try:
            if existing:
                self.run(lambda: None)
            else:
                self.ip("link set dev lo up")
        except OSError as error:
            self.close()
            raise NamespacesUnavailable(f"{existing} cannot be entered: {error}; run as root") from error
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> str:
        """A file that stands for it to other programs while it is open."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def run(self, function: Callable[[], T]) -> T:
        """Return what a function returns that runs inside.

        Sockets opened, threads and processes started there stay inside for good.
        """

        def inside() -> T:
            _call("setns", self._descriptor, CLONE_NEWNET)
            return function()

        return _in_a_thread(inside)

    def ip(self, *lines: str) -> None:
        """Run commands of iproute2 inside, one in a line, without the leading ``ip``."""
        command, text = ("ip", "-batch", "-"), "".join(f"{line}\n" for line in lines)
        options: dict[str, Any] = {"input": text, "capture_output": True, "text": True, "timeout": SECONDS}
        try:
            done = self.run(lambda: subprocess.run(command, check=False, **options))  # noqa: S603 - a fixed command
        except FileNotFoundError as error:
            raise NamespacesUnavailable("the program ip is missing; install iproute2") from error
        if done.returncode:
            raise NamespacesUnavailable(f"ip: {done.stderr.strip()}; its input was: {'; '.join(lines)}")

    def wait_until_running(self, interface: str) -> None:
        """Wait until an interface has its carrier: until then the kernel drops what is sent.

        Raises:
            NamespacesUnavailable: it does not get it in time.
        """
        request = struct.pack("16sH22x", interface.encode(), 0)
        deadline, again = monotonic() + SECONDS, Event()
        with self.run(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as inside:
            while not struct.unpack_from("16xH", ioctl(inside, SIOCGIFFLAGS, request))[0] & IFF_RUNNING:
                if monotonic() > deadline:
                    raise NamespacesUnavailable(f"{interface} is up and has no carrier after {SECONDS:.0f} s")
                again.wait(LOOK_EACH)

    def close(self) -> None:
        """Let go of it; it lasts while anything that was started inside runs."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class BridgedNetworks:
    """Ethernet segments, each a bridge, and hosts that are attached to some of them.

    The bridges are in a namespace of their own, ``wires``, under the names of the networks: what passes can be captured
    there. A host has one interface for each of its networks, of the same name.
    """

    def __init__(self, networks: Sequence[str]) -> None:
        self._ports = 0
        self.wires = Namespace()
        with ExitStack() as undo:
            undo.enter_context(self.wires)
            for network in networks:
                self.wires.ip(
                    f"link add name {network} type bridge stp_state 0 forward_delay 0", f"link set dev {network} up"
                )
            self._opened = undo.pop_all()

    def host(self, addresses: Mapping[str, str], computer: Callable[[], Namespace] = Namespace) -> Namespace:
        """Return a new host.

        Args:
            addresses: by network, the host's address with its prefix length, ``192.0.2.10/24``.
            computer: makes what becomes the host, which is closed with the rest.
        """
        host = self._opened.enter_context(computer())
        for network, address in addresses.items():
            self._ports += 1
            port = f"port{self._ports}"
            self.wires.ip(
                f"link add name {port} type veth peer name {network} netns {host.path}",
                f"link set dev {port} master {network} up",
            )
            host.ip(f"addr add {address} broadcast + dev {network}", f"link set dev {network} up")
            self.wires.wait_until_running(port)
            host.wait_until_running(network)
        return host

    def close(self) -> None:
        """Let go of all hosts and wires."""
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def why_no_namespaces() -> str:
    """Return why no bridged networks can be made here, empty where they can."""
    try:
        with BridgedNetworks(["probe"]) as networks:
            networks.host({"probe": "192.0.2.1/24"})
    except NamespacesUnavailable as reason:
        return str(reason)
    return ""


def in_a_namespace_of_its_own() -> bool:
    """Whether the calling thread has entered a network namespace on purpose.

    That is so where its process or one that led to it is in another one; False where that cannot be seen.
    """
    own = _identity("thread-self")
    return any(_identity(process) not in (None, own) for process in ("self", *_ancestors()))


def _identity(process: str) -> tuple[int, int] | None:
    """Return what tells the network namespace of a process from others, None where this user may not see it."""
    try:
        status = Path(f"/proc/{process}/ns/net").stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _ancestors() -> Iterator[str]:
    process = os.getppid()
    while process > 0:
        yield str(process)
        try:
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            return
        process = int(status.partition("PPid:")[2].split()[0])


def _in_a_thread(function: Callable[[], T]) -> T:
    """Call in a thread that ends thereafter: a namespace that it enters changes nothing for the others."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function).result()


def _opened(existing: str) -> int:
    try:
        if not existing:
            _call("unshare", CLONE_NEWNET)
        return os.open(existing or "/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, AttributeError) as error:
        what = f"{existing} cannot be opened" if existing else "no network namespace can be made"
        raise NamespacesUnavailable(f"{what}: {error}; run as root on Linux") from error


def _call(name: str, *arguments: int) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
