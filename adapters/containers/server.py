"""``image:NAME?udp``: a discovery server in a container that is reached by datagrams and takes no orders.

The container is on a network with nobody but the harness: a pair of virtual interfaces between two namespaces. Where
that cannot be had, its port is published on 127.0.0.1.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from time import monotonic
from typing import TypeVar
from uuid import UUID

from mqconform.adapters.containers.container import Container, Plan
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.faults import explained
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.limits import host_config, limits_text
from mqconform.adapters.containers.places import Place, place_for, require_published
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.datagrams.conversation import Conversation
from mqconform.adapters.datagrams.endpoint import Endpoint, resolve
from mqconform.adapters.datagrams.iut import FACTS_REMEDY, UdpIut
from mqconform.harness.iut.interface import (
    AdapterOptions,
    ConfigurationError,
    Exchange,
    IutFault,
    IutProblem,
    Json,
    ServerFacts,
)

KNOCK_SECONDS = 0.2
"""After so long a request that was not answered is sent again: a datagram to a port that is not open yet is lost."""
HEADER = b"\x00\x01\x00\x00"
"""Version, reserved octet and type of a request (MS-MQSD 2.2.1)."""
T = TypeVar("T")


def open_server(engine: Engine, image: Image, target: ImageTarget, options: AdapterOptions) -> "ImageServer":
    """Start the server and wait until it answers.

    Raises:
        ConfigurationError: there are no facts, or the way that is asked for cannot be had.
        IutFault: it never got ready.
    """
    if options.facts is None:
        raise ConfigurationError(f"image:{image.name}: a server without control needs facts; {FACTS_REMEDY}")
    return ImageServer(engine, image, target, options.reply_timeout, options.facts)


class ImageServer:
    """A container behind the IUT interface that answers datagrams; see ``UdpIut``."""

    def __init__(
        self, engine: Engine, image: Image, target: ImageTarget, reply_timeout: float, facts: ServerFacts
    ) -> None:
        self._engine, self._image, self._target = engine, image, target
        with ExitStack() as opened:
            self._place: Place = opened.enter_context(place_for(engine, target))
            self._container = _started(engine, image, target, self._place)
            opened.callback(self._container.end, gently=True)
            self._endpoint = self._reached()
            self._talk = self.enter(lambda: Conversation(self._endpoint, reply_timeout, lossless=True))
            opened.callback(self._talk.close)
            self._await(facts)
            self._opened = opened.pop_all()
        self._udp = UdpIut(self._talk, facts)
        self.lossless = self._udp.lossless
        self.description = self._udp.description
        self.facts: ServerFacts | None = facts

    def enter(self, function: Callable[[], T]) -> T:
        """Return what a function returns whose sockets are to be on the container's network."""
        got: T = self._place.enter(function)
        return got

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> Exchange:
        """Send datagrams and return what came back; see ``DatagramCarrier.exchange``.

        Raises:
            IutFault: the container has ended.
            EngineFailed: not the implementation but the engine has failed.
        """
        got = self._udp.exchange(datagrams, fence, expected)
        if got.alive is not True and self._container.wait(0):
            fault = IutFault("exited", f"the server ended: container {self._container.status()}")
            raise explained(fault, self._engine, self._image, self._container, ready=True)
        return got

    def call(self, method: str, params: Json) -> Json:
        """Answer for the server what can be answered without it; see ``Iut.call``."""
        return self._udp.call(method, params)

    def evidence(self) -> tuple[str, ...]:
        """Return image and limits, how it was reached, how it stands, and the end of what it wrote."""
        output = self._container.output() + self._container.stderr()
        lines = (
            f"{self._image.evidence()}, with {limits_text(self._target)}; {self._place.says}",
            f"container: {self._container.status()}; {'; '.join(self._udp.evidence())}",
        )
        return (*lines, f"output: {output}") if output else lines

    def close(self) -> None:
        """End and remove the container with its network; never raises."""
        self._opened.close()

    def _reached(self) -> Endpoint:
        """Return where it is; raises IutFault where it has ended already."""
        where = self._place.endpoint(self._container)
        if not where:
            self._container.wait(KNOCK_SECONDS)
            raise self._fault("exited", f"container {self._container.status()}")
        return resolve(where)

    def _fault(self, kind: str, message: str) -> IutProblem:
        """Return what keeps it from getting ready."""
        return explained(IutFault(kind, message), self._engine, self._image, self._container, ready=False)

    def _await(self, facts: ServerFacts) -> None:
        """Ask until it answers anything.

        Raises:
            IutFault: it does not in the time that it has, or ends.
            ConfigurationError: nobody could have reached it.
        """
        until = monotonic() + self._target.ready
        requests = [_request(facts, number) for number in (1, 2)]
        while not self._talk.knock(requests, KNOCK_SECONDS):
            if self._container.wait(0):
                raise self._fault("exited", f"container {self._container.status()}")
            if monotonic() >= until:
                if self._place.published:
                    require_published(self._endpoint)
                asked = f"requests to {self._endpoint} (UDP port {self._target.port} of the container)"
                raise self._fault("silent", f"{asked} were not answered within {self._target.ready:g} s")


def _started(engine: Engine, image: Image, target: ImageTarget, place: Place) -> Container:
    limits = host_config(engine, target, image, place.network, published=place.published)
    ports = ((target.port, "udp"),) if place.published else ()
    container = Container(engine, Plan(image.id, target.arguments, limits, target.memory, target.environment, ports))
    container.keep_output()
    return container


def _request(facts: ServerFacts, number: int) -> bytes:
    """Return a TopologyClientRequest (MS-MQSD 2.2.2); the first is of the server's own site."""
    site = UUID(facts.site).bytes_le if number == 1 else bytes([number] * 16)
    return HEADER + UUID(facts.enterprise).bytes_le + b"mqconform wait " + bytes([number]) + site
