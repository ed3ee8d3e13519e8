"""Role ``router`` of the IUT protocol over the concrete router of the reference (MS-MQBR 3.1)."""

from collections.abc import Callable
from inspect import signature
from typing import Final

from mqconform.harness.iut.interface import ROUTING_FAILED, Json
from mqconform.harness.iut.protocol import SCHEMA
from mqconform.harness.iut.role import Capability, Role, offer, operations_of
from mqconform.harness.iut.smoke_calls import DIRECTORY, HERE, SITE, THERE, Call
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.schema_text import published
from mqconform.reference.mqbr.router import ReferenceRouter
from mqconform.reference.mqbr.router import RoutingAttemptFails as NoNextHop
from mqconform.reference.mqbr.specification import FACTS

OPERATIONS: Final = {
    name: tuple(signature(getattr(ReferenceRouter, name)).parameters)[1:] for name in operations_of(RoleName.ROUTER)
}
"""Operation -> its parameters: a router has a method of the same name for each."""
RESULTS: Final = {
    name: next(iter(published(SCHEMA)["$defs"][f"router.{name}.result"].get("properties", ())), "")
    for name in OPERATIONS
}
"""Operation -> the one field of its result, empty where it has none."""
GUIDS: Final = frozenset({"local", "source", "destination", "machine", "site"})
"""Parameters that are compared whatever their case."""


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

    def perform(self, name: str, params: Json) -> Json:
        """Perform an operation: that of the router."""
        values = (params[field].lower() if field in GUIDS else params[field] for field in OPERATIONS[name])
        answer, field = getattr(self.router, name)(*values), RESULTS[name]
        return {field: answer} if field else {}

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops (3.1.5.1).

        Raises:
            RoutingAttemptFailed: there is none.
        """
        try:
            return self.perform("get_next_hops", {"source": source, "destination": destination})
        except NoNextHop as error:
            raise RoutingAttemptFailed(str(error)) from error


offer(ReferenceRouterRole, OPERATIONS)
ROLE = Role(
    RoleName.ROUTER,
    "MQBR",
    "18.0",
    folder="mqbr",
    reference=ReferenceRouterRole,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.PROCEDURES, Capability.DIRECTORY_FAULTS),
    cheap=(
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
