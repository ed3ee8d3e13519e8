"""Look-ups in the directory (MS-MQBR 3.1.5.4 to 3.1.5.9), each answering with the set of allowed outcomes.

``None`` stands for the specification's Nothing. The directory is read live at each call; only the routing table is
kept (3.1.3.1).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from mqconform.reference.allowed import Allowed, Alternative, Reading, Step, choice, one_of, settled, vary
from mqconform.reference.directory.elements import Element, QueueManager, QueueManagerId, Site, SiteId
from mqconform.reference.directory.reading import (
    AttributeFilter,
    DirectoryOperationResult,
    DirectoryView,
    Operator,
    ReadEvent,
    read_directory,
)
from mqconform.reference.mqbr import readings

T = TypeVar("T")


def step(procedure: str, section: str, note: str, *branches: str) -> Step:
    """Return a step of a derivation; ``branches`` are what the requirement ids end in, such as ``B05``."""
    return Step(procedure, section, tuple(f"MQBR-{section}-{branch}" for branch in branches), note)


_CANNOT_BEGIN = step("GetDirectoryData", "3.1.5.9", "the reading cannot begin: Nothing", "B01", "B02")
_BROKE_OFF = step("GetDirectoryData", "3.1.5.9", "the reading broke off: Nothing", "B03", "B06", "B07")
_NO_MATCH = step("GetDirectoryData", "3.1.5.9", "no object matches: Nothing", "B03")
_READ = step("GetDirectoryData", "3.1.5.9", "all matching objects were read", "B03", "B04", "B05")

_FOUND = step("GetQueueManager", "3.1.5.4", "the directory holds the queue manager", "B01", "B02")
_NOT_FOUND = step("GetQueueManager", "3.1.5.4", "the directory yields no such queue manager", "B01", "02")

_NO_CLIENT = step("GetRoutingServer", "3.1.5.5", "unknown queue manager: Nothing", "B01", "B02")
_NO_MACHINES = step("GetRoutingServer", "3.1.5.5", "no queue manager could be read: Nothing", "B03", "B04")
_NO_SERVER = step("GetRoutingServer", "3.1.5.5", "no routing server shares a site: Nothing", "B05", "02")
_SERVER = step("GetRoutingServer", "3.1.5.5", "a routing server that shares a site", "B05", "B06", "B07")

_NO_MEMBER = step("GetSiteGate", "3.1.5.6", "unknown queue manager: Nothing", "B01", "B02")
_NO_SITES = step("GetSiteGate", "3.1.5.6", "no site could be read: Nothing", "B03", "B04")
_NO_OWN_SITE = step("GetSiteGate", "3.1.5.6", "the queue manager belongs to no site: Nothing", "B05", "02")
_OWN_SITE = step("GetSiteGate", "3.1.5.6", "one of the gates of an own site", "B05", "B06", "B07")
GATELESS_OWN_SITE = step("GetSiteGate", "3.1.5.6", "the own site has no gate: Nothing", "B05", "B07", "02")

_NO_SUCH_SITE = step("GetSiteGateForSite", "3.1.5.7", "unknown site: Nothing", "B01", "B02")
_SITE_GATE = step("GetSiteGateForSite", "3.1.5.7", "one of the gates of the site", "B01", "B03")
GATELESS_SITE = step("GetSiteGateForSite", "3.1.5.7", "the site has no gate: Nothing", "B01", "02")

_UNKNOWN = step("IsSiteGate", "3.1.5.8", "unknown queue manager: 0", "B01", "B02")
_NO_ROUTER = step("IsSiteGate", "3.1.5.8", "no routing server: 0", "B03", "B04")
_SITELESS = step("IsSiteGate", "3.1.5.8", "no site could be read: 0", "B05", "B06")
_GATE = step("IsSiteGate", "3.1.5.8", "among the gates of an own site: 1", "B07", "B08", "B09")
_NO_GATE = step("IsSiteGate", "3.1.5.8", "among the gates of no own site: 0", "B07", "B08", "02")


def get_directory_data(
    view: DirectoryView, element: type[Element], filters: tuple[AttributeFilter, ...] = ()
) -> Allowed[tuple[Element, ...] | None]:
    """Return all objects of a type that satisfy every filter (GetDirectoryData, MS-MQBR 3.1.5.9).

    Args:
        view: the directory and what fails in it.
        element: Site, RoutingLink or QueueManager; its name is the DataElementType parameter.
        filters: the FilterArray parameter; empty and Nothing both mean all objects (BR-20).

    Returns:
        The objects in the order of enumeration; Nothing alike where none matches (BR-15) and where the reading fails.

    Raises:
        UnusableFilter: if a filter does not fit the type.
    """
    event, result, elements = read_directory(view, element, filters)
    if event is not ReadEvent.END and result is DirectoryOperationResult.GENERIC_ERROR:
        return settled(None, _CANNOT_BEGIN if event is ReadEvent.BEGIN else _BROKE_OFF)
    # RequestedData begins as Nothing, and stays that where no object is added to it (3.1.5.9).
    return settled(elements, _READ) if elements else settled(None, _NO_MATCH)


def get_queue_manager(view: DirectoryView, machine_id: QueueManagerId) -> Allowed[QueueManager | None]:
    """Return the queue manager record of an identifier, Nothing without one (GetQueueManager, MS-MQBR 3.1.5.4)."""

    def first(machines: tuple[QueueManager, ...] | None) -> Allowed[QueueManager | None]:
        if machines is None:
            return settled(None, _NOT_FOUND)
        return _first_or_other(machines, readings.FIRST_OBJECT, readings.ANOTHER_OBJECT, _FOUND)

    by_identifier = AttributeFilter("Identifier", Operator.EQUALS, machine_id)
    return get_directory_data(view, QueueManager, (by_identifier,)).then(first)


def get_routing_server(view: DirectoryView, machine_id: QueueManagerId) -> Allowed[QueueManagerId | None]:
    """Return a routing server that shares a site with a queue manager (GetRoutingServer, MS-MQBR 3.1.5.5)."""

    def for_machine(machine: QueueManager | None) -> Allowed[QueueManagerId | None]:
        if machine is None:
            return settled(None, _NO_CLIENT)
        return get_directory_data(view, QueueManager).then(lambda machines: sharing_a_site(machine, machines))

    def sharing_a_site(
        machine: QueueManager, machines: tuple[QueueManager, ...] | None
    ) -> Allowed[QueueManagerId | None]:
        if machines is None:
            return settled(None, _NO_MACHINES)
        # A gate is no exception here: it is a routing server like any other (3.1.5.5; BR-63).
        servers = [server.identifier for server in view.directory.routing_servers_sharing_a_site(machine)]
        if not servers:
            return settled(None, _NO_SERVER)
        return _first_or_other(servers, readings.FIRST_MATCH, readings.ANOTHER_MATCH, _SERVER)

    return get_queue_manager(view, machine_id).then(for_machine)


def get_site_gate(view: DirectoryView, machine_id: QueueManagerId) -> Allowed[QueueManagerId | None]:
    """Return a gate of the first own site found of a queue manager (GetSiteGate, MS-MQBR 3.1.5.6).

    The search ends at the first own site even if that has no gate, and which one is first is open (BR-30).
    """

    def for_machine(machine: QueueManager | None) -> Allowed[QueueManagerId | None]:
        if machine is None:
            return settled(None, _NO_MEMBER)
        return get_directory_data(view, Site).then(lambda sites: of_own_site(machine, sites))

    def of_own_site(machine: QueueManager, sites: tuple[Site, ...] | None) -> Allowed[QueueManagerId | None]:
        if sites is None:
            return settled(None, _NO_SITES)
        first_or_other = [(readings.ANOTHER_OWN_SITE, site) for site in view.directory.sites_of(machine)]
        if not first_or_other:
            return settled(None, _NO_OWN_SITE)
        # The loop over the sites breaks at the first own one, gates or not (3.1.5.6).
        first_or_other[0] = (readings.FIRST_OWN_SITE, first_or_other[0][1])
        gates = choice(
            (reading, gates_of(view, site, _OWN_SITE, GATELESS_OWN_SITE)) for reading, site in first_or_other
        )
        return replace(gates, alternatives=tuple(map(_gateless, gates.alternatives)))

    return get_queue_manager(view, machine_id).then(for_machine)


def get_site_gate_for_site(view: DirectoryView, site_id: SiteId) -> Allowed[QueueManagerId | None]:
    """Return one of the gates of a site, Nothing without one (GetSiteGateForSite, MS-MQBR 3.1.5.7)."""

    def of_found(sites: tuple[Site, ...] | None) -> Allowed[QueueManagerId | None]:
        if sites is None:
            return settled(None, _NO_SUCH_SITE)
        gates = [gates_of(view, site, _SITE_GATE, GATELESS_SITE) for site in sites]
        return choice(
            (readings.FIRST_OBJECT if place == 0 else readings.ANOTHER_OBJECT, gate) for place, gate in enumerate(gates)
        )

    by_identifier = AttributeFilter("Identifier", Operator.EQUALS, site_id)
    return get_directory_data(view, Site, (by_identifier,)).then(of_found)


def is_site_gate(view: DirectoryView, machine_id: QueueManagerId) -> Allowed[int]:
    """Return 1 for a routing server among the gates of one of its own sites, else 0 (IsSiteGate, MS-MQBR 3.1.5.8)."""

    def for_machine(machine: QueueManager | None) -> Allowed[int]:
        if machine is None:
            return settled(0, _UNKNOWN)
        if not machine.routing_server:
            return settled(0, _NO_ROUTER)
        return get_directory_data(view, Site).then(lambda sites: among_gates(machine, sites))

    def among_gates(machine: QueueManager, sites: tuple[Site, ...] | None) -> Allowed[int]:
        if sites is None:
            return settled(0, _SITELESS)
        # Here alone a gate has to be a router and a member of the site; the two getters take what is listed.
        own = view.directory.sites_of(machine)
        return (
            settled(1, _GATE) if any(machine_id in site.site_gate_collection for site in own) else settled(0, _NO_GATE)
        )

    return get_queue_manager(view, machine_id).then(for_machine)


def gates_of(view: DirectoryView, site: Site, gated: Step, gateless: Step) -> Allowed[QueueManagerId | None]:
    """Return one of the SiteGateCollection of a site, Nothing of an empty one (3.1.5.6, 3.1.5.7; BR-28, BR-29).

    A listed machine that is no member of the site (BR-32), or no router (BR-31), may be passed over.
    """
    machines = view.directory.queue_managers_by_identifier
    outside, non_routers = set(), set()
    for gate in site.site_gate_collection:
        listed = machines.get(gate, ())
        if not any(site.identifier in machine.site_identifier_list for machine in listed):
            outside.add(gate)
        if listed and not any(machine.routing_server for machine in listed):
            non_routers.add(gate)

    def under(chosen: tuple[Reading, ...]) -> Allowed[QueueManagerId | None]:
        passed_over = (outside if readings.OUTSIDE_GATE_LEFT_OUT in chosen else set()) | (
            non_routers if readings.NON_ROUTER_LEFT_OUT in chosen else set()
        )
        gates = [gate for gate in dict.fromkeys(site.site_gate_collection) if gate not in passed_over]
        return one_of(gates, readings.ANY_GATE, gated) if gates else settled(None, gateless)

    dimensions = [(readings.OUTSIDE_GATE_USED, readings.OUTSIDE_GATE_LEFT_OUT)] if outside else []
    if non_routers:
        dimensions.append((readings.NON_ROUTER_CHOSEN, readings.NON_ROUTER_LEFT_OUT))
    return vary(tuple(dimensions), under)


def _gateless(alternative: Alternative[QueueManagerId | None]) -> Alternative[QueueManagerId | None]:
    """Return an outcome of another own site than the first with the reading that fits it (BR-30)."""
    if alternative.outcome is not None or readings.ANOTHER_OWN_SITE not in alternative.readings:
        return alternative
    return replace(
        alternative, readings=alternative.readings - {readings.ANOTHER_OWN_SITE} | {readings.GATELESS_OWN_SITE}
    )


def _first_or_other(candidates: Sequence[T], first: Reading, other: Reading, reason: Step) -> Allowed[T]:
    """Return any of the objects found, the first in the order of enumeration under another reading than the rest."""
    return choice(
        (first if place == 0 else other, settled(candidate, reason)) for place, candidate in enumerate(candidates)
    )
