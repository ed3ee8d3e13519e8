"""``image:NAME?udp``: a discovery server in a container that is reached by datagrams and takes no orders.

The container is on a network with nobody but the harness: a pair of virtual interfaces between two namespaces. Where
that cannot be had, its port is published on 127.0.0.1.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from time import monotonic
from uuid import UUID

from mqconform.adapters.containers.container import Container, limits_text
from mqconform.adapters.containers.engine import Engine
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.places import place_for, require_published
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.datagrams.conversation import Conversation
from mqconform.adapters.datagrams.endpoint import resolve
from mqconform.adapters.datagrams.iut import FACTS_REMEDY, UdpIut
from mqconform.harness.iut.interface import (
    AdapterOptions,
    ConfigurationError,
    Exchange,
    IutFault,
    IutProblem,
    ServerFacts,
    T,
)

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

    def __init__(self, engine: Engine, image: Image, target: ImageTarget, options: AdapterOptions) -> None:
        if options.facts is None:
            raise ConfigurationError(f"image:{image.name}: a server without control needs facts; {FACTS_REMEDY}")
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

    def enter(self, function: Callable[[], T]) -> T:
        """Return what a function returns whose sockets are to be on the container's network."""
        return self._place.enter(function)

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> Exchange:
        """Send datagrams and return what came back; see ``DatagramCarrier.exchange``.

        Raises:
            IutFault: the container has ended.
            EngineFailed: not the implementation but the engine has failed.
        """
        got = super().exchange(datagrams, fence, expected)
        if got.alive is not True and self._container.wait(0):
            fault = IutFault("exited", f"the server ended: container {self._container.status()}")
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
                raise self._never_ready("exited", f"container {self._container.status()}")
            if monotonic() >= until:
                where = resolve(self._place.endpoint(self._container))
                if self._place.ours is None:
                    require_published(where)
                asked = f"requests to {where} (UDP port {self._target.port} of the container)"
                raise self._never_ready("silent", f"{asked} were not answered within {self._target.ready:g} s")

    def _never_ready(self, kind: str, message: str) -> IutProblem:
        return self._container.explained(IutFault(kind, message), ready=False)


def _request(facts: ServerFacts, number: int) -> bytes:
    """Return a TopologyClientRequest (MS-MQSD 2.2.2); the first is of the server's own site."""
    site = UUID(facts.site).bytes_le if number == 1 else bytes([number] * 16)
    return HEADER + UUID(facts.enterprise).bytes_le + b"mqconform wait " + bytes([number]) + site
