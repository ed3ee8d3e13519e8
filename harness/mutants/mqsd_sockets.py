"""Faulty discovery servers: their socket (MS-MQSD 2.1, 3.2.3, 3.2.5)."""

from dataclasses import replace

from mqconform.harness.builtin.discovery_server import ReferenceDiscoveryServer, udp_service
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mutant import SEND_REPLY, Mutant
from mqconform.reference.mqsd.server import Listener

REOPENS = ("MQSD-3.2.5-03",)
STOPS = ("MQSD-3.2.5-04",)
HEARD = ("MQSD-2.1-01", "MQSD-2.1-04", "MQSD-3.2.3-01")


class SameSocket(ReferenceDiscoveryServer):
    """Goes on with the socket on which a send failed."""

    def send_failed(self, *, can_open: bool) -> Listener:
        """Change nothing, unless the socket could not be opened."""
        return self.listener if can_open else replace(self.listener, listening=False)


class GivesUp(ReferenceDiscoveryServer):
    """Ends at the first network error."""

    def send_failed(self, *, can_open: bool) -> Listener:
        """Stop in any case."""
        del can_open
        return replace(self.listener, listening=False)


class OpensTwice(ReferenceDiscoveryServer):
    """Opens two sockets in place of the one that failed."""

    def send_failed(self, *, can_open: bool) -> Listener:
        """Open one too many."""
        after = super().send_failed(can_open=can_open)
        return replace(after, sockets_opened=after.sockets_opened + 1) if can_open else after


class NeverStops(ReferenceDiscoveryServer):
    """Says that it listens although it has no socket."""

    def send_failed(self, *, can_open: bool) -> Listener:
        """Go on as if the socket were open."""
        del can_open
        return replace(self.listener, sockets_opened=self.listener.sockets_opened + 1)


class DeafOverUdp(ReferenceDiscoveryServer):
    """Opens its UDP port and never reads from it."""

    def listen(self, host: str, port: int) -> Json:
        """Open the port, for nobody."""
        self.close()
        self._service = udp_service(host, port, lambda _: ())
        host, port = self._service.address
        return {"host": host, "port": port}


MUTANTS = (
    Mutant("socket-not-reopened", "The socket on which a send failed is kept.", SameSocket, REOPENS),
    Mutant("two-sockets-reopened", "Two sockets are opened after a failed send.", OpensTwice, REOPENS),
    Mutant("ends-at-network-error", "A failed send ends the service.", GivesUp, REOPENS),
    Mutant("listens-without-socket", "The service goes on although its socket cannot be opened.", NeverStops, STOPS),
    Mutant("deaf-over-udp", "The UDP port is open and nobody reads from it.", DeafOverUdp, HEARD, (SEND_REPLY,)),
)
