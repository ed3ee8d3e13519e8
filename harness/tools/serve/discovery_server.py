"""The reference discovery server on a UDP port, as a peer that clients of others can be tested against."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from mqconform.harness.iut.interface import ConfigurationError, ServerFacts
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.tools.packets.packet import packet_summary
from mqconform.reference.errors import UnencodablePacket
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import TopologyClientRequest, encode_request
from mqconform.reference.mqsd.server import Network, receive_topology_client_request
from mqconform.reference.mqsd.specification import FACTS

LARGEST_DATAGRAM = 65_507
"""Octets of payload that UDP over IPv4 carries."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong on purpose, so that clients meet the recovery of MS-MQSD 3.2.5.

    Attributes:
        every: each such reply meets a network error and is lost; 0 for none.
        reopening: whether the socket cannot be opened again after that: the server stops.
    """

    every: int = 0
    reopening: bool = False


class DiscoveryPeer:
    """Answers requests until it is stopped or cannot open its socket again.

    Attributes:
        requests: how many datagrams arrived.
        replies: how many replies were made; those lost on purpose are among them.
        lost: how many replies met a network error on purpose.
        defect: what an answer stumbled over, which is a defect of ours and ends the service.
    """

    def __init__(self, facts: ServerFacts, faults: Faults, show: Callable[[str], None] | None = None) -> None:
        self.requests = self.replies = self.lost = 0
        self.defect: Exception | None = None
        self._server = model_of(facts)
        self._faults = faults
        self._show = show
        self._begun = threading.Event()
        self._service: UdpService | None = None

    def listen(self, host: str, port: int) -> tuple[str, int]:
        """Open the port and return the address, with the port chosen where ``port`` is 0; ``begin`` comes next.

        Raises:
            OSError: the port cannot be opened.
        """
        self._service = UdpService(host, port, self._answer)
        return self._service.address

    def begin(self) -> None:
        """Answer from now on, first what has arrived since the port was opened."""
        self._begun.set()

    @property
    def serving(self) -> bool:
        """Whether requests are still answered."""
        return self._service is not None and self._service.listening and self.defect is None

    @property
    def sockets_opened(self) -> int:
        """How often a socket was opened, the first time included."""
        return self._service.sockets_opened if self._service else 0

    def stop(self) -> None:
        """End the service."""
        self._begun.set()
        if self._service:
            self._service.stop()

    def _answer(self, datagram: bytes) -> list[bytes]:
        """Answer one datagram; called in the thread of the service, which must not end by an exception."""
        self._begun.wait()
        try:
            return self._replies(datagram)
        except Exception as defect:  # noqa: BLE001 - kept for the main thread, which raises it
            self.defect = defect
            return []

    def _replies(self, datagram: bytes) -> list[bytes]:
        self.requests += 1
        number = self.requests
        self._say(f"request {number}", datagram)
        reply = receive_topology_client_request(self._server, Network.IP, datagram)
        if reply is None:
            self._say(f"no reply to {number}")
            return []
        self.replies += 1
        self._say(f"reply to {number}", reply)
        if self._faults.every and self.replies % self._faults.every == 0:
            self._lose(number)
        return [reply]

    def _say(self, what: str, packet: bytes | None = None) -> None:
        if self._show:
            self._show(what if packet is None else f"{what}: {packet_summary(packet)}")

    def _lose(self, number: int) -> None:
        assert self._service is not None, "the service has begun"
        self.lost += 1
        self._say(f"the reply to {number} meets a network error on purpose")
        if self._faults.reopening:
            self._service.fail_next_open()
        self._service.fail_next_send()


def servable(facts: ServerFacts, source: str) -> str:
    """Return what is remarkable about serving these facts, empty where nothing is.

    Raises:
        ConfigurationError: replies made of them cannot be written or sent; the message names the field.
    """
    server = model_of(facts)
    request = encode_request(TopologyClientRequest(server.enterprise, Guid(bytes(16)), _another(server.site)))
    try:
        reply = receive_topology_client_request(server, Network.IP, request)
    except UnencodablePacket as fault:
        raise ConfigurationError(f"{source}: no reply can hold these facts: {fault}") from fault
    if reply is None:
        count, most = len(facts.connected_networks), FACTS.max_connected_networks
        return f"{source}: connected_networks: has {count} entries, not 1 to {most}: no client is answered"
    if len(reply) > LARGEST_DATAGRAM:
        raise ConfigurationError(
            f"{source}: directory_servers: make replies of {len(reply)} octets, and a datagram holds "
            f"{LARGEST_DATAGRAM}; list fewer servers"
        )
    return ""


def _another(site: Guid) -> Guid:
    return Guid(bytes(octet ^ 0xFF for octet in site))
