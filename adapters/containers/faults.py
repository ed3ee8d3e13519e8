"""Whose fault it is when a container breaks the contract: the implementation's, the image's, or the engine's."""

from mqconform.adapters.containers.container import Container
from mqconform.adapters.containers.engine import Engine, EngineFailed, printable
from mqconform.adapters.containers.image import Image
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem

CANNOT_RUN = ("exit status 126", "exit status 127", "exit status 255")
FORMAT = "exec format error"
LAST_WORDS = 300


def explained(fault: IutFault, engine: Engine, image: Image, container: Container, *, ready: bool) -> IutProblem:
    """Return what a fault of the carrier was in truth.

    Args:
        fault: what the carrier observed.
        engine: that runs the container.
        image: of the container.
        container: as it stands.
        ready: whether the implementation had answered before.
    """
    if container.engine_problem or not engine.answers():
        problem = container.engine_problem or "it does not answer any more"
        return EngineFailed(f"image:{image.name}: the Docker engine failed: {printable(problem)}; seen was: {fault}")
    if ready:
        return fault if not container.out_of_memory else IutFault(fault.kind, _with(f"{fault}", container.status()))
    if image.foreign and container.status().startswith(CANNOT_RUN):
        return ConfigurationError(
            f"image:{image.name}: is for {image.platform}, and the engine runs {image.engine_platform}; "
            f"build it for that, or let the engine emulate the other{_words(container)}"
        )
    message = _with(f"image:{image.name} never got ready: {fault}", f"container {container.status()}")
    return IutFault(fault.kind, message + _words(container))


def _with(message: str, status: str) -> str:
    return message if status.removeprefix("container ") in message else f"{message}; {status}"


def _words(container: Container) -> str:
    """Return the last of what it wrote besides answers, in one line that acts on no terminal."""
    output = (container.output() + container.stderr()).strip()
    return f"; its last words: {printable(' / '.join(output[-LAST_WORDS:].split(chr(10))))}" if output else ""
