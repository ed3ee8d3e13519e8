"""``image:NAME``: an implementation in a container, spoken to over its standard streams or reached by datagrams.

With ``?discovery-client`` the client is started once for each case, on networks of ours; the facts file says with which
arguments (docs/facts-file.md): the first word of ``start`` is the first argument of the image's entry point.
"""

from collections.abc import Callable
from functools import cache

from mqconform.adapters.containers.container import Container, limits_text
from mqconform.adapters.containers.engine import Engine, EngineFailed, engine
from mqconform.adapters.containers.holder import Holder, network_of
from mqconform.adapters.containers.image import Image, image_of
from mqconform.adapters.containers.labels import sweep_once
from mqconform.adapters.containers.server import ImageServer
from mqconform.adapters.containers.target import CALLS, DATAGRAMS, ImageTarget, parse
from mqconform.adapters.datagrams.clients import UdpClients
from mqconform.adapters.networks.namespaces import BridgedNetworks, Namespace, NamespacesUnavailable
from mqconform.adapters.programs.line_channel import Speaker
from mqconform.adapters.programs.stdio import StdioIut
from mqconform.harness.iut import interface


def open_iut(target: str, options: interface.AdapterOptions) -> interface.Iut:
    """Start a container of the image; what dead runs have left behind is removed before.

    Raises:
        ConfigurationError: no such image, no engine, or the target says what cannot work.
        IutFault: a server that is reached by datagrams never got ready.
    """
    image_target = parse(target, options.discovery_port)
    docker = engine()
    sweep_once(docker)
    image = image_of(docker, image_target)
    if image_target.reached == CALLS:
        return ImageIut(docker, image, image_target, options)
    if image_target.reached == DATAGRAMS:
        return ImageServer(docker, image, image_target, options)
    return open_clients(docker, image, image_target, options)


class ImageIut(StdioIut):
    """A container that speaks the IUT protocol on its standard input and output; it has no network."""

    def __init__(self, docker: Engine, image: Image, target: ImageTarget, options: interface.AdapterOptions) -> None:
        self._container = Container(docker, image, target)
        self._says = f"{image.evidence()}, with {limits_text(target)}"
        self._ready = False
        super().__init__(self._container, f"image {image.name}", options.deadline, target.ready)

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Perform one operation; see ``Iut.call``.

        Raises:
            EngineFailed: not the implementation but the engine has failed.
        """
        try:
            result = super().call(method, params)
        except interface.IutFault as fault:
            raise self._container.explained(fault, ready=self._ready) from fault
        except interface.IutProblem:
            self._ready = True
            raise
        self._ready = True
        return result

    def enter(self, function: Callable[[], interface.T]) -> interface.T:
        """Return what a function returns whose sockets reach the container's loopback, its only network.

        Raises:
            NotApplicable: it cannot be entered from here.
        """
        try:
            with Namespace(network_of(self._container.inspect())) as network:
                return network.run(function)
        except NamespacesUnavailable as error:
            raise interface.NotApplicable(
                f"a port in a container without a network is out of reach: {error}"
            ) from error

    def evidence(self) -> tuple[str, ...]:
        """Return which image it is and what it may use, how the container stands, and the end of its stderr."""
        return (self._says, *super().evidence())


def open_clients(engine: Engine, image: Image, target: ImageTarget, options: interface.AdapterOptions) -> UdpClients:
    """Return the client; nothing is started yet.

    Raises:
        ConfigurationError: there are no facts of it, or the target has arguments of its own.
    """
    if target.arguments:
        raise interface.ConfigurationError(
            f"image:{image.name}: the arguments of a client stand in the facts file, as start; leave out those here"
        )
    return UdpClients(options, InContainers(engine, image, target), why_no_holders(engine))


class InContainers:
    """Computers whose programs run in containers; see ``Computers``."""

    def __init__(self, engine: Engine, image: Image, target: ImageTarget) -> None:
        self._engine, self._image, self._target = engine, image, target
        self.name, self.target = f"image {image.name}", f"image:{image.name}"

    def computer(self) -> Holder:
        """Return a network namespace that containers can join."""
        return Holder(self._engine)

    def start(self, computer: Namespace, words: list[str]) -> Speaker:
        """Run a container of the image there."""
        assert isinstance(computer, Holder)
        return Container(self._engine, self._image, self._target, computer.network, words)


@cache
def why_no_holders(engine: Engine) -> str:
    """Return why no networks can be made for containers here, empty where they can."""
    try:
        with BridgedNetworks(["probe"]) as networks:
            networks.host({"probe": "192.0.2.1/24"}, lambda: Holder(engine))
    except (NamespacesUnavailable, EngineFailed) as reason:
        return str(reason)
    return ""
