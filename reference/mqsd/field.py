"""A field of a packet with its place in the packet and in the specification."""

from dataclasses import dataclass

from mqconform.reference.mqsd.guid import Guid


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """What stands between two delimiters of a server list, right or wrong by the grammar in ``reply``."""

    ip: str
    """First character, empty if there is none; "0" and "1" are right."""
    ipx: str
    """Second character, empty if there is none; "0" and "1" are right."""
    name: str
    """The rest; one that is not empty is right."""


FieldValue = int | Guid | str | ServerEntry | tuple[int, ...] | tuple[Guid, ...] | tuple[ServerEntry, ...] | None


@dataclass(frozen=True, slots=True)
class Field:
    """A field, or an element or grammar rule within one."""

    name: str
    """The specification's name."""
    offset: int
    """First octet, counted from the start of the packet."""
    length: int
    """Octets that the field ought to have."""
    octets: bytes
    """Octets that it has; fewer than ``length`` where the packet ends within it."""
    value: FieldValue
    """Integer, GUID in packet order, character, or a tuple of elements; None for a number or GUID that is cut."""
    section: str
    """Section that defines the field."""
    parts: "tuple[Field, ...]" = ()
    """Elements of an array, rules of the grammar within the server list."""
