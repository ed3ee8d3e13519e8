"""Reading the directory: attribute filters, and events that can fail (MS-MQDMPR 3.1.1.17, 3.1.7.1.20 to .23).

A ``DirectoryView`` is the directory together with what currently fails when it is read. A whole reading - Read
Directory Begin, Next until the end of data, End - is one call here: the algorithm discards what it has read when a
Next fails (MS-MQBR 3.1.5.9), so that the steps in between cannot be told apart from outside.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, cast

from mqconform.reference.directory.elements import Directory, Element, QueueManager, RoutingLink, Site
from mqconform.reference.errors import ModelError


class DirectoryOperationResult(Enum):
    """Outcome of one directory event, as far as reading needs it (MS-MQDMPR 3.1.1.17)."""

    SUCCESS = "Success"
    GENERIC_ERROR = "GenericError"
    END_OF_DATA = "EndOfData"


class ReadEvent(StrEnum):
    """The three events that make up a reading (MS-MQDMPR 3.1.7.1.21 to .23)."""

    BEGIN = "begin"
    NEXT = "next"
    END = "end"


class UnknownObjectType(ModelError):
    """A directory object type was named that routing never reads."""


class UnusableFilter(ModelError):
    """An attribute filter names an attribute that the type lacks, or compares what has no comparison."""


class Operator(StrEnum):
    """Comparison operators of attribute-filter expressions (MS-MQDMPR 3.1.7.1.20)."""

    EQUALS = "EQUALS"
    NOT_EQUALS = "NOT-EQUALS"
    LESS_THAN = "LESS-THAN"
    GREATER_THAN = "GREATER-THAN"
    LESS_THAN_OR_EQUAL = "LESS-THAN-OR-EQUAL"
    GREATER_THAN_OR_EQUAL = "GREATER-THAN-OR-EQUAL"


_COMPARE: Mapping[Operator, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        Operator.EQUALS: operator.eq,
        Operator.NOT_EQUALS: operator.ne,
        Operator.LESS_THAN: operator.lt,
        Operator.GREATER_THAN: operator.gt,
        Operator.LESS_THAN_OR_EQUAL: operator.le,
        Operator.GREATER_THAN_OR_EQUAL: operator.ge,
    }
)


@dataclass(frozen=True, slots=True)
class AttributeFilter:
    """One attribute-filter expression; several in an array have to hold together (MS-MQDMPR 3.1.7.1.20)."""

    attribute: str
    """Name of the attribute as the abstract data model spells it, such as ``Identifier``."""
    operator: Operator
    value: str | int | bool

    def holds_for(self, element: Site | RoutingLink | QueueManager) -> bool:
        """Return whether ``element`` satisfies the expression.

        Raises:
            UnusableFilter: if the type has no such attribute, the attribute is a list, or the types do not compare.
        """
        name = attribute_field(self.attribute)
        if name not in {field.name for field in fields(element)}:
            raise UnusableFilter(f"{type(element).__name__} has no attribute {self.attribute!r}")
        field_value = getattr(element, name)
        if isinstance(field_value, tuple) or isinstance(field_value, str) is not isinstance(self.value, str):
            raise UnusableFilter(
                f"{type(element).__name__}.{self.attribute} cannot be compared with {self.value!r}: "
                "the grammar compares single values of one type"
            )
        return _COMPARE[self.operator](field_value, self.value)


def attribute_field(attribute: str) -> str:
    """Return the field that holds an attribute: ``SiteIdentifierList`` gives ``site_identifier_list``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in attribute).lstrip("_")


OBJECT_TYPES: Mapping[str, type[Site | RoutingLink | QueueManager]] = MappingProxyType(
    {"Site": Site, "RoutingLink": RoutingLink, "QueueManager": QueueManager}
)
"""The object types that routing reads, by the name that the DataElementType parameter uses."""


