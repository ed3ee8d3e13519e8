"""Facts files: what an implementation that the harness cannot configure is configured with (TOML)."""

import tomllib
from pathlib import Path
from typing import Any

from mqconform.harness.iut.interface import ClientFacts, ConfigurationError, DirectoryServerFact, ServerFacts
from mqconform.harness.records.schema_text import complaint, validator

SCHEMA = "facts"
SERVER, CLIENT = "discovery_server", "discovery_client"
SERVER_FIELDS = ("enterprise", "site", "connected_networks", "directory_servers")
MAX_FACTS = 1024 * 1024
"""Largest facts file that is read, in octets; real ones have a few hundred."""


def load_facts(path: str | Path) -> ServerFacts:
    """Read what a server is configured with.

    Raises:
        ConfigurationError: the file cannot be read, is no TOML, says nothing of a server, or a field is wrong; the
            message names file and field.
    """
    return server_facts(parsed(Path(path)), str(path))


def load_all_facts(path: str | Path) -> tuple[ServerFacts | None, ClientFacts | None]:
    """Read what a facts file says of a server and of a client, one of which it has to be about.

    Raises:
        ConfigurationError: as ``load_facts``.
    """
    document, source = parsed(Path(path)), str(path)
    client = client_facts(document, source) if CLIENT in document else None
    if client and SERVER not in document:
        return None, client
    return server_facts(document, source), client


def parsed(path: Path, kind: str = "a facts file") -> dict[str, Any]:
    """Return the TOML document in a file; ``kind`` is what messages call it."""
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_FACTS + 1)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}; name {kind} that can be read") from error
    if len(octets) > MAX_FACTS:
        raise ConfigurationError(f"{path}: is larger than {MAX_FACTS} octets; this is not {kind}")
    try:
        return tomllib.loads(octets.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: octet {error.start} is not UTF-8; save the file as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        # ValueError: tomllib passes on what int() says of a number with thousands of digits
        raise ConfigurationError(f"{path}: is not TOML: {error}") from error


def server_facts(document: dict[str, Any], source: str) -> ServerFacts:
    """Return the facts of a server in a document that was read from ``source``."""
    if SERVER not in document:
        raise ConfigurationError(f"{source}: {SERVER}: is missing; expected an object with {', '.join(SERVER_FIELDS)}")
    _check(document, source)
    table = document[SERVER]
    servers = table["directory_servers"]
    return ServerFacts(
        enterprise=table["enterprise"].lower(),
        site=table["site"].lower(),
        connected_networks=tuple(one.lower() for one in table["connected_networks"]),
        directory_servers=tuple(DirectoryServerFact(one["name"], one["ip"], one["ipx"]) for one in servers),
    )


def client_facts(document: dict[str, Any], source: str) -> ClientFacts:
    """Return the facts of a client in a document that was read from ``source``.

    Raises:
        ConfigurationError: a field is wrong, or the commands neither tell the client its ids nor do the facts.
    """
    _check(document, source)
    known: dict[str, Any] = dict(document[CLIENT])
    known |= {name: tuple(known.get(name, ())) for name in ("start", "service", "network")}
    words = (*known["start"], *known["service"])
    for name in ("enterprise", "site"):
        if name not in known and not any(f"{{{name}}}" in one for one in words):
            raise ConfigurationError(
                f"{source}: {CLIENT}.{name}: is missing; say what the client has, or tell it with {{{name}}} in start"
            )
    if "{networks}" in words and not known["network"]:
        raise ConfigurationError(f"{source}: {CLIENT}.network: is missing; say what stands for each of {{networks}}")
    known |= {name: known[name].lower() for name in ("enterprise", "site") if name in known}
    return ClientFacts(**known)


def _check(document: dict[str, Any], source: str) -> None:
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{source}: {wrong}")
