"""``image:NAME?discovery-client``: a client that is started once for each case, in a container on networks of ours.

The facts file says with which arguments (docs/facts-file.md): the first word of ``start`` is the first argument of the
image's entry point.
"""

from functools import cache

from mqconform.adapters.containers.container import Container
from mqconform.adapters.containers.engine import Engine, EngineFailed
from mqconform.adapters.containers.holder import Holder
from mqconform.adapters.containers.image import Image
from mqconform.adapters.containers.target import ImageTarget
from mqconform.adapters.datagrams.clients import UdpClients
from mqconform.adapters.networks.namespaces import BridgedNetworks, Namespace, NamespacesUnavailable
from mqconform.adapters.programs.line_channel import Speaker
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError


def open_clients(engine: Engine, image: Image, target: ImageTarget, options: AdapterOptions) -> UdpClients:
    """Return the client; nothing is started yet.

    Raises:
        ConfigurationError: there are no facts of it, or the target has arguments of its own.
    """
    if target.arguments:
        raise ConfigurationError(
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
