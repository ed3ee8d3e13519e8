"""Faulty routers: looking up queue managers, routing servers and gates (MS-MQBR 3.1.5.4 to 3.1.5.8)."""

from collections.abc import Sequence

from mqconform.harness.mutants.mqbr_mutant import SteppedRouter, routing
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site

EVERYTHING = ("MQBR-3",)
OUT_OF_THE_SITE = ("MQBR-3.1.5", "MQBR-3.1.3.1", "MQBR-3.1.1.2-01", "MQBR-3.1.2", "MQBR-3.1.3", "MQBR-3.1.6.1-01")
"""What is seen through a message that leaves its site."""


class UnknownIsTheFirst(SteppedRouter):
    """An unknown identifier gets the record of the first queue manager."""

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        """Answer with the first."""
        machines = self.get_directory_data(QueueManager)
        return super().get_queue_manager(machine) or (machines[0] if machines else None)


class TheRecordBefore(SteppedRouter):
    """A queue manager gets the In list of the one that stands before it."""

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        """Be off by one."""
        machines = self.get_directory_data(QueueManager) or ()
        found = super().get_queue_manager(machine)
        return machines[max(machines.index(found) - 1, 0)] if found in machines else found


class ServerForUnknown(SteppedRouter):
    """For an unknown queue manager the first routing server of all is found."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Not need the record."""
        if self.get_queue_manager(machine) is None:
            return next((one.identifier for one in self.view.directory.queue_managers if one.routing_server), None)
        return super().get_routing_server(machine)


class AnyMachineIsAServer(SteppedRouter):
    """GetRoutingServer does not look at RoutingServer."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Take the first queue manager of the site."""
        client = self.get_queue_manager(machine)
        found = self.get_directory_data(QueueManager) or ()
        return next((one.identifier for one in found if client and one.shares_a_site_with(client)), None)


class AnySiteWillDo(SteppedRouter):
    """GetRoutingServer does not look at sites."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Take the first routing server."""
        found = self.get_directory_data(QueueManager) or ()
        known = self.get_queue_manager(machine)
        return next((one.identifier for one in found if known and one.routing_server), None)


class ServerOfTheFirstSite(SteppedRouter):
    """GetRoutingServer looks in the client's first site only."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Compare one site."""
        client = self.get_queue_manager(machine)
        first = client.site_identifier_list[:1] if client else ()
        found = self.get_directory_data(QueueManager) or ()
        servers = (one.identifier for one in found if one.routing_server and set(first) & set(one.site_identifier_list))
        return next(servers, None)


class ClientIsItsServer(SteppedRouter):
    """GetRoutingServer answers with the client's identifier."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Assign the wrong one."""
        client = self.get_queue_manager(machine)
        return client.identifier if client and super().get_routing_server(machine) else None


class SeveralServersNone(SteppedRouter):
    """GetRoutingServer finds nothing where it does not stop at the first."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Lose what was found when the search goes on."""
        client = self.get_queue_manager(machine)
        servers = self.view.directory.routing_servers_sharing_a_site(client) if client else ()
        return super().get_routing_server(machine) if len(servers) == 1 else None


class ServerFromElsewhere(SteppedRouter):
    """A client without a routing server in its site gets one of another site."""

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Look further."""
        elsewhere = (one.identifier for one in self.view.directory.queue_managers if one.routing_server)
        known = self.get_queue_manager(machine)
        return super().get_routing_server(machine) or (next(elsewhere, None) if known else None)


class GateForUnknown(SteppedRouter):
    """For an unknown queue manager the gate of the first site is found."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Not need the record."""
        sites = self.get_directory_data(Site)
        if self.get_queue_manager(machine) is None and sites:
            return self.one_gate_of(sites[0])
        return super().get_site_gate(machine)


class GateWithoutSites(SteppedRouter):
    """Where no site is read a routing server of the site stands in for the gate."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Make do without sites."""
        if self.get_directory_data(Site) is None:
            return self.get_routing_server(machine)
        return super().get_site_gate(machine)


