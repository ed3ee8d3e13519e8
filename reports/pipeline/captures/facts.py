"""Facts files of the servers in a capture: how each is configured (docs/facts-file.md)."""

from collections.abc import Iterable
from typing import Final

from mqconform.harness.iut.facts import load_facts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import ConfigurationError
from mqconform.reports.pipeline.arrow_columns import pair_of
from mqconform.reports.pipeline.captures.judging import HostFacts
from mqconform.reports.pipeline.problems import UnusableInput

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
    try:
        return HostFacts(address, model_of(load_facts(rest if address else option)))
    except ConfigurationError as error:
        raise UnusableInput(visible(str(error))) from error
