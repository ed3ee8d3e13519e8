"""The discovery server on a UDP port."""

import selectors
import socket
import threading

from mqsample.discovery_server import DiscoveryServer

_LARGEST_DATAGRAM = 65_535


class UdpServer:
    """Serves one port until it is closed; raises OSError where the port cannot be opened."""

    def __init__(self, server: DiscoveryServer, host: str, port: int) -> None:
        self.server = server
        self._socket = _open(host, port)
        self.address: tuple[str, int] = self._socket.getsockname()
        self._stop, self._stopped = socket.socketpair()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve beside whatever else the program does."""
        self._thread = threading.Thread(target=self.serve, daemon=True)
        self._thread.start()

    def serve(self) -> None:
        """Answer one datagram after another, until `close` or until the socket cannot be opened again."""
        while self._datagram_waits():
            try:
                datagram, sender = self._socket.recvfrom(_LARGEST_DATAGRAM)
            except OSError:
                continue
            self.server.receive(datagram, _Sender(self, sender))
            if not self.server.listening:
                break
        self._socket.close()

    def close(self) -> None:
        """Stop serving; the port is free when this returns."""
        self._stop.close()
        if self._thread is not None:
            self._thread.join()

    def send(self, reply: bytes, receiver: tuple[str, int]) -> None:
        """Send a reply from the port that was asked."""
        self._socket.sendto(reply, receiver)

    def reopen(self) -> None:
        """Section 3.2.5: close the socket and open another one on the same port."""
        self._socket.close()
        self._socket = _open(*self.address)

    def _datagram_waits(self) -> bool:
        """Wait for a datagram; False when it is time to stop."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            selector.register(self._stopped, selectors.EVENT_READ)
            ready = {key.fileobj for key, _events in selector.select()}
        return self._stopped not in ready


class _Sender:
    """Whoever sent the request, as carrier of the reply."""

    def __init__(self, port: UdpServer, address: tuple[str, int]) -> None:
        self._port = port
        self._address = address

    def send(self, reply: bytes) -> None:
        self._port.send(reply, self._address)

    def reopen(self) -> None:
        self._port.reopen()


def _open(host: str, port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.bind((host, port))
    except BaseException:
        opened.close()
        raise
    return opened
