"""``image:NAME?udp``: a discovery server in a container that is reached by datagrams and takes no orders.

The container is on a network with nobody but the harness: a pair of virtual interfaces between two namespaces. Where
that cannot be had, its port is published on 127.0.0.1.
"""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic
from uuid import UUID

from mqconform.adapters.containers.container import Container, limits_text
from mqconform.adapters.containers.engine import Engine, asking
from mqconform.adapters.containers.holder import Holder
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.labels import labels, new_name, removed_if_possible
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.datagrams.conversation import Conversation
from mqconform.adapters.datagrams.endpoint import Endpoint, resolve
from mqconform.adapters.datagrams.iut import FACTS_REMEDY, UdpIut
from mqconform.adapters.networks.namespaces import Namespace, NamespacesUnavailable
from mqconform.harness.iut import interface

KNOCK_SECONDS = 0.2
"""After so long a request that was not answered is sent again: a datagram to a port that is not open yet is lost."""
HEADER = b"\x00\x01\x00\x00"
"""Version, reserved octet and type of a request (MS-MQSD 2.2.1)."""


class ImageServer(UdpIut):
    """A container behind the IUT interface that answers datagrams, started and ready; see ``UdpIut``.

    Raises, when made:
        ConfigurationError: there are no facts, or the way that is asked for cannot be had.
        IutFault: it never got ready.
    """

    def __init__(self, engine: Engine, image: Image, target: ImageTarget, options: interface.AdapterOptions) -> None:
        if options.facts is None:
            raise interface.ConfigurationError(
                f"image:{image.name}: a server without control needs facts; {FACTS_REMEDY}"
            )
        self._image, self._target = image, target
        with ExitStack() as opened:
            self._place = opened.enter_context(place_for(engine, target))
            published = self._place.ours is None
            self._container = Container(engine, image, target, self._place.network, published=published, silent=True)
            opened.callback(self._container.end, gently=True)
            self._talk = self._reached(options.reply_timeout)
            opened.callback(self._talk.close)
            self._await(options.facts)
            self._opened = opened.pop_all()
        super().__init__(self._talk, options.facts)

    def enter(self, function: Callable[[], interface.T]) -> interface.T:
        """Return what a function returns whose sockets are to be on the container's network."""
        return self._place.enter(function)

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> interface.Exchange:
        """Send datagrams and return what came back; see ``DatagramCarrier.exchange``.

        Raises:
            IutFault: the container has ended.
            EngineFailed: not the implementation but the engine has failed.
        """
        got = super().exchange(datagrams, fence, expected)
        if got.alive is not True and self._container.wait(0):
            fault = interface.IutFault("exited", f"the server ended: container {self._container.status()}")
            raise self._container.explained(fault, ready=True)
        return got

    def evidence(self) -> tuple[str, ...]:
        """Return image and limits, how it was reached, how it stands, and the end of what it wrote."""
        output = self._container.output()
        lines = (
            f"{self._image.evidence()}, with {limits_text(self._target)}; {self._place.says}",
            f"container: {self._container.status()}; {'; '.join(super().evidence())}",
        )
        return (*lines, f"output: {output}") if output else lines

    def close(self) -> None:
        """End and remove the container with its network; never raises."""
        self._opened.close()

    def _reached(self, reply_timeout: float) -> Conversation:
        where = self._place.endpoint(self._container)
        if not where:
            self._container.wait(KNOCK_SECONDS)
            raise self._never_ready("exited", f"container {self._container.status()}")
        return self.enter(lambda: Conversation(resolve(where), reply_timeout, lossless=True))

    def _await(self, facts: interface.ServerFacts) -> None:
        """Ask until it answers anything.

        Raises:
            IutFault: it does not in the time that it has, or ends.
            ConfigurationError: nobody could have reached it.
        """
        until = monotonic() + self._target.ready
        requests = [_request(facts, number) for number in (1, 2)]
        while not self._talk.knock(requests, KNOCK_SECONDS):
            if self._container.wait(0):
                raise self._never_ready("exited", f"container {self._container.status()}")
            if monotonic() >= until:
                where = resolve(self._place.endpoint(self._container))
                if self._place.ours is None:
                    require_published(where)
                asked = f"requests to {where} (UDP port {self._target.port} of the container)"
                raise self._never_ready("silent", f"{asked} were not answered within {self._target.ready:g} s")

    def _never_ready(self, kind: str, message: str) -> interface.IutProblem:
        return self._container.explained(interface.IutFault(kind, message), ready=False)


def _request(facts: interface.ServerFacts, number: int) -> bytes:
    """Return a TopologyClientRequest (MS-MQSD 2.2.2); the first is of the server's own site."""
    site = UUID(facts.site).bytes_le if number == 1 else bytes([number] * 16)
    return HEADER + UUID(facts.enterprise).bytes_le + b"mqconform wait " + bytes([number]) + site


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

    def enter(self, function: Callable[[], interface.T]) -> interface.T:
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
                    raise interface.ConfigurationError(
                        f"via=veth: no network can be made for the container: {error}"
                    ) from error
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
        raise interface.ConfigurationError(
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
    raise interface.ConfigurationError(
        f"image: the engine says that a port is published at {endpoint}, and it is not: the engine has another network "
        "than this process; run mqconform where its ports are published, or as root on the same machine with via=veth"
    )
