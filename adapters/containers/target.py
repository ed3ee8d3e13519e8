"""What stands behind ``image:``: the image, how it is reached, what it may use, and its arguments.

``image:NAME[?OPTION[&OPTION]...] [ARGUMENT...]``, split into words as a shell splits them, as in
``image:my-server:1.2?udp=1801&memory=512m discovery-server --port 1801``.
"""

import re
import shlex
from dataclasses import dataclass
from math import isfinite
from urllib.parse import parse_qsl

from mqconform.harness.iut.interface import ConfigurationError, excerpt

CALLS, DATAGRAMS, SEARCHES = "stdio", "udp", "discovery-client"
VIA = ("auto", "veth", "port")
MEMORY = re.compile(r"(?P<number>[1-9][0-9]{0,9})(?P<unit>[kmg]?)", re.IGNORECASE)
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
LEAST_MEMORY = 6 << 20
"""What an engine gives at least."""
MOST_READY = 600.0
EXAMPLE = "image:NAME[?OPTION&OPTION...] [ARGUMENT...], such as image:my-server:1.2 or 'image:my-server?udp=1801'"
OPTIONS = (
    "stdio, udp[=PORT], discovery-client, via=auto|veth|port, memory=SIZE, pids=NUMBER, ready=SECONDS, env=NAME=VALUE"
)


@dataclass(frozen=True, slots=True)
class ImageTarget:
    """An image and how it is used.

    Attributes:
        name: repository with tag or digest, or an id.
        arguments: what takes the place of the image's own default arguments; empty for these.
        reached: ``stdio``, ``udp`` or ``discovery-client``.
        port: where its server listens in the container.
        via: how datagrams get there: ``veth``, a published ``port``, or ``auto``.
        memory: octets, swap included.
        pids: processes and threads.
        ready: seconds until it has to answer for the first time.
        environment: ``NAME=VALUE`` each.
    """

    name: str
    arguments: tuple[str, ...] = ()
    reached: str = CALLS
    port: int = 0
    via: str = "auto"
    memory: int = 256 << 20
    pids: int = 256
    ready: float = 30.0
    environment: tuple[str, ...] = ()


def parse(target: str, discovery_port: int = 0) -> ImageTarget:
    """Return what a target says.

    Args:
        target: what stands behind ``image:``.
        discovery_port: where a server listens whose port it does not name.

    Raises:
        ConfigurationError: it says nothing that can work; the message names the option.
    """
    try:
        words = shlex.split(target)
    except ValueError as error:
        raise _wrong(target, f"{error}; quote the arguments as for a shell") from error
    if not words:
        raise ConfigurationError(f"image: names no image; expected {EXAMPLE}")
    name, _, query = words[0].partition("?")
    if not name or not name.isprintable() or name.startswith("-"):
        raise _wrong(target, f"{excerpt(name)} is no name of an image; expected {EXAMPLE}")
    options: dict[str, str] = {}
    environment: list[str] = []
    for key, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
        if key == "env":
            environment.append(_variable(target, value))
        elif key in options:
            raise _wrong(target, f"{key} is given twice")
        else:
            options[key] = value
    return _with_options(
        target, ImageTarget(name, tuple(words[1:]), port=discovery_port, environment=tuple(environment)), options
    )


def _with_options(target: str, plain: ImageTarget, options: dict[str, str]) -> ImageTarget:
    """Return a target with the options of its query, each held to what it may be."""
    ways = [way for way in (CALLS, DATAGRAMS, SEARCHES) if way in options]
    unknown = [option for option in options if option not in {*ways, "via", "memory", "pids", "ready"}]
    if unknown:
        raise _wrong(target, f"{excerpt(unknown[0])} is no option; the options are {OPTIONS}")
    if len(ways) > 1:
        raise _wrong(target, f"{' and '.join(ways)} exclude each other")
    reached = ways[0] if ways else CALLS
    if reached != DATAGRAMS and "via" in options:
        raise _wrong(target, "via goes with udp alone")
    if reached != DATAGRAMS and options.get(reached):
        raise _wrong(target, f"{reached} takes no value")
    via = options.get("via", plain.via)
    if via not in VIA:
        raise _wrong(target, f"via is {excerpt(via)}; expected {', '.join(VIA)}")
    port = plain.port
    if reached == DATAGRAMS:
        port = _whole(target, "udp", options[DATAGRAMS] or str(port), 65_535)
    return ImageTarget(
        plain.name,
        plain.arguments,
        reached,
        port,
        via,
        _memory(target, options["memory"]) if "memory" in options else plain.memory,
        _whole(target, "pids", options.get("pids", str(plain.pids)), 1 << 20),
        _seconds(target, options.get("ready", str(plain.ready))),
        plain.environment,
    )


def _whole(target: str, name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= most):
        raise _wrong(target, f"{name} is {excerpt(text)}; expected a number from 1 to {most}")
    return int(text)


def _memory(target: str, text: str) -> int:
    form = MEMORY.fullmatch(text)
    octets = int(form["number"]) * UNITS[form["unit"].lower()] if form else 0
    if octets < LEAST_MEMORY:
        raise _wrong(target, f"memory is {excerpt(text)}; expected 6m or more, such as 512m or 1g")
    return octets


def _seconds(target: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not (isfinite(seconds) and 0 < seconds <= MOST_READY):
        raise _wrong(target, f"ready is {excerpt(text)}; expected seconds, at most {MOST_READY:g}")
    return seconds


def _variable(target: str, text: str) -> str:
    name, equals, _ = text.partition("=")
    if not (equals and name.isidentifier()) or "\0" in text:
        raise _wrong(target, f"env is {excerpt(text)}; expected env=NAME=VALUE")
    return text


def _wrong(target: str, problem: str) -> ConfigurationError:
    return ConfigurationError(f"image:{_short(target)}: {problem}")


def _short(target: str) -> str:
    """Return the beginning of a target so that it acts on no terminal."""
    return excerpt(target)[1:-1]
