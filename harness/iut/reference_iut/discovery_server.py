"""The role ``discovery_server`` of the IUT protocol over the reference model (MS-MQSD 3.2)."""

from typing import Any

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.server_configurations import facts_of, model_of
from mqconform.harness.iut.smoke_calls import REQUEST, SERVER, Call
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqsd import server as model


class ReferenceDiscoveryServer:
    """Role ``discovery_server`` of the IUT protocol over the pure server of MS-MQSD 3.2."""

    def __init__(self) -> None:
        self.server: model.DiscoveryServer | None = None
        self.listener = model.Listener()
        self._failing_send = self._failing_open = False
        self._service: UdpService | None = None

    def configure(self, **params: Any) -> Json:
        """Take over a configuration and listen afresh."""
        self.reset()
        self.server = model_of(facts_of(params))
        return {}

    def receive(self, network: str, datagram: str) -> Json:
        """Answer one datagram without a socket."""
        if not self.listener.listening:
            return {"replies": []}
        replies = self.replies(model.Network(network), bytes.fromhex(datagram))
        if replies and self._failing_send:
            self._failing_send = False
            self.listener = self.send_failed(can_open=not self._failing_open)
            self._failing_open = False
            return {"replies": []}
        return {"replies": [reply.hex() for reply in replies]}

    def listen(self, host: str, port: int) -> Json:
        """Serve a real UDP port as well."""
        self.close()
        self._service = self.service(host, port)
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
        listener = self._service or self.listener
        return {"listening": listener.listening, "sockets_opened": listener.sockets_opened}

    def reset(self) -> None:
        """Reset to the initial state."""
        self.close()
        self.server = None
        self.listener = model.Listener()
        self._failing_send = self._failing_open = False

    def close(self) -> None:
        """Stop serving UDP."""
        if self._service:
            self._service.stop()
            self._service = None

    # What follows is what mutants change.

    def service(self, host: str, port: int) -> UdpService:
        """Return what serves a UDP port from now on."""
        return UdpService(host, port, lambda datagram: self.replies(model.Network.IP, datagram))

    def replies(self, network: model.Network, datagram: bytes) -> list[bytes]:
        """Return everything that is sent in answer to a datagram (3.2.5.1)."""
        if self.server is None:
            return []
        reply = model.receive_topology_client_request(self.server, network, datagram)
        return [] if reply is None else [reply]

    def send_failed(self, *, can_open: bool) -> model.Listener:
        """Return the socket's state after a network error (3.2.5)."""
        return model.send_failed(self.listener, can_open=can_open)


ROLE = Role(
    RoleName.DISCOVERY_SERVER,
    "MQSD",
    "13.0",
    folder="mqsd_server",
    reference=ReferenceDiscoveryServer,
    capabilities=(Capability.UDP, Capability.IPX, Capability.SEND_FAULTS),
    cheap=(
        Call("configure", SERVER),
        Call("receive", {"network": "ip", "datagram": REQUEST.hex()}),
        Call("state", capability="send-faults"),
    ),
    inputs="discovery_server:DiscoveryServerInputs",
    drivers=("discovery_server",),
)
