"""Facts files: what an implementation that the harness cannot configure is configured with (TOML)."""

from pathlib import Path
from typing import Any

from mqconform.harness.iut.interface import ClientFacts, ConfigurationError, ServerFacts
from mqconform.harness.iut.server_configurations import facts_of
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_toml

SCHEMA = "facts"
SERVER, CLIENT = "discovery_server", "discovery_client"
SERVER_FIELDS = ("enterprise", "site", "connected_networks", "directory_servers")
MAX_FACTS = 1024 * 1024
"""Largest facts file that is read, in octets; real ones have a few hundred."""


def load_facts(path: str | Path) -> ServerFacts:
    """Read what a server is configured with.

    Raises:
        ConfigurationError: the file cannot be read, is not TOML, says nothing of a server, or a field is wrong; the
            message names file and field.
    """
    return server_facts(_document(path), str(path))


def load_all_facts(path: str | Path) -> tuple[ServerFacts | None, ClientFacts | None]:
    """Read what a facts file says of a server and of a client; it has to be about one of them.

    Raises:
        ConfigurationError: as ``load_facts``.
    """
    document, source = _document(path), str(path)
    client = client_facts(document, source) if CLIENT in document else None
    if client and SERVER not in document:
        return None, client
    return server_facts(document, source), client


def _document(path: str | Path) -> dict[str, Any]:
    return read_toml(Path(path), MAX_FACTS, "a facts file")


def server_facts(document: dict[str, Any], source: str) -> ServerFacts:
    """Return the facts of a server in a document that was read from ``source``."""
    if SERVER not in document:
        raise ConfigurationError(f"{source}: {SERVER}: is missing; expected an object with {', '.join(SERVER_FIELDS)}")
    _check(document, source)
    return facts_of(document[SERVER])


def client_facts(document: dict[str, Any], source: str) -> ClientFacts:
    """Return the facts of a client in a document that was read from ``source``.

    Raises:
        ConfigurationError: a field is wrong, or the commands neither tell the client its ids nor do the facts.
    """
    _check(document, source)
    table: dict[str, Any] = dict(document[CLIENT])
    table |= {name: tuple(table.get(name, ())) for name in ("start", "service", "network")}
    words = (*table["start"], *table["service"])
    for name in ("enterprise", "site"):
        if name not in table and not any(f"{{{name}}}" in word for word in words):
            raise ConfigurationError(
                f"{source}: {CLIENT}.{name}: is missing; give the client's value, or pass it with {{{name}}} in start"
            )
    if "{networks}" in words and not table["network"]:
        raise ConfigurationError(f"{source}: {CLIENT}.network: is missing; give the arguments for each of {{networks}}")
    table |= {name: table[name].lower() for name in ("enterprise", "site") if name in table}
    return ClientFacts(**table)


def _check(document: dict[str, Any], source: str) -> None:
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{source}: {wrong}")
