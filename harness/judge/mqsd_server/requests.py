"""Whens of the discovery-server features: what clients send."""

from dataclasses import replace

from mqconform.harness.iut.drivers.discovery_server.requests import Draft, ipx_tail, other_guid
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.suite.steps import when
from mqconform.reference.mqsd.specification import FACTS


def send_one(scene: Scene, draft: Draft, network: str = "ip") -> None:
    """Send a request that must be answered."""
    scene.send(draft.octets(), expected=1, network=network)


def send_over(scene: Scene, draft: Draft, network: str, networks: int = 2) -> None:
    """Send a request over IP, or over IPX with the fields that belong there; it must be answered."""
    send_one(scene, replace(draft, tail=ipx_tail(networks, networks) if network == "ipx" else b""), network)


@when("a client of another site sends a topology request( over (?P<network>IPX))?")
def client_of_another_site(scene: Scene, network: str | None) -> None:
    send_over(scene, scene.draft(), (network or "IP").lower())


@when("a client of the server's own site sends a topology request( over (?P<network>IPX))?")
def client_of_own_site(scene: Scene, network: str | None) -> None:
    send_over(scene, scene.draft(own_site=True), (network or "IP").lower(), networks=1)


@when("a client over (?P<first>IPX?) and then a client over (?P<then>IPX?) send topology requests")
def clients_over_two_networks(scene: Scene, first: str, then: str) -> None:
    """Ask over one network and then over the other; the second reply is the one to be judged."""
    for network in (first.lower(), then.lower()):
        send_over(scene, scene.draft(), network)


@when("a client of a site that differs in octet {octet:d} sends a topology request")
def client_of_nearly_the_site(scene: Scene, octet: int) -> None:
    site = bytearray(scene.server.site)
    site[octet] ^= 1
    send_one(scene, replace(scene.draft(), site=bytes(site)))


@when("a client of no site sends a topology request")
def client_of_no_site(scene: Scene) -> None:
    """Ask with the identifier that a client without a site sends (register SD-15)."""
    send_one(scene, replace(scene.draft(), site=bytes(16)))


@when(r"a client of another enterprise(?P<own_site> and the server's own site)? sends a topology request")
def client_of_another_enterprise(scene: Scene, own_site: str | None) -> None:
    """Ask with an enterprise that is not the server's; an answer is optional (register SD-13)."""
    draft = replace(scene.draft(own_site=bool(own_site)), enterprise=other_guid(scene.rng, scene.server.enterprise))
    scene.send(draft.octets(), expected=0)


@when(r"a topology request with (?P<field>Version|Reserved) (?P<value>\d+) arrives")
def request_with_number(scene: Scene, field: str, value: str) -> None:
    """Ask with a number that the server has to ignore."""
    draft, number = scene.draft(), int(value)
    send_one(scene, replace(draft, version=number) if field == "Version" else replace(draft, reserved=number))


@when("a topology request with Type {kind:d} arrives")
def request_with_type(scene: Scene, kind: int) -> None:
    scene.send(replace(scene.draft(), type=kind).octets(), expected=0)


@when("a topology request with RequestID {octets} arrives")
def request_with_id(scene: Scene, octets: str) -> None:
    send_one(scene, replace(scene.draft(), request_id=bytes.fromhex(octets)))


@when(r"a topology request of (?P<length>\d+) octets arrives(?P<ipx> over IPX)?")
def request_of_length(scene: Scene, length: str, ipx: str | None) -> None:
    """Ask with a request cut short, or with a tail that has no room for the IPX fields."""
    draft, behind = scene.draft(), int(length) - FACTS.request_size
    if behind < 0:
        scene.send(draft.octets()[:behind], expected=0)
    else:
        send_one(scene, replace(draft, tail=scene.rng.randbytes(behind)), "ipx" if ipx else "ip")


@when("a topology request with {n:d} IPX network numbers arrives")
def request_with_ipx_numbers(scene: Scene, n: int) -> None:
    """Ask over IP with IPX fields, which no step of the server uses (register SD-17)."""
    send_one(scene, replace(scene.draft(), tail=ipx_tail(n, n)))


@when("a topology request with IPX count {count:d} and {n:d} IPX network numbers arrives")
def request_with_wrong_ipx_count(scene: Scene, count: int, n: int) -> None:
    """Send IPX fields whose count is out of range or does not fit (register SD-18)."""
    scene.send(replace(scene.draft(), tail=ipx_tail(count, n)).octets(), expected=0)


@when("{n:d} topology requests arrive one after the other")
def requests_in_turn(scene: Scene, n: int) -> None:
    for turn in range(n):
        send_one(scene, scene.draft(own_site=turn % 2 == 1))


@when("{n:d} topology requests with distinct ids arrive at once")
def burst(scene: Scene, n: int) -> None:
    """Ask many times without waiting, clients of the own and of other sites mixed."""
    requests = [scene.draft(own_site=turn % 2 == 1).octets() for turn in range(n)]
    scene.send(*requests, expected=n)


@when("the same topology request arrives {n:d} times")
def repeated_request(scene: Scene, n: int) -> None:
    """Send one request several times, as a network that duplicates datagrams does."""
    scene.send(*[scene.draft().octets()] * n, expected=n)


@when(r"a malformed datagram arrives: (?P<octets>[0-9a-f]*)")
def malformed_datagram(scene: Scene, octets: str) -> None:
    scene.send(bytes.fromhex(octets), expected=0)


@when("a datagram of {n:d} octets of value {value:d} arrives")
def datagram_of(scene: Scene, n: int, value: int) -> None:
    scene.send(bytes([value]) * n, expected=0)


@when("clients of the server's own site and of another site send topology requests")
def clients_of_both_sites(scene: Scene) -> None:
    send_one(scene, scene.draft(own_site=True))
    send_one(scene, scene.draft())


def fresh_request(scene: Scene) -> bytes:
    """Return a plain request with a new id, to see whether the server still answers.

    A server without names need not answer clients of other sites (register SD-24): the client is then of its own.
    """
    return scene.draft(own_site=not scene.server.directory_servers).octets()
