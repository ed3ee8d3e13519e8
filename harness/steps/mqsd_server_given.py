"""Givens of the discovery-server features: how the server is configured and where it listens."""

import json
from dataclasses import replace

from mqconform.harness.connect import connect
from mqconform.harness.iut import DatagramCarrier
from mqconform.harness.mqsd.configurations import (
    EXAMPLE,
    EXAMPLE_CLIENT_SITE,
    USUAL,
    configured,
    with_names,
    with_networks,
)
from mqconform.harness.steps.scene import Scene
from mqconform.harness.steps.scene import scene as scene  # noqa: PLC0414 - pytest finds the fixture by this name
from pytest_bdd import given, parsers


@given("a discovery server")
def any_server(scene: Scene) -> None:
    """Any configuration with networks and names will do."""
    described = "1 to 32 connected networks and at least one directory server"
    facts = configured(
        scene.target, USUAL, lambda f: 1 <= len(f.connected_networks) <= 32 and bool(f.directory_servers), described
    )
    scene.use(facts)


@given(parsers.parse("a discovery server with {n:d} connected networks"))
def server_with_networks(scene: Scene, n: int) -> None:
    """Want so many networks and at least one name."""
    wanted = with_networks(n, scene.rng)
    described = f"{n} connected networks and at least one directory server"
    facts = configured(
        scene.target, wanted, lambda f: len(f.connected_networks) == n and bool(f.directory_servers), described
    )
    scene.use(facts)


@given(parsers.parse("a discovery server whose server list is {names}"))
def server_with_names(scene: Scene, names: str) -> None:
    """Want exactly these names, written as a JSON array."""
    listed = json.loads(names)
    wanted = with_names(listed)
    facts = configured(
        scene.target,
        wanted,
        lambda f: sorted(one.name for one in f.directory_servers) == sorted(listed) and bool(f.connected_networks),
        f"the server list {names}",
    )
    scene.use(facts)


@given(parsers.parse("a discovery server whose one server has a name of {n:d} characters"))
def server_with_a_name_of(scene: Scene, n: int) -> None:
    """Want one name of so many characters."""
    facts = configured(
        scene.target,
        with_names([("discovery" * (n // 9 + 1))[:n]]),
        lambda f: [len(one.name) for one in f.directory_servers] == [n] and bool(f.connected_networks),
        f"one directory server with a name of {n} characters",
    )
    scene.use(facts)


@given("the discovery server of the protocol examples")
def server_of_the_examples(scene: Scene) -> None:
    """Want the server of another site of MS-MQSD 4."""
    scene.use(configured(scene.target, EXAMPLE, lambda f: f == EXAMPLE, "the configuration of MS-MQSD 4"))


@given("the local discovery server of the protocol examples")
def local_server_of_the_examples(scene: Scene) -> None:
    """Want the server of the client's own site of MS-MQSD 4."""
    local = replace(EXAMPLE, site=EXAMPLE_CLIENT_SITE)
    scene.use(configured(scene.target, local, lambda f: f == local, "the local server of MS-MQSD 4"))


@given("a discovery server that listens on UDP")
def server_on_udp(scene: Scene) -> None:
    """Go through a real socket: the IUT's own address, or a loopback port that it is told to open."""
    any_server(scene)
    if isinstance(scene.target, DatagramCarrier):
        return
    assert scene.facts is not None
    where = scene.target.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    options = replace(scene.run.options, facts=scene.facts)
    scene.target = connect(f"udp:{where['host']}:{where['port']}", options)
    scene.closing.callback(scene.target.close)
