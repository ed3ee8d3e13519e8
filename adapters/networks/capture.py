"""What passes on interfaces, written to a pcapng file as it passes.

On a bridge, all that its ports say to each other is seen, once: the sockets are promiscuous. Sockets and file are
scapy's; the loop between them is ours. scapy's AsyncSniffer loses what has arrived and was not read when it is stopped:
of 3 frames sent just before it had 1, of 50 it had 1, of 1,000 it had 19, where this has all.
"""

import contextlib
import selectors
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mqconform.harness.iut.interface import ConfigurationError

SOL_PACKET = 263
PACKET_STATISTICS = 6
"""``linux/if_packet.h``; Python has no names for these."""
STATISTICS = struct.Struct("@II")

ETHERNET = 1
"""LINKTYPE_ETHERNET."""
RECEIVE_BUFFER = 4 * 1024 * 1024
MAX_COMMENT = 60_000
"""Octets; an option of a pcapng block has at most 65,535."""


class CaptureIncomplete(Exception):
    """Not everything that passed is in the file, for the reason given."""


class CapturedFrame(bytes):
    """Octets of a frame with what scapy's writer looks for beside them."""

    time: float
    """Seconds since 1970 UTC."""
    sniffed_on: str
    comments: list[bytes]


def no_comment(frame: bytes) -> str:
    """Return nothing: the file holds frames alone."""
    del frame
    return ""


class Capture:
    """Captures in a thread from when it is made until it is stopped, or its ``with`` statement ends.

    Make it within the network namespace whose interfaces it is to capture on.

    Args of the constructor:
        path: the file.
        interfaces: names of Ethernet interfaces.
        comment: gives the text that goes beside a frame; empty for none.

    Raises:
        ConfigurationError: by the constructor, where scapy is not installed.
    """

    def __init__(self, path: Path, interfaces: Sequence[str], comment: Callable[[bytes], str] = no_comment) -> None:
        # An extra, and a third of a second, for which only a capture shall pay.
        try:
            from scapy.arch.linux import L2ListenSocket  # noqa: PLC0415 - see above
            from scapy.utils import PcapNgWriter  # noqa: PLC0415
        except ImportError as absent:
            raise ConfigurationError(
                "capturing on networks needs scapy; run in a checkout of mqconform: pip install '.[captures]'"
            ) from absent

        self._comment = comment
        self._failure: Exception | None = None
        self._selector = selectors.DefaultSelector()
        self._taps: dict[str, Any] = {}
        self._stop, self._stopped = socket.socketpair()
        self._selector.register(self._stopped, selectors.EVENT_READ, "")
        with contextlib.ExitStack() as opened:
            opened.callback(self._close_sockets)
            for name in interfaces:
                socket.if_nametoindex(name)  # scapy would only warn of an interface that does not exist
                self._taps[name] = tap = L2ListenSocket(iface=name, promisc=True)
                tap.ins.setblocking(False)
                tap.ins.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
                _dropped(tap.ins)  # scapy binds with a buffer of nothing; what that dropped came before the capture
                self._selector.register(tap.ins, selectors.EVENT_READ, name)
            self._file: Any = PcapNgWriter(str(path))  # type: ignore[no-untyped-call,unused-ignore]
            self._file.linktype = ETHERNET
            opened.pop_all()
        self._thread = threading.Thread(target=self._capture, name="capture", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write what has passed so far and close the file.

        Raises:
            CaptureIncomplete: the kernel dropped frames, or the file could not be written.
        """
        self._stop.send(b"\0")
        self._thread.join()
        dropped = sum(_dropped(tap.ins) for tap in self._taps.values())
        self._close_sockets()
        if self._failure:
            raise CaptureIncomplete(f"the capture broke off: {self._failure}") from self._failure
        if dropped:
            raise CaptureIncomplete(f"{dropped} frames passed faster than they could be written")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _capture(self) -> None:
        try:
            with contextlib.closing(self._file):
                while not self._take_all():
                    pass
        except Exception as failure:  # noqa: BLE001 - kept for the thread that stops the capture, which raises it
            self._failure = failure

    def _take_all(self) -> bool:
        """Wait for frames or the end, write every frame that is there, and return whether it was the end."""
        ready = {key.data for key, _ in self._selector.select()}
        # At the end all sockets are emptied: what was delivered before is among it.
        for name in self._taps if "" in ready else ready:
            with contextlib.suppress(BlockingIOError):
                while True:
                    self._write(name, *self._taps[name].recv_raw()[1:])
        return "" in ready

    def _write(self, interface: str, octets: bytes, time: float) -> None:
        comment = self._comment(octets).encode()[:MAX_COMMENT]
        frame = CapturedFrame(octets)
        frame.sniffed_on, frame.time, frame.comments = interface, time, [comment] if comment else []
        if not self._file.header_present:
            self._file.write_header(frame)
        self._file.write_packet(frame)

    def _close_sockets(self) -> None:
        self._selector.close()
        for opened in (self._stop, self._stopped, *self._taps.values()):
            opened.close()


def _dropped(opened: socket.socket) -> int:
    """Return how many frames the kernel has dropped since this was last asked."""
    statistics = opened.getsockopt(SOL_PACKET, PACKET_STATISTICS, STATISTICS.size)
    dropped: int = STATISTICS.unpack(statistics)[1]
    return dropped
