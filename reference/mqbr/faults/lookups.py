"""Faults of routers in looking up queue managers and gates, and in reading the directory (MS-MQBR 3.1.5.4-9)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site, SiteId
from mqconform.reference.directory.reading import OBJECT_TYPES, AttributeFilter, ReadEvent, read_directory
from mqconform.reference.mqbr.faults.stepped_router import SteppedRouter, answers, fault, replaced


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


class KeepsLastRecord(SteppedRouter):
    """A router that answers with the record found before where it finds none."""

    found: QueueManager | None = None

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        self.found = super().get_queue_manager(machine) or self.found
        return self.found


Objects: TypeAlias = tuple[Any, ...] | None


def despite(fault: ReadEvent, part: slice = slice(None)) -> Callable[..., Objects]:
    """Return a reading that a fault does not stop, or not before some of its objects."""

    def objects(self: SteppedRouter, answer: Objects, element: type[Any], *filters: AttributeFilter) -> Objects:
        if (element.__name__, fault) not in self.view.faults:
            return answer
        _, _, records = read_directory(replace(self.view, faults=frozenset()), element, filters)
        return records[part] or None

    return objects


def _old_data(self: SteppedRouter, object_type: str, at: str | None) -> None:
    if at != ReadEvent.BEGIN:
        SteppedRouter.fail_directory(self, object_type, at)


def _part(*bounds: int | None) -> Callable[..., Objects]:
    part = slice(*bounds)
    return lambda self, answer, element, *filters: answer if filters or not answer else answer[part] or None


def _others(self: SteppedRouter, answer: Objects, element: type[Any], *filters: AttributeFilter) -> Objects:
    everything = SteppedRouter.get_directory_data(self, element)
    if not filters or not everything or not answer:
        return answer
    return tuple(thing for thing in everything if thing not in answer) or None


def _member_of_site(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    machines = self.get_directory_data(QueueManager) or ()
    return record or next((member for member in machines if machine in member.site_identifier_list), None)


def _fail_all_types(self: SteppedRouter, object_type: str, at: str | None) -> None:
    for name in OBJECT_TYPES:
        SteppedRouter.fail_directory(self, name, at)


def _raise_without_match(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    if record is None and self.get_directory_data(Site) is not None:
        raise LookupError(f"no queue manager has the identifier {machine}")
    return record


# Laid out as a table: name, what it breaks, what it does, the changed rule.
LOOKUPS = (
    fault("unknown-is-the-first", "3.1.5.4-02 3.1.5.4-B01",
        "An unknown identifier gets the record of the first queue manager.",
        answers(get_queue_manager=
            lambda self, record, _: record or next(iter(self.get_directory_data(QueueManager) or ()), None))),
    fault("unknown-is-the-last-found", "3.1.5.4-02 3.1.5.4-B01",
        "An unknown identifier gets the record that was found last.", KeepsLastRecord),
    fault("the-record-before", "3.1.5.4-01", "A queue manager gets the record of its predecessor.",
        answers(get_queue_manager=_record_before)),
    fault("no-record-of-two", "3.1.5.4-B02", "Of two records with one identifier none is used.",
        answers(get_queue_manager=lambda self, record, machine: record if len(_records(self, machine)) < 2 else None)),
    fault("records-joined", "3.1.5.4-B02", "Records with one identifier are joined to one with the In lists of all.",
        answers(get_queue_manager=_joined)),
    fault("guids-by-eight-digits", "3.1.5.4-B01", "The first four octets of an identifier are compared, no more.",
        answers(get_queue_manager=_alike(slice(8)))),
    fault("guids-by-all-but-the-last-octet", "3.1.5.4-B01", "The last octet of an identifier is not compared.",
        answers(get_queue_manager=_alike(slice(-2)))),
    fault("guids-by-case", "3.1.5.4-B01", "Identifiers that differ in case are different.", ByCase),
    fault("queue-managers-read-once", "3.1.5.4-01", "A record that was read once stays in use.", RecordsReadOnce),
    fault("server-for-unknown", "3.1.5.5-B01 3.1.5.5-B02",
        "For an unknown queue manager the first routing server of all is found.",
        answers(get_routing_server=
            lambda self, server, machine: server if self.get_queue_manager(machine) else _first(self.routing_servers))),
    fault("any-machine-is-a-server", "3.1.5.5-B05", "GetRoutingServer does not look at RoutingServer.",
        answers(get_routing_server=_first_that(lambda client, server: server.shares_a_site_with(client)))),
    fault("server-of-any-site", "3.1.5.5-B05", "GetRoutingServer does not look at sites.",
        answers(get_routing_server=_first_that(lambda client, server: server.routing_server))),
    fault("server-of-the-first-site", "3.1.5.5-B05", "GetRoutingServer looks in the client's first site only.",
        answers(get_routing_server=_first_that(_in_first_site))),
    fault("server-by-its-first-site", "3.1.5.5-B05", "GetRoutingServer looks at the first site of each server only.",
        answers(get_routing_server=_first_that(_of_servers_first_site))),
    fault("gates-serve-no-clients", "3.1.5.5-B05 3.1.5.5-01", "GetRoutingServer passes over site gates.",
        answers(get_routing_server=lambda self, _, machine: _first(
            server for server in _servers_of_site(self, machine) if not self.is_site_gate(server.identifier)))),
    fault("client-is-its-server", "3.1.5.5-B06 3.1.5.5-01", "GetRoutingServer answers with the client's identifier.",
        answers(get_routing_server=lambda self, server, machine: server and machine)),
    fault("several-servers-none", "3.1.5.5-B07", "GetRoutingServer finds nothing where it does not stop at the first.",
        answers(get_routing_server=
            lambda self, server, machine: server if len(_servers_of_site(self, machine)) == 1 else None)),
    fault("server-from-elsewhere", "3.1.5.5-02",
        "A client without a routing server in its site gets one of another site.",
        answers(get_routing_server=
            lambda self, server, machine: server
            or (self.get_queue_manager(machine) and _first(self.routing_servers)))),
    fault("client-for-missing-server", "3.1.5.5-02",
        "Where there is no routing server GetRoutingServer answers with the client's identifier.",
        answers(get_routing_server=lambda self, server, machine: server or machine)),
    fault("gate-for-unknown", "3.1.5.6-B01 3.1.5.6-B02",
        "For an unknown queue manager the gate of the first site is found.",
        answers(get_site_gate=
            lambda self, gate, machine: gate if self.get_queue_manager(machine) else _gate_of_first_site(self))),
    fault("gate-without-sites", "3.1.5.6-B03 3.1.5.6-B04",
        "Where no site is read a routing server of the site stands in for the gate.",
        answers(get_site_gate=lambda self, gate, machine: gate if _sites(self) else self.get_routing_server(machine))),
    fault("gate-of-the-first-site", "3.1.5.6-B05",
        "GetSiteGate takes the first site of all for the queue manager's own.",
        answers(get_site_gate=
            lambda self, gate, machine: _gate_of_first_site(self) if self.get_queue_manager(machine) else None)),
    fault("any-server-for-gate", "3.1.5.6-B06 3.1.5.6-01",
        "GetSiteGate answers with a routing server of the site that is no gate.", answers(get_site_gate=_no_gate)),
    fault("several-sites-none", "3.1.5.6-B07",
        "GetSiteGate finds nothing where it does not stop at the first own site.",
        answers(get_site_gate=_only_own_site)),
    fault("server-for-missing-gate", "3.1.5.6-02",
        "GetSiteGate answers with a routing server where the site has no gate.",
        answers(get_site_gate=
            lambda self, gate, machine: gate or (self.get_routing_server(machine) if _sites(self) else None))),
    fault("first-site-for-next", "3.1.5.7-B01", "GetSiteGateForSite takes the first site of all for the one asked for.",
        answers(get_site_gate_for_site=
            lambda self, gate, site: _gate_of_first_site(self) if _known(self, site) else None)),
    fault("gate-of-an-unknown-site", "3.1.5.7-B01 3.1.5.7-B02",
        "GetSiteGateForSite answers for an unknown site with a gate of the first.",
        answers(get_site_gate_for_site=
            lambda self, gate, site: gate if _known(self, site) else _gate_of_first_site(self))),
    fault("several-gates-none", "3.1.5.7-B03 3.1.5.7-01", "A next site with several gates yields none.",
        answers(get_site_gate_for_site=_only_gate)),
    fault("server-for-missing-next-gate", "3.1.5.7-02",
        "A routing server stands in for the gate of a next site without gates.",
        answers(get_site_gate_for_site=
            lambda self, gate, site: gate or _first(self.view.directory.routing_servers_by_site.get(site, ())))),
    fault("unknown-gate", "3.1.5.8-B01 3.1.5.8-B02", "A listed gate is one even if the directory does not know it.",
        answers(is_site_gate=_unknown_gate)),
    fault("client-gate", "3.1.5.8-B03 3.1.5.8-B04", "IsSiteGate does not look at RoutingServer.",
        answers(is_site_gate=_gate_where(lambda machine, site: _own(machine, site) and _listed(machine, site)))),
    fault("gate-where-no-site-is", "3.1.5.8-B05 3.1.5.8-B06", "Where no site is read every routing server is a gate.",
        answers(is_site_gate=_gate_without_sites)),
    fault("gate-of-a-foreign-site", "3.1.5.8-B07 3.1.5.8-02", "A gate of any site is a gate.",
        answers(is_site_gate=_gate_where(lambda machine, site: machine.routing_server and _listed(machine, site)))),
    fault("any-server-is-gate", "3.1.5.8-B08 3.1.5.8-02", "Every routing server of a site is its gate.",
        answers(is_site_gate=_gate_where(lambda machine, site: machine.routing_server and _own(machine, site)))),
    fault("only-the-first-gate", "3.1.5.8-B09 3.1.5.8-01", "Only the first gate of a site is one.",
        answers(is_site_gate=_gate_where(
            lambda machine, site: machine.routing_server and _own(machine, site)
            and machine.identifier in site.site_gate_collection[:1]))),
    fault("gate-of-its-first-site", "3.1.5.8-B09", "Only a gate of the first of its sites is one.",
        answers(is_site_gate=_gate_where(
            lambda machine, site: machine.routing_server and _listed(machine, site)
            and site.identifier in machine.site_identifier_list[:1]))),
    fault("nobody-is-gate", "3.1.5.8-01 3.1.5.8-B09", "IsSiteGate always answers 0.",
        answers(is_site_gate=lambda *_: 0)),
)  # fmt: skip

DIRECTORY_READING = (
    fault("begin-not-checked", "3.1.5.9-B01 3.1.5.9-B02", "A reading that cannot begin yields all objects.",
        answers(get_directory_data=despite(ReadEvent.BEGIN))),
    fault("old-data-where-begin-fails", "3.1.5.9-B01 3.1.5.9-B02",
        "Where a reading cannot begin the objects of the last one are used.", replaced(fail_directory=_old_data)),
    fault("beginning-of-a-broken-reading", "3.1.5.9-B06 3.1.5.9-B07",
        "A reading that breaks off yields its first object.",
        answers(get_directory_data=despite(ReadEvent.NEXT, slice(1)))),
    fault("last-object-lost", "3.1.5.9-01 3.1.5.9-B03 3.1.5.9-B04", "The last object of a reading is lost.",
        answers(get_directory_data=_part(-1))),
    fault("first-object-lost", "3.1.5.9-01 3.1.5.9-B04", "The first object of a reading is lost.",
        answers(get_directory_data=_part(1, None))),
    fault("one-object-read", "3.1.5.9-B05 3.1.5.9-B03", "A reading ends after its first object.",
        answers(get_directory_data=_part(1))),
    fault("a-thousand-objects", "3.1.5.9-B05 3.1.5.5-01", "A reading ends after a thousand objects.",
        answers(get_directory_data=_part(1000))),
    fault("last-two-objects", "3.1.5.9-01 3.1.5.9-B04", "Only the last two objects of a reading are kept.",
        answers(get_directory_data=_part(-2, None))),
    fault("filter-forgotten", "3.1.5.9-04",
        "The filter is not passed on, so that the first object of all is the one found.",
        answers(get_directory_data=
            lambda self, answer, element, *_: SteppedRouter.get_directory_data(self, element) if answer else answer)),
    fault("filter-turned-round", "3.1.5.9-04", "Only objects that do not satisfy the filter are returned.",
        answers(get_directory_data=_others)),
    fault("any-type", "3.1.5.9-02", "An identifier of a site is taken for a queue manager of it.",
        answers(get_queue_manager=_member_of_site)),
    fault("one-fault-spoils-all", "3.1.5.9-02", "A reading that fails for one type fails for all.",
        replaced(fail_directory=_fail_all_types)),
    fault("no-match-raises", "3.1.5.5-B02 3.1.5.6-B02 3.1.5.8-B02", "A reading that finds nothing raises an error.",
        answers(get_queue_manager=_raise_without_match)),
)  # fmt: skip
