"""Role ``router`` of the IUT protocol over the concrete router of the reference (MS-MQBR 3.1)."""

from collections.abc import Callable

from mqconform.harness.iut.interface import ROUTING_FAILED, Json
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import DIRECTORY, HERE, SITE, THERE, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqbr.router import ReferenceRouter
from mqconform.reference.mqbr.router import RoutingAttemptFails as NoNextHop
from mqconform.reference.mqbr.specification import FACTS


class RoutingAttemptFailed(Exception):
    """There is no next hop; adapters turn the code into an error answer."""

    code = ROUTING_FAILED


class ReferenceRouterRole:
    """One queue manager that routes, behind the operations of the protocol.

    Args:
        make: creates a router in its initial state; a wrong router is another class.
    """

    def __init__(self, make: Callable[[], ReferenceRouter] = ReferenceRouter) -> None:
        self._make = make
        self.router = make()

    def reset(self) -> None:
        """Reset to the initial state."""
        self.router = self._make()

    def load_directory(self, directory: Json) -> Json:
        """Take over the whole directory; nothing is computed yet."""
        self.router.load_directory(directory)
        return {}

    def initialize(self, local: str) -> Json:
        """Become a queue manager and initialise its RoutingTable (3.1.3)."""
        self.router.initialize(local.lower())
        return {}

    def change_directory(self, directory: Json) -> Json:
        """Change the directory's content; the RoutingTable stays."""
        self.router.change_directory(directory)
        return {}

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass."""
        self.router.advance_clock(seconds)
        return {}

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops (3.1.5.1).

        Raises:
            RoutingAttemptFailed: there is none.
        """
        try:
            return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
        except NoNextHop as error:
            raise RoutingAttemptFailed(str(error)) from error

    def routing_table(self) -> Json:
        """Show the RoutingTable (3.1.1.2)."""
        return {"rows": self.router.routing_table()}

    def is_site_gate(self, machine: str) -> Json:
        """Return 1 for a site gate, else 0 (3.1.5.8)."""
        return {"value": self.router.is_site_gate(machine.lower())}

    def get_routing_server(self, machine: str) -> Json:
        """Return a routing server that shares a site (3.1.5.5)."""
        return {"value": self.router.get_routing_server(machine.lower())}

    def get_site_gate(self, machine: str) -> Json:
        """Return a gate of the queue manager's site (3.1.5.6)."""
        return {"value": self.router.get_site_gate(machine.lower())}

    def get_site_gate_for_site(self, site: str) -> Json:
        """Return a gate of a site (3.1.5.7)."""
        return {"value": self.router.get_site_gate_for_site(site.lower())}

    def fail_directory(self, object_type: str, at: str | None) -> Json:
        """Let readings of an object type fail, or heal them."""
        self.router.fail_directory(object_type, at)
        return {}


ROLE = Role(
    RoleName.ROUTER,
    "MQBR",
    "18.0",
    folder="mqbr",
    reference=ReferenceRouterRole,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.PROCEDURES, Capability.DIRECTORY_FAULTS),
    smoke_calls=calls_of(
        RoleName.ROUTER,
        Call("load_directory", {"directory": DIRECTORY}),
        Call("initialize", {"local": HERE}),
        Call("get_next_hops", {"source": HERE, "destination": THERE}),
        Call("routing_table", optional=True),
        Call("is_site_gate", {"machine": HERE}, capability="procedures"),
        Call("get_routing_server", {"machine": HERE}, capability="procedures"),
        Call("get_site_gate", {"machine": HERE}, capability="procedures"),
        Call("get_site_gate_for_site", {"site": SITE}, capability="procedures"),
        Call("fail_directory", {"object_type": "Site", "at": None}, capability="directory-faults"),
        Call("change_directory", {"directory": DIRECTORY}),
        Call("advance_clock", {"seconds": FACTS.query_timer}, capability="virtual-clock"),
    ),
    inputs="router:RouterInputs",
    drivers=("router",),
    models=("mqbr", "directory"),
)
