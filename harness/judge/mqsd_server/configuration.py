"""Givens of the discovery-server features: how the server is configured."""

import json
from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import IutFault, NotApplicable, ServerFacts
from mqconform.harness.iut.server_configurations import (
    EXAMPLE_SITE,
    USUAL,
    configured,
    is_plain_name,
    with_names,
    with_networks,
)
from mqconform.harness.judge.mqsd_server.scene import Scene
from mqconform.harness.suite.steps import given
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.specification import FACTS


@given("a discovery server")
@given("a discovery server whose server list is not empty")
def any_server(scene: Scene) -> None:
    described = "1 to 32 connected networks and at least one directory server"
    bring(scene, USUAL, lambda f: _has_countable_networks(f) and bool(f.directory_servers), described)


@given(r"a discovery server with (?P<n>\d+|several) connected networks")
def server_with_networks(scene: Scene, n: str) -> None:
    """Configure ``n`` networks, or any number above one, and at least one name."""
    if n == "several":
        described = "2 to 32 connected networks and at least one directory server"
        bring(scene, USUAL, lambda f: 2 <= len(f.connected_networks) <= 32 and bool(f.directory_servers), described)
        return
    described = f"{n} connected networks and at least one directory server"
    configuration = with_networks(int(n), scene.rng)
    bring(scene, configuration, lambda f: len(f.connected_networks) == int(n) and bool(f.directory_servers), described)


@given(r"a discovery server whose server list is (?P<names>\[.*\])")
def server_with_names(scene: Scene, names: str) -> None:
    """Configure exactly these names, written as a JSON array."""
    listed = json.loads(names)
    bring(
        scene,
        with_names(listed),
        lambda f: [server.name for server in f.directory_servers] == listed and bool(f.connected_networks),
        f"the server list {names}",
    )


@given("a discovery server with {n:d} directory servers")
def server_with_so_many_names(scene: Scene, n: int) -> None:
    described = f"{n} directory servers and 1 to 32 connected networks"
    configuration = with_names([f"server-{number:02}" for number in range(n)])
    bring(
        scene,
        configuration,
        lambda f: len(f.directory_servers) == n and _has_countable_networks(f),
        described,
    )


def _nearly_alike() -> tuple[str, ...]:
    first = guid_from_text(USUAL.connected_networks[0])
    others = (bytes([*first[:at], first[at] ^ 1, *first[at + 1 :]]) for at in range(len(first)))
    return tuple(guid_text(network) for network in (first, *others))


@given("a discovery server whose connected networks differ in one octet each")
def server_with_networks_nearly_alike(scene: Scene) -> None:
    """Configure one network, and for each octet another that differs from it there alone."""
    networks = _nearly_alike()
    bring(
        scene,
        replace(USUAL, connected_networks=networks),
        lambda f: set(f.connected_networks) == set(networks) and bool(f.directory_servers),
        "17 connected networks that differ in one octet each",
    )


@given("a discovery server whose reply exceeds what Ethernet carries at once")
def server_with_a_long_reply(scene: Scene) -> None:
    """Configure 32 networks and 100 names: a reply of some 4,000 octets."""
    server_with_long_lists(scene, [f"server-{number:08}" for number in range(100)])


def server_with_long_lists(scene: Scene, names: list[str]) -> None:
    """Configure 32 networks, 17 of them nearly alike, these names, and a site whose octets use their top bits."""
    networks = (*_nearly_alike(), *with_networks(15, scene.rng).connected_networks)
    configuration = replace(with_names(names), site=EXAMPLE_SITE, connected_networks=networks)
    bring(
        scene,
        configuration,
        lambda facts: facts == configuration,
        f"32 connected networks and {len(names)} directory servers",
    )


@given("the server moves to a site that differs in octet {octet:d}")
def server_moves(scene: Scene, octet: int) -> None:
    assert scene.facts is not None
    site = bytearray(guid_from_text(scene.facts.site))
    site[octet] ^= 1
    configuration = replace(scene.facts, site=guid_text(bytes(site)))
    bring(scene, configuration, lambda facts: facts == configuration, "the same server in another site")


def change_all(scene: Scene) -> None:
    """Configure another site, other networks and other names."""
    networks = with_networks(3, scene.rng).connected_networks
    configuration = replace(with_names(["Psc2", "Bsc2", "Bsc3"]), site=EXAMPLE_SITE, connected_networks=networks)
    bring(scene, configuration, lambda facts: facts == configuration, "another site, other networks and other names")


@given("a discovery server whose server list is longer than one")
def server_with_several_names(scene: Scene) -> None:
    described = "1 to 32 connected networks and at least two directory servers"
    bring(scene, USUAL, lambda f: _has_countable_networks(f) and len(f.directory_servers) > 1, described)


@given(r"a discovery server one of whose servers (?P<supports>speaks|lacks) a protocol")
def server_with_protocols(scene: Scene, supports: str) -> None:
    supported = supports == "speaks"
    described = f"a directory server that {supports} a protocol, and 1 to 32 connected networks"
    bring(
        scene,
        USUAL,
        lambda f: (
            _has_countable_networks(f)
            and any(
                supported in (directory_server.ip, directory_server.ipx) for directory_server in f.directory_servers
            )
        ),
        described,
    )


@given("a discovery server one of whose servers has a name of {n:d} characters")
def server_with_a_name_of(scene: Scene, n: int) -> None:
    """Configure a name of ``n`` characters between two plain ones."""
    name = ("discovery" * (n // 9 + 1))[:n]
    server_with_names(scene, json.dumps(["Psc", name, "Bsc1"]))


def bring(scene: Scene, configuration: ServerFacts, fits: Callable[[ServerFacts], bool], described: str) -> None:
    """Bring the server into a configuration, or take the one it has where that fits.

    Raises:
        NotApplicable: it cannot be configured so, or refuses what no rule obliges it to accept.
        IutFault: it fails at, or refuses, a configuration that any server has to accept.
    """
    try:
        scene.use(configured(scene.target, configuration, fits, described))
    except IutFault as fault:
        surrogate = any(has_unpaired_surrogate(server.name) for server in configuration.directory_servers)
        if surrogate and fault.kind != "error":
            scene.run.lose_iut(scene.case)  # JSON leaves open what a reader makes of one (RFC 8259, 8.2)
        if surrogate or (may_be_refused(configuration) and fault.kind == "error"):
            raise NotApplicable(f"the implementation refused {described}: {fault}") from fault
        raise


def may_be_refused(configuration: ServerFacts) -> bool:
    """Tell whether an administration may refuse a configuration: lists that no reply carries, names that are not plain.

    The grammar says what a list can carry; no rule obliges a server to have a name that is no computer name (3.1.7.1).
    """
    countable = _has_countable_networks(configuration) and configuration.directory_servers
    return not countable or not all(is_plain_name(server.name) for server in configuration.directory_servers)


def _has_countable_networks(facts: ServerFacts) -> bool:
    return 1 <= len(facts.connected_networks) <= FACTS.max_connected_networks


def has_unpaired_surrogate(name: str) -> bool:
    """Tell whether UTF-8 has no octets for a name."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return True
    return False
