"""The way to a server: a relay on loopback that can be cut, also in the middle of a message."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress

Address = tuple[str, int] | str
"""Of TCP, or the path of a socket of Unix."""
RESET = struct.pack("ii", 1, 0)
OCTETS = 65_536


class Link:
    """Relays connections to one server. Threads of its own, as client libraries block."""

    def __init__(self) -> None:
        self.target: Address = ""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._left: int | None = None
        self.passed = 0
        """Octets of both directions together."""
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, after: int = 0) -> None:
        """Reset all connections, and refuse others until the link is mended.

        Args:
            after: octets of both directions together that still pass.
        """
        with self._lock:
            self._left = after
        if not after:
            self._reset()

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._left = None

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            server = self._dial(client)
            if server is None:
                close(client)
                continue
            with self._lock:
                self._sockets |= {client, server}
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._relay, args=(source, sink), daemon=True).start()

    def _dial(self, client: socket.socket) -> socket.socket | None:
        """Connect a client to the server; None where there is none, or the link is cut."""
        if self._left == 0:
            return None
        over_unix = isinstance(self.target, str)
        server = socket.socket(socket.AF_UNIX if over_unix else socket.AF_INET)
        try:
            server.connect(self.target)
            for each in (client, server):
                if each.family != socket.AF_UNIX:
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            server.close()
            return None
        return server

    def _relay(self, source: socket.socket, sink: socket.socket) -> None:
        """Pass on octets until an end closes or the link is cut."""
        with suppress(OSError):
            while octets := source.recv(OCTETS):
                passing = self._allowed(len(octets))
                sink.sendall(octets[:passing])
                if passing < len(octets):
                    self._reset()
                    return
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._sockets.discard(each)

    def _allowed(self, wanted: int) -> int:
        """Return how many of so many octets pass, and count them."""
        with self._lock:
            passing = wanted if self._left is None else min(wanted, self._left)
            if self._left is not None:
                self._left -= passing
            self.passed += passing
            return passing

    def _reset(self) -> None:
        with self._lock:
            connections, self._sockets = self._sockets, set()
        for each in connections:
            close(each)


def close(connection: socket.socket) -> None:
    """Close with a reset, which wakes who reads it."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
