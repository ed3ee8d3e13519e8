"""What a client and a server of discovery go through together, the same in each cell for one seed."""

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


def scenario_named(name: str, seed: int, client: ClientFacts | None) -> Scenario:
    """Return a scenario, its identifiers drawn; a client that is configured for good keeps its enterprise and site."""

    def drawn(what: str) -> str:
        return guid_of("matrix", f"{seed} {name} {what}")

    def server(site: str, change: str = "") -> ServerFacts:
        networks = tuple(drawn(f"network {number}{change}") for number in range(3))
        names = tuple(DirectoryServerFact(directory_server, ip=True, ipx=False) for directory_server in NAMES)
        return ServerFacts((client and client.enterprise) or drawn("enterprise"), site, networks, names)

    site = (client and client.site) or drawn("site of the client")
    match name:
        case "own-site":  # found at once; then the server's networks change, and it is found again
            servers = (server(site), server(site, " after the change"))
            return Scenario(name, (FIRST,), FIRST, servers, site, learns=False)
        case "other-site":  # the client takes its lists over if no other server answers for 15 seconds
            foreign = server(drawn("site of the server"))
            return Scenario(name, (FIRST,), FIRST, (foreign,), site, learns=True)
        case "second-network":  # no server is on the first network: after 15 seconds the client asks on the second
            return Scenario(name, (FIRST, SECOND), SECOND, (server(site),), site, learns=False)
    raise ValueError(f"there is no scenario {name}")
