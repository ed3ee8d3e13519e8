"""Servers in containers that are reached by datagrams, before the first scenario."""

import socket
from dataclasses import replace

import pytest
from long_tier import LONG

from mqconform.adapters.containers.clients import why_no_holders
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.iut import open_iut
from mqconform.adapters.containers.places import require_published
from mqconform.adapters.containers.reaper import LABEL, this_process
from mqconform.adapters.datagrams.endpoint import resolve
from mqconform.harness.iut.interface import AdapterOptions, ClientFacts, ConfigurationError, IutFault, ServerFacts

pytestmark = [LONG, pytest.mark.docker]

GUID = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
OPTIONS = AdapterOptions(facts=ServerFacts(GUID, GUID, (), ()), discovery_port=1801)


def left(engine: Engine) -> list[str]:
    wanted = {"label": f"{LABEL}={this_process().label()}"}
    return [*engine.api.containers(all=True, filters=wanted), *engine.api.networks(filters=wanted)]


@pytest.mark.parametrize("via", ["veth", "auto"])
def test_one_that_answers_nobody_is_at_fault_and_all_of_it_removed(engine: Engine, unruly: str, via: str):
    if reason := why_no_holders(engine):
        pytest.skip(f"no network is made for a container: {reason}")
    with pytest.raises(IutFault, match=r"never got ready: requests to 192\.0\.2\.10:1801 .* within 1 s; .*still") as it:
        open_iut(f"{unruly}?udp&ready=1&via={via} silent", OPTIONS)
    assert it.value.kind == "silent"
    assert left(engine) == []


@pytest.mark.parametrize("via", ["veth", "port"])
def test_one_that_ends_before_it_answers_is_at_fault_with_its_last_words(engine: Engine, unruly: str, via: str):
    if via == "veth" and (reason := why_no_holders(engine)):
        pytest.skip(f"no network is made for a container: {reason}")
    with pytest.raises(IutFault, match=r"exit status 3.*its last words: cannot open the directory") as it:
        open_iut(f"{unruly}?udp&via={via} dies", OPTIONS)
    assert it.value.kind == "exited"
    assert left(engine) == []


@pytest.mark.usefixtures("engine")
def test_facts_are_needed_of_what_takes_no_orders(unruly: str):
    for way in ("udp", "discovery-client"):
        with pytest.raises(ConfigurationError, match="without control needs facts; give a facts file"):
            open_iut(f"{unruly}?{way}", AdapterOptions(discovery_port=1801))
    client = replace(OPTIONS, client=ClientFacts(start=("search",)))
    with pytest.raises(ConfigurationError, match="arguments of a client stand in the facts file"):
        open_iut(f"{unruly}?discovery-client search", client)


def test_a_port_that_nobody_has_was_not_published_here():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as somebody:
        somebody.bind(("127.0.0.1", 0))
        taken = resolve(f"127.0.0.1:{somebody.getsockname()[1]}")
        require_published(taken)
    with pytest.raises(ConfigurationError, match="the engine has another network than this process"):
        require_published(taken)
