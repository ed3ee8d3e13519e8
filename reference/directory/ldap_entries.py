"""Objects of a directory as they were read: raw octets, their values by syntax, and where to find them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias
from uuid import UUID

from mqconform.reference.directory.ldap_findings import Code, Notes
from mqconform.reference.directory.ldap_names import DnKey, dn_key, is_conflict, is_deleted, parent_key
from mqconform.reference.directory.ldap_schema import BY_NAME, COMPUTER, QUEUE_MANAGER, ObjectClass, Syntax
from mqconform.reference.directory.names import is_guid

RawValues: TypeAlias = Mapping[str, tuple[bytes, ...]]
RawEntry: TypeAlias = tuple[str, RawValues]
"""A distinguished name, and the values of each attribute by its name in either case."""

Value: TypeAlias = str | int | bool

_NUMBER: Final = re.compile(rb"[+-]?\d{1,10}")
_FLAGS: Final = {b"TRUE": True, b"FALSE": False}
_RANGE: Final = ";range="
GUID_OCTETS: Final = 16


@dataclass(frozen=True)
class Entry:
    """One object that is read for what its class says; values that fit no syntax are left out, with a finding."""

    name: str
    kind: ObjectClass
    values: Mapping[str, tuple[Value, ...]]
    """By the schema's spelling; attributes without a value are not in it."""

    @cached_property
    def key(self) -> DnKey:
        """What its name is compared by."""
        return dn_key(self.name)

    @cached_property
    def parent(self) -> DnKey:
        """What the name of the object above is compared by."""
        return parent_key(self.name)

    @property
    def guid(self) -> str:
        """Its objectGUID, empty where it has none that can be read."""
        return self.text("objectGUID")

    def texts(self, attribute: str) -> tuple[str, ...]:
        """Return all values of an attribute that is no number and no flag, each once, sorted: LDAP has no order."""
        return tuple(sorted({str(value) for value in self.values.get(attribute, ())}))

    def text(self, attribute: str) -> str:
        """Return the value of an attribute, empty without one."""
        return next(iter(self.texts(attribute)), "")

    def number(self, attribute: str) -> int | None:
        """Return the number in an attribute, None without one."""
        value = next(iter(self.values.get(attribute, ())), None)
        return value if isinstance(value, int) else None

    def flag(self, attribute: str) -> bool | None:
        """Return the Boolean value of an attribute, None without one; of several TRUE counts."""
        values = self.values.get(attribute, ())
        return any(values) if values else None


@dataclass
class Entries:
    """All objects of a reading, by class and by name."""

    by_class: dict[str, list[Entry]] = field(default_factory=dict)
    by_key: dict[DnKey, Entry] = field(default_factory=dict)
    without_class: int = 0
    """Number of objects without an object class."""

    def of(self, kind: ObjectClass) -> list[Entry]:
        """Return the objects of a class, sorted by GUID, so that the order of reading does not count."""
        return sorted(self.by_class.get(kind.name, []), key=lambda entry: (entry.guid, entry.key))


def read_entries(raw: Iterable[RawEntry], notes: Notes) -> Entries:
    """Return the objects among raw entries that an import is about; others are passed over."""
    entries = Entries()
    for name, attributes in raw:
        values = {key.lower(): attribute for key, attribute in attributes.items()}
        kind = _kind(values)
        if kind is None:
            entries.without_class += "objectclass" not in values
        elif values.get("isdeleted") == (b"TRUE",) or is_deleted(name):
            notes.warn(Code.OBJECT, name, "is deleted; it is left out")
        else:
            _add(entries, notes, name, kind, values)
    return entries


def _kind(values: RawValues) -> ObjectClass | None:
    classes = (value.decode("ascii", "replace").lower() for value in values.get("objectclass", ()))
    return next((BY_NAME[name] for name in classes if name in BY_NAME), None)


def _add(entries: Entries, notes: Notes, name: str, kind: ObjectClass, raw: RawValues) -> None:
    key = dn_key(name)
    if key in entries.by_key:
        notes.warn(Code.OBJECT, name, "is listed twice; the first one is used")
        return
    if is_conflict(name):
        text = "lost its name to another object, which two domain controllers made at the same time; delete one"
        notes.warn(Code.OBJECT, name, text)
    entry = Entry(name, kind, dict(_values(notes, name, kind, raw)))
    entries.by_key[key] = entry
    entries.by_class.setdefault(kind.name, []).append(entry)


def _values(notes: Notes, name: str, kind: ObjectClass, raw: RawValues) -> Iterator[tuple[str, tuple[Value, ...]]]:
    for attribute, syntax in kind.attributes.items():
        octets = raw.get(attribute.lower(), ())
        if any(key.startswith(attribute.lower() + _RANGE) for key in raw):
            text = f"has more values of {attribute} than the server gives at once; they were not read"
            notes.warn(Code.INCOMPLETE, name, text)
        values = tuple(value for value in (_value(octet, syntax) for octet in octets) if value is not None)
        if len(values) < len(octets):
            text = f"{len(octets) - len(values)} values of {attribute} are no {syntax.value}; they are left out"
            notes.warn(Code.OBJECT, name, text)
        if len(values) > 1 and attribute not in kind.several:
            text = f"has {len(values)} values of {attribute}, which has room for one; the least is taken"
            notes.warn(Code.OBJECT, name, text)
            values = (min(values, key=str),)
        if values:
            yield attribute, values


def _value(octets: bytes, syntax: Syntax) -> Value | None:
    """Return a value by its syntax, None where the octets do not fit it.

    GUIDs stand in the order of a packet: the first three fields have the least octet first (MS-DTYP 2.3.4.2). Some
    tools write them as text into exports.
    """
    match syntax:
        case Syntax.GUID:
            return str(UUID(bytes_le=octets)) if len(octets) == GUID_OCTETS else _guid_as_text(octets)
        case Syntax.NUMBER:
            return int(octets) if _NUMBER.fullmatch(octets) else None
        case Syntax.FLAG:
            return _FLAGS.get(octets.upper())
        case Syntax.TEXT | Syntax.NAME:
            return octets.decode("utf-8", "replace")


def _guid_as_text(octets: bytes) -> str | None:
    text = octets.decode("latin-1").lower()
    return text if is_guid(text) else None


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
