"""Clients that are started by a command on networks made for them: what is seen of them, and of others there."""

import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from mqconform.adapters.datagrams import clients as udp_clients
from mqconform.adapters.datagrams.clients import UdpClients
from mqconform.adapters.datagrams.iut import open_iut
from mqconform.adapters.networks.client import interface_of
from mqconform.adapters.networks.client_program import ProgramClient
from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, IutFault, NotApplicable
from mqconform.harness.iut.reference_iut.udp_service import UdpService

ENTERPRISE, SITE = "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
NORTH, SOUTH = "10.0.1.0", "10.0.2.0"
EVERYBODY = "255.255.255.255"
PATIENT = 30 * 1_000_000_000
REPLY = bytes([0, 2, 0, 0]) + b"sixteen octets.." + bytes(12)
ASKS = """
import socket, sys
to = sys.argv[2]
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
asking.bind((sys.argv[1], 0))
asking.sendto(b"where?", (to, 1801))
asking.settimeout(30)
octets, source = asking.recvfrom(9999)
print('{"result": "success", "directory_servers": ["%s"]}' % source[0])
"""
why_not = cache(why_no_namespaces)
needs_namespaces = pytest.mark.skipif("why_not()", reason="clients with real broadcast not judged: no namespaces here")
Make = Callable[..., ProgramClient]


def python(program: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-c", program, *arguments)


def configuration(*networks: str, **otherwise: object) -> dict[str, object]:
    described = [{"address": one, **otherwise} for one in networks]
    return {"enterprise": ENTERPRISE, "site": SITE, "networks": described}


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[ProgramClient] = []

    def maker(*networks: str, **facts: object) -> ProgramClient:
        options = AdapterOptions(client=ClientFacts(**facts), evidence=tmp_path, discovery_port=1801)
        clients = open_iut("discovery-client", options)
        assert isinstance(clients, UdpClients)
        made.append(clients.live_client(configuration(*networks), "client"))
        return made[-1]

    yield maker
    for client in made:
        client.close()


def soon() -> int:
    return time.monotonic_ns() + PATIENT


@needs_namespaces
@pytest.mark.parametrize("to", ["255.255.255.255", "10.0.1.255"])
def test_limited_and_directed_broadcasts_reach_the_servers_and_are_answered(make: Make, to: str) -> None:
    client = make(NORTH, SOUTH, start=python(ASKS, "{networks}"), network=("{address}", to), outcome="json")
    client.start()
    asked = client.next(soon())
    assert asked is not None
    assert asked.effect == {"send": {"network": NORTH, "datagram": b"where?".hex()}}
    client.bring(NORTH, REPLY, "own")
    over = client.next(soon())
    assert over is not None
    assert (over.effect, over.state) == ({"complete": {"result": "success"}}, {"directory_servers": ["10.0.1.1"]})
    assert asked.at < over.at
    assert client.over
    assert client.next(soon()) is None
    client.close()
    assert client.foreign == ()


@needs_namespaces
def test_a_stranger_who_answers_is_named(make: Make) -> None:
    client = make(NORTH, start=python(ASKS, "{networks}", EVERYBODY), network=("{address}",), outcome="json")
    rogue = client.networks.segments.host({interface_of(NORTH): "10.0.1.66/24"})
    service = rogue.run(lambda: UdpService("0.0.0.0", 1801, lambda _: [REPLY]))  # noqa: S104 - in a namespace
    try:
        client.start()
        assert client.next(soon())
        assert client.next(soon())
    finally:
        service.stop()
    client.close()
    (stranger,) = client.foreign
    assert stranger == f"10.0.1.66:1801 (a reply to request {REPLY[4:20].hex()})"


@needs_namespaces
@pytest.mark.parametrize(
    ("program", "outcome", "told"),
    [
        ("raise SystemExit(3)", "exit-status", "ended with exit status 3; expected 0 for success or 1"),
        ("import sys; sys.exit('no such network')", "json", "standard error: no such network"),
        ('print(\'{"result": "maybe"}\')', "json", "expected a JSON object"),
        ("print('[' * 100000)", "json", "expected a JSON object"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "exit-status", "killed by SIGSEGV"),
    ],
)
def test_an_outcome_that_is_none_is_the_clients_fault(make: Make, program: str, outcome: str, told: str) -> None:
    client = make(NORTH, start=python(program), outcome=outcome)
    client.start()
    with pytest.raises(IutFault, match=told):
        client.next(soon())


@needs_namespaces
def test_a_client_that_searches_once_is_not_started_twice_and_a_service_is(make: Make) -> None:
    once = make(NORTH, start=python("pass"))
    once.start()
    with pytest.raises(NotApplicable, match="searches once"):
        once.start()
    served = make(NORTH, start=python("pass"), service=python("import time; time.sleep(600)"), outcome="exit-status")
    for _ in range(2):
        served.start()
        assert served.next(soon())
    assert not served.over


@needs_namespaces
def test_a_service_that_ends_is_a_fault(make: Make) -> None:
    client = make(NORTH, start=python("pass"), service=python("raise SystemExit(7)"))
    with pytest.raises(IutFault, match="ended: exit status 7"):
        client.next(soon())


def test_a_command_that_does_not_exist_is_told(make: Make) -> None:
    with pytest.raises(ConfigurationError, match="/no/such/client: no such program"):
        make(NORTH, start=("/no/such/client",))


@needs_namespaces
def test_what_cannot_be_set_up_is_not_applicable(make: Make) -> None:
    with pytest.raises(NotApplicable, match="one network at least"):
        make(start=python("pass"))
    with pytest.raises(NotApplicable, match="enterprise is"):
        make(NORTH, start=python("pass"), enterprise=SITE)
    with pytest.raises(NotApplicable, match="remote access"):
        open_iut("discovery-client", AdapterOptions(client=ClientFacts(python("pass")))).live_client(
            configuration(NORTH, remote_access=True), "client"
        )


def test_without_facts_the_remedy_is_told() -> None:
    with pytest.raises(ConfigurationError, match=r"(?s)--facts FILE.*\[discovery_client\]"):
        open_iut("discovery-client", AdapterOptions())


def test_where_no_networks_can_be_made_no_client_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udp_clients, "why_not", lambda: "no network namespace can be made: forbidden")
    clients = open_iut("discovery-client", AdapterOptions(client=ClientFacts(python("pass"))))
    with pytest.raises(NotApplicable, match="forbidden"):
        clients.live_client(configuration(NORTH), "client")
