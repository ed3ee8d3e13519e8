"""What changed between two versions of an enterprise, object by object; objects are the same if their GUIDs are."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from mqconform.reference.directory.document import document_from_directory
from mqconform.reference.directory.elements import Directory

Json: TypeAlias = Mapping[str, Any]

KINDS: Final = {"sites": "site", "routing_links": "routing link", "queue_managers": "queue manager"}
"""Arrays of the enterprise document, and what each of their objects is called."""

MAPPED: Final = frozenset(
    {
        "cn",
        "mSMQSiteForeign",
        "mSMQSite1",
        "mSMQSite2",
        "mSMQCost",
        "mSMQSites",
        "mSMQRoutingServices",
        "mSMQInRoutingServers",
        "mSMQOutRoutingServers",
    }
)
"""Attributes of a directory that the enterprise document tells; their changes are told once."""


class Kind(StrEnum):
    """How an object changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One object that changed.

    Attributes:
        kind: how.
        what: what it is: a site, a routing link, a queue manager, the enterprise, or the name of an object class.
        identifier: its GUID.
        name: what people call it, empty where it has no name.
        fields: for a changed object, each field with its value before and after; None where there is none.
    """

    kind: Kind
    what: str
    identifier: str
    name: str
    fields: tuple[tuple[str, Any, Any], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the change as JSON has it."""
        fields = [{"field": name, "before": before, "after": after} for name, before, after in self.fields]
        plain = {"change": self.kind.value, "what": self.what, "id": self.identifier, "name": self.name}
        return plain | ({"fields": fields} if fields else {})


def directory_changes(before: Directory, after: Directory) -> tuple[Change, ...]:
    """Return what routing sees differently; a routing link is called after its sites."""
    old, new = document_from_directory(before), document_from_directory(after)
    names = _names(before) | _names(after)

    def name(record: Json) -> str:
        ends = [names.get(record[end], record[end]) for end in ("site1", "site2") if end in record]
        return " - ".join(ends) if ends else str(record.get("name", ""))

    changes = [*_compared("enterprise", [old["enterprise"]], [new["enterprise"]], names, name)]
    for key, what in KINDS.items():
        changes += _compared(what, old[key], new[key], names, name)
    return tuple(changes)


def object_changes(before: Sequence[Json], after: Sequence[Json]) -> tuple[Change, ...]:
    """Return what changed in the objects of two snapshots beyond what ``directory_changes`` tells."""
    changes: list[Change] = []
    for name in sorted({record["class"] for record in (*before, *after)}):
        old, new = ([_flat(record) for record in snapshot if record["class"] == name] for snapshot in (before, after))
        changes += _compared(name, old, new, {}, lambda record: record["distinguished name"])
    return tuple(change for change in changes if change.kind is Kind.CHANGED or change.what not in _TOLD)


_TOLD: Final = frozenset({"site", "mSMQSiteLink", "mSMQConfiguration", "mSMQEnterpriseSettings"})
"""Classes whose coming and going the enterprise document tells."""


def _flat(record: Json) -> dict[str, Any]:
    attributes = {name: value for name, value in record["attributes"].items() if name not in MAPPED}
    return {"id": record["id"] or record["dn"], "distinguished name": record["dn"]} | attributes


def _compared(
    what: str,
    before: Iterable[Json],
    after: Iterable[Json],
    names: Mapping[str, str],
    called: Callable[[Json], str],
) -> Iterator[Change]:
    old, new = {record["id"]: record for record in before}, {record["id"]: record for record in after}
    for identifier in sorted(old.keys() - new.keys()):
        yield Change(Kind.REMOVED, what, identifier, called(old[identifier]))
    for identifier in sorted(new.keys() - old.keys()):
        yield Change(Kind.ADDED, what, identifier, called(new[identifier]))
    for identifier in sorted(old.keys() & new.keys()):
        fields = tuple(_fields(old[identifier], new[identifier], names))
        if fields:
            yield Change(Kind.CHANGED, what, identifier, called(new[identifier]), fields)


def _fields(old: Json, new: Json, names: Mapping[str, str]) -> Iterator[tuple[str, Any, Any]]:
    for name in dict.fromkeys((*old, *new)):
        before, after = old.get(name), new.get(name)
        if before != after:
            yield name, _named(before, names), _named(after, names)


def _named(value: object, names: Mapping[str, str]) -> object:
    """Return a value with names instead of GUIDs."""
    if isinstance(value, list):
        return [_named(member, names) for member in value]
    return names.get(value, value) if isinstance(value, str) else value


def _names(directory: Directory) -> dict[str, str]:
    names: dict[str, str] = {site.identifier: site.name for site in directory.sites if site.name}
    return names | {machine.identifier: machine.name for machine in directory.queue_managers if machine.name}
