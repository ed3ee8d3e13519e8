"""The reference client as a program in a namespace, with the real clock and real broadcasts, judged by its capture."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pytest
from long_tier import LONG, long

from mqconform.adapters.networks.capture import Capture
from mqconform.adapters.networks.namespaces import BridgedNetworks, why_no_namespaces
from mqconform.harness.cli import run_command
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.iut.interface import DirectoryServerFact, Json, ServerFacts
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.mqsd_client.discovery_trace import explain_seen, seen_of_client
from mqconform.harness.tools.packets.ip_reassembly import Reassembly, udp_datagram
from mqconform.harness.tools.packets.packet import dissect, packet_summary
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram, read_datagrams
from mqconform.harness.tools.packets.sequence_diagram import sequence_diagram
from mqconform.reference.mqsd.client import (
    SECOND,
    Complete,
    DatagramReceived,
    Explanation,
    NetworkAddress,
    Result,
    ShownState,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

pytestmark = pytest.mark.real_clock
MQCONFORM = (sys.executable, "-c", "from mqconform.harness.cli import main; main()")
ENTERPRISE = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
SITE = "dcc51bf6-d4ad-4543-8739-71568e8f9128"
JUDGEMENTS = 16
PATIENT = 120.0
TOLERANCE = 5 * SECOND
"""A client on a loaded machine may be that late."""

Respond = Callable[[bytes], list[bytes]]
why_not = cache(why_no_namespaces)


def facts(site: str, octet: str, *names: str) -> ServerFacts:
    network = f"{octet * 8}-0000-0000-0000-000000000000"
    servers = tuple(DirectoryServerFact(name, ip=True, ipx=False) for name in names)
    return ServerFacts(ENTERPRISE, site, (network,), servers)


LOCAL = facts(SITE, "a", "own-site-controller")
OSLO = facts("00000000-0000-0000-0000-000000000001", "b", "oslo-psc", "oslo-bsc")
ROME = facts("00000000-0000-0000-0000-000000000002", "c", "rome-psc")
EVIL = facts("00000000-0000-0000-0000-00000000000e", "e", "evil-psc")


def server(known: ServerFacts) -> Respond:
    def respond(request: bytes) -> list[bytes]:
        reply = receive_topology_client_request(model_of(known), Network.IP, request)
        return [] if reply is None else [reply]

    return respond


def rogue(request: bytes) -> list[bytes]:
    """Answer another request than the one that was sent: the CorrelationID is wrong, and nothing else."""
    return [reply[:4] + bytes(octet ^ 0xFF for octet in reply[4:20]) + reply[20:] for reply in server(EVIL)(request)]


@dataclass(frozen=True)
class Search:
    """One client's run: what it printed and what was captured of it."""

    networks: tuple[str, ...]
    """The client's own addresses with their prefixes."""
    lines: list[Json]
    status: int
    datagrams: tuple[CapturedDatagram, ...]

    @property
    def found(self) -> Json:
        return self.lines[-1]

    def seen(self) -> tuple[Arrived | Done, ...]:
        networks = {one.partition("/")[0]: one for one in self.networks}
        datagrams = [one for one in self.datagrams if {one.source, one.destination} & networks.keys()]
        return seen_of_client(datagrams, networks)

    def explained(self, seen: tuple[Arrived | Done, ...], **otherwise: object) -> Explanation:
        client = initialize(
            guid_from_text(ENTERPRISE), guid_from_text(SITE), [NetworkAddress(one) for one in self.networks]
        )
        found = {**self.found, **otherwise}
        shown: ShownState = {
            "directory_servers": tuple(found["directory_servers"]),
            "connected_networks": tuple(map(guid_from_text, found["connected_networks"])),
            "valid_last_successful_network_address": found["valid_last_successful_network_address"],
            "last_successful_network_address": found["last_successful_network_address"],
        }
        after = round(self.lines[-2]["at"] * SECOND)
        end = Done(self.seen()[0].at + after, Complete(Result(found["result"])), shown)
        return explain_seen(explanation_from(client, tolerance=TOLERANCE), (*seen, end))


