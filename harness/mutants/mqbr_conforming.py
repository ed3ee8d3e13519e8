"""Routers unlike the reference that conform all the same: what the text, or the register, leaves to a router."""

from collections.abc import Callable
from typing import Any

from mqconform.harness.builtin.router import ReferenceRouterRole
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqbr_mutant import Hops, RouterMutant, SteppedRouter, routing
from mqconform.reference.directory.elements import QueueManager, Site
from mqconform.reference.mqbr.procedures import RoutingAttemptFails
from mqconform.reference.mqbr.router import ReferenceRouter, last, seeded


class RefusesWithAnotherCode(Exception):
    """There is no next hop, said in a way of its own."""

    code = -32050


class ShoutingRole(ReferenceRouterRole):
    """Writes every GUID in upper case."""

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops."""
        return _upper(super().get_next_hops(source, destination))

    def routing_table(self) -> Json:
        """Show the table."""
        return _upper(super().routing_table())

    def get_routing_server(self, machine: str) -> Json:
        """Return a routing server."""
        return _upper(super().get_routing_server(machine))

    def get_site_gate(self, machine: str) -> Json:
        """Return a gate of the machine's site."""
        return _upper(super().get_site_gate(machine))

    def get_site_gate_for_site(self, site: str) -> Json:
        """Return a gate of the site."""
        return _upper(super().get_site_gate_for_site(site))


class EmptyListRole(ReferenceRouterRole):
    """Answers "no route" with an empty list."""

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops, or none."""
        try:
            return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
        except RoutingAttemptFails:
            return {"next_hops": []}


class OtherCodeRole(ReferenceRouterRole):
    """Answers "no route" with an error code of its own."""

    def get_next_hops(self, source: str, destination: str) -> Json:
        """Return the next hops."""
        try:
            return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
        except RoutingAttemptFails as error:
            raise RefusesWithAnotherCode(str(error)) from error


class ListsReversed(SteppedRouter):
    """Lists of routing servers are answered in the opposite order."""

    def answered(self, source: str, destination: str, hops: Hops) -> list[str]:
        """Turn round."""
        return super().answered(source, destination, hops[::-1])


class NoOwnRow(SteppedRouter):
    """The table has no row for the router's own site."""

    def initialize_routing_table(self, local: str) -> None:
        """Drop the row."""
        super().initialize_routing_table(local)
        machine = self.get_queue_manager(local)
        for site in machine.site_identifier_list if machine else ():
            self.table.pop(site, None)


class AllGates(SteppedRouter):
    """All gates of a site are answered, not one."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """List the gates of the own site."""
        return self._with_others(super().get_next_hops_for_plain_router(source, destination), source, destination)

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """List the gates of the next site."""
        return self._with_others(super().get_next_hops_for_site_gate(source, destination), source, destination)

    def _with_others(self, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
        direct = source.identifier in destination.in_routing_server_identifier_list
        if direct or source.shares_a_site_with(destination) or not hops or hops == [None]:
            return hops
        gates = [
            site.site_gate_collection for site in self.view.directory.sites if hops[0] in site.site_gate_collection
        ]
        return [*gates[0]] if gates else hops


class AllRoutingServers(SteppedRouter):
    """All routing servers of a client's site are answered, not one."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """List them."""
        if source.out_routing_server_identifier_list or source.shares_a_site_with(destination):
            return super().get_next_hops_for_client(source, destination)
        return [one.identifier for one in self.view.directory.routing_servers_sharing_a_site(source)]


class GateOfAnotherOwnSite(SteppedRouter):
    """A router of several sites prefers one that has gates."""

    def get_site_gate(self, machine: str) -> Any:
        """Pass over sites without gates."""
        member, sites = self.get_queue_manager(machine), self.get_directory_data(Site)
        own = member.site_identifier_list if member else ()
        gates = [site.site_gate_collection for site in sites or () if site.identifier in own]
        return next((each[0] for each in gates if each), None)


def _upper(answer: Json) -> Json:
    def raised(value: Any) -> Any:
        if isinstance(value, str):
            return value.upper()
        if isinstance(value, list):
            return [raised(one) for one in value]
        return {key: raised(one) for key, one in value.items()} if isinstance(value, dict) else value

    return {key: raised(value) for key, value in answer.items()}


def _choosing(name: str, says: str, *entries: str, of: Callable[[str, int], int] = last) -> RouterMutant:
    """Return the router that makes some of the open choices, named by their register entries, in another way."""

    def policy(choice: str, options: int) -> int:
        return of(choice, options) if choice in entries or not entries else 0

    return RouterMutant(name, says, lambda: ReferenceRouterRole(lambda: ReferenceRouter(policy)))


VARIANTS = (
    _choosing("last-gate", "The last gate of a site is chosen.", "BR-28"),
    _choosing("other-routing-server", "The last routing server of a site is chosen.", "BR-23"),
    _choosing("other-own-site", "The last own site supplies the gate.", "BR-30"),
    _choosing("other-tie", "Of equal routes another one is taken.", "BR-39"),
    _choosing("other-match", "Of several matching rows the first stands.", "BR-45"),
    _choosing("dearer-of-parallel-links", "Of parallel links the dearest counts.", "BR-41"),
    _choosing("other-root", "A gate of several sites takes the last for its root.", "BR-38"),
    _choosing("last-of-everything", "Whatever is left open goes to the last."),
    _choosing("seeded-gate", "Gates are spread by chance.", "BR-28", of=seeded(8)),
    _choosing("seeded-choices", "Whatever is left open is spread by chance.", of=seeded(11)),
    routing("lists-reversed", ListsReversed),
    routing("no-own-row", NoOwnRow),
    routing("all-gates", AllGates),
    routing("all-routing-servers", AllRoutingServers),
    routing("gate-of-a-site-with-gates", GateOfAnotherOwnSite),
    RouterMutant("guids-in-upper-case", "GUIDs are answered in upper case.", ShoutingRole),
    RouterMutant("no-route-is-an-empty-list", "No route is an empty list.", EmptyListRole),
    RouterMutant("no-route-is-another-error", "No route is an error of another code.", OtherCodeRole),
)
