"""The discovery server of MS-MQSD 3.2: answers each request at once and remembers nothing."""

import contextlib
import threading
from collections.abc import Sequence
from typing import Protocol

from mqsample.packets import MOST_NETWORKS, Malformed, TopologyClientRequest, TopologyServerReply
from mqsample.server_list import DirectoryServer, to_array


class Carrier(Protocol):
    """What a reply goes out on: a socket, or a list that the harness looks at."""

    def send(self, reply: bytes) -> None:
        """Send to whoever asked; OSError is the network error of section 3.2.5."""

    def reopen(self) -> None:
        """Close the socket and open it again; OSError where that cannot be."""


class DiscoveryServer:
    """One server; requests may come from several threads."""

    def __init__(
        self,
        site: str,
        connected_networks: Sequence[str],
        directory_servers: Sequence[DirectoryServer],
    ) -> None:
        self.site = site
        self.connected_networks = tuple(connected_networks)
        self.directory_servers = tuple(directory_servers)
        self.listening = True
        self.sockets_opened = 1
        self._fails_next_send = False
        self._fails_next_open = False
        self._one_at_a_time = threading.Lock()

    def receive(self, datagram: bytes, carrier: Carrier) -> None:
        """Section 3.2.5: reply and be ready for the next request, also after a network error."""
        with self._one_at_a_time:
            reply = self._reply_to(datagram) if self.listening else None
            if reply is None:
                return
            try:
                self._send(reply, carrier)
            except OSError:
                self._reopen(carrier)

    def fail_next_send(self) -> None:
        """Let the next send meet a network error."""
        with self._one_at_a_time:
            self._fails_next_send = True

    def fail_next_open(self) -> None:
        """Let the next opening of a socket fail."""
        with self._one_at_a_time:
            self._fails_next_open = True

    def _reply_to(self, datagram: bytes) -> bytes | None:
        """Receiving a TopologyClientRequest, section 3.2.5.1; None where there is nothing to answer."""
        try:
            request = TopologyClientRequest.from_octets(datagram)
        except Malformed:
            return None
        # No step compares the enterprise, so that clients of every enterprise are answered.
        # A count of networks that the field cannot have leaves no packet to send.
        if not 1 <= len(self.connected_networks) <= MOST_NETWORKS:
            return None
        servers = b"" if request.site == self.site else to_array(self.directory_servers)
        return TopologyServerReply(
            correlation=request.request,
            connected_networks=self.connected_networks,
            responding_site=self.site if servers else None,
            servers=servers,
        ).to_octets()

    def _send(self, reply: bytes, carrier: Carrier) -> None:
        if self._fails_next_send:
            self._fails_next_send = False
            raise OSError("the harness asked for a network error")
        carrier.send(reply)

    def _reopen(self, carrier: Carrier) -> None:
        """Close and reopen the socket; a server that cannot stops for good."""
        self.listening = False
        if self._fails_next_open:
            return
        with contextlib.suppress(OSError):
            carrier.reopen()
            self.listening = True
            self.sockets_opened += 1
