"""Enterprise documents as text: one object to a line, names in place of GUIDs where they say the same."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias

import yaml

from mqconform.harness.tools.enterprise.file import EnterpriseFile, Format, parsed
from mqconform.reference.directory import (
    Directory,
    QueueManager,
    Site,
    directory_from_document,
    document_from_directory,
)
from mqconform.reference.directory.names import guid_of_name, like_a_guid

_BEYOND_ASCII: Final = re.compile("[\x7f-\U0010ffff]")
_DUMPER: Final = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_ENDLESS: Final = 1 << 20
"""Line width that nothing reaches: objects are not broken over lines."""


class Naming(Enum):
    """What stands for an object where another one refers to it."""

    AS_WRITTEN = "as written"
    NAMES = "names"
    IDS = "ids"


def converted(file: EnterpriseFile, form: Format, naming: Naming = Naming.AS_WRITTEN) -> str:
    """Return the text of a file in a format.

    The document stays as it is written, or is written anew with names or GUIDs. The text is read back before it is
    returned: what it describes is the same directory.
    """
    match naming:
        case Naming.AS_WRITTEN:
            document = dict(file.document)
        case Naming.NAMES:
            document = named_document(file.directory)
        case Naming.IDS:
            document = document_from_directory(file.directory)
    text = written(document, form)
    assert directory_from_document(parsed(text, form, len(text))) == file.directory, "nothing was lost"
    return text


def written(document: Mapping[str, Any], form: Format) -> str:
    """Return a document as text that reads back as the same document.

    Characters that do not show, or that act on a terminal, are written as escapes.
    """
    if form is Format.YAML:
        text = _dumped(document, unicode=True)
        return text if text.replace("\n", "").isprintable() else _dumped(document, unicode=False)
    members = [f"  {json.dumps(key)}: {_json_value(value)}" for key, value in document.items()]
    text = "{\n" + ",\n".join(members) + "\n}\n" if members else "{}\n"
    return _BEYOND_ASCII.sub(lambda hit: hit[0] if hit[0].isprintable() else json.dumps(hit[0])[1:-1], text)


def _json_value(value: object) -> str:
    if isinstance(value, list) and value:
        entries = ",\n".join(f"    {json.dumps(member, ensure_ascii=False)}" for member in value)
        return f"[\n{entries}\n  ]"
    return json.dumps(value, ensure_ascii=False)


def _dumped(document: Mapping[str, Any], *, unicode: bool) -> str:
    """Return YAML with the innermost objects in one line each, and without aliases."""
    dumper = type("_Dumper", (_DUMPER,), {"ignore_aliases": lambda *_: True})
    text: str = yaml.dump(
        document, Dumper=dumper, default_flow_style=None, sort_keys=False, width=_ENDLESS, allow_unicode=unicode
    )
    return text


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
        "sites": [
            _without_derived_id("site", entry) | {"site_gates": list(map(machine, entry["site_gates"]))}
            for entry in document["sites"]
        ],
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


def _links(entries: Iterable[Mapping[str, Any]], site: Renamed) -> Iterator[Entry]:
    for place, entry in enumerate(entries):
        ends = {"site1": site(entry["site1"]), "site2": site(entry["site2"]), "cost": entry["cost"]}
        derived = guid_of_name("routing link", f"routing_links[{place}]") == entry["id"]
        yield ends if derived else {"id": entry["id"]} | ends


def _queue_manager(entry: Entry, site: Renamed, machine: Renamed) -> Entry:
    servers = ("in_routing_servers", "out_routing_servers")
    renamed = {key: list(map(machine, entry[key])) for key in servers if key in entry}
    return _without_derived_id("queue manager", entry) | {"sites": list(map(site, entry["sites"]))} | renamed