@dataclass(frozen=True)
class DirectoryView:
    """A directory as a reader meets it: its content and what fails."""

    directory: Directory
    faults: frozenset[tuple[str, ReadEvent]] = frozenset()
    """Pairs of object type name and the event that fails when objects of that type are read."""

    @property
    def sound(self) -> bool:
        """Whether every reading yields its objects; a failing End spoils none (BR-19)."""
        return all(event is ReadEvent.END for _, event in self.faults)

    def failing(self, object_type: str, at: ReadEvent | None) -> "DirectoryView":
        """Return the view in which readings of one type fail at one event, or at none.

        Raises:
            UnknownObjectType: if routing reads no such type.
        """
        if object_type not in OBJECT_TYPES:
            raise UnknownObjectType(f"{object_type!r:.60} is not read by routing; use {', '.join(OBJECT_TYPES)}")
        others = frozenset(fault for fault in self.faults if fault[0] != object_type)
        return replace(self, faults=others if at is None else others | {(object_type, at)})

    def without_bad_object(self) -> "Iterator[DirectoryView]":
        """Yield the view as a reader has it who skips the object at which a reading breaks off (BR-18).

        The view does not say which object that is: it may be any object it holds, or none of them.
        """
        broken = {name for name, event in self.faults if event is ReadEvent.NEXT}
        if not broken:
            return
        healed = replace(self, faults=frozenset(fault for fault in self.faults if fault[1] is not ReadEvent.NEXT))
        yield healed
        for name, array in (("Site", "sites"), ("RoutingLink", "routing_links"), ("QueueManager", "queue_managers")):
            objects = getattr(self.directory, array) if name in broken else ()
            for place in range(len(objects)):
                rest: Any = {array: (*objects[:place], *objects[place + 1 :])}
                yield healed.holding(replace(self.directory, **rest))

    def holding(self, directory: Directory) -> "DirectoryView":
        """Return the view with other content and the same faults."""
        return replace(self, directory=directory)


def read_directory(
    view: DirectoryView, element: type[Element], filters: tuple[AttributeFilter, ...] = ()
) -> tuple[ReadEvent, DirectoryOperationResult, tuple[Element, ...]]:
    """Return how a reading of all objects of a type ends (MS-MQDMPR 3.1.7.1.21 to .23).

    Returns:
        The event that decided, its result, and the objects read in the order of enumeration: BEGIN or NEXT with
        GENERIC_ERROR and no object, NEXT with END_OF_DATA and all that match, or, where End fails, END with
        GENERIC_ERROR and all that match, for its result is fetched and not looked at (BR-19).

    Raises:
        UnusableFilter: if a filter does not fit the type.
    """
    failing = {event for name, event in view.faults if name == element.__name__}
    for event in (ReadEvent.BEGIN, ReadEvent.NEXT):
        if event in failing:
            return event, DirectoryOperationResult.GENERIC_ERROR, ()
    elements = _matching(view.directory, element, filters)
    if ReadEvent.END in failing:
        return ReadEvent.END, DirectoryOperationResult.GENERIC_ERROR, elements
    return ReadEvent.NEXT, DirectoryOperationResult.END_OF_DATA, elements


def _matching(
    directory: Directory, element: type[Element], filters: tuple[AttributeFilter, ...]
) -> tuple[Element, ...]:
    candidates = _all(directory, element)
    if filters and filters[0].attribute == "Identifier" and filters[0].operator is Operator.EQUALS:
        candidates = _identified(directory, element, str(filters[0].value))
        filters = filters[1:]
    if not filters:
        return candidates
    return tuple(candidate for candidate in candidates if all(each.holds_for(candidate) for each in filters))


def _all(directory: Directory, element: type[Element]) -> tuple[Element, ...]:
    elements_by_type: Mapping[type[Any], tuple[Any, ...]] = {
        Site: directory.sites,
        RoutingLink: directory.routing_links,
        QueueManager: directory.queue_managers,
    }
    return cast("tuple[Element, ...]", elements_by_type[element])


def _identified(directory: Directory, element: type[Element], identifier: str) -> tuple[Element, ...]:
    """Return the objects of one identifier, compared without regard to case; through the index if there is one."""
    key = identifier.lower()
    index: Mapping[type[Any], Mapping[Any, tuple[Any, ...]]] = {
        Site: directory.sites_by_identifier,
        QueueManager: directory.queue_managers_by_identifier,
    }
    if element in index:
        return cast("tuple[Element, ...]", index[element].get(key, ()))
    return tuple(candidate for candidate in _all(directory, element) if candidate.identifier == key)
