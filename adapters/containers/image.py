"""Images as the engine has them: what is known of one before a container is made of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from mqconform.adapters.containers.engine import Engine, EngineRefused, asking, printable
from mqconform.adapters.containers.target import ImageTarget
from mqconform.harness.iut.interface import ConfigurationError

MISSING = 404
MOST_VOLUMES = 16
MACHINES = {"x86_64": "amd64", "aarch64": "arm64", "armv7l": "arm", "i686": "386", "i386": "386"}
"""How kernels call what images call otherwise."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image on the engine.

    Attributes:
        id: by which a tag that moves meanwhile changes nothing.
        platform: system and machine that it is for, ``linux/amd64``.
        engine_platform: what the engine runs on.
        user: as whom its program runs; empty for root.
        volumes: folders that it wants to be able to write to.
    """

    name: str
    id: str
    platform: str
    engine_platform: str
    user: str
    volumes: tuple[str, ...] = ()

    @property
    def foreign(self) -> bool:
        """Whether it is for another kind of machine, and runs only where the engine emulates that."""
        return self.platform != self.engine_platform

    def evidence(self) -> str:
        """Return what it is, in a line."""
        return (
            f"image {self.name} ({self.id.removeprefix('sha256:')[:12]}, {self.platform}, user {self.user or 'root'})"
        )


def image_of(engine: Engine, target: ImageTarget) -> Image:
    """Return the image that a target names.

    It is not pulled: what is judged is what the user has brought.

    Raises:
        ConfigurationError: the engine has none of that name, or it says of no program that it should run.
        EngineFailed: the engine cannot be asked.
    """
    try:
        with asking(f"image:{printable(target.name)}"):
            inspection = engine.api.inspect_image(target.name)
    except EngineRefused as refused:
        if refused.status != MISSING:
            raise
        raise ConfigurationError(_absent(engine, target.name)) from refused
    config = inspection.get("Config") or {}
    if not (config.get("Entrypoint") or config.get("Cmd") or target.arguments):
        raise ConfigurationError(
            f"image:{printable(target.name)}: has neither ENTRYPOINT nor CMD; build it with one, or name the program "
            "behind the image, as in 'image:NAME /my-server'"
        )
    with asking("asking for the engine's platform"):
        version = engine.api.version()
    return Image(
        name=printable(target.name),
        id=str(inspection["Id"]),
        platform=_platform(inspection.get("Os"), inspection.get("Architecture")),
        engine_platform=_platform(version.get("Os"), version.get("Arch")),
        user=printable(str(config.get("User") or "")),
        volumes=_volumes(target.name, config.get("Volumes") or {}),
    )


def _volumes(name: str, paths: Iterable[str]) -> tuple[str, ...]:
    volumes = tuple(sorted(map(str, paths)))
    wrong = [
        path for path in volumes if not path.startswith("/") or ".." in path or ":" in path or not path.isprintable()
    ]
    if wrong or len(volumes) > MOST_VOLUMES:
        problem = f"one called {printable(wrong[0])}" if wrong else f"{len(volumes)}"
        raise ConfigurationError(f"image:{printable(name)}: has volumes that cannot be made in memory: {problem}")
    return volumes


def _platform(system: object, machine: object) -> str:
    name = str(machine or "unknown")
    return printable(f"{system or 'linux'}/{MACHINES.get(name, name)}")


def _absent(engine: Engine, name: str) -> str:
    with asking("listing images"):
        tags = [
            str(tag).removesuffix(":latest") for image in engine.api.images() for tag in image.get("RepoTags") or ()
        ]
    near = get_close_matches(name.removesuffix(":latest"), tags, n=3, cutoff=0.6)
    hint = f"; there is {', '.join(map(printable, near))}" if near else ""
    label = printable(name)
    return f"image:{label}: the Docker engine has no such image{hint}; build it, or get it with: docker pull {label}"
