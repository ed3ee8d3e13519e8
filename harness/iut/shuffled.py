"""The reference with all that is left open shuffled by a seed: order of the directory, of replies, ties and gates.

All of it conforms, so no verdict may change with the seed; where one does, a scenario leans on an order or a choice
that the text leaves to implementations.
"""

import random
from typing import Any

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.harness.iut.role import RolePart
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqbr.router import ReferenceRouter, seeded
from mqconform.reference.mqsd.faults.reply_parts import Asked, right_reply, units
from mqconform.reference.mqsd.faults.server_rules import written
from mqconform.reference.mqsd.server import Network


class ShuffledRouterRole(ReferenceRouterRole):
    """Holds its directory in an order of its own and makes open choices by chance.

    Args:
        seed: the same gives the same order and choices.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        super().__init__(lambda: ReferenceRouter(seeded(seed)))

    def load_directory(self, directory: Json) -> Json:
        """Take over the whole directory, shuffled."""
        return super().load_directory(shuffled(directory, self._rng))

    def change_directory(self, directory: Json) -> Json:
        """Change the directory's content, shuffled anew."""
        return super().change_directory(shuffled(directory, self._rng))

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops in another order."""
        hops = super().get_next_hops(source, destination)["next_hops"]
        return {"next_hops": self._rng.sample(hops, len(hops))}

    def routing_table(self) -> Json:
        """Show the table, its rows shuffled."""
        rows = super().routing_table()["rows"]
        return {"rows": self._rng.sample(rows, len(rows))}


class ShuffledServer(ReferenceDiscoveryServer):
    """Lists networks and names in an order of its own each time (register SD-26)."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        super().__init__()

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Return the reply with its lists shuffled."""
        if self.server is None:
            return []
        parts = right_reply(Asked(self.server, network, datagram))
        if parts is None:
            return []
        parts = parts.with_networks(self._rng.sample(parts.networks, len(parts.networks)))
        if parts.foreign and parts.servers:
            parts = parts.with_array(units(written(tuple(self._rng.sample(parts.servers, len(parts.servers))))))
        return [parts.octets()]


class ShuffledReference(ReferenceIut):
    """All roles of the reference, shuffled by one seed."""

    def __init__(self, seed: int) -> None:
        self.name = f"mqconform reference, shuffled by {seed}"
        self._seed = seed
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        """Return the role as the seed shuffles it."""
        match role:
            case RoleName.ROUTER:
                return ShuffledRouterRole(self._seed)
            case RoleName.DISCOVERY_SERVER:
                return ShuffledServer(self._seed)
            case RoleName.DISCOVERY_CLIENT:
                return ReferenceDiscoveryClient(seed=self._seed)
            case _:
                return super().make(role)


def shuffled(directory: Any, rng: random.Random) -> Any:
    """Return a directory with every list of it in another order."""
    match directory:
        case dict():
            return {key: shuffled(value, rng) for key, value in directory.items()}
        case list():
            return [shuffled(member, rng) for member in rng.sample(directory, len(directory))]
    return directory
