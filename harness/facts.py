"""Facts files: what an implementation that the harness cannot configure is configured with (TOML)."""

import tomllib
from pathlib import Path
from typing import Any

from mqconform.harness.iut import ConfigurationError, DirectoryServerFact, ServerFacts
from mqconform.harness.schema_text import complaint, validator

SCHEMA = "facts"
MAX_FACTS = 1024 * 1024
"""Largest facts file that is read, in octets; real ones have a few hundred."""


def load_facts(path: str | Path) -> ServerFacts:
    """Read a facts file.

    Raises:
        ConfigurationError: it cannot be read, is no TOML, or a field is wrong; the message names file and field.
    """
    return server_facts(parsed(Path(path)), str(path))


def parsed(path: Path) -> dict[str, Any]:
    """Return the TOML document in a file."""
    try:
        with path.open("rb") as file:
            octets = file.read(MAX_FACTS + 1)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}; name a facts file that can be read") from error
    if len(octets) > MAX_FACTS:
        raise ConfigurationError(f"{path}: is larger than {MAX_FACTS} octets; this is no facts file")
    try:
        return tomllib.loads(octets.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: octet {error.start} is not UTF-8; save the file as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        # ValueError: tomllib passes on what int() says of a number with thousands of digits
        raise ConfigurationError(f"{path}: is not TOML: {error}") from error


def server_facts(document: dict[str, Any], source: str) -> ServerFacts:
    """Return the facts in a document that was read from ``source``."""
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, document, "")):
        raise ConfigurationError(f"{source}: {wrong}")
    table = document["discovery_server"]
    servers = table["directory_servers"]
    return ServerFacts(
        enterprise=table["enterprise"].lower(),
        site=table["site"].lower(),
        connected_networks=tuple(one.lower() for one in table["connected_networks"]),
        directory_servers=tuple(DirectoryServerFact(one["name"], one["ip"], one["ipx"]) for one in servers),
    )
