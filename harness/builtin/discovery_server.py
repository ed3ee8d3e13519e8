"""The reference model as an implementation under test: the default IUT, and the base of every mutant."""

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

from mqconform.harness.builtin.discovery_client import OPERATIONS as CLIENT_OPERATIONS
from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.builtin.ordered_receiver import ORDERED_RECEIVER_OPERATIONS, ReferenceOrderedReceiver
from mqconform.harness.builtin.ordered_sender import ORDERED_SENDER_OPERATIONS, ReferenceOrderedSender
from mqconform.harness.builtin.router import ROUTER_OPERATIONS, ReferenceRouterRole
from mqconform.harness.builtin.transaction import TRANSACTION_OPERATIONS, ReferenceTransaction
from mqconform.harness.iut import METHOD_NOT_FOUND, Json
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import (
    DiscoveryServer,
    Listener,
    Network,
    receive_topology_client_request,
    send_failed,
)


class MethodNotFound(Exception):
    """The reference has no such operation; adapters turn the code into "unsupported"."""

    code = METHOD_NOT_FOUND


class Service(Protocol):
    """A UDP port that answers (entry point group ``mqconform.services``)."""

    address: tuple[str, int]
    sockets_opened: int
    listening: bool

    def fail_next_send(self) -> None:
        """Make the next send meet a network error."""

    def fail_next_open(self) -> None:
        """Make the next opening of the socket fail."""

    def stop(self) -> None:
        """End the service."""


def udp_service(host: str, port: int, respond: Callable[[bytes], Sequence[bytes]]) -> Service:
    """Open a UDP port through whichever service is installed; the harness itself holds no socket."""
    (point,) = entry_points(group="mqconform.services", name="udp")
    service: Service = point.load()(host, port, respond)
    return service


class ReferenceDiscoveryServer:
    """Role ``discovery_server`` of the IUT protocol over the pure server of MS-MQSD 3.2."""

    def __init__(self) -> None:
        self.server: DiscoveryServer | None = None
        self.listener = Listener()
        self._failing_send = self._failing_open = False
        self._service: Service | None = None

    def configure(
        self, enterprise: str, site: str, connected_networks: list[str], directory_servers: list[Json]
    ) -> Json:
        """Take over a configuration and listen afresh."""
        self.reset()
        self.server = DiscoveryServer(
            guid_from_text(enterprise),
            guid_from_text(site),
            tuple(guid_from_text(one) for one in connected_networks),
            tuple(DirectoryServer(one["name"], one["ip"], one["ipx"]) for one in directory_servers),
        )
        return {}

    def receive(self, network: str, datagram: str) -> Json:
        """Answer one datagram without a socket."""
        if not self.listener.listening:
            return {"replies": []}
        replies = self.replies(Network(network), bytes.fromhex(datagram))
        if replies and self._failing_send:
            self._failing_send = False
            self.listener = self.send_failed(can_open=not self._failing_open)
            self._failing_open = False
            return {"replies": []}
        return {"replies": [reply.hex() for reply in replies]}

    def listen(self, host: str, port: int) -> Json:
        """Serve a real UDP port as well."""
        self.close()
        self._service = udp_service(host, port, lambda datagram: self.replies(Network.IP, datagram))
        host, port = self._service.address
        return {"host": host, "port": port}

    def fail_next_send(self) -> Json:
        """Make the next send meet a network error."""
        self._failing_send = True
        if self._service:
            self._service.fail_next_send()
        return {}

    def fail_next_open(self) -> Json:
        """Make the next opening of the socket fail; an extension of the protocol."""
        self._failing_open = True
        if self._service:
            self._service.fail_next_open()
        return {}

    def state(self) -> Json:
        """Show the socket as it stands."""
        seen = self._service or self.listener
        return {"listening": seen.listening, "sockets_opened": seen.sockets_opened}

    def reset(self) -> None:
        """Become as freshly started."""
        self.close()
        self.server = None
        self.listener = Listener()
        self._failing_send = self._failing_open = False

    def close(self) -> None:
        """Stop serving UDP."""
        if self._service:
            self._service.stop()
            self._service = None

    # What follows is what mutants change.

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return everything that is sent in answer to a datagram (3.2.5.1)."""
        if self.server is None:
            return []
        reply = receive_topology_client_request(self.server, network, datagram)
        return [] if reply is None else [reply]

    def send_failed(self, *, can_open: bool) -> Listener:
        """Return the socket's state after a network error (3.2.5)."""
        return send_failed(self.listener, can_open=can_open)


class ReferenceIut:
    """All roles of the reference behind one ``call``."""

    name = "mqconform reference"

    def __init__(self) -> None:
        self.discovery_server = self.make_discovery_server()
        self.discovery_client = self.make_discovery_client()
        self.router = self.make_router()
        self.ordered_receiver = self.make_ordered_receiver()
        self.ordered_sender = self.make_ordered_sender()
        self.transaction = self.make_transaction()

    def make_discovery_server(self) -> ReferenceDiscoveryServer:
        """Return the discovery server; a mutant returns another."""
        return ReferenceDiscoveryServer()

    def make_discovery_client(self) -> ReferenceDiscoveryClient:
        """Return the discovery client; a mutant returns another."""
        return ReferenceDiscoveryClient()

    def make_router(self) -> ReferenceRouterRole:
        """Return the router; a mutant returns another."""
        return ReferenceRouterRole()

    def make_ordered_receiver(self) -> ReferenceOrderedReceiver:
        """Return the receiver of streams; a mutant returns another."""
        return ReferenceOrderedReceiver()

    def make_ordered_sender(self) -> ReferenceOrderedSender:
        """Return the sender of streams; a mutant returns another."""
        return ReferenceOrderedSender()

    def make_transaction(self) -> ReferenceTransaction:
        """Return the sender to many destinations; a mutant returns another."""
        return ReferenceTransaction()

    def call(self, method: str, params: dict[str, Any]) -> Json:
        """Perform one operation of the IUT protocol.

        Raises:
            MethodNotFound: the reference has no such operation.
        """
        match method:
            case "initialize":
                return self.description()
            case "reset" | "shutdown":
                self.discovery_server.reset()
                self.discovery_client.reset()
                self.router.reset()
                self.ordered_receiver.reset()
                self.ordered_sender.reset()
                self.transaction.reset()
                return {}
        role, _, operation = method.partition(".")
        if operation not in OPERATIONS.get(role, ()):
            raise MethodNotFound(method)
        answer: Json = getattr(getattr(self, role), operation)(**params)
        return answer

    def description(self) -> Json:
        """Return what the reference says of itself."""
        return {
            "protocol": 1,
            "name": self.name,
            "version": "1",
            "roles": [*OPERATIONS],
            "capabilities": CAPABILITIES,
            "specs": {"MQSD": "13.0", "MQBR": "18.0", "EOD": "Windows Server 2003"},
        }


OPERATIONS = {
    "discovery_server": frozenset({"configure", "receive", "listen", "fail_next_send", "fail_next_open", "state"}),
    "discovery_client": CLIENT_OPERATIONS,
    "router": ROUTER_OPERATIONS,
    "ordered_receiver": ORDERED_RECEIVER_OPERATIONS,
    "ordered_sender": ORDERED_SENDER_OPERATIONS,
    "transaction": TRANSACTION_OPERATIONS,
}
"""Operations of the IUT protocol that the reference has, by role."""
CAPABILITIES = [
    *("udp", "ipx", "send-faults", "virtual-clock", "procedures", "directory-faults"),
    *("restart", "sequences"),
]
"""What of it can be tried that need not be offered."""
