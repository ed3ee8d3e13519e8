"""What an enterprise document refers to by GUID or name, looked through once before it is resolved.

A name may stand where a GUID is expected, so that a GUID with a digit too few would count as a name and lead to a
message about a missing name, or to none; it is told as what it is. And a document with thousands of names that
nothing has is refused here, because looking for a similar name for each of them takes time without end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mqconform.harness.records.schema_text import published
from mqconform.harness.tools.enterprise.faults import Fault
from mqconform.reference.directory.fields import shown
from mqconform.reference.directory.names import is_guid

MAX_SHOWN: Final = 60
"""Longest text that a fault repeats, in characters."""

_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "sites": {"id": "", "site_gates": "queue_managers"},
    "routing_links": {"id": "", "site1": "sites", "site2": "sites"},
    "queue_managers": {
        "id": "",
        "sites": "sites",
        "in_routing_servers": "queue_managers",
        "out_routing_servers": "queue_managers",
        "connected_networks": "",
    },
}
"""Fields of each list that hold GUIDs or names, with the list whose objects they name; empty for none."""

_CALLED: Final = {"sites": "site", "queue_managers": "queue manager"}
_LIKE_A_GUID: Final = re.compile(r"[{(]?[0-9a-f]{4,}(-[0-9a-f]+){3,}[)}]?|[{(]?[0-9a-f]{32}[)}]?", re.IGNORECASE)


class Name(NamedTuple):
    """A text that is no GUID where a GUID or a name is expected."""

    path: str
    text: str
    kind: str
    """The list whose objects it names; empty where it names none of the document."""


def names_used(document: object) -> Iterator[Name]:
    """Yield every text that is no GUID and stands where an enterprise document has GUIDs or names."""
    if not isinstance(document, Mapping):
        return
    enterprise = document.get("enterprise")
    if isinstance(enterprise, Mapping):
        yield from _names("enterprise", "id", enterprise.get("id"), "")
    for key, entries in _lists(document):
        fields = _FIELDS[key].items()
        for place, entry in entries:
            for field, kind in fields:
                held = entry.get(field)
                if held is not None and not (isinstance(held, str) and is_guid(held)):
                    yield from _names(f"{key}[{place}]", field, held, kind)


def like_a_guid(text: str) -> bool:
    """Return whether a text is a GUID or was meant to be one."""
    return is_guid(text) or _LIKE_A_GUID.fullmatch(text) is not None


def broken_guids(names: Iterable[Name]) -> Iterator[Fault]:
    """Yield a fault for each name that looks like a GUID and is none."""
    for path, text, _ in names:
        if like_a_guid(text):
            form = "8-4-4-4-12 hexadecimal digits, 36 characters, no braces"
            wrong = f"{shown(text)} looks like a GUID and is none: it has {len(text)} characters; write {form}"
            yield Fault(wrong, path)


def unknown_names(document: object, names: Iterable[Name]) -> Iterator[Fault]:
    """Yield a fault for each entry that is no object, each key that the format has not, each name that nothing has."""
    if not isinstance(document, Mapping):
        return
    declared: dict[str, set[object]] = {"sites": set(), "queue_managers": set()}
    for key, entries in _lists(document):
        yield from _strangers(key, document.get(key))
        known = published("enterprise")["$defs"][key.removesuffix("s")]["properties"].keys()
        for place, entry in entries:
            if not entry.keys() <= known:
                yield from (_unknown_key(f"{key}[{place}]", one) for one in entry if one not in known)
            if key in declared:
                declared[key].update(one for one in (entry.get("id"), entry.get("name")) if isinstance(one, str))
    for path, text, kind in names:
        if kind and text not in declared[kind]:
            hint = "write the name as declared or a GUID (8-4-4-4-12)"
            yield Fault(f"no {_CALLED[kind]} has the name {shown(text)}; {hint}", path)


def _lists(document: Mapping[str, object]) -> Iterator[tuple[str, Iterator[tuple[int, Mapping[str, object]]]]]:
    """Yield the lists of objects in a document, with the place of each object."""
    for key in _FIELDS:
        held = document.get(key)
        entries = held if isinstance(held, list) else []
        yield key, ((place, entry) for place, entry in enumerate(entries) if isinstance(entry, Mapping))


def _names(holder: str, field: str, held: object, kind: str) -> Iterator[Name]:
    if isinstance(held, str) and not is_guid(held):
        yield Name(f"{holder}.{field}", held, kind)
    elif isinstance(held, list):
        for place, one in enumerate(held):
            if isinstance(one, str) and not is_guid(one):
                yield Name(f"{holder}.{field}[{place}]", one, kind)


def _strangers(key: str, held: object) -> Iterator[Fault]:
    """Yield a fault for each entry of a list that is no object."""
    for place, entry in enumerate(held if isinstance(held, list) else ()):
        if not isinstance(entry, Mapping):
            yield Fault(f"has to be an object with keys, not {shown(entry)}", f"{key}[{place}]")


def _unknown_key(path: str, key: str) -> Fault:
    return Fault("is not a known key; see enterprise.schema.json", f"{path}.{key[:MAX_SHOWN]}")