@dataclass(frozen=True)
class Town:
    """Clients searched on two networks; servers answered."""

    hosts: dict[str, str]
    searches: dict[str, Search]
    capture: Path
    datagrams: tuple[CapturedDatagram, ...]


def comment(frame: bytes) -> str:
    datagram = udp_datagram(frame, 1, Reassembly())
    return packet_summary(datagram.octets) if datagram else ""


def play(file: Path, servers: Mapping[str, Respond], clients: Mapping[str, tuple[tuple[str, ...], str]]) -> Town:
    """Let servers, by address, answer while clients, by name, search on their networks with readings, all at once."""
    if why_not():
        pytest.skip(f"judgements on searches with the real clock not made: {JUDGEMENTS}; {why_not()}")
    with ExitStack() as stack:
        towns = stack.enter_context(BridgedNetworks(["north", "south"]))
        stack.enter_context(towns.wires.run(lambda: Capture(file, ["north", "south"], comment)))
        for address, respond in servers.items():
            host = towns.host({bridge(address): address})
            service = host.run(partial(UdpService, "0.0.0.0", 1801, respond))  # noqa: S104 - in a namespace
            stack.callback(service.stop)
        running = {}
        for name, (networks, options) in clients.items():
            host = towns.host({bridge(address): address for address in networks})
            command = [*MQCONFORM, "serve", "discovery-client", "--enterprise", ENTERPRISE, "--site", SITE]
            command += [*(part for one in networks for part in ("--network", one)), *options.split()]
            running[name] = host.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            stack.callback(running[name].communicate)
            stack.callback(running[name].kill)
        printed = {name: process.communicate(timeout=PATIENT) for name, process in running.items()}
    assert all(not err for _, err in printed.values()), printed
    datagrams = tuple(read_datagrams(file))
    searches = {
        name: Search(
            networks, list(map(json.loads, printed[name][0].splitlines())), running[name].returncode, datagrams
        )
        for name, (networks, _) in clients.items()
    }
    hosts = {address: name for name, (networks, _) in clients.items() for address in networks}
    return Town(hosts, searches, file, datagrams)


def bridge(address: str) -> str:
    return "north" if address.startswith("192.0.2.") else "south"


@pytest.fixture(scope="module")
def one_wait(tmp_path_factory: pytest.TempPathFactory) -> Town:
    """A foreign server on the first network, the local one on the last: one wait of 15 seconds."""
    servers = {"192.0.2.1/24": server(OSLO), "198.51.100.1/24": server(LOCAL), "198.51.100.66/24": rogue}
    clients = {
        "sensible": (("192.0.2.10/24", "198.51.100.10/24"), "--readings sensible"),
        "undisputed": (("192.0.2.11/24", "198.51.100.11/24"), "--broadcast directed"),
    }
    return play(tmp_path_factory.mktemp("one") / "wait.pcapng", servers, clients)


@pytest.fixture(scope="module")
def no_wait(tmp_path_factory: pytest.TempPathFactory) -> Town:
    """The local server on the first network, two foreign ones on the last: no wait at all."""
    servers = {
        "192.0.2.1/24": server(LOCAL),
        "192.0.2.66/24": rogue,
        "198.51.100.1/24": server(OSLO),
        "198.51.100.2/24": server(ROME),
    }
    clients = {"client": (("192.0.2.10/24", "198.51.100.10/24"), "")}
    return play(tmp_path_factory.mktemp("no") / "wait.pcapng", servers, clients)


@long
def test_a_sensible_client_learns_the_networks_of_its_own_site(one_wait: Town) -> None:
    search = one_wait.searches["sensible"]
    assert search.found["result"] == "success"
    assert search.found["directory_servers"] == []
    assert search.found["connected_networks"] == list(LOCAL.connected_networks)
    assert search.found["last_successful_network_address"] == "198.51.100.10/24"
    assert search.status == 0


@long
def test_an_undisputed_client_forgets_the_first_network(one_wait: Town) -> None:
    found = one_wait.searches["undisputed"].found
    assert (found["result"], found["directory_servers"], found["connected_networks"]) == ("success", [], [])


