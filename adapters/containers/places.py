"""Where a server's container is and how datagrams get there: a network of ours, or a published port."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from mqconform.adapters.containers.container import Container
from mqconform.adapters.containers.engine import Engine, asking
from mqconform.adapters.containers.holder import Holder
from mqconform.adapters.containers.labels import labels, new_name, removed_if_possible
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.datagrams.endpoint import Endpoint
from mqconform.adapters.networks.namespaces import Namespace, NamespacesUnavailable
from mqconform.harness.iut.interface import ConfigurationError, T

OURS, THEIRS, PREFIX = "192.0.2.1", "192.0.2.10", 24
INTERFACE = "mqconform0"
MTU = 65_535
NO_WAY_OUT = {"com.docker.network.bridge.enable_ip_masquerade": "false"}
"""Without a translated address, nothing that the container sends beyond this machine is answered."""


@dataclass(frozen=True, slots=True)
class Place:
    """A network for one container.

    Attributes:
        network: the container's ``network_mode``.
        port: of its server.
        ours: the namespace that reaches it; None where its port is published.
    """

    network: str
    port: int
    ours: Namespace | None

    @property
    def says(self) -> str:
        """What it is, for the evidence."""
        if self.ours:
            return "on a network of its own with the harness"
        return "its port published on 127.0.0.1, as no network could be made for it alone"

    def endpoint(self, container: Container) -> str:
        """Return where its server is reached once it runs, ``HOST:PORT``, or nothing if it has ended."""
        if self.ours:
            return f"{THEIRS}:{self.port}"
        bound = (container.inspect()["NetworkSettings"].get("Ports") or {}).get(f"{self.port}/udp")
        return f"127.0.0.1:{bound[0]['HostPort']}" if bound else ""

    def enter(self, function: Callable[[], T]) -> T:
        """Return what a function returns whose sockets reach it."""
        return self.ours.run(function) if self.ours else function()


@contextmanager
def place_for(engine: Engine, target: ImageTarget) -> Iterator[Place]:
    """Make a place of the kind that the target names, until closed.

    Raises:
        ConfigurationError: it cannot be had here.
    """
    with ExitStack() as opened:
        if target.via != "port":
            try:
                place = opened.enter_context(_linked(engine, target))
            except NamespacesUnavailable as error:
                if target.via == "veth":
                    raise ConfigurationError(f"via=veth: no network can be made for the container: {error}") from error
            else:
                yield place
                return
        yield opened.enter_context(_published(engine, target))


@contextmanager
def _linked(engine: Engine, target: ImageTarget) -> Iterator[Place]:
    """Make a cable between a namespace of ours and one that the container joins."""
    with Namespace() as ours, Holder(engine) as theirs:
        ours.ip(
            f"link add name {INTERFACE} mtu {MTU} type veth peer name eth0 mtu {MTU} netns {theirs.path}",
            f"addr add {OURS}/{PREFIX} broadcast + dev {INTERFACE}",
            f"link set dev {INTERFACE} up",
        )
        theirs.ip(f"addr add {THEIRS}/{PREFIX} broadcast + dev eth0", "link set dev eth0 up")
        ours.wait_until_running(INTERFACE)
        yield Place(theirs.network, target.port, ours)


@contextmanager
def _published(engine: Engine, target: ImageTarget) -> Iterator[Place]:
    """Make a bridge network for one container, whose port is published on 127.0.0.1."""
    if not engine.on_this_machine:
        address = os.environ.get("DOCKER_HOST", "")
        raise ConfigurationError(
            f"image: the engine at {address} is on another machine, where no datagram of ours arrives; run mqconform "
            "there, or reach the server with udp:HOST:PORT"
        )
    name = new_name()
    try:
        with asking("making a network"):
            engine.client.networks.create(name, driver="bridge", options=NO_WAY_OUT, labels=labels("published port"))
        yield Place(name, target.port, None)
    finally:
        removed_if_possible(engine, name, network=True)


def require_published(endpoint: Endpoint) -> None:
    """Check that a published port is taken here; with an engine on another network it would not be.

    Raises:
        ConfigurationError: the port is free.
    """
    with socket.socket(endpoint.family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(endpoint.address)
        except OSError:
            return
    raise ConfigurationError(
        f"image: the engine says that a port is published at {endpoint}, and it is not: the engine has another network "
        "than this process; run mqconform where its ports are published, or as root on the same machine with via=veth"
    )
