"""Facts files of the servers in a capture: how each is configured (docs/facts-file.md)."""

import ipaddress
import json
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema

from mqconform.harness.records.printable import shortened, visible
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reports.pipeline.captures.settings import HostFacts
from mqconform.reports.pipeline.problems import UnusableInput

MOST_OCTETS: Final = 2**20
MOST_SERVERS: Final = 127
"""Configurations that a row of a conversation can tell apart."""
SHOWN: Final = 200


def facts_of(given: Iterable[str]) -> tuple[HostFacts, ...]:
    """Read ``FILE`` or ``ADDRESS=FILE`` for each server whose configuration is known.

    Raises:
        UnusableInput: a file cannot be read, is no facts file of a server, or an address is none.
    """
    found = tuple(_host_facts(one) for one in given)
    if len(found) > MOST_SERVERS:
        raise UnusableInput(f"--facts was given {len(found)} times; {MOST_SERVERS} servers can be told apart")
    addresses = [facts.address for facts in found]
    if len(set(addresses)) < len(addresses):
        raise UnusableInput("--facts was given twice for one server; put ADDRESS= before each file")
    return found


def _host_facts(given: str) -> HostFacts:
    head, equals, rest = given.partition("=")
    if not equals or not _is_address(head):
        return HostFacts(None, _server(Path(given)))
    address = ipaddress.ip_address(head)
    number = int(address) | 0xFFFF << 32 if address.version == 4 else int(address)
    return HostFacts((number >> 64, number & (1 << 64) - 1), _server(Path(rest)))


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _server(path: Path) -> DiscoveryServer:
    document = _document(path)
    table = document.get("discovery_server")
    if table is None:
        raise UnusableInput(f"{path}: has no table [discovery_server]; a capture is judged by the facts of its servers")
    return DiscoveryServer(
        guid_from_text(table["enterprise"]),
        guid_from_text(table["site"]),
        tuple(guid_from_text(one) for one in table["connected_networks"]),
        tuple(DirectoryServer(one["name"], one["ip"], one["ipx"]) for one in table["directory_servers"]),
    )


def _document(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            octets = file.read(MOST_OCTETS + 1)
    except OSError as error:
        raise UnusableInput(f"{path}: {error.strerror or error}; name a facts file that can be read") from error
    if len(octets) > MOST_OCTETS:
        raise UnusableInput(f"{path}: is larger than {MOST_OCTETS} octets; this is no facts file")
    try:
        document = tomllib.loads(octets.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise UnusableInput(f"{path}: is not TOML: {shortened(visible(str(error)), SHOWN)}") from error
    schema = json.loads(files("mqconform.features").joinpath("schemas", "facts.schema.json").read_text("utf-8"))
    wrong = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(document))
    if wrong is not None:
        where = ".".join(map(str, wrong.absolute_path)) or "the file"
        raise UnusableInput(f"{path}: {where}: {shortened(visible(wrong.message), SHOWN)}")
    return document
