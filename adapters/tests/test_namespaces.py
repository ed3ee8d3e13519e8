"""Bridged networks in namespaces: broadcasts reach their hosts, captures see it all, and nothing gets out or stays."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import pytest

from mqconform.adapters.networks import namespaces
from mqconform.adapters.networks.broadcast import Arrival, BroadcastNetworks
from mqconform.adapters.networks.capture import Capture, CaptureIncomplete
from mqconform.adapters.networks.namespaces import BridgedNetworks, Namespace, NamespacesUnavailable
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.tools.packets.pcap_messages import read_datagrams

NORTH, SOUTH = "192.0.2.10/24", "198.51.100.10/24"
PATIENT = 10.0
LIMITED: dict[str, bool] = {}
DIRECTED = {"directed": True}

HOLDS_A_HOST = """
import os, sys, threading
from mqconform.adapters.networks.namespaces import BridgedNetworks
networks = BridgedNetworks([])
networks.wires.ip(f"link add inner type veth peer name outer netns {sys.argv[1]}")
print("ready", flush=True)
threading.Event().wait()
"""

needs_namespaces = pytest.mark.skipif("namespaces.why_no_namespaces()", reason="no network namespaces here")


@dataclass
class Town:
    """A client on two networks and a server on each, which answers with its name and what it got."""

    networks: BridgedNetworks
    client: Namespace
    port: int


@pytest.fixture(scope="module")
def outside() -> Iterator[socket.socket]:
    """A socket in the namespace of the tests, on the port that the servers inside have."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.bind(("", 0))
        opened.settimeout(PATIENT)
        yield opened


@pytest.fixture(scope="module")
def town(outside: socket.socket) -> Iterator[Town]:
    if reason := namespaces.why_no_namespaces():
        pytest.skip(reason)
    port = outside.getsockname()[1]
    with BridgedNetworks(["north", "south"]) as networks:
        client = networks.host({"north": NORTH, "south": SOUTH})
        servers = [
            networks.host({name: address}).run(
                lambda name=name: UdpService("0.0.0.0", port, lambda got: [name.encode() + got])  # noqa: S104
            )
            for name, address in (("north", "192.0.2.1/24"), ("south", "198.51.100.1/24"))
        ]
        yield Town(networks, client, port)
        for server in servers:
            server.stop()


@needs_namespaces
def test_the_first_packet_of_a_new_host_arrives(outside: socket.socket) -> None:
    """The kernel drops what is sent by an interface whose carrier it has not noticed yet."""
    port = outside.getsockname()[1]
    for _ in range(20):
        with BridgedNetworks(["north"]) as networks:
            server = networks.host({"north": "192.0.2.1/24"})
            server.run(lambda: UdpService("0.0.0.0", port, lambda got: [b"got " + got]))  # noqa: S104
            client = networks.host({"north": NORTH}).run(lambda: BroadcastNetworks([NORTH], port))
            client.send(NORTH, b"?")
            assert client.receive(PATIENT) == Arrival(NORTH, b"got ?", f"192.0.2.1:{port}")


@needs_namespaces
def test_an_interface_that_never_gets_its_carrier_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with Namespace() as host:
        host.ip("link add name alone type veth peer name other", "link set dev alone up")
        monkeypatch.setattr("mqconform.adapters.networks.namespaces.SECONDS", 0.05)  # the commands had more
        with pytest.raises(NamespacesUnavailable, match="alone is up and has no carrier"):
            host.wait_until_running("alone")


@pytest.mark.parametrize("kind", [LIMITED, DIRECTED], ids=["limited", "directed"])
def test_a_broadcast_reaches_the_server_of_its_network_and_nobody_outside(
    town: Town, outside: socket.socket, kind: dict[str, bool]
) -> None:
    client = town.client.run(lambda: BroadcastNetworks([NORTH, SOUTH], town.port, **kind))
    client.send(NORTH, b"?")
    assert client.receive(PATIENT) == Arrival(NORTH, b"north?", f"192.0.2.1:{town.port}")
    client.send(SOUTH, b"!")
    assert client.receive(PATIENT) == Arrival(SOUTH, b"south!", f"198.51.100.1:{town.port}")
    client.close()
    outside.sendto(b"first", ("127.0.0.1", town.port))
    assert outside.recv(100) == b"first"


