"""Faulty routers: looking up queue managers, routing servers and gates (MS-MQBR 3.1.5.4 to 3.1.5.8)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from mqconform.harness.iut.mutants.mqbr.stepped_router import SteppedRouter, procedure, router
from mqconform.harness.iut.mutants.mutant import with_answers
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site, SiteId


def _sites(self: SteppedRouter) -> tuple[Site, ...]:
    return self.get_directory_data(Site) or ()


def _first(machines: Iterable[QueueManager]) -> QueueManagerId | None:
    return next((machine.identifier for machine in machines), None)


def _record_before(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    machines = self.get_directory_data(QueueManager) or ()
    return machines[max(machines.index(record) - 1, 0)] if record in machines else record


def _servers_of_site(self: SteppedRouter, machine: str) -> tuple[QueueManager, ...]:
    member = self.get_queue_manager(machine)
    return self.view.directory.routing_servers_sharing_a_site(member) if member else ()


def _first_that(serves: Callable[[QueueManager, QueueManager], bool]) -> Callable[..., QueueManagerId | None]:
    def get_routing_server(self: SteppedRouter, server: str | None, machine: str) -> QueueManagerId | None:
        client, machines = self.get_queue_manager(machine), self.get_directory_data(QueueManager) or ()
        return _first(server for server in machines if client and serves(client, server))

    return get_routing_server


def _in_first_site(client: QueueManager, server: QueueManager) -> bool:
    first_site = client.site_identifier_list[:1]
    return server.routing_server and not {*first_site}.isdisjoint(server.site_identifier_list)


def _of_servers_first_site(client: QueueManager, server: QueueManager) -> bool:
    return server.routing_server and not {*server.site_identifier_list[:1]}.isdisjoint(client.site_identifier_list)


def _gate_of_first_site(self: SteppedRouter) -> QueueManagerId | None:
    return next((self.one_gate_of(site) for site in _sites(self)), None)


def _no_gate(self: SteppedRouter, gate: QueueManagerId | None, machine: str) -> QueueManagerId | None:
    servers = _servers_of_site(self, machine) if gate else ()
    return _first(server for server in servers if not self.is_site_gate(server.identifier)) or gate


def _only_own_site(self: SteppedRouter, gate: QueueManagerId | None, machine: str) -> QueueManagerId | None:
    member = self.get_queue_manager(machine)
    return None if member and len(self.view.directory.sites_of(member)) > 1 else gate


def _known(self: SteppedRouter, site: str) -> bool:
    return site in {record.identifier for record in _sites(self)}


def _only_gate(self: SteppedRouter, gate: QueueManagerId | None, site: SiteId) -> QueueManagerId | None:
    sites = self.view.directory.sites_by_identifier.get(site, ())
    return None if any(len(record.site_gate_collection) > 1 for record in sites) else gate


def _own(machine: QueueManager, site: Site) -> bool:
    return site.identifier in machine.site_identifier_list


def _listed(machine: QueueManager, site: Site) -> bool:
    return machine.identifier in site.site_gate_collection


def _gate_where(counts: Callable[[QueueManager, Site], bool]) -> Callable[..., int]:
    def is_site_gate(self: SteppedRouter, answer: int, machine: str) -> int:
        record = self.get_queue_manager(machine)
        return int(record is not None and any(counts(record, site) for site in _sites(self)))

    return is_site_gate


def _unknown_gate(self: SteppedRouter, answer: int, machine: str) -> int:
    listed = any(machine in site.site_gate_collection for site in _sites(self))
    return int(listed and self.get_queue_manager(machine) is None) or answer


def _gate_without_sites(self: SteppedRouter, answer: int, machine: str) -> int:
    record = self.get_queue_manager(machine)
    return answer if _sites(self) else int(record is not None and record.routing_server)


def _records(self: SteppedRouter, machine: str) -> tuple[QueueManager, ...]:
    return tuple(member for member in self.get_directory_data(QueueManager) or () if member.identifier == machine)


def _joined(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    listed = (server for record in _records(self, machine) for server in record.in_routing_server_identifier_list)
    return record and replace(record, in_routing_server_identifier_list=tuple(dict.fromkeys(listed)))


def _alike(part: slice) -> Callable[..., QueueManager | None]:
    def first_alike(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
        machines = self.get_directory_data(QueueManager) or ()
        return record and next(member for member in machines if member.identifier[part] == machine[part])

    return first_alike


class ByCase(SteppedRouter):
    """A router for which an identifier in upper case is another one."""

    def load_directory(self, directory: Any) -> None:
        lists = "sites", "in_routing_servers", "out_routing_servers"
        machines = [
            machine | {key: [guid for guid in machine.get(key, ()) if guid == guid.lower()] for key in lists}
            for machine in directory["queue_managers"]
        ]
        super().load_directory({**directory, "queue_managers": machines})


class RecordsReadOnce(SteppedRouter):
    """A router that reads the record of a queue manager when it is first asked for it, and never again."""

    def initialize(self, local: str) -> None:
        self.records: dict[str, QueueManager | None] = {}
        super().initialize(local)

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        return self.records.setdefault(machine, super().get_queue_manager(machine))


_get_queue_manager = partial(procedure, "3.1.5.4", with_answers, "get_queue_manager")
_get_routing_server = partial(procedure, "3.1.5.5", with_answers, "get_routing_server")
_get_site_gate = partial(procedure, "3.1.5.6", with_answers, "get_site_gate")
_get_site_gate_for_site = partial(procedure, "3.1.5.7", with_answers, "get_site_gate_for_site")
_is_site_gate = partial(procedure, "3.1.5.8", with_answers, "is_site_gate")

MUTANTS = (
    _get_queue_manager(
        "unknown-is-the-first",
        "An unknown identifier gets the record of the first queue manager.",
        lambda self, record, _: record or next(iter(self.get_directory_data(QueueManager) or ()), None),
        "02 B01",
    ),
    _get_queue_manager(
        "the-record-before", "A queue manager gets the In list of the one that stands before it.", _record_before, "01"
    ),
    _get_queue_manager(
        "no-record-of-two",
        "Of two records with one identifier none is used.",
        lambda self, record, machine: record if len(_records(self, machine)) < 2 else None,
        "B02",
    ),
    _get_queue_manager(
        "records-joined", "Records with one identifier are joined to one with the In lists of all.", _joined, "B02"
    ),
    *(
        _get_queue_manager(f"guids-by-{name}", says, _alike(part), "B01")
        for name, says, part in (
            ("all-but-the-first-octet", "The first octet of an identifier is not compared.", slice(2, None)),
            ("eight-digits", "The first four octets of an identifier are compared, no more.", slice(8)),
            ("all-but-the-last-octet", "The last octet of an identifier is not compared.", slice(-2)),
        )
    ),
    router("3.1.5.4", "guids-by-case", "Identifiers that differ in case are different.", ByCase, "B01"),
    router("3.1.5.4", "queue-managers-read-once", "A record that was read once stays in use.", RecordsReadOnce, "01"),
    _get_routing_server(
        "server-for-unknown",
        "For an unknown queue manager the first routing server of all is found.",
        lambda self, server, machine: server if self.get_queue_manager(machine) else _first(self.routing_servers),
        "B01 B02",
    ),
    _get_routing_server(
        "any-machine-is-a-server",
        "GetRoutingServer does not look at RoutingServer.",
        _first_that(lambda client, server: server.shares_a_site_with(client)),
        "B05",
    ),
    _get_routing_server(
        "server-of-any-site",
        "GetRoutingServer does not look at sites.",
        _first_that(lambda client, server: server.routing_server),
        "B05",
    ),
    _get_routing_server(
        "server-of-the-first-site",
        "GetRoutingServer looks in the client's first site only.",
        _first_that(_in_first_site),
        "B05",
    ),
    _get_routing_server(
        "server-by-its-first-site",
        "GetRoutingServer looks at the first site of each server only.",
        _first_that(_of_servers_first_site),
        "B05",
    ),
    _get_routing_server(
        "client-is-its-server",
        "GetRoutingServer answers with the client's identifier.",
        lambda self, server, machine: server and machine,
        "B06 01",
    ),
    _get_routing_server(
        "several-servers-none",
        "GetRoutingServer finds nothing where it does not stop at the first.",
        lambda self, server, machine: server if len(_servers_of_site(self, machine)) == 1 else None,
        "B07",
    ),
    _get_routing_server(
        "server-from-elsewhere",
        "A client without a routing server in its site gets one of another site.",
        lambda self, server, machine: (
            server or (_first(self.routing_servers) if self.get_queue_manager(machine) else None)
        ),
        "02",
    ),
    _get_site_gate(
        "gate-for-unknown",
        "For an unknown queue manager the gate of the first site is found.",
        lambda self, gate, machine: gate if self.get_queue_manager(machine) else _gate_of_first_site(self),
        "B01 B02",
    ),
    _get_site_gate(
        "gate-without-sites",
        "Where no site is read a routing server of the site stands in for the gate.",
        lambda self, gate, machine: gate if _sites(self) else self.get_routing_server(machine),
        "B03 B04",
    ),
    _get_site_gate(
        "gate-of-the-first-site",
        "GetSiteGate takes the first site of all for the queue manager's own.",
        lambda self, gate, machine: _gate_of_first_site(self) if self.get_queue_manager(machine) else None,
        "B05",
    ),
    _get_site_gate(
        "any-server-for-gate",
        "GetSiteGate answers with a routing server of the site that is no gate.",
        _no_gate,
        "B06 01",
    ),
    _get_site_gate(
        "several-sites-none",
        "GetSiteGate finds nothing where it does not stop at the first own site.",
        _only_own_site,
        "B07",
    ),
    _get_site_gate(
        "server-for-missing-gate",
        "GetSiteGate answers with a routing server where the site has no gate.",
        lambda self, gate, machine: gate or (self.get_routing_server(machine) if _sites(self) else None),
        "02",
    ),
    _get_site_gate_for_site(
        "first-site-for-next",
        "GetSiteGateForSite takes the first site of all for the one asked for.",
        lambda self, gate, site: _gate_of_first_site(self) if _known(self, site) else None,
        "B01",
    ),
    _get_site_gate_for_site(
        "gate-of-an-unknown-site",
        "GetSiteGateForSite answers for an unknown site with a gate of the first.",
        lambda self, gate, site: gate if _known(self, site) else _gate_of_first_site(self),
        "B01 B02",
    ),
    _get_site_gate_for_site("several-gates-none", "A next site with several gates yields none.", _only_gate, "B03 01"),
    _get_site_gate_for_site(
        "server-for-missing-next-gate",
        "A routing server stands in for the gate of a next site without gates.",
        lambda self, gate, site: gate or _first(self.view.directory.routing_servers_by_site.get(site, ())),
        "02",
    ),
    _is_site_gate(
        "unknown-gate", "A listed gate is one even if the directory does not know it.", _unknown_gate, "B01 B02"
    ),
    _is_site_gate(
        "client-gate",
        "IsSiteGate does not look at RoutingServer.",
        _gate_where(lambda machine, site: _own(machine, site) and _listed(machine, site)),
        "B03 B04",
    ),
    _is_site_gate(
        "gate-where-no-site-is", "Where no site is read every routing server is a gate.", _gate_without_sites, "B05 B06"
    ),
    _is_site_gate(
        "gate-of-a-foreign-site",
        "A gate of any site is a gate.",
        _gate_where(lambda machine, site: machine.routing_server and _listed(machine, site)),
        "B07 02",
    ),
    _is_site_gate(
        "any-server-is-gate",
        "Every routing server of a site is its gate.",
        _gate_where(lambda machine, site: machine.routing_server and _own(machine, site)),
        "B08 02",
    ),
    _is_site_gate(
        "only-the-first-gate",
        "Only the first gate of a site is one.",
        _gate_where(
            lambda machine, site: (
                machine.routing_server and _own(machine, site) and machine.identifier in site.site_gate_collection[:1]
            )
        ),
        "B09 01",
    ),
    _is_site_gate(
        "gate-of-its-first-site",
        "Only a gate of the first of its sites is one.",
        _gate_where(
            lambda machine, site: (
                machine.routing_server
                and _listed(machine, site)
                and site.identifier in machine.site_identifier_list[:1]
            )
        ),
        "B09",
    ),
    _is_site_gate("nobody-is-gate", "IsSiteGate always answers 0.", lambda *_: 0, "01 B09"),
)
