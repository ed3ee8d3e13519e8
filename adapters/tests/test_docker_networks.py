"""Servers in containers that are reached by datagrams, and clients on networks of ours."""

import socket
import time
from dataclasses import replace
from pathlib import Path

import pytest
from container_engine import network_of
from long_tier import LONG

from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.iut import open_iut, why_no_holders
from mqconform.adapters.containers.server import ImageServer, require_published
from mqconform.adapters.datagrams.clients import UdpClients
from mqconform.adapters.datagrams.endpoint import resolve
from mqconform.adapters.networks.namespaces import Namespace
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, IutFault, ServerFacts

docker = pytest.mark.docker
GUID = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
OPTIONS = AdapterOptions(facts=ServerFacts(GUID, GUID, (), ()), discovery_port=1801)
REQUEST = bytes.fromhex("00010000") + bytes(48)
FENCE = REQUEST[:20] + b"\1" * 32


def need_networks(engine: Engine) -> None:
    if reason := why_no_holders(engine):
        pytest.skip(f"no network is made for a container: {reason}")


@LONG
@docker
@pytest.mark.parametrize("via", ["veth", "auto"])
def test_a_server_is_reached_on_a_network_of_its_own(engine: Engine, unruly: str, via: str):
    need_networks(engine)
    iut = open_iut(f"{unruly}?udp&via={via} serves", OPTIONS)
    assert isinstance(iut, ImageServer)
    got = iut.exchange([REQUEST], FENCE, expected=1)
    assert (got.alive, [reply.octets for reply in got.replies]) == (True, [b"\0\2\0\0" + bytes(44)])
    assert "on a network of its own with the harness" in iut.evidence()[0]
    iut.close()


@LONG
@docker
@pytest.mark.usefixtures("engine")
def test_a_server_is_reached_at_a_published_port(docker_host: str, unruly: str):
    inside = Namespace(network_of(docker_host))
    iut = inside.run(lambda: open_iut(f"{unruly}?udp&via=port serves", OPTIONS))
    assert isinstance(iut, ImageServer)
    assert iut.exchange([REQUEST], FENCE, expected=1).alive is True
    iut.close()
    inside.close()


@LONG
@docker
@pytest.mark.parametrize("via", ["veth", "port"])
def test_one_that_never_answers_or_ends_is_at_fault_with_its_last_words(engine: Engine, unruly: str, via: str):
    need_networks(engine)
    with pytest.raises(IutFault, match=r"exit status 3.*its last words: cannot open the directory") as dead:
        open_iut(f"{unruly}?udp&via={via} dies", OPTIONS)
    assert dead.value.kind == "exited"
    if via == "veth":
        told = r"never got ready: requests to 192\.0\.2\.10:1801 .* within 1 s; .*still"
        with pytest.raises(IutFault, match=told) as mute:
            open_iut(f"{unruly}?udp&ready=1&via=veth silent", OPTIONS)
        assert mute.value.kind == "silent"


@LONG
@docker
def test_a_client_finds_its_networks_when_it_starts(engine: Engine, unruly: str, tmp_path: Path):
    need_networks(engine)
    options = replace(OPTIONS, client=ClientFacts(start=("searches",), outcome="exit-status"), evidence=tmp_path)
    clients = open_iut(f"{unruly}?discovery-client", options)
    assert isinstance(clients, UdpClients)
    networks = [{"address": "10.0.1.0"}, {"address": "10.0.2.0"}]
    client = clients.live_client({"enterprise": GUID, "site": GUID, "networks": networks}, "search")
    client.start()
    effects = [client.next(time.monotonic_ns() + 60 * 10**9) for _ in range(3)]
    client.close()
    done = [effect.effect if effect else {} for effect in effects]
    assert {one["send"]["network"] for one in done if "send" in one} == {"10.0.1.0", "10.0.2.0"}
    assert {"complete": {"result": "success"}} in done
    assert (tmp_path / "captures" / "search.pcapng").stat().st_size > 200


def test_a_port_that_nobody_has_was_not_published_here():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as somebody:
        somebody.bind(("127.0.0.1", 0))
        taken = resolve(f"127.0.0.1:{somebody.getsockname()[1]}")
        require_published(taken)
    with pytest.raises(ConfigurationError, match="the engine has another network than this process"):
        require_published(taken)