class GateOfTheFirstSite(SteppedRouter):
    """GetSiteGate takes the first site of all for the queue manager's own."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Not compare sites."""
        sites = self.get_directory_data(Site)
        return self.one_gate_of(sites[0]) if sites and self.get_queue_manager(machine) else None


class AnyServerIsAGate(SteppedRouter):
    """GetSiteGate answers with a routing server of the site that is no gate."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Prefer who is no gate."""
        gate, member = super().get_site_gate(machine), self.get_queue_manager(machine)
        servers = self.view.directory.routing_servers_sharing_a_site(member) if member and gate else ()
        return next((one.identifier for one in servers if not self.is_site_gate(one.identifier)), gate)


class SeveralSitesNone(SteppedRouter):
    """GetSiteGate finds nothing where it does not stop at the first own site."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Lose what was found when the search goes on."""
        member = self.get_queue_manager(machine)
        several = member is not None and len(self.view.directory.sites_of(member)) > 1
        return None if several else super().get_site_gate(machine)


class ServerForGate(SteppedRouter):
    """GetSiteGate answers with a routing server where the site has no gate."""

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Make do without a gate."""
        sites = self.get_directory_data(Site)
        return super().get_site_gate(machine) or (self.get_routing_server(machine) if sites else None)


class GateOfTheFirstSiteForSite(SteppedRouter):
    """GetSiteGateForSite takes the first site of all for the one asked for."""

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Not filter."""
        sites = self.get_directory_data(Site)
        known = sites and site in {one.identifier for one in sites}
        return self.one_gate_of(sites[0]) if sites and known else None


class GateOfAnUnknownSite(SteppedRouter):
    """GetSiteGateForSite answers for an unknown site with a gate of the first."""

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Fall back."""
        sites = self.get_directory_data(Site) or ()
        if site in {one.identifier for one in sites} or not sites:
            return super().get_site_gate_for_site(site)
        return self.one_gate_of(sites[0])


class SeveralGatesNone(SteppedRouter):
    """A next site with several gates yields none."""

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Be able to take the only one."""
        found = super().get_site_gate_for_site(site)
        several = any(one.identifier == site and len(one.site_gate_collection) > 1 for one in self.view.directory.sites)
        return None if several else found


class ServerForGateOfSite(SteppedRouter):
    """A routing server stands in for the gate of a next site without gates."""

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Make do without a gate."""
        servers = [one for one in self.view.directory.queue_managers if one.routing_server]
        there = [one.identifier for one in servers if site in one.site_identifier_list]
        return super().get_site_gate_for_site(site) or (there[0] if there else None)


class _Gates(SteppedRouter):
    """A router with gates of another kind."""

    def is_site_gate(self, machine: str) -> int:
        """Return 1 for a gate, in a sense of its own."""
        sites = self.get_directory_data(Site) or ()
        return int(self.counts(self.get_queue_manager(machine), machine, sites))

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Tell whether a machine is a gate."""
        raise NotImplementedError


class UnknownGate(_Gates):
    """A listed gate is one even if the directory does not know it."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Not need the record."""
        listed = any(machine in site.site_gate_collection for site in sites)
        return listed if found is None else bool(super(_Gates, self).is_site_gate(machine))


class ClientGate(_Gates):
    """IsSiteGate does not look at RoutingServer."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Believe the list."""
        own = found.site_identifier_list if found else ()
        return any(site.identifier in own and machine in site.site_gate_collection for site in sites)


class GateWithoutAnySite(_Gates):
    """Where no site is read every routing server is a gate."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Presume."""
        if not sites:
            return found is not None and found.routing_server
        return bool(super(_Gates, self).is_site_gate(machine))


class GateOfAForeignSite(_Gates):
    """A gate of any site is a gate."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Not compare sites."""
        listed = any(machine in site.site_gate_collection for site in sites)
        return listed and found is not None and found.routing_server


class AnyServerIsGate(_Gates):
    """Every routing server of a site is its gate."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Not look at the gates."""
        del machine
        own = found.site_identifier_list if found and found.routing_server else ()
        return any(site.identifier in own for site in sites)


