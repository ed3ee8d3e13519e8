"""The reference discovery server on a UDP port, and the client on real networks, as peers to test others against.

Sockets of the client, its clock and its randomness come in as arguments; lines of JSON go out.
"""

import errno
import os
import secrets
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.calls import Networks
from mqconform.harness.iut.interface import ConfigurationError, Json, ServerFacts
from mqconform.harness.iut.reference_iut.discovery_client import effect_record, state_of
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.packet import packet_summary
from mqconform.reference.errors import MalformedGuid, UnencodablePacket
from mqconform.reference.mqsd import client as client_model
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text
from mqconform.reference.mqsd.packets import TopologyClientRequest, encode_request
from mqconform.reference.mqsd.server import Network, receive_topology_client_request
from mqconform.reference.mqsd.specification import FACTS

LARGEST_DATAGRAM = 65_507
"""Octets of payload that UDP over IPv4 carries."""


REASONS = {
    errno.EADDRINUSE: "is in use; stop the program that uses it, or give another --port (0 for any)",
    errno.EACCES: "may not be opened by this user; give a --port above 1023",
    errno.EADDRNOTAVAIL: "is not an address of this machine; give a local address with --host",
}
LOOK_AGAIN = 0.2
"""Seconds between two looks at whether the service still runs; signals end the wait at once."""