def test_two_foreign_servers_on_the_last_network_fill_the_lists(no_wait: Town) -> None:
    search = no_wait.searches["client"]
    sources = [one.source for one in no_wait.datagrams if one.destination == "198.51.100.10"]
    first = OSLO if sources[0] == "198.51.100.1" else ROME
    assert search.found["directory_servers"] == [one.name for one in first.directory_servers]
    assert search.found["connected_networks"] == list(first.connected_networks)
    assert search.lines[-2]["at"] < 15


@pytest.fixture(params=["client", *(pytest.param(name, marks=LONG) for name in ("sensible", "undisputed"))])
def search(request: pytest.FixtureRequest) -> Iterator[Search]:
    town: Town = request.getfixturevalue("no_wait" if request.param == "client" else "one_wait")
    return town.searches[request.param]


def arrived_on(one: Arrived | Done, network: str) -> bool:
    return isinstance(one, Arrived) and isinstance(one.event, DatagramReceived) and one.event.network == network


def test_some_permitted_readings_explain_the_capture(search: Search) -> None:
    explanation = search.explained(search.seen())
    assert explanation.holds, str(explanation.contradiction)


def test_nothing_explains_lists_that_only_the_rogue_sent(search: Search) -> None:
    evil = {"directory_servers": ["evil-psc"], "connected_networks": list(EVIL.connected_networks)}
    assert not search.explained(search.seen(), **evil).holds


def test_nothing_explains_the_end_without_the_last_reply(search: Search) -> None:
    left = tuple(one for one in search.seen() if not arrived_on(one, search.networks[-1]))
    assert len(left) < len(search.seen())
    assert not search.explained(left).holds


@pytest.mark.parametrize("name", ["no_wait", pytest.param("one_wait", marks=LONG)])
def test_the_capture_decodes_fully_and_says_what_each_packet_is(name: str, request: pytest.FixtureRequest) -> None:
    town: Town = request.getfixturevalue(name)
    assert town.datagrams
    for datagram in town.datagrams:
        assert not dissect(datagram.octets, over_ip=True).problems
        assert packet_summary(datagram.octets).encode() in town.capture.read_bytes()
    assert any(one.source.endswith(".66") for one in town.datagrams)


@long
def test_limited_and_directed_broadcasts_are_captured_as_such(one_wait: Town) -> None:
    requests = {(one.source, one.destination) for one in one_wait.datagrams if one.destination_port == 1801}
    assert requests == {
        ("192.0.2.10", "255.255.255.255"),
        ("198.51.100.10", "255.255.255.255"),
        ("192.0.2.11", "192.0.2.255"),
        ("198.51.100.11", "198.51.100.255"),
    }


def test_the_capture_is_drawn_as_in_section_4(no_wait: Town) -> None:
    servers = {"192.0.2.1/24": "local", "192.0.2.66/24": "rogue", "198.51.100.1/24": "Oslo", "198.51.100.2/24": "Rome"}
    head, *lines = sequence_diagram(no_wait.datagrams, {**no_wait.hosts, **servers}).split("\n")[:-1]
    assert head == "sequenceDiagram"
    assert [line.split() for line in lines[:5]] == [
        ["participant", name] for name in ("client", "local", "rogue", "Oslo", "Rome")
    ]
    requests = [line.split(":")[0].strip() for line in lines[5:] if "Request" in line]
    assert requests == [f"client->>{name}" for name in ("local", "rogue", "Oslo", "Rome")]
    assert len(lines) == 5 + 4 + 4


def test_the_command_broadcasts_nowhere_unasked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mqconform.adapters.networks.broadcast.in_a_namespace_of_its_own", lambda: False)
    asked = ["serve", "discovery-client", "--enterprise", ENTERPRISE, "--site", SITE, "--network", "192.0.2.10/24"]
    assert run_command(asked) == 4
    assert "--allow-broadcast" in capsys.readouterr().err
    assert run_command([*asked, "--allow-broadcast"]) == 4
    assert "no address of this machine" in capsys.readouterr().err
