"""The datagrams of a case with addresses and times, out of calls and exchanges alike.

Clients with the real clock live before their case is judged; their datagrams come from recordings. Where nothing
travelled over a network, addresses are those reserved for documentation (RFC 5737) and times are those
of the virtual clock, one millisecond apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

from mqconform.harness.iut.conversation import Call, DatagramExchange, Entry
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived
from mqconform.harness.iut.drivers.discovery_client.recordings import Recording
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.reference.mqsd.client import SECOND, DatagramReceived, Send
from mqconform.reference.mqsd.specification import FACTS

CLIENT_PORT = 49_152
HARNESS, IUT = "192.0.2.1", "192.0.2.2"
BROADCAST = "255.255.255.255"
TICK = 0.001


@dataclass(frozen=True, slots=True)
class Passed:
    """A datagram that passed between harness and implementation.

    Attributes:
        at: seconds, of the virtual clock or since 1970.
        from_iut: whether the implementation sent it.
        note: what addresses cannot say, such as the name of a network that is none.
    """

    at: float
    source: str
    source_port: int
    destination: str
    destination_port: int
    octets: bytes
    from_iut: bool
    network: str = "ip"
    note: str = ""


def datagrams(entries: Iterable[Entry]) -> Iterator[Passed]:
    """Yield what passed, in order."""
    now = 0.0
    for number, entry in enumerate(entries):
        match entry:
            case DatagramExchange():
                yield from _of_exchange(entry)
            case Call(method="reset"):
                now = 0.0
            case Call(method="discovery_server.receive"):
                yield from _of_server(entry, now + number * TICK)
            case Call() if entry.method.startswith("discovery_client."):
                if entry.method.endswith(".advance_clock"):
                    now += entry.params["seconds"]
                yield from _of_client(entry, now + number * TICK)
            case _:
                pass


def _of_server(call: Call, at: float) -> Iterator[Passed]:
    network = call.params["network"]
    request = bytes.fromhex(call.params["datagram"])
    yield Passed(at, HARNESS, CLIENT_PORT, IUT, FACTS.udp_port, request, from_iut=False, network=network)
    for reply in (call.result or {}).get("replies", ()):
        octets = bytes.fromhex(reply)
        yield Passed(at + TICK / 2, IUT, FACTS.udp_port, HARNESS, CLIENT_PORT, octets, from_iut=True, network=network)


def _of_client(call: Call, at: float) -> Iterator[Passed]:
    if call.method.endswith(".receive"):
        yield to_client(at, call.params["network"], bytes.fromhex(call.params["datagram"]))
    for effect in (call.result or {}).get("effects", ()):
        if isinstance(effect, dict) and (sent := effect.get("send")):
            yield from_client(at + TICK / 2, sent["network"], bytes.fromhex(sent["datagram"]))


def to_client(at: float, network: str, octets: bytes) -> Passed:
    """Return a datagram of a server to a discovery client on the network of an address."""
    server, client, note = _hosts(network)
    return Passed(at, server, FACTS.udp_port, client, CLIENT_PORT, octets, from_iut=False, note=note)


def from_client(at: float, network: str, octets: bytes) -> Passed:
    """Return a broadcast of a discovery client on the network of an address (MS-MQSD 2.1)."""
    _, client, note = _hosts(network)
    return Passed(at, client, CLIENT_PORT, BROADCAST, FACTS.udp_port, octets, from_iut=True, note=note)


def _hosts(network: str) -> tuple[str, str, str]:
    """Return addresses of a server and a client on a network given by its address, and a note where it is none."""
    with suppress(ValueError):
        address = ip_address(network)
        if address.version == 4 and int(address) <= 0xFFFFFFF0:
            return str(address + 1), str(address + 2), ""
    return HARNESS, IUT, f"on the network {network!a}"[:200]


def _of_exchange(exchange: DatagramExchange) -> Iterator[Passed]:
    host, port = _endpoint(exchange.endpoint)
    here = host if ip_address(host).is_loopback else (HARNESS if ip_address(host).version == 4 else "2001:db8::1")
    for number, octets in enumerate(exchange.sent):
        at = exchange.began + number * TICK / 1000
        yield Passed(at, here, CLIENT_PORT, host, port, octets, from_iut=False)
    for number, reply in enumerate(exchange.replies):
        source, source_port = _endpoint(reply.source or exchange.endpoint)
        at = exchange.ended + number * TICK / 1000
        yield Passed(at, source, source_port, here, CLIENT_PORT, reply.octets, from_iut=True)


def _endpoint(text: str) -> tuple[str, int]:
    """Return host and port of ``host:port``; stand-ins where the text has no address in it."""
    host, _, port = text.rpartition(":")
    bare = host.strip("[]").partition("%")[0]
    try:
        return str(ip_address(bare)), int(port)
    except ValueError:
        return IUT, FACTS.udp_port


def recordings_of(run: Session, case: Case) -> list[Recording]:
    """Return what was seen of the clients of a case; nothing where they had a virtual clock."""
    if run.recordings is None:
        return []
    outcomes = (run.recordings.outcomes[script] for script in run.recordings.scripts.get(case.id, ()))
    return [outcome for outcome in outcomes if isinstance(outcome, Recording)]


def datagrams_seen(recordings: Sequence[Recording]) -> list[Passed]:
    """Return the datagrams that were called, not sent: seconds count from the start of each client."""
    return [passed for recording in recordings for passed in _seen_of(recording)]


def _seen_of(recording: Recording) -> Iterator[Passed]:
    for logged in recording.log:
        at = max(0.0, (logged.item.at - recording.began) / SECOND)
        deed = logged.item.event if isinstance(logged.item, Arrived) else logged.item.effect
        match deed:
            case DatagramReceived(network=network, datagram=octets):
                yield to_client(at, network, octets)
            case Send(network=network, datagram=octets):
                yield from_client(at, network, octets)
