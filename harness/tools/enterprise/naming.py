"""Names in place of GUIDs in an enterprise document, wherever a name says the same."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from mqconform.reference.directory import Directory, QueueManager, Site, document_from_directory
from mqconform.reference.directory.names import guid_of_name, like_a_guid

Entry: TypeAlias = dict[str, Any]
Renamed: TypeAlias = Callable[[str], str]


def named_document(directory: Directory) -> Entry:
    """Return the document of a directory with names for GUIDs; it describes the same directory.

    A GUID stays where its object has no name, shares its name, or has a name that looks like a GUID. The key ``id``
    is left out where a reader derives the same GUID from the name, or from the place of a routing link.
    """
    document = document_from_directory(directory)
    site = _renaming(directory.sites)
    machine = _renaming(directory.queue_managers)
    return {
        "enterprise": _without_derived_id("enterprise", document["enterprise"]),
        "sites": [_site(entry, machine) for entry in document["sites"]],
        "routing_links": list(_links(document["routing_links"], site)),
        "queue_managers": [_queue_manager(entry, site, machine) for entry in document["queue_managers"]],
    }


def _renaming(objects: Iterable[Site] | Iterable[QueueManager]) -> Renamed:
    """Return what gives for a GUID the name that a reader takes for it, or the GUID itself."""
    guids: defaultdict[str, set[str]] = defaultdict(set)
    names: dict[str, str] = {}
    for member in objects:
        if member.name:
            guids[member.name].add(member.identifier)
            names[member.identifier] = member.name
    usable = {guid: name for guid, name in names.items() if len(guids[name]) == 1 and not like_a_guid(name)}
    return lambda guid: usable.get(guid, guid)


def _without_derived_id(kind: str, entry: Entry) -> Entry:
    derived = entry.get("name") and guid_of_name(kind, entry["name"]) == entry["id"]
    return {key: value for key, value in entry.items() if key != "id"} if derived else entry


def _site(entry: Entry, machine: Renamed) -> Entry:
    return _without_derived_id("site", entry) | {"site_gates": list(map(machine, entry["site_gates"]))}


def _links(entries: Iterable[Mapping[str, Any]], site: Renamed) -> Iterator[Entry]:
    for place, entry in enumerate(entries):
        ends = {"site1": site(entry["site1"]), "site2": site(entry["site2"]), "cost": entry["cost"]}
        derived = guid_of_name("routing link", f"routing_links[{place}]") == entry["id"]
        yield ends if derived else {"id": entry["id"]} | ends


def _queue_manager(entry: Entry, site: Renamed, machine: Renamed) -> Entry:
    servers = ("in_routing_servers", "out_routing_servers")
    renamed = {key: list(map(machine, entry[key])) for key in servers if key in entry}
    return _without_derived_id("queue manager", entry) | {"sites": list(map(site, entry["sites"]))} | renamed
