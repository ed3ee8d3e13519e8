"""``image:NAME``: an implementation in a container, spoken to over its standard streams or reached by datagrams."""

from collections.abc import Callable

from mqconform.adapters.containers.clients import open_clients
from mqconform.adapters.containers.container import Container, limits_text
from mqconform.adapters.containers.engine import Engine, engine
from mqconform.adapters.containers.holder import network_of
from mqconform.adapters.containers.image import Image, image_of
from mqconform.adapters.containers.labels import sweep_once
from mqconform.adapters.containers.server import ImageServer
from mqconform.adapters.containers.target import CALLS, DATAGRAMS, ImageTarget, parse
from mqconform.adapters.networks.namespaces import Namespace, NamespacesUnavailable
from mqconform.adapters.programs.stdio import StdioIut
from mqconform.harness.iut.interface import AdapterOptions, Iut, IutFault, IutProblem, Json, NotApplicable, T


def open_iut(target: str, options: AdapterOptions) -> Iut:
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

    def __init__(self, docker: Engine, image: Image, target: ImageTarget, options: AdapterOptions) -> None:
        self._container = Container(docker, image, target)
        self._says = f"{image.evidence()}, with {limits_text(target)}"
        self._ready = False
        super().__init__(self._container, f"image {image.name}", options.deadline, target.ready)

    def call(self, method: str, params: Json) -> Json:
        """Perform one operation; see ``Iut.call``.

        Raises:
            EngineFailed: not the implementation but the engine has failed.
        """
        try:
            result = super().call(method, params)
        except IutFault as fault:
            raise self._container.explained(fault, ready=self._ready) from fault
        except IutProblem:
            self._ready = True
            raise
        self._ready = True
        return result

    def enter(self, function: Callable[[], T]) -> T:
        """Return what a function returns whose sockets reach the container's loopback, its only network.

        Raises:
            NotApplicable: it cannot be entered from here.
        """
        try:
            with Namespace(network_of(self._container.inspect())) as network:
                return network.run(function)
        except NamespacesUnavailable as error:
            raise NotApplicable(f"a port in a container without a network is out of reach: {error}") from error

    def evidence(self) -> tuple[str, ...]:
        """Return which image it is and what it may use, how the container stands, and the end of its stderr."""
        return (self._says, *super().evidence())
