"""What every task of an audit of captures has to know."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reports.pipeline.storage import Place


class HostFacts(NamedTuple):
    """How a server is configured, and which server that is."""

    address: tuple[int, int] | None
    """The address as two numbers, IPv4 as mapped into IPv6; None for every server."""
    server: DiscoveryServer


class AuditSettings(NamedTuple):
    """What every task of an audit has to know."""

    staging: Place
    ports: tuple[int, ...]
    """Ports on which servers listen."""
    severities: bytes
    """What each rule of the wire weighs in the profile."""
    facts: tuple[HostFacts, ...]
    buckets: int
    """Among how many tasks conversations are divided."""

    def server_of(self, addresses: Any) -> Int32s:
        """Return for each address, of two numbers, which of the facts are about it; -1 where none are."""
        return known_servers(self.facts, addresses)


def known_servers(facts: Sequence[HostFacts], addresses: Any) -> Int32s:
    """Return for each address, of two numbers, which of some facts are about it; -1 where none are."""
    numbers = np.full(len(addresses), -1, np.int32)
    for number, host in enumerate(facts):
        if host.address is None:
            numbers[numbers < 0] = number
    for number, host in enumerate(facts):
        if host.address is not None:
            high, low = host.address
            numbers[(addresses[:, 0] == np.uint64(high)) & (addresses[:, 1] == np.uint64(low))] = number
    return numbers