class DiscoveryPeer:
    """Answers requests until it is stopped or cannot open its socket again.

    Args:
        facts: what the server is configured with.
        fail_send_every: each such reply meets a network error and is lost (MS-MQSD 3.2.5); 0 for none.
        fail_reopening: whether the socket cannot be opened again after that.
        show: takes a line for each request and reply.
    """

    def __init__(
        self,
        facts: ServerFacts,
        fail_send_every: int = 0,
        *,
        fail_reopening: bool = False,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self._requests = self._replies = self._lost = 0
        self._defect: Exception | None = None
        self._server = model_of(facts)
        self._fail_every, self._fail_reopening = fail_send_every, fail_reopening
        self._show = show
        self._begun = threading.Event()
        self._service: UdpService | None = None

    def listen(self, host: str, port: int) -> tuple[str, int]:
        """Open the port and return the address, with the port chosen where ``port`` is 0; ``run`` comes next.

        Raises:
            OSError: the port cannot be opened.
        """
        self._service = UdpService(host, port, self._answer)
        return self._service.address

    def run(self, stopping: threading.Event) -> bool:
        """Answer until told to stop, first what has arrived since the port was opened; return whether it ended itself.

        Raises:
            Exception: a defect of ours, which ends the service.
        """
        assert self._service is not None, "the port is open"
        self._begun.set()
        while self._service.listening and not self._defect and not stopping.wait(LOOK_AGAIN):
            pass
        ended_itself = not self._service.listening
        self._service.stop()
        if self._defect:
            raise self._defect
        return ended_itself

    def census(self) -> str:
        """Return how much was done."""
        opened = self._service.sockets_opened if self._service else 0
        sent = self._replies - self._lost
        return f"requests {self._requests}, replies {sent}, lost on purpose {self._lost}, sockets opened {opened}"

    def _answer(self, datagram: bytes) -> list[bytes]:
        """Answer one datagram; called in the thread of the service, which must not end by an exception."""
        self._begun.wait()
        try:
            return self._answers(datagram)
        except Exception as defect:  # noqa: BLE001 - kept for the main thread, which raises it
            self._defect = defect
            return []

    def _answers(self, datagram: bytes) -> list[bytes]:
        self._requests += 1
        number = self._requests
        self._say(f"request {number}: {packet_summary(datagram)}")
        reply = receive_topology_client_request(self._server, Network.IP, datagram)
        if reply is None:
            self._say(f"no reply to {number}")
            return []
        self._replies += 1
        self._say(f"reply to {number}: {packet_summary(reply)}")
        if self._fail_every and self._replies % self._fail_every == 0:
            assert self._service is not None, "the service has begun"
            self._lost += 1
            self._say(f"the reply to {number} meets a network error on purpose")
            if self._fail_reopening:
                self._service.fail_next_open()
            self._service.fail_next_send()
        return [reply]

    def _say(self, line: str) -> None:
        if self._show:
            self._show(line)


class Log:
    """Prints lines at once, until the reader has closed the pipe; that does not end the service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read = True

    def __call__(self, line: str) -> None:
        """Print a line."""
        with self._lock:
            if not self._read:
                return
            try:
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            except OSError as error:
                self._read = False
                # What is left in the buffer would fail once more when Python ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.stderr.write(f"note: the reader of the log is gone ({error.strerror})\n")


def stop_on_signals() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set from now on."""
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    return stopping


def servable(facts: ServerFacts, source: str) -> str:
    """Return what is remarkable about serving these facts, empty where nothing is.

    Raises:
        ConfigurationError: replies made of them cannot be written or sent; the message names the field.
    """
    server = model_of(facts)
    other_site = Guid(bytes(octet ^ 0xFF for octet in server.site))
    request = encode_request(TopologyClientRequest(server.enterprise, Guid(bytes(16)), other_site))
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


def serve_discovery(  # noqa: PLR0913 - each as a user may ask for it
    facts: ServerFacts,
    source: str,
    *,
    host: str,
    port: int,
    verbose: bool,
    fail_send_every: int,
    fail_reopening: bool,
    note: Callable[[str], None],
) -> bool:
    """Answer requests until a signal comes, and return whether it stopped before as no socket could be opened again.

    Args:
        facts: what the server is configured with.
        source: where they stand.
        host: address to listen on.
        port: UDP port, 0 for any.
        verbose: whether each request and reply is logged.
        fail_send_every: see ``DiscoveryPeer``, as of ``fail_reopening``.
        fail_reopening: see there.
        note: takes what is remarkable.

    Raises:
        ConfigurationError: the facts make no replies, or the port cannot be opened.
    """
    remark = servable(facts, source)
    log = Log()
    peer = DiscoveryPeer(facts, fail_send_every, fail_reopening=fail_reopening, show=log if verbose else None)
    stopping = stop_on_signals()
    try:
        own_host, own_port = peer.listen(host, port)
    except (OSError, UnicodeError) as error:
        reason = REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
        usual = f"cannot be opened: {getattr(error, 'strerror', None) or error}; see --host and --port"
        raise ConfigurationError(f"{visible(host)} port {port}: {reason or usual}") from error
    if remark:
        note(f"note: {visible(remark)}")
    if not ip_address(own_host.partition("%")[0]).is_loopback:
        note(f"note: {own_host} is not a loopback address: every host on the network is answered")
    log(f"listening on {f'[{own_host}]' if ':' in own_host else own_host}:{own_port}")
    stopped_itself = peer.run(stopping)
    log(peer.census())
    if stopped_itself:
        note("the socket could not be opened again after a network error: stopped (MS-MQSD 3.2.5)")
    return stopped_itself


READINGS: Final = {
    "undisputed": client_model.UNDISPUTED,
    "literal": client_model.LITERAL,
    "sensible": client_model.SENSIBLE,
}
NAMES: Final[dict[type[client_model.Event], str]] = {
    client_model.GetDirectoryServerList: "start",
    client_model.DatagramReceived: "datagram",
    client_model.ClockAdvanced: "wait ended",
    client_model.SendFailed: "send failed",
    client_model.NetworksChanged: "networks changed",
}
RESULT_FIELDS: Final = (
    "directory_servers",
    "connected_networks",
    "valid_last_successful_network_address",
    "last_successful_network_address",
)


def searched(enterprise: str, site: str, addresses: Sequence[str], networks: Networks, readings: str) -> Iterator[Json]:
    """Search once as a client with these GUIDs and own addresses, by the clock of this machine; see ``search``.

    Raises:
        ConfigurationError: the enterprise or the site is no GUID.
    """
    own = tuple(map(client_model.NetworkAddress, addresses))
    client = client_model.initialize(_guid("--enterprise", enterprise), _guid("--site", site), own)
    return search(client, networks, time.monotonic_ns, lambda _: Guid(secrets.token_bytes(GUID_SIZE)), readings)


def _guid(option: str, text: str) -> Guid:
    try:
        return guid_from_text(text)
    except MalformedGuid as error:
        raise ConfigurationError(f"{option}: {error}") from error


def search(
    client: client_model.ClientState,
    networks: Networks,
    clock: Callable[[], int],
    new_guid: client_model.NewGuid,
    readings: str = "undisputed",
) -> Iterator[Json]:
    """Yield each event of one Get Directory Server List (MS-MQSD 3.1.4.1) as it happens, and last the result.

    Nothing happens between two calls of next.

    Args:
        client: a client that is initialised.
        networks: where requests go and datagrams come from.
        clock: nanoseconds from any beginning.
        new_guid: makes the id of a request.
        readings: what the client follows where the text is ambiguous, by its name in ``READINGS``.
    """
    began, result = clock(), client_model.Result.FAILURE
    pending: deque[tuple[client_model.Event, str]] = deque([(client_model.GetDirectoryServerList(), "")])
    while pending or (client.in_progress and client.wait_for_response_timer is not None):
        if not pending:
            assert client.wait_for_response_timer is not None, "the loop goes on for it"
            received = networks.receive((client.wait_for_response_timer - (clock() - began)) / client_model.SECOND)
            if received is not None:
                pending.append((client_model.DatagramReceived(received[0], received[1]), received[2]))
            elif clock() - began >= client.wait_for_response_timer:
                pending.append((client_model.ClockAdvanced(), ""))
            continue
        event, source = pending.popleft()
        at = clock() - began
        client, effects = client_model.step(client, event, at, new_guid, READINGS[readings])
        for effect in effects:
            if isinstance(effect, client_model.Send) and not _sent(networks, effect):
                pending.append((client_model.SendFailed(), ""))
            elif isinstance(effect, client_model.Complete):
                result = effect.result
        line: Json = {"at": at / client_model.SECOND, "event": NAMES[type(event)]}
        if isinstance(event, client_model.DatagramReceived):
            line = {**line, "network": event.network, "source": source, "datagram": event.datagram.hex()}
        yield {**line, "effects": [effect_record(effect) for effect in effects]}
    yield {"result": result.value, **{name: value for name, value in state_of(client).items() if name in RESULT_FIELDS}}


def _sent(networks: Networks, request: client_model.Send) -> bool:
    try:
        networks.send(request.network, request.datagram)
    except OSError:
        return False
    return True
