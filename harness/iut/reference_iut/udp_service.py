"""A UDP socket that answers datagrams, with the recovery that MS-MQSD 3.2.5 asks of a discovery server.

Knows nothing of what it answers: ``respond`` makes replies out of datagrams.
"""

import contextlib
import errno
import socket
import threading
from collections.abc import Callable, Sequence

MAX_DATAGRAM = 65_535
BINDING_ATTEMPTS, BINDING_PAUSE = 20, 0.05
"""How often, and after how many seconds each, a port that is in use is tried again."""
Respond = Callable[[bytes], Sequence[bytes]]


class UdpService:
    """Serves one UDP port in a thread of its own until it is stopped or cannot open its socket again.

    Attributes:
        sockets_opened: how often a socket was opened, the first time included.
        listening: whether the service still answers.
    """

    def __init__(self, host: str, port: int, respond: Respond) -> None:
        self._respond = respond
        self._family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._fail_send = self._fail_open = False
        self._stopping = threading.Event()
        self._socket = self._open((host, port))
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        self.sockets_opened = 1
        self.listening = True
        self._thread = threading.Thread(target=self._serve, name="discovery-server", daemon=True)
        self._thread.start()

    def fail_next_send(self) -> None:
        """Make the next send meet a network error."""
        self._fail_send = True

    def fail_next_open(self) -> None:
        """Make the next opening of the socket fail."""
        self._fail_open = True

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the service has ended; return whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Close the socket and end the thread."""
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits in recvfrom
        self._thread.join(5)
        self._socket.close()

    def _open(self, address: tuple[str, int]) -> socket.socket:
        if self._fail_open:
            self._fail_open = False
            raise OSError("opening the socket was made to fail")
        opened = socket.socket(self._family, socket.SOCK_DGRAM)
        try:
            self._bind(opened, address)
        except OSError:
            opened.close()
            raise
        return opened

    def _bind(self, opened: socket.socket, address: tuple[str, int]) -> None:
        """Bind a socket, and try again for a moment while the port is in use.

        A program that another thread is starting holds copies of all sockets until it runs, even of one closed here.
        """
        for left in reversed(range(BINDING_ATTEMPTS)):
            try:
                opened.bind(address)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not left:
                    raise
                self._stopping.wait(BINDING_PAUSE)
            else:
                return

    def _serve(self) -> None:
        """Answer datagram by datagram and return to listening (MS-MQSD 3.2.5)."""
        while not self._stopping.is_set():
            try:
                datagram, client = self._socket.recvfrom(MAX_DATAGRAM)
            except ConnectionError:
                continue  # an ICMP error for an earlier reply says nothing about this socket
            except OSError:
                break
            if self._stopping.is_set():
                break  # the shutdown that woke us looks like an empty datagram
            sent = all(self._send(reply, client) for reply in self._respond(datagram))
            if not sent and not self._reopen():
                break
        self.listening = False

    def _send(self, reply: bytes, client: tuple[str, int]) -> bool:
        if self._fail_send:
            self._fail_send = False
            return False
        try:
            self._socket.sendto(reply, client)
        except OSError:
            return False
        return True

    def _reopen(self) -> bool:
        """Close the socket and open another on the same port; tell whether that worked (MS-MQSD 3.2.5)."""
        self._socket.close()
        try:
            self._socket = self._open(self.address)
        except OSError:
            return False
        self.sockets_opened += 1
        return True
