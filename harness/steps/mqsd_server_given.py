"""Givens of the discovery-server features: how the server is configured and where it listens."""

import json
from collections.abc import Callable
from dataclasses import replace

from pytest_bdd import given, parsers

from mqconform.harness.iut import DatagramCarrier, IutFault, NotApplicable, ServerFacts
from mqconform.harness.mqsd.configurations import (
    EXAMPLE,
    EXAMPLE_CLIENT_SITE,
    USUAL,
    configured,
    with_names,
    with_networks,
)
from mqconform.harness.running.connect import connect
from mqconform.harness.steps.scene import Scene
from mqconform.harness.steps.scene import scene as scene  # noqa: PLC0414 - pytest finds the fixture by this name


@given("a discovery server")
def any_server(scene: Scene) -> None:
    """Any configuration with networks and names will do."""
    described = "1 to 32 connected networks and at least one directory server"
    bring(scene, USUAL, lambda f: 1 <= len(f.connected_networks) <= 32 and bool(f.directory_servers), described)


@given(parsers.re(r"a discovery server with (?P<n>\d+|several) connected networks"))
def server_with_networks(scene: Scene, n: str) -> None:
    """Want so many networks, or any number above one, and at least one name."""
    if n == "several":
        described = "2 to 32 connected networks and at least one directory server"
        bring(scene, USUAL, lambda f: 2 <= len(f.connected_networks) <= 32 and bool(f.directory_servers), described)
        return
    described = f"{n} connected networks and at least one directory server"
    wanted = with_networks(int(n), scene.rng)
    bring(scene, wanted, lambda f: len(f.connected_networks) == int(n) and bool(f.directory_servers), described)


@given(parsers.re(r"a discovery server whose server list is (?P<names>\[.*\])"))
def server_with_names(scene: Scene, names: str) -> None:
    """Want exactly these names, written as a JSON array."""
    listed = json.loads(names)
    bring(
        scene,
        with_names(listed),
        lambda f: [one.name for one in f.directory_servers] == listed and bool(f.connected_networks),
        f"the server list {names}",
    )


@given(parsers.parse("a discovery server with {n:d} directory servers"))
def server_with_so_many_names(scene: Scene, n: int) -> None:
    """Want so many names."""
    described = f"{n} directory servers and 1 to 32 connected networks"
    wanted = with_names([f"server-{number:02}" for number in range(n)])
    bring(scene, wanted, lambda f: len(f.directory_servers) == n and 1 <= len(f.connected_networks) <= 32, described)


@given("a discovery server whose server list is not empty")
def server_with_any_names(scene: Scene) -> None:
    """Want any names at all."""
    any_server(scene)


@given("a discovery server whose server list is longer than one")
def server_with_several_names(scene: Scene) -> None:
    """Want at least two names."""
    described = "1 to 32 connected networks and at least two directory servers"
    bring(scene, USUAL, lambda f: 1 <= len(f.connected_networks) <= 32 and len(f.directory_servers) > 1, described)


@given(parsers.parse("a discovery server one of whose servers has a name of {n:d} characters"))
def server_with_a_name_of(scene: Scene, n: int) -> None:
    """Want a name of so many characters between two plain ones."""
    name = ("discovery" * (n // 9 + 1))[:n]
    server_with_names(scene, json.dumps(["Psc", name, "Bsc1"]))


@given("the discovery server of the protocol examples")
def server_of_the_examples(scene: Scene) -> None:
    """Want the server of another site of MS-MQSD 4."""
    bring(scene, EXAMPLE, lambda f: f == EXAMPLE, "the configuration of MS-MQSD 4")


@given("the local discovery server of the protocol examples")
def local_server_of_the_examples(scene: Scene) -> None:
    """Want the server of the client's own site of MS-MQSD 4."""
    local = replace(EXAMPLE, site=EXAMPLE_CLIENT_SITE)
    bring(scene, local, lambda f: f == local, "the local server of MS-MQSD 4")


@given("a discovery server that listens on UDP")
def server_on_udp(scene: Scene) -> None:
    """Go through a real socket: the IUT's own address, or a loopback port that it is told to open."""
    any_server(scene)
    if isinstance(scene.target, DatagramCarrier):
        return
    assert scene.facts is not None
    where = scene.target.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    options = replace(scene.run.options, facts=scene.facts)
    scene.target = scene.run.overheard(connect(f"udp:{where['host']}:{where['port']}", options, beside=scene.run.iut))
    scene.closing.callback(scene.target.close)


def bring(scene: Scene, wanted: ServerFacts, fits: Callable[[ServerFacts], bool], described: str) -> None:
    """Bring the server into a configuration, or take the one it has where that fits.

    Raises:
        NotApplicable: it cannot be configured so, or refuses what no rule obliges it to accept.
        IutFault: it fails at, or refuses, a configuration that any server has to accept.
    """
    try:
        scene.use(configured(scene.target, wanted, fits, described))
    except IutFault as fault:
        surrogate = any(has_unpaired_surrogate(one.name) for one in wanted.directory_servers)
        empty = not (wanted.connected_networks and wanted.directory_servers)
        if surrogate and fault.kind != "error":
            scene.run.lose_iut(scene.case)  # JSON leaves open what a reader makes of one (RFC 8259, 8.2)
        if surrogate or (empty and fault.kind == "error"):
            raise NotApplicable(f"the implementation does not take {described}: {fault}") from fault
        raise


def has_unpaired_surrogate(name: str) -> bool:
    """Tell whether UTF-8 has no octets for a name."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return True
    return False