class OnlyTheFirstGate(_Gates):
    """Only the first gate of a site is one."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Look at one."""
        own = found.site_identifier_list if found and found.routing_server else ()
        return any(site.identifier in own and machine in site.site_gate_collection[:1] for site in sites)


class GateOfItsFirstSite(_Gates):
    """Only a gate of the first of its sites is one."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Look at one site."""
        own = found.site_identifier_list[:1] if found and found.routing_server else ()
        return any(site.identifier in own and machine in site.site_gate_collection for site in sites)


class NobodyIsGate(_Gates):
    """IsSiteGate always answers 0."""

    def counts(self, found: QueueManager | None, machine: str, sites: Sequence[Site]) -> bool:
        """Deny."""
        del found, machine, sites
        return False


def _ids(section: int, *branches: str) -> tuple[str, ...]:
    return tuple(f"MQBR-3.1.5.{section}-{branch}" for branch in branches)


MUTANTS = (
    routing("unknown-is-the-first", UnknownIsTheFirst, _ids(4, "02", "B01"), OUT_OF_THE_SITE),
    routing("the-record-before", TheRecordBefore, _ids(4, "01", "B02"), EVERYTHING),
    routing("server-for-unknown", ServerForUnknown, _ids(5, "B01", "B02")),
    routing("any-machine-is-a-server", AnyMachineIsAServer, _ids(5, "B05"), ("MQBR-3.1.5",)),
    routing("server-of-any-site", AnySiteWillDo, _ids(5, "B05"), ("MQBR-3.1.5",)),
    routing("server-of-the-first-site", ServerOfTheFirstSite, _ids(5, "B05")),
    routing("client-is-its-server", ClientIsItsServer, _ids(5, "B06", "01"), ("MQBR-3.1.5",)),
    routing("several-servers-none", SeveralServersNone, _ids(5, "B07"), ("MQBR-3.1.5",)),
    routing("server-from-elsewhere", ServerFromElsewhere, _ids(5, "02"), ("MQBR-3.1.5.1",)),
    routing("gate-for-unknown", GateForUnknown, _ids(6, "B01", "B02")),
    routing("gate-without-sites", GateWithoutSites, _ids(6, "B03", "B04"), OUT_OF_THE_SITE),
    routing("gate-of-the-first-site", GateOfTheFirstSite, _ids(6, "B05"), OUT_OF_THE_SITE),
    routing("any-server-for-gate", AnyServerIsAGate, _ids(6, "B06", "01"), OUT_OF_THE_SITE),
    routing("several-sites-none", SeveralSitesNone, _ids(6, "B07")),
    routing("server-for-missing-gate", ServerForGate, _ids(6, "02"), OUT_OF_THE_SITE),
    routing("first-site-for-next", GateOfTheFirstSiteForSite, _ids(7, "B01"), OUT_OF_THE_SITE),
    routing("gate-of-an-unknown-site", GateOfAnUnknownSite, _ids(7, "B01", "B02")),
    routing("several-gates-none", SeveralGatesNone, _ids(7, "B03", "01"), OUT_OF_THE_SITE),
    routing("server-for-missing-next-gate", ServerForGateOfSite, _ids(7, "02"), _ids(7, "B01", "B02")),
    routing("unknown-gate", UnknownGate, _ids(8, "B01", "B02")),
    routing("client-gate", ClientGate, _ids(8, "B03", "B04")),
    routing("gate-where-no-site-is", GateWithoutAnySite, _ids(8, "B05", "B06"), _ids(6, "B03", "B04")),
    routing("gate-of-a-foreign-site", GateOfAForeignSite, _ids(8, "B07", "02"), OUT_OF_THE_SITE),
    routing("any-server-is-gate", AnyServerIsGate, _ids(8, "B08", "02"), OUT_OF_THE_SITE),
    routing("only-the-first-gate", OnlyTheFirstGate, _ids(8, "B09", "01"), OUT_OF_THE_SITE),
    routing("gate-of-its-first-site", GateOfItsFirstSite, _ids(8, "B09")),
    routing("nobody-is-gate", NobodyIsGate, _ids(8, "01", "B09"), EVERYTHING),
)
