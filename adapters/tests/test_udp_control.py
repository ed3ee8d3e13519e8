"""What a server without control can be asked to do by call, and how it is named."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mqconform.adapters.datagrams.iut import UdpIut, open_iut
from mqconform.harness.iut import interface

Wire = Server = Any
"""The classes of conftest.py, which tests cannot import."""
Address = tuple[str, int]
Serve = Callable[..., Server]
Open = Callable[..., UdpIut]
FACTS = interface.ServerFacts(
    "e6eaba61-d1c6-11db-baac-0003ff4e2d22",
    "e6eaba60-d1c6-11db-baac-0003ff4e2d22",
    ("e6eaba62-d1c6-11db-baac-0003ff4e2d22", "e6eaba63-d1c6-11db-baac-0003ff4e2d22"),
    (
        interface.DirectoryServerFact("nt4pec", ip=True, ipx=False),
        interface.DirectoryServerFact("other", ip=True, ipx=True),
    ),
)


@pytest.fixture
def iut() -> Iterator[UdpIut]:
    """A connection over which nothing is sent, so that nobody needs to listen."""
    opened = open_iut("127.0.0.1:1801", interface.AdapterOptions(facts=FACTS))
    yield opened
    opened.close()


def test_what_is_not_the_address_of_one_host_is_a_matter_of_configuration():
    for target in (
        "", "host", "127.0.0.1", "127.0.0.1:", ":1801", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:18x", "::1:1801",
        "[::1]", "[]:1801", "no-such-host.invalid:1801", "[127.0.0.1]:1801", "a" * 300 + ":1801",
        "255.255.255.255:1801", "224.0.0.1:1801", "[ff02::1]:1801", "0.0.0.0:1801", "[::]:1801",
    ):  # fmt: skip
        with pytest.raises(interface.ConfigurationError, match=r"^udp:"):
            open_iut(target, interface.AdapterOptions(facts=FACTS))


def test_a_server_without_facts_is_refused_with_an_example_to_copy():
    with pytest.raises(
        interface.ConfigurationError, match=r"(?s)--facts FILE.*\[discovery_server\].*directory_servers"
    ):
        open_iut("127.0.0.1:1801", interface.AdapterOptions())


def other(**changed: object) -> dict[str, object]:
    return FACTS.params() | changed


def test_the_stated_configuration_is_accepted_in_any_order_and_case(iut: UdpIut):
    assert iut.call("discovery_server.configure", FACTS.params()) == {}
    same = other(
        enterprise=FACTS.enterprise.upper(),
        connected_networks=[one.upper() for one in reversed(FACTS.connected_networks)],
        directory_servers=[{"name": "other", "ip": False, "ipx": False}, {"name": "nt4pec", "ip": False, "ipx": True}],
    )
    assert iut.call("discovery_server.configure", same) == {}
    assert iut.facts == FACTS


def test_another_configuration_is_not_applicable_and_the_difference_is_named(iut: UdpIut):
    for name, changed in (
        ("enterprise", FACTS.site),
        ("connected_networks", list(FACTS.connected_networks[:1])),
        ("directory_servers", [{"name": "nt4pec", "ip": True, "ipx": False}]),
    ):
        with pytest.raises(interface.NotApplicable, match=f"configuration differs: its {name} is"):
            iut.call("discovery_server.configure", other(**{name: changed}))


def test_what_needs_control_is_refused_with_its_reason(iut: UdpIut):
    for method, params, problem in (
        ("discovery_server.receive", {"network": "ipx", "datagram": ""}, interface.NotApplicable),
        ("discovery_server.state", {}, interface.NotApplicable),
        ("router.routing_table", {}, interface.Unsupported),
    ):
        with pytest.raises(problem, match=r"datagrams|IPX"):
            iut.call(method, params)


def test_the_introduction_is_made_up_and_sends_nothing(wire: Wire, serve: Serve, connect: Open):
    server = serve(wire.polite)
    iut = connect(server)
    said = iut.call("initialize", {"protocol": 1, "harness": "test"})
    assert said["name"] == f"udp 127.0.0.1:{server.address[1]}" == iut.description.name
    assert (said["roles"], said["capabilities"], server.seen) == (["discovery_server"], ["udp"], [])


def test_a_closed_connection_says_so(wire: Wire, serve: Serve, connect: Open):
    iut = connect(serve(wire.polite))
    iut.close()
    iut.close()
    with pytest.raises(interface.IutFault, match="closed"):
        iut.exchange([], wire.request())
    assert iut.evidence()
