"""What passes on interfaces, written to a pcapng file as it passes (Linux packet sockets, packet(7)).

On a bridge, all that its ports say to each other is seen, once: the sockets are promiscuous.
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

SOL_PACKET = 263
PACKET_ADD_MEMBERSHIP = 1
PACKET_STATISTICS = 6
PACKET_MR_PROMISC = 1
ETH_P_ALL = 3
SO_TIMESTAMPNS = 35
"""``linux/if_packet.h``, ``linux/if_ether.h``, ``asm-generic/socket.h``; Python has no names for these."""
MEMBERSHIP = struct.Struct("@iHH8s")
TIMESPEC = struct.Struct("@ll")
STATISTICS = struct.Struct("@II")

ETHERNET = 1
"""LINKTYPE_ETHERNET."""
MAX_FRAME = 0x1_0400
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
    """

    def __init__(self, path: Path, interfaces: Sequence[str], comment: Callable[[bytes], str] = no_comment) -> None:
        # A third of a second of scapy, which only a capture shall pay for.
        from scapy.utils import PcapNgWriter  # noqa: PLC0415 - see above

        self._comment = comment
        self._failure: Exception | None = None
        self._selector = selectors.DefaultSelector()
        self._sockets: dict[str, socket.socket] = {}
        self._stop, self._stopped = socket.socketpair()
        self._selector.register(self._stopped, selectors.EVENT_READ, "")
        with contextlib.ExitStack() as opened:
            opened.callback(self._close_sockets)
            for name in interfaces:
                self._sockets[name] = _listening(name)
                self._selector.register(self._sockets[name], selectors.EVENT_READ, name)
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
        dropped = sum(_dropped(tap) for tap in self._sockets.values())
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
        for name in self._sockets if "" in ready else ready:
            while (frame := _next_frame(self._sockets[name], name)) is not None:
                self._write(frame)
        return "" in ready

    def _write(self, frame: CapturedFrame) -> None:
        comment = self._comment(frame).encode()[:MAX_COMMENT]
        frame.comments = [comment] if comment else []
        if not self._file.header_present:
            self._file.write_header(frame)
        self._file.write_packet(frame)

    def _close_sockets(self) -> None:
        self._selector.close()
        for opened in (self._stop, self._stopped, *self._sockets.values()):
            opened.close()


def _listening(interface: str) -> socket.socket:
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    try:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        opened.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        index = socket.if_nametoindex(interface)
        everything = MEMBERSHIP.pack(index, PACKET_MR_PROMISC, 0, b"")
        opened.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, everything)
        opened.bind((interface, ETH_P_ALL))
    except OSError:
        opened.close()
        raise
    return opened


def _next_frame(opened: socket.socket, interface: str) -> CapturedFrame | None:
    try:
        octets, ancillary, _, _ = opened.recvmsg(MAX_FRAME, socket.CMSG_SPACE(TIMESPEC.size))
    except BlockingIOError:
        return None
    frame = CapturedFrame(octets)
    frame.sniffed_on = interface
    ((_, _, stamp),) = ancillary
    seconds, nanoseconds = TIMESPEC.unpack(stamp)
    frame.time = seconds + nanoseconds / 10**9
    return frame


def _dropped(opened: socket.socket) -> int:
    statistics = opened.getsockopt(SOL_PACKET, PACKET_STATISTICS, STATISTICS.size)
    dropped: int = STATISTICS.unpack(statistics)[1]
    return dropped
