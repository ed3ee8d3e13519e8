"""The discovery server of a scenario: what it is configured with, as facts and as the model sees it."""

import random
import re
from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.interface import DirectoryServerFact, Iut, Json, NotApplicable, ServerFacts
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer

# The identifiers of the protocol examples (MS-MQSD 4); they differ in one octet of Data1.
EXAMPLE_ENTERPRISE = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
EXAMPLE_SITE = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
EXAMPLE_NETWORK = "e6eaba62-d1c6-11db-baac-0003ff4e2d22"
EXAMPLE_CLIENT_SITE = "dcc51bf6-d4ad-4543-8739-71568e8f9128"

EXAMPLE = ServerFacts(
    EXAMPLE_ENTERPRISE, EXAMPLE_SITE, (EXAMPLE_NETWORK,), (DirectoryServerFact("nt4pec", ip=True, ipx=False),)
)
# Three networks and three names of different lengths: enough to tell "all" from "first", "last" and "sorted".
USUAL = ServerFacts(
    "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9",
    "11121314-1516-1718-191a-1b1c1d1e1f20",
    (
        "c1c2c3c4-c5c6-c7c8-c9ca-cbcccdcecfd0",
        "a1a2a3a4-a5a6-a7a8-a9aa-abacadaeafb0",
        "b1b2b3b4-b5b6-b7b8-b9ba-bbbcbdbebfc0",
    ),
    (
        DirectoryServerFact("PSC-WEST", ip=True, ipx=False),
        DirectoryServerFact("BSC1", ip=True, ipx=True),
        DirectoryServerFact("archive01", ip=False, ipx=True),
    ),
)


_PLAIN = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9-]{1,15}", re.ASCII)


def is_plain_name(name: str) -> bool:
    """Tell whether a name is one that any server takes: a plain computer name of NetBIOS (MS-MQSD 3.1.7.1)."""
    return _PLAIN.fullmatch(name) is not None


def facts_of(params: Json) -> ServerFacts:
    """Return what parameters of ``discovery_server.configure`` say, GUIDs in lower case."""
    return ServerFacts(
        enterprise=params["enterprise"].lower(),
        site=params["site"].lower(),
        connected_networks=tuple(map(str.lower, params["connected_networks"])),
        directory_servers=tuple(DirectoryServerFact(**server) for server in params["directory_servers"]),
    )


def model_of(facts: ServerFacts) -> DiscoveryServer:
    """Return the reference model's view of a configuration."""
    return DiscoveryServer(
        guid_from_text(facts.enterprise),
        guid_from_text(facts.site),
        tuple(guid_from_text(network) for network in facts.connected_networks),
        tuple(DirectoryServer(server.name, server.ip, server.ipx) for server in facts.directory_servers),
    )


def with_networks(count: int, rng: random.Random) -> ServerFacts:
    """Return the usual configuration with another number of connected networks."""
    networks = tuple(guid_text(rng.randbytes(16)) for _ in range(count))
    return replace(USUAL, connected_networks=networks)


def with_names(names: list[str]) -> ServerFacts:
    """Return the usual configuration with another server list; the flags go through all permitted pairs."""
    flags = ((True, False), (True, True), (False, True))
    servers = (DirectoryServerFact(name, *flags[at % 3]) for at, name in enumerate(names))
    return replace(USUAL, directory_servers=tuple(servers))


def configured(iut: Iut, facts: ServerFacts, fits: Callable[[ServerFacts], bool], described: str) -> ServerFacts:
    """Bring the server into a configuration, or take the one it has where the harness cannot configure it.

    Raises:
        NotApplicable: it cannot be configured and what it has does not fit.
    """
    if iut.facts is None:
        iut.call("discovery_server.configure", facts.params())
        return facts
    if not fits(iut.facts):
        raise NotApplicable(f"needs {described}; the facts file states another configuration")
    return iut.facts
