"""Generated inputs of discovery servers: configurations, and datagrams that are right, odd, or damaged."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.subjects import with_one_less, with_one_plainer
from mqconform.harness.iut.drivers.discovery_server.requests import Draft
from mqconform.harness.iut.interface import DirectoryServerFact, ServerFacts
from mqconform.harness.iut.server_configurations import EXAMPLE_ENTERPRISE
from mqconform.harness.judge.mqsd_server.generators import GUIDS, configurations, malformed, requests
from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.specification import FACTS

MOST_DATAGRAMS: Final = 4
TOO_MANY: Final = 33
"""Connected networks beyond what a reply may list."""


@dataclass(frozen=True)
class DiscoveryServerInput:
    """A configuration and the datagrams that arrive, in order, over IP."""

    facts: ServerFacts
    datagrams: tuple[bytes, ...]


@st.composite
def discovery_server_inputs(draw: st.DrawFn, fixed: ServerFacts | None = None) -> DiscoveryServerInput:
    """Draw an input; of the configuration that is fixed where servers cannot be given another."""
    facts = fixed or draw(_configured())
    enterprise, site = guid_from_text(facts.enterprise), guid_from_text(facts.site)
    right = requests(enterprise, site)
    strangers = requests(guid_from_text(EXAMPLE_ENTERPRISE), site)
    plain = Draft(enterprise, draw(GUIDS), site).octets()
    datagrams = st.one_of(
        right.map(Draft.octets), right.map(Draft.octets), strangers.map(Draft.octets), malformed(plain), _changed(plain)
    )
    return DiscoveryServerInput(facts, tuple(draw(st.lists(datagrams, min_size=1, max_size=MOST_DATAGRAMS))))


@st.composite
def _configured(draw: st.DrawFn) -> ServerFacts:
    """Draw a configuration, seldom one of those that fit no reply (register SD-21, SD-24)."""
    facts = draw(configurations())
    match draw(st.integers(0, 9)):
        case 8:
            return replace(facts, connected_networks=())
        case 9:
            return replace(facts, directory_servers=())
        case _:
            return facts


def _changed(right: bytes) -> st.SearchStrategy[bytes]:
    """Return a right request with one octet changed."""
    return st.tuples(st.integers(0, len(right) - 1), st.integers(0, 255)).map(
        lambda drawn: right[: drawn[0]] + bytes([drawn[1]]) + right[drawn[0] + 1 :]
    )


def smaller_inputs(given: DiscoveryServerInput, *, fixed: bool) -> Iterator[DiscoveryServerInput]:
    """Yield inputs with less in them; the configuration stays where it is fixed."""
    for datagrams in with_one_less(given.datagrams):
        yield replace(given, datagrams=datagrams)
    if not fixed:
        for facts in _smaller_facts(given.facts):
            yield replace(given, facts=facts)
    for datagrams in with_one_plainer(given.datagrams, _plainer):
        yield replace(given, datagrams=datagrams)


def _smaller_facts(facts: ServerFacts) -> Iterator[ServerFacts]:
    networks, servers = facts.connected_networks, facts.directory_servers
    if len(networks) > 1:
        yield replace(facts, connected_networks=networks[:1])
        yield replace(facts, connected_networks=networks[: len(networks) // 2])
        yield replace(facts, connected_networks=networks[1:])
    if len(servers) > 1:
        yield replace(facts, directory_servers=servers[:1])
        yield replace(facts, directory_servers=servers[1:])
    taken = {server.name for server in servers}
    for fewer in with_one_plainer(servers, lambda server: _shorter_named(server, taken)):
        yield replace(facts, directory_servers=fewer)


def _shorter_named(server: DirectoryServerFact, taken: Collection[str]) -> Iterator[DirectoryServerFact]:
    for name in ("A", server.name[:1], server.name[: len(server.name) // 2]):
        if name and name not in taken and len(name) <= len(server.name):
            yield replace(server, name=name)


def _plainer(datagram: bytes) -> Iterator[bytes]:
    if len(datagram) > FACTS.request_size:
        yield datagram[: FACTS.request_size]
    if len(datagram) > 1 and len(datagram) < FACTS.request_size:
        yield datagram[: len(datagram) // 2]
    for at, plain in ((0, 0), (2, 0), (3, 0)):
        if len(datagram) > at and datagram[at] != plain:
            yield datagram[:at] + bytes([plain]) + datagram[at + 1 :]
