"""Facts files of the servers in a capture: how each is configured (docs/facts-file.md)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_toml
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reports.pipeline.arrow_columns import pair_of
from mqconform.reports.pipeline.captures.judging import HostFacts
from mqconform.reports.pipeline.problems import UnusableInput

MOST_OCTETS: Final = 2**20
MOST_SERVERS: Final = 127
"""Configurations that a row of a conversation can tell apart."""


def facts_of(options: Iterable[str]) -> tuple[HostFacts, ...]:
    """Read ``FILE`` or ``ADDRESS=FILE`` for each server whose configuration is known.

    Raises:
        UnusableInput: a file cannot be read, is not a facts file of a server, or an address is none.
    """
    hosts = tuple(_host_facts(option) for option in options)
    if len(hosts) > MOST_SERVERS:
        raise UnusableInput(f"--facts was given {len(hosts)} times; {MOST_SERVERS} servers can be distinguished")
    addresses = [facts.address for facts in hosts]
    if len(set(addresses)) < len(addresses):
        raise UnusableInput("--facts was given twice for one server; put ADDRESS= before each file")
    return hosts


def _host_facts(option: str) -> HostFacts:
    head, equals, rest = option.partition("=")
    try:
        address = pair_of(head) if equals else None
    except ValueError:
        address = None
    return HostFacts(address, _server(Path(rest if address else option)))


def _server(path: Path) -> DiscoveryServer:
    document = _document(path)
    table = document.get("discovery_server")
    if table is None:
        raise UnusableInput(f"{path}: has no table [discovery_server]; a capture is judged by the facts of its servers")
    return DiscoveryServer(
        guid_from_text(table["enterprise"]),
        guid_from_text(table["site"]),
        tuple(guid_from_text(network) for network in table["connected_networks"]),
        tuple(DirectoryServer(server["name"], server["ip"], server["ipx"]) for server in table["directory_servers"]),
    )


def _document(path: Path) -> dict[str, Any]:
    judge = validator("facts")
    assert judge is not None
    try:
        document = read_toml(path, MOST_OCTETS, "a facts file")
    except ConfigurationError as error:
        raise UnusableInput(visible(str(error))) from error
    if wrong := complaint(judge, document, ""):
        raise UnusableInput(f"{path}: {visible(wrong)}")
    return document
