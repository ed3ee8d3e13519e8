"""Names and GUIDs of an enterprise document: a name may stand wherever a GUID is expected."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID, uuid5

from mqconform.reference.directory.fields import Complaints, Fields, value_text

_GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_LIKE_A_GUID: Final = re.compile(r"[{(]?[0-9a-f]{4,}(-[0-9a-f]+){3,}[)}]?|[{(]?[0-9a-f]{32}[)}]?", re.IGNORECASE)
_NAMED: Final = UUID("7d1a64de-2b0c-5d0a-9a55-0f0c3c0f6d10")
"""Name space of the GUIDs that are derived from names."""


def is_guid(text: str) -> bool:
    """Return whether a text has the form 8-4-4-4-12."""
    return _GUID.fullmatch(text) is not None


def like_a_guid(text: str) -> bool:
    """Return whether a text is a GUID or was meant to be one."""
    return is_guid(text) or _LIKE_A_GUID.fullmatch(text) is not None


def guid_of_name(kind: str, name: str) -> str:
    """Return the GUID that stands for a name where a document gives none; the same for the same kind and name."""
    return str(uuid5(_NAMED, f"{kind}:{name}"))


@dataclass(slots=True)
class Names:
    """Which GUIDs go by which name, for one kind of object.

    Attributes:
        kind: the object in words, such as ``site``.
        open_ended: whether a name that no object has stands for a GUID derived from it.
    """

    kind: str
    complaints: Complaints
    open_ended: bool = False
    _guids: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def declare(self, entry: Fields) -> tuple[str, str]:
        """Return GUID and name of an object, from its keys ``id`` and ``name``, of which one suffices."""
        identifier, name = entry.text("id"), entry.text("name")
        if identifier and not is_guid(identifier):
            self.refuse_broken_guid(entry.at("id"), identifier)
            name = name or identifier
            identifier = ""
        if not identifier and not name:
            if "id" not in entry.members or entry.members["id"] == "":
                self.complaints.add(entry.at("id"), f"is missing; give the {self.kind} a GUID, or a name instead")
            return guid_of_name(self.kind, entry.path), ""
        guid = identifier.lower() or guid_of_name(self.kind, name)
        if name:
            self._guids[name].add(guid)
        return guid, name

    def resolve(self, path: str, value: object) -> str | None:
        """Return the GUID that a reference names, None where it names nothing (which is a complaint)."""
        if not isinstance(value, str) or not value:
            self.complaints.add(path, f"must be the GUID or the name of a {self.kind}, not {value_text(value)}")
            return None
        if is_guid(value):
            return value.lower()
        if self.refuse_broken_guid(path, value):
            return None
        guids = self._guids.get(value, set())
        if len(guids) == 1:
            return next(iter(guids))
        if not guids and self.open_ended:
            return guid_of_name(self.kind, value)
        self.complaints.add(path, self._unresolved(value, guids))
        return None

    def refuse_broken_guid(self, path: str, text: str) -> bool:
        """Complain about a text that was meant to be a GUID: as a name it would be missing, or lead to nothing."""
        broken = like_a_guid(text) and not is_guid(text)
        if broken:
            form = "8-4-4-4-12 hexadecimal digits, 36 characters, no braces"
            wrong = f"{value_text(text)} looks like a GUID but has {len(text)} characters; write {form}"
            self.complaints.add(path, wrong)
        return broken

    def _unresolved(self, value: str, guids: set[str]) -> str:
        if guids:
            return f"{len(guids)} objects of kind {self.kind} have the name {value_text(value)}; write the GUID"
        near = self.complaints.near(value, self._guids)
        hint = f"did you mean {near!r}?" if near else "write the name as declared or a GUID (8-4-4-4-12)"
        return f"no {self.kind} has the name {value_text(value)}; {hint}"