def test_a_capture_on_the_bridges_sees_both_directions_with_comments(town: Town, tmp_path: Path) -> None:
    file = tmp_path / "town.pcapng"
    with town.networks.wires.run(lambda: Capture(file, ["north", "south"], lambda frame: f"{len(frame)} octets")):
        client = town.client.run(lambda: BroadcastNetworks([NORTH, SOUTH], town.port))
        for network in (NORTH, SOUTH):
            client.send(network, b"?")
            assert client.receive(PATIENT)
        client.close()
    seen = {(one.source, one.destination, one.octets) for one in read_datagrams(file)}
    assert seen == {
        ("192.0.2.10", "255.255.255.255", b"?"),
        ("192.0.2.1", "192.0.2.10", b"north?"),
        ("198.51.100.10", "255.255.255.255", b"?"),
        ("198.51.100.1", "198.51.100.10", b"south?"),
    }
    assert b"43 octets" in file.read_bytes()  # 14 of Ethernet, 20 of IP, 8 of UDP, one of ours


@pytest.fixture
def no_ancestors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may themselves run in a namespace of their own."""
    monkeypatch.setattr(namespaces, "_ancestors", lambda: iter(()))


@pytest.mark.usefixtures("no_ancestors")
def test_outside_a_namespace_nothing_is_broadcast_unless_that_is_allowed() -> None:
    with pytest.raises(ConfigurationError, match="--allow-broadcast"):
        BroadcastNetworks([NORTH], 1801)
    with pytest.raises(ConfigurationError, match="not an address of this machine"):
        BroadcastNetworks([NORTH], 1801, allowed=True)


@pytest.mark.parametrize(
    ("networks", "kind", "told"),
    [
        (["nowhere"], LIMITED, "ADDRESS/PREFIX"),
        (["::1"], LIMITED, "ADDRESS/PREFIX"),
        (["127.0.0.1/33"], LIMITED, "ADDRESS/PREFIX"),
        (["224.0.0.1"], LIMITED, "not an address of one host"),
        (["255.255.255.255"], LIMITED, "not an address of one host"),
        (["239.1.1.1"], LIMITED, "not an address of one host"),
        (["127.0.0.1"], DIRECTED, "has no broadcast address"),
        (["127.0.0.1/31"], DIRECTED, "has no broadcast address"),
        (["127.0.0.1/8", "127.0.0.1/16"], LIMITED, "given twice"),
    ],
)
def test_a_network_that_cannot_be_used_is_named(networks: list[str], kind: dict[str, bool], told: str) -> None:
    with pytest.raises(ConfigurationError, match=told) as refused:
        BroadcastNetworks(networks, 1801, **kind)
    assert networks[-1] in str(refused.value)


@needs_namespaces
def test_a_killed_run_leaves_no_network_behind() -> None:
    with Namespace() as own:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDS_A_HOST, own.path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            assert process.stdout
            assert select.select([process.stdout], [], [], 30)[0]
            assert process.stdout.readline() == "ready\n"
            assert "outer" in interfaces(own)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate(timeout=600)
        # The kernel takes a namespace apart soon after its last process, not with it.
        assert any("outer" not in interfaces(own) or Event().wait(0.05) for _ in range(200))


def interfaces(space: Namespace) -> set[str]:
    return space.run(lambda: {name for _, name in socket.if_nameindex()})


@needs_namespaces
def test_a_capture_whose_interface_went_down_is_not_taken_for_whole(tmp_path: Path) -> None:
    with BridgedNetworks(["north"]) as networks:
        capture = networks.wires.run(lambda: Capture(tmp_path / "north.pcapng", ["north"]))
        networks.wires.ip("link set dev north down")
        with pytest.raises(CaptureIncomplete, match="Network is down"):
            capture.stop()
