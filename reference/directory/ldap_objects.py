"""What was read of each object, as a snapshot keeps it."""

from typing import Any

from mqconform.reference.directory.ldap_entries import Entries, Entry
from mqconform.reference.directory.ldap_schema import COMPUTER, QUEUE_MANAGER

JsonObject = dict[str, Any]


def object_records(entries: Entries) -> list[JsonObject]:
    """Return every object with its attributes as JSON has them, sorted by class and GUID.

    Computers without a queue manager are left out.
    """
    hosts = {machine.parent for machine in entries.by_class.get(QUEUE_MANAGER.name, ())}
    every = (entry for name in sorted(entries.by_class) for entry in _sorted(entries.by_class[name]))
    return [_record(entry) for entry in every if entry.kind is not COMPUTER or entry.key in hosts]


def _sorted(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.guid, entry.key))


def _record(entry: Entry) -> JsonObject:
    several = entry.kind.several
    attributes = {
        name: sorted(entry.values[name], key=str) if name in several else entry.values[name][0]
        for name in sorted(entry.values)
        if name != "objectGUID"
    }
    return {"class": entry.kind.name, "id": entry.guid, "dn": entry.name, "attributes": attributes}
