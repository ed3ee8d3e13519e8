"""What a client and a server of discovery go through together, the same in each cell for one seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from mqconform.harness.iut.interface import ClientFacts, DirectoryServerFact, ServerFacts
from mqconform.harness.judge.mqbr.named_enterprise import guid_of
from mqconform.reference.mqsd.specification import FACTS

FIRST, SECOND = "10.0.1.0", "10.0.2.0"
NAMES: Final = ("PSC-WEST", "bsc1", "archive-of-the-north-01")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A client searches once for each configuration of its server.

    Attributes:
        networks: of the client's computer, in its order.
        with_server: the one that the server is on.
        servers: what the server is configured with, one search after the other.
        site: of the client.
        learns: whether every reading has the client learn the server's lists.
    """

    name: str
    networks: tuple[str, ...]
    with_server: str
    servers: tuple[ServerFacts, ...]
    site: str
    learns: bool

    @property
    def seconds(self) -> int:
        """How long one search takes at most, by the text."""
        return FACTS.response_timeout * (len(self.networks) + 1)


@dataclass(frozen=True, slots=True)
class _Drawer:
    """Draws identifiers, and takes those that the client has anyway."""

    seed: int
    name: str
    enterprise: str
    site: str

    def guid(self, what: str) -> str:
        return guid_of("matrix", f"{self.seed} {self.name} {what}")

    def server(self, site: str, change: str = "") -> ServerFacts:
        networks = tuple(self.guid(f"network {number}{change}") for number in range(3))
        names = tuple(DirectoryServerFact(name, ip=True, ipx=False) for name in NAMES)
        return ServerFacts(self.enterprise or self.guid("enterprise"), site, networks, names)

    @property
    def client_site(self) -> str:
        return self.site or self.guid("site of the client")


def _own_site(draw: _Drawer) -> Scenario:
    """Server and client are of one site: found at once; then the server's networks change, and it is found again."""
    site = draw.client_site
    servers = (draw.server(site), draw.server(site, " after the change"))
    return Scenario("own-site", (FIRST,), FIRST, servers, site, learns=False)


def _other_site(draw: _Drawer) -> Scenario:
    """The server is of another site: the client takes its lists over, once nobody else has answered for 15 seconds."""
    server = draw.server(draw.guid("site of the server"))
    return Scenario("other-site", (FIRST,), FIRST, (server,), draw.client_site, learns=True)


def _second_network(draw: _Drawer) -> Scenario:
    """Nobody is on the first network: after 15 seconds the client asks on the second."""
    site = draw.client_site
    return Scenario("second-network", (FIRST, SECOND), SECOND, (draw.server(site),), site, learns=False)


_MADE: Final[Mapping[str, Callable[[_Drawer], Scenario]]] = {
    "own-site": _own_site,
    "other-site": _other_site,
    "second-network": _second_network,
}


def scenario_named(name: str, seed: int, client: ClientFacts | None) -> Scenario:
    """Return a scenario; a client that is configured for good keeps its enterprise and site."""
    enterprise, site = (client.enterprise, client.site) if client else ("", "")
    return _MADE[name](_Drawer(seed, name, enterprise, site))
