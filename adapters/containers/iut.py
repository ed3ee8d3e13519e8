"""``image:NAME``: an implementation in a container, spoken to over its standard streams or reached by datagrams."""

from collections.abc import Callable
from typing import TypeVar

from mqconform.adapters.containers.clients import open_clients
from mqconform.adapters.containers.container import Container, Plan
from mqconform.adapters.containers.engine import Engine, engine
from mqconform.adapters.containers.faults import explained
from mqconform.adapters.containers.holder import ContainerNamespace
from mqconform.adapters.containers.image import Image, image_of
from mqconform.adapters.containers.limits import host_config, limits_text
from mqconform.adapters.containers.reaper import reaped_once
from mqconform.adapters.containers.server import open_server
from mqconform.adapters.containers.target import CALLS, DATAGRAMS, ImageTarget, parse
from mqconform.adapters.networks.namespaces import NamespacesUnavailable
from mqconform.adapters.programs.stdio import StdioIut
from mqconform.harness.iut.interface import (
    AdapterOptions,
    Iut,
    IutDescription,
    IutFault,
    IutProblem,
    Json,
    NotApplicable,
    ServerFacts,
)

T = TypeVar("T")


def open_iut(target: str, options: AdapterOptions) -> Iut:
    """Start a container of the image; what dead runs have left behind is removed before.

    Raises:
        ConfigurationError: no such image, no engine, or the target says what cannot work.
        IutFault: a server that is reached by datagrams never got ready.
    """
    image_target = parse(target, options.discovery_port)
    docker = engine()
    reaped_once()
    image = image_of(docker, image_target)
    if image_target.reached == CALLS:
        return ImageIut(docker, image, image_target, options)
    if image_target.reached == DATAGRAMS:
        return open_server(docker, image, image_target, options)
    return open_clients(docker, image, image_target, options)


class ImageIut:
    """A container that speaks the IUT protocol on its standard input and output; it has no network."""

    def __init__(self, docker: Engine, image: Image, target: ImageTarget, options: AdapterOptions) -> None:
        self._engine, self._image, self._target = docker, image, target
        limits = host_config(docker, target, image, "none")
        plan = Plan(image.id, target.arguments, limits, target.memory, target.environment)
        self._container = Container(docker, plan)
        self._speech = StdioIut(self._container, f"image {image.name}", options.deadline, target.ready)
        self.description: IutDescription = self._speech.description
        self.facts: ServerFacts | None = None
        self._ready = False

    def call(self, method: str, params: Json) -> Json:
        """Perform one operation; see ``Iut.call``.

        Raises:
            EngineFailed: not the implementation but the engine has failed.
        """
        try:
            result = self._speech.call(method, params)
        except IutFault as fault:
            raise explained(fault, self._engine, self._image, self._container, ready=self._ready) from fault
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
            with ContainerNamespace(self._container.id, self._container.pid) as network:
                return network.run(function)
        except NamespacesUnavailable as error:
            raise NotApplicable(f"a port in a container without a network is out of reach: {error}") from error

    def evidence(self) -> tuple[str, ...]:
        """Return which image it is and what it may use, how the container stands, and the end of its stderr."""
        return (f"{self._image.evidence()}, with {limits_text(self._target)}", *self._speech.evidence())

    def close(self) -> None:
        """Ask for ``shutdown``, then end and remove the container; never raises."""
        self._speech.close()
