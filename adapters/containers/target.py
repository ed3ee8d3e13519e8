"""What stands behind ``image:``: the image, how it is reached, what it may use, and its arguments.

``image:NAME[?OPTION[&OPTION]...] [ARGUMENT...]``, split into words as a shell splits them, as in
``image:my-server:1.2?udp=1801&memory=512m discovery-server --port 1801``.
"""

import re
import shlex
from dataclasses import dataclass
from urllib.parse import parse_qsl

from mqconform.harness.iut.interface import ConfigurationError, excerpt

CALLS, DATAGRAMS, SEARCHES = "stdio", "udp", "discovery-client"
OPTIONS = {
    CALLS: ("", "no value"),
    DATAGRAMS: ("[1-9][0-9]{0,4}", "a port from 1 to 65535"),
    SEARCHES: ("", "no value"),
    "via": ("auto|veth|port", "auto, veth or port"),
    "memory": ("[1-9][0-9]{0,9}[kmgKMG]?", "6m or more, such as 512m or 1g"),
    "pids": ("[1-9][0-9]{0,5}", "a number from 1 to 999999"),
    "ready": (r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]+)?", "seconds, at most 600"),
    "env": (r"(?s)[^\W\d]\w*=[^\0]*", "env=NAME=VALUE"),
}
"""By option, the form of its value, and that in words."""
UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
LEAST_MEMORY = 6 << 20
"""What an engine gives at least."""
EXAMPLE = "image:NAME[?OPTION&OPTION...] [ARGUMENT...], such as image:my-server:1.2 or 'image:my-server?udp=1801'"


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
        parts = shlex.split(target)
    except ValueError as error:
        raise _wrong(target, f"{error}; quote the arguments as for a shell") from error
    if not parts:
        raise ConfigurationError(f"image: names no image; expected {EXAMPLE}")
    name, _, query = parts[0].partition("?")
    if not name or not name.isprintable() or name.startswith("-"):
        raise _wrong(target, f"{excerpt(name)} is not a name of an image; expected {EXAMPLE}")
    options, environment = _options(target, query, discovery_port)
    carriers = [carrier for carrier in (CALLS, DATAGRAMS, SEARCHES) if carrier in options]
    if len(carriers) > 1:
        raise _wrong(target, f"{' and '.join(carriers)} exclude each other")
    if "via" in options and carriers != [DATAGRAMS]:
        raise _wrong(target, "via goes with udp alone")
    reached = ImageTarget(
        name,
        tuple(parts[1:]),
        reached=carriers[0] if carriers else CALLS,
        port=int(options.get(DATAGRAMS, discovery_port)),
        via=options.get("via", "auto"),
        memory=_octets(options.get("memory", "256m")),
        pids=int(options.get("pids", "256")),
        ready=float(options.get("ready", "30")),
        environment=tuple(environment),
    )
    beyond = {DATAGRAMS: reached.port > 65_535, "memory": reached.memory < LEAST_MEMORY, "ready": reached.ready > 600}
    for key in (key for key, is_beyond in beyond.items() if is_beyond):
        raise _wrong(target, f"{key} is {excerpt(options[key])}; expected {OPTIONS[key][1]}")
    return reached


def _options(target: str, query: str, discovery_port: int) -> tuple[dict[str, str], list[str]]:
    """Return the options of a query, each of its form, and the variables among them."""
    options: dict[str, str] = {}
    environment: list[str] = []
    for key, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
        if key not in OPTIONS:
            raise _wrong(target, f"{excerpt(key)} is not an option; the options are {', '.join(OPTIONS)}")
        if key in options:
            raise _wrong(target, f"{key} is given twice")
        text = str(discovery_port) if (key, value) == (DATAGRAMS, "") else value
        if not re.fullmatch(OPTIONS[key][0], text):
            raise _wrong(target, f"{key} is {excerpt(text)}; expected {OPTIONS[key][1]}")
        if key == "env":
            environment.append(text)
        else:
            options[key] = text
    return options, environment


def _octets(text: str) -> int:
    unit = text[-1].lower()
    return int(text[:-1]) * UNITS[unit] if unit in UNITS else int(text)


def _wrong(target: str, problem: str) -> ConfigurationError:
    """Return an error with the beginning of a target, so that it acts on no terminal."""
    return ConfigurationError(f"image:{excerpt(target)[1:-1]}: {problem}")
