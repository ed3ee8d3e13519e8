"""From objects of Active Directory to the directory that routing reads (MS-MQDSSM 3.1.6.10, 3.1.6.11).

Where MS-MQDSSM takes a whole reading for failed because of one bad object, that object is left out with a finding;
``literal`` fails as the text has it. LDAP has no order: all objects and lists are sorted by GUID (BR-61).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from mqconform.reference.directory.elements import (
    GREATEST_COST,
    LEAST_COST,
    Directory,
    Enterprise,
    EnterpriseId,
    QueueManager,
    QueueManagerId,
    RoutingLink,
    RoutingLinkId,
    Site,
    SiteId,
)
from mqconform.reference.directory.ldap_computers import note_computers, note_settings
from mqconform.reference.directory.ldap_entries import Entries, Entry, RawEntry, read_entries
from mqconform.reference.directory.ldap_findings import Code, DirectoryFinding, Notes
from mqconform.reference.directory.ldap_gates import Gates, gates_by_site
from mqconform.reference.directory.ldap_identity import note_identity
from mqconform.reference.directory.ldap_names import dn_key, domain_key, is_deleted, rdn_value, root_of
from mqconform.reference.directory.ldap_schema import ENTERPRISE, LINK, PARTITION, QUEUE_MANAGER, SITE, ObjectClass
from mqconform.reference.directory.names import guid_of_name

ROUTING_BIT: Final = 1
"""Of mSMQServiceType; MS-MQDSSM does not ask it."""
DOMAIN_PARTITION: Final = 2
"""Of systemFlags of a partition: it belongs to a domain."""

LinkWithGates: TypeAlias = tuple[RoutingLink, tuple[QueueManagerId, ...]]


@dataclass(frozen=True)
class ImportedDirectory:
    """What an import gives.

    Attributes:
        directory: what routing reads.
        entries: everything that was read, for a snapshot.
        findings: errors first.
    """

    directory: Directory
    entries: Entries
    findings: tuple[DirectoryFinding, ...]


def import_directory(
    raw: Iterable[RawEntry], gates: Gates | None = None, *, literal: bool = False
) -> ImportedDirectory:
    """Return the directory that objects of Active Directory describe, and what is worth saying about them.

    Args:
        raw: the objects in any order; those of other classes are passed over.
        gates: how to find the gates of sites.
        literal: whether one bad object spoils the reading of all of its class, as MS-MQDSSM has it.

    Raises:
        UnknownGate: ``gates`` names what is not in the directory.
    """
    notes = Notes(literal)
    entries = read_entries(raw, notes)
    enterprise = _enterprise(entries, notes)
    sites = tuple(_site(entry, notes) for entry in _identified(entries, SITE, notes))
    site_ids = {site.identifier for site in sites}
    machines = tuple(
        _queue_manager(entry, entries, site_ids, notes) for entry in _identified(entries, QUEUE_MANAGER, notes)
    )
    links = _links(entries, machines, notes)
    note_computers(entries, notes)
    note_settings(entries, notes)
    note_identity(entries, notes)
    _note_what_is_missing(entries, notes)
    directory = _gated(
        enterprise,
        () if SITE.name in notes.spoiled else sites,
        () if QUEUE_MANAGER.name in notes.spoiled else machines,
        () if LINK.name in notes.spoiled else links,
        gates or Gates(),
    )
    return ImportedDirectory(directory, entries, notes.errors_first())


def _gated(
    enterprise: Enterprise,
    sites: tuple[Site, ...],
    machines: tuple[QueueManager, ...],
    links: tuple[LinkWithGates, ...],
    gates: Gates,
) -> Directory:
    named = [((link.site1_identifier, link.site2_identifier), machines) for link, machines in links]
    by_site = gates_by_site(gates, named, {site.identifier: site.name for site in sites}, machines)
    gated = tuple(replace(site, site_gate_collection=by_site.get(site.identifier, ())) for site in sites)
    return Directory(enterprise, gated, tuple(link for link, _ in links), machines)


def _identified(entries: Entries, kind: ObjectClass, notes: Notes) -> list[Entry]:
    """Return the objects of a class that have a GUID."""
    for entry in entries.of(kind):
        if not entry.guid:
            notes.spoil(kind.name, Code.OBJECT, entry.name, "has no objectGUID that can be read; it is left out")
    return [entry for entry in entries.of(kind) if entry.guid]


def _enterprise(entries: Entries, notes: Notes) -> Enterprise:
    """Return the enterprise (MS-MQDSSM 3.1.6.10.2): its GUID is that of the settings, its name that of the root."""
    settings = _identified(entries, ENTERPRISE, notes)
    if not settings:
        notes.fail(Code.ENTERPRISE, "", "no object of class mSMQEnterpriseSettings was read; its GUID is made up")
        root = next((root for site in entries.of(SITE) if (root := root_of(site.name))), "unknown")
        return Enterprise(EnterpriseId(guid_of_name("enterprise", root)), root)
    if len(settings) > 1:
        others = "; ".join(entry.name for entry in settings[1:])
        notes.warn(Code.ENTERPRISE, settings[0].name, f"is taken, the first by GUID; there are also {others}")
    return Enterprise(EnterpriseId(settings[0].guid), root_of(settings[0].name))


def _site(entry: Entry, notes: Notes) -> Site:
    """Return a site (MS-MQDSSM 3.1.6.10.4)."""
    foreign = entry.values.get("mSMQSiteForeign", ())
    if len(foreign) > 1:
        notes.warn(Code.FOREIGN, entry.name, f"has {len(foreign)} values of mSMQSiteForeign; any TRUE counts")
    if notes.literal and not entry.values.get("mSMQNt4Stub"):
        notes.spoil(SITE.name, Code.STUB, entry.name, "has no mSMQNt4Stub")
    name = entry.text("cn") or rdn_value(entry.name)
    return Site(SiteId(entry.guid), name, foreign_site=bool(entry.flag("mSMQSiteForeign")))


def _queue_manager(entry: Entry, entries: Entries, sites: set[SiteId], notes: Notes) -> QueueManager:
    """Return a queue manager (MS-MQDSSM 3.1.6.10.1); its name is that of the computer above."""
    own = tuple(map(SiteId, entry.texts("mSMQSites")))
    for site in own:
        if site not in sites:
            notes.warn(Code.NO_SITE, entry.name, f"is in site {site}, which was not read")
    if not own:
        notes.warn(Code.NO_SITE, entry.name, "is in no site")
    routing, services = entry.flag("mSMQRoutingServices") or False, entry.number("mSMQServiceType")
    if services is not None and bool(services & ROUTING_BIT) is not routing:
        text = f"has mSMQServiceType {services}, but mSMQRoutingServices {routing}, which counts"
        notes.warn(Code.ROUTING_BIT, entry.name, text)
    return QueueManager(
        identifier=QueueManagerId(entry.guid),
        name=rdn_value(entry.name, 1),
        site_identifier_list=own,
        routing_server=routing,
        in_routing_server_identifier_list=_servers(entry, "mSMQInRoutingServers", entries, notes),
        out_routing_server_identifier_list=_servers(entry, "mSMQOutRoutingServers", entries, notes),
    )


def _servers(entry: Entry, attribute: str, entries: Entries, notes: Notes) -> tuple[QueueManagerId, ...]:
    servers = []
    for name in entry.texts(attribute):
        guid = _guid_of(name, QUEUE_MANAGER, entries)
        if guid:
            servers.append(QueueManagerId(guid))
        else:
            text = f"names in {attribute} {name}, which {_missing(name)}; the entry is left out"
            notes.warn(Code.SERVER_GONE, entry.name, text)
    return tuple(sorted(servers))


def _links(entries: Entries, machines: tuple[QueueManager, ...], notes: Notes) -> tuple[LinkWithGates, ...]:
    by_guid = {machine.identifier: machine for machine in machines}
    links = (_link(entry, entries, by_guid, notes) for entry in _identified(entries, LINK, notes))
    return tuple(link for link in links if link is not None)


def _link(
    entry: Entry, entries: Entries, machines: dict[QueueManagerId, QueueManager], notes: Notes
) -> LinkWithGates | None:
    """Return a routing link (MS-MQDSSM 3.1.6.10.5) and its gates; None for one that joins nothing or costs nothing."""
    ends = [_guid_of(entry.text(attribute), SITE, entries) for attribute in ("mSMQSite1", "mSMQSite2")]
    for guid, attribute in zip(ends, ("mSMQSite1", "mSMQSite2"), strict=True):
        if not guid:
            site_name = entry.text(attribute)
            text = (
                f"has as {attribute} {site_name}, which {_missing(site_name)}" if site_name else f"has no {attribute}"
            )
            notes.spoil(LINK.name, Code.LINK_END, entry.name, f"{text}; the link is left out")
    cost = entry.number("mSMQCost")
    if cost is None or cost < 0:
        cost_text = "no mSMQCost" if cost is None else f"mSMQCost {cost}"
        notes.spoil(LINK.name, Code.COST, entry.name, f"has {cost_text}; the link is left out")
    elif not LEAST_COST <= cost <= GREATEST_COST:
        notes.warn(Code.COST, entry.name, f"has mSMQCost {cost}, outside {LEAST_COST} to {GREATEST_COST}")
    if not all(ends) or cost is None or cost < 0:
        return None
    if rdn_value(entry.name).casefold() != "".join(ends).replace("-", ""):
        notes.warn(Code.LINK_NAME, entry.name, "is not named after the GUIDs of mSMQSite1 and mSMQSite2")
    link = RoutingLink(RoutingLinkId(entry.guid), SiteId(ends[0]), SiteId(ends[1]), cost)
    return link, _gates(entry, link, entries, machines, notes)


def _gates(
    entry: Entry, link: RoutingLink, entries: Entries, machines: dict[QueueManagerId, QueueManager], notes: Notes
) -> tuple[QueueManagerId, ...]:
    gates = []
    for name in entry.texts("mSMQSiteGates"):
        gate = QueueManagerId(_guid_of(name, QUEUE_MANAGER, entries))
        if gate not in machines:
            text = f"names the gate {name}, which {_missing(name)}; the gate is left out"
            notes.spoil(LINK.name, Code.GATE_GONE, entry.name, text)
            continue
        gates.append(gate)
        if not {link.site1_identifier, link.site2_identifier} & {*machines[gate].site_identifier_list}:
            notes.warn(Code.GATE_ELSEWHERE, entry.name, f"names the gate {name}, which is in neither of its sites")
    return tuple(sorted(gates))


def _guid_of(name: str, kind: ObjectClass, entries: Entries) -> str:
    """Return the GUID of the object of a class that goes by a distinguished name, empty if none was read."""
    entry = entries.by_key.get(dn_key(name))
    return entry.guid if entry is not None and entry.kind is kind else ""


def _missing(name: str) -> str:
    return "is deleted" if is_deleted(name) else "was not read"


def _note_what_is_missing(entries: Entries, notes: Notes) -> None:
    """Note domains that are part of the forest and of which no queue manager was read, and objects of unknown class."""
    read = {domain_key(entry.name) for entry in entries.of(QUEUE_MANAGER)}
    partitions = (
        partition for partition in entries.of(PARTITION) if (partition.number("systemFlags") or 0) & DOMAIN_PARTITION
    )
    domains = sorted(partition.text("nCName") for partition in partitions)
    empty = [name for name in domains if dn_key(name) not in read]
    if len(domains) > 1 and empty:
        text = f"no queue manager of {' and '.join(empty)} was read; if there are any, read a global catalogue"
        notes.warn(Code.INCOMPLETE, "", text)
    if entries.without_class:
        text = f"{entries.without_class} objects have no objectClass and were passed over; export objectClass too"
        notes.warn(Code.INCOMPLETE, "", text)
