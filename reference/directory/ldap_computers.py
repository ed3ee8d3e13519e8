"""What other objects say of a queue manager: its computer, and its settings below each site (MS-MQDSSM 3.1.6)."""

from collections import defaultdict
from typing import Final

from mqconform.reference.directory.ldap_entries import Entries, Entry
from mqconform.reference.directory.ldap_findings import Code, Notes
from mqconform.reference.directory.ldap_names import rdn_value
from mqconform.reference.directory.ldap_schema import COMPUTER, QUEUE_MANAGER, SETTINGS, SITE

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
    machines = entries.of(QUEUE_MANAGER)
    if machines and not entries.of(COMPUTER):
        notes.warn(Code.INCOMPLETE, "", "no computers were read: what their queue managers need of them is unknown")
        return
    for machine in machines:
        computer = entries.by_key.get(machine.parent)
        if computer is None or computer.kind is not COMPUTER:
            notes.warn(Code.COMPUTER, machine.name, "is below no computer that was read")
            continue
        empty = [name for name in ("dNSHostName", "servicePrincipalName") if not computer.text(name)]
        if empty:
            notes.spoil(QUEUE_MANAGER.name, Code.COMPUTER, computer.name, f"has no {' and no '.join(empty)}")


def note_settings(entries: Entries, notes: Notes) -> None:
    """Note where the settings below sites contradict the queue managers, and servers without settings."""
    machines = {machine.guid: machine for machine in entries.of(QUEUE_MANAGER) if machine.guid}
    servers = {rdn_value(machine.name, 1).casefold(): machine for machine in machines.values()}
    sites = {rdn_value(site.name).casefold(): site.guid for site in entries.of(SITE)}
    places: defaultdict[str, set[str]] = defaultdict(set)
    for settings in entries.of(SETTINGS):
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
