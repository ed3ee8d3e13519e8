"""From objects of Active Directory to the directory that routing reads (MS-MQDSSM 3.1.6.10, 3.1.6.11).

Where MS-MQDSSM takes a whole reading for failed because of one bad object, that object is left out with a finding;
``literal`` fails as the text has it. LDAP has no order: all objects and lists are sorted by GUID (BR-61).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from mqconform.reference.directory import elements, ldap_schema
from mqconform.reference.directory.ldap_entries import Entries, Entry, RawEntry, read_entries
from mqconform.reference.directory.ldap_findings import Code, DirectoryFinding, Notes
from mqconform.reference.directory.ldap_gates import Gates, gates_by_site
from mqconform.reference.directory.ldap_names import dn_key, domain_key, is_deleted, rdn_value, root_of
from mqconform.reference.directory.names import guid_of_name

ROUTING_BIT: Final = 1
"""Of mSMQServiceType; MS-MQDSSM does not ask it."""
DOMAIN_PARTITION: Final = 2
"""Of systemFlags of a partition: it belongs to a domain."""

LinkWithGates: TypeAlias = tuple[elements.RoutingLink, tuple[elements.QueueManagerId, ...]]


@dataclass(frozen=True)
class ImportedDirectory:
    """What an import gives.

    Attributes:
        directory: what routing reads.
        entries: everything that was read, for a snapshot.
        findings: errors first.
    """

    directory: elements.Directory
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
    sites = tuple(_site(entry, notes) for entry in _identified(entries, ldap_schema.SITE, notes))
    site_ids = {site.identifier for site in sites}
    machines = tuple(
        _queue_manager(entry, entries, site_ids, notes)
        for entry in _identified(entries, ldap_schema.QUEUE_MANAGER, notes)
    )
    links = _links(entries, machines, notes)
    note_computers(entries, notes)
    note_settings(entries, notes)
    note_identity(entries, notes)
    _note_what_is_missing(entries, notes)
    directory = _gated(
        enterprise,
        () if ldap_schema.SITE.name in notes.spoiled else sites,
        () if ldap_schema.QUEUE_MANAGER.name in notes.spoiled else machines,
        () if ldap_schema.LINK.name in notes.spoiled else links,
        gates or Gates(),
    )
    return ImportedDirectory(directory, entries, notes.errors_first())


def _gated(
    enterprise: elements.Enterprise,
    sites: tuple[elements.Site, ...],
    machines: tuple[elements.QueueManager, ...],
    links: tuple[LinkWithGates, ...],
    gates: Gates,
) -> elements.Directory:
    named = [((link.site1_identifier, link.site2_identifier), machines) for link, machines in links]
    by_site = gates_by_site(gates, named, {site.identifier: site.name for site in sites}, machines)
    gated = tuple(replace(site, site_gate_collection=by_site.get(site.identifier, ())) for site in sites)
    return elements.Directory(enterprise, gated, tuple(link for link, _ in links), machines)


def _identified(entries: Entries, kind: ldap_schema.ObjectClass, notes: Notes) -> list[Entry]:
    for entry in entries.of(kind):
        if not entry.guid:
            notes.spoil(kind.name, Code.OBJECT, entry.name, "has no objectGUID that can be read; it is left out")
    return [entry for entry in entries.of(kind) if entry.guid]


def _enterprise(entries: Entries, notes: Notes) -> elements.Enterprise:
    """Return the enterprise (MS-MQDSSM 3.1.6.10.2): its GUID is that of the settings, its name that of the root."""
    settings = _identified(entries, ldap_schema.ENTERPRISE, notes)
    if not settings:
        notes.fail(Code.ENTERPRISE, "", "no object of class mSMQEnterpriseSettings was read; its GUID is made up")
        root = next((root for site in entries.of(ldap_schema.SITE) if (root := root_of(site.name))), "unknown")
        return elements.Enterprise(elements.EnterpriseId(guid_of_name("enterprise", root)), root)
    if len(settings) > 1:
        others = "; ".join(entry.name for entry in settings[1:])
        notes.warn(Code.ENTERPRISE, settings[0].name, f"is taken, the first by GUID; there are also {others}")
    return elements.Enterprise(elements.EnterpriseId(settings[0].guid), root_of(settings[0].name))


def _site(entry: Entry, notes: Notes) -> elements.Site:
    """Return a site (MS-MQDSSM 3.1.6.10.4)."""
    foreign = entry.values.get("mSMQSiteForeign", ())
    if len(foreign) > 1:
        notes.warn(Code.FOREIGN, entry.name, f"has {len(foreign)} values of mSMQSiteForeign; any TRUE counts")
    if notes.literal and not entry.values.get("mSMQNt4Stub"):
        notes.spoil(ldap_schema.SITE.name, Code.STUB, entry.name, "has no mSMQNt4Stub")
    name = entry.text("cn") or rdn_value(entry.name)
    return elements.Site(elements.SiteId(entry.guid), name, foreign_site=bool(entry.flag("mSMQSiteForeign")))


def _queue_manager(entry: Entry, entries: Entries, sites: set[elements.SiteId], notes: Notes) -> elements.QueueManager:
    """Return a queue manager (MS-MQDSSM 3.1.6.10.1); its name is that of the computer above."""
    own = tuple(map(elements.SiteId, entry.texts("mSMQSites")))
    for site in own:
        if site not in sites:
            notes.warn(Code.NO_SITE, entry.name, f"is in site {site}, which was not read")
    if not own:
        notes.warn(Code.NO_SITE, entry.name, "is in no site")
    routing, services = entry.flag("mSMQRoutingServices") or False, entry.number("mSMQServiceType")
    if services is not None and bool(services & ROUTING_BIT) is not routing:
        text = f"has mSMQServiceType {services}, but mSMQRoutingServices {routing}, which counts"
        notes.warn(Code.ROUTING_BIT, entry.name, text)
    return elements.QueueManager(
        identifier=elements.QueueManagerId(entry.guid),
        name=rdn_value(entry.name, 1),
        site_identifier_list=own,
        routing_server=routing,
        in_routing_server_identifier_list=_servers(entry, "mSMQInRoutingServers", entries, notes),
        out_routing_server_identifier_list=_servers(entry, "mSMQOutRoutingServers", entries, notes),
    )


def _servers(entry: Entry, attribute: str, entries: Entries, notes: Notes) -> tuple[elements.QueueManagerId, ...]:
    servers = []
    for name in entry.texts(attribute):
        guid = _guid_of(name, ldap_schema.QUEUE_MANAGER, entries)
        if guid:
            servers.append(elements.QueueManagerId(guid))
        else:
            text = f"names in {attribute} {name}, which {_missing(name)}; the entry is left out"
            notes.warn(Code.SERVER_GONE, entry.name, text)
    return tuple(sorted(servers))


def _links(entries: Entries, machines: tuple[elements.QueueManager, ...], notes: Notes) -> tuple[LinkWithGates, ...]:
    by_guid = {machine.identifier: machine for machine in machines}
    links = (_link(entry, entries, by_guid, notes) for entry in _identified(entries, ldap_schema.LINK, notes))
    return tuple(link for link in links if link is not None)


def _link(
    entry: Entry, entries: Entries, machines: dict[elements.QueueManagerId, elements.QueueManager], notes: Notes
) -> LinkWithGates | None:
    """Return a routing link (MS-MQDSSM 3.1.6.10.5) and its gates; None for one that joins nothing or costs nothing."""
    ends = [_guid_of(entry.text(attribute), ldap_schema.SITE, entries) for attribute in ("mSMQSite1", "mSMQSite2")]
    for guid, attribute in zip(ends, ("mSMQSite1", "mSMQSite2"), strict=True):
        if not guid:
            site_name = entry.text(attribute)
            text = (
                f"has as {attribute} {site_name}, which {_missing(site_name)}" if site_name else f"has no {attribute}"
            )
            notes.spoil(ldap_schema.LINK.name, Code.LINK_END, entry.name, f"{text}; the link is left out")
    cost = entry.number("mSMQCost")
    if cost is None or cost < 0:
        cost_text = "no mSMQCost" if cost is None else f"mSMQCost {cost}"
        notes.spoil(ldap_schema.LINK.name, Code.COST, entry.name, f"has {cost_text}; the link is left out")
    elif not elements.LEAST_COST <= cost <= elements.GREATEST_COST:
        notes.warn(
            Code.COST, entry.name, f"has mSMQCost {cost}, outside {elements.LEAST_COST} to {elements.GREATEST_COST}"
        )
    if not all(ends) or cost is None or cost < 0:
        return None
    if rdn_value(entry.name).casefold() != "".join(ends).replace("-", ""):
        notes.warn(Code.LINK_NAME, entry.name, "is not named after the GUIDs of mSMQSite1 and mSMQSite2")
    link = elements.RoutingLink(
        elements.RoutingLinkId(entry.guid), elements.SiteId(ends[0]), elements.SiteId(ends[1]), cost
    )
    return link, _gates(entry, link, entries, machines, notes)


def _gates(
    entry: Entry,
    link: elements.RoutingLink,
    entries: Entries,
    machines: dict[elements.QueueManagerId, elements.QueueManager],
    notes: Notes,
) -> tuple[elements.QueueManagerId, ...]:
    gates = []
    for name in entry.texts("mSMQSiteGates"):
        gate = elements.QueueManagerId(_guid_of(name, ldap_schema.QUEUE_MANAGER, entries))
        if gate not in machines:
            text = f"names the gate {name}, which {_missing(name)}; the gate is left out"
            notes.spoil(ldap_schema.LINK.name, Code.GATE_GONE, entry.name, text)
            continue
        gates.append(gate)
        if not {link.site1_identifier, link.site2_identifier} & {*machines[gate].site_identifier_list}:
            notes.warn(Code.GATE_ELSEWHERE, entry.name, f"names the gate {name}, which is in neither of its sites")
    return tuple(sorted(gates))


def _guid_of(name: str, kind: ldap_schema.ObjectClass, entries: Entries) -> str:
    """Return the GUID of the object of a class that goes by a distinguished name, empty if none was read."""
    entry = entries.by_key.get(dn_key(name))
    return entry.guid if entry is not None and entry.kind is kind else ""


def _missing(name: str) -> str:
    return "is deleted" if is_deleted(name) else "was not read"


def _note_what_is_missing(entries: Entries, notes: Notes) -> None:
    """Note domains that are part of the forest and of which no queue manager was read, and objects of unknown class."""
    read = {domain_key(entry.name) for entry in entries.of(ldap_schema.QUEUE_MANAGER)}
    partitions = (
        partition
        for partition in entries.of(ldap_schema.PARTITION)
        if (partition.number("systemFlags") or 0) & DOMAIN_PARTITION
    )
    domains = sorted(partition.text("nCName") for partition in partitions)
    empty = [name for name in domains if dn_key(name) not in read]
    if len(domains) > 1 and empty:
        text = f"no queue manager of {' and '.join(empty)} was read; if there are any, read a global catalogue"
        notes.warn(Code.INCOMPLETE, "", text)
    if entries.without_class:
        text = f"{entries.without_class} objects have no objectClass and were passed over; export objectClass too"
        notes.warn(Code.INCOMPLETE, "", text)


def note_identity(entries: Entries, notes: Notes) -> None:
    """Note each object that has the identifier, the name or the ends of another, and name that one too."""
    routed = [
        entry
        for kind in (ldap_schema.ENTERPRISE, ldap_schema.SITE, ldap_schema.LINK, ldap_schema.QUEUE_MANAGER)
        for entry in entries.of(kind)
    ]
    for first, other in _alike(routed, lambda entry: entry.guid):
        text = f"has the identifier {other.guid} of {first.name}; the identifier does not say which of the two is meant"
        notes.fail(Code.SAME_IDENTIFIER, other.name, text)
    for kind, named in ((ldap_schema.SITE, _site_name), (ldap_schema.QUEUE_MANAGER, _machine_name)):
        for first, other in _alike(entries.of(kind), named):
            notes.warn(Code.SAME_NAME, other.name, f"has the name of {first.name}; ask by GUID")
    for first, other in _alike(entries.of(ldap_schema.LINK), _ends):
        notes.warn(Code.SAME_ENDS, other.name, f"joins the sites of {first.name}")


def _alike(entries: Iterable[Entry], key: Callable[[Entry], Any]) -> list[tuple[Entry, Entry]]:
    """Return each entry whose key is that of an earlier one by name, with the first; empty keys do not count."""
    groups: defaultdict[Any, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.key):
        groups[key(entry)].append(entry)
    return [(first, other) for shared, (first, *others) in groups.items() if shared for other in others]


def _site_name(site: Entry) -> str:
    return (site.text("cn") or rdn_value(site.name)).casefold()


def _machine_name(machine: Entry) -> str:
    return rdn_value(machine.name, 1).casefold()


def _ends(link: Entry) -> frozenset[object]:
    ends = [link.text(attribute) for attribute in ("mSMQSite1", "mSMQSite2")]
    return frozenset(map(dn_key, ends)) if all(ends) else frozenset()


SETTINGS_SERVER: Final = 1
SETTINGS_SITE: Final = 3
"""Relative names that are server and site in the name of settings: MSMQ Settings, the server, Servers, the site."""

TWICE_STATED: Final = (
    ("mSMQRoutingService", "mSMQRoutingServices"),
    ("mSMQDsService", "mSMQDsServices"),
    ("mSMQDependentClientService", "mSMQDependentClientServices"),
)
"""Flags of settings, and those of the queue manager that they repeat."""


def note_computers(entries: Entries, notes: Notes) -> None:
    """Note computers that lack what MS-MQDSSM reads of them; without it the enumeration fails (DS-03)."""
    machines = entries.of(ldap_schema.QUEUE_MANAGER)
    if machines and not entries.of(ldap_schema.COMPUTER):
        notes.warn(Code.INCOMPLETE, "", "no computers were read: what their queue managers need of them is unknown")
        return
    for machine in machines:
        computer = entries.by_key.get(machine.parent)
        if computer is None or computer.kind is not ldap_schema.COMPUTER:
            notes.warn(Code.COMPUTER, machine.name, "is below no computer that was read")
            continue
        empty = [name for name in ("dNSHostName", "servicePrincipalName") if not computer.text(name)]
        if empty:
            notes.spoil(
                ldap_schema.QUEUE_MANAGER.name, Code.COMPUTER, computer.name, f"has no {' and no '.join(empty)}"
            )


def note_settings(entries: Entries, notes: Notes) -> None:
    """Note where the settings below sites contradict the queue managers, and servers without settings."""
    machines = {machine.guid: machine for machine in entries.of(ldap_schema.QUEUE_MANAGER) if machine.guid}
    servers = {rdn_value(machine.name, 1).casefold(): machine for machine in machines.values()}
    sites = {rdn_value(site.name).casefold(): site.guid for site in entries.of(ldap_schema.SITE)}
    places: defaultdict[str, set[str]] = defaultdict(set)
    for settings in entries.of(ldap_schema.SETTINGS):
        owner = machines.get(settings.text("mSMQQMID"))
        if owner is None:
            owner_id = settings.text("mSMQQMID") or "no queue manager"
            notes.warn(
                Code.SETTINGS_OWNER, settings.name, f"belongs to {owner_id}, which was not read; delete it if it is old"
            )
            continue
        server = servers.get(rdn_value(settings.name, SETTINGS_SERVER).casefold(), owner)
        if server.guid != owner.guid:  # else the machine may have been renamed
            text = f"is below the server of {server.name} and has the identifier of {owner.name}"
            notes.warn(Code.SETTINGS_OWNER, settings.name, text)
        site = sites.get(rdn_value(settings.name, SETTINGS_SITE).casefold(), "")
        places[owner.guid].add(site)
        _note_flags(settings, owner, site, notes)
    for machine in machines.values():
        if machine.flag("mSMQRoutingServices") and machine.guid not in places:
            notes.warn(Code.SETTINGS_OWNER, machine.name, "is a routing server and has no settings below any site")


def _note_flags(settings: Entry, owner: Entry, site: str, notes: Notes) -> None:
    for here, there in TWICE_STATED:
        stated, counting = settings.flag(here), owner.flag(there) or False
        if stated is not None and stated is not counting:
            text = f"has {here} {stated}, but {owner.name} has {there} {counting}, which counts"
            notes.warn(Code.SETTINGS_FLAGS, settings.name, text)
    if site not in owner.texts("mSMQSites"):
        notes.warn(Code.SETTINGS_FLAGS, settings.name, f"is below a site in which {owner.name} is not")
