"""Faulty routers: reading the directory (GetDirectoryData, MS-MQBR 3.1.5.9)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from mqconform.harness.iut.mutants.mqbr.stepped_router import SteppedRouter, procedure
from mqconform.harness.iut.mutants.mutant import altered, with_answers
from mqconform.reference.directory.elements import QueueManager, Site
from mqconform.reference.directory.reading import OBJECT_TYPES, AttributeFilter, ReadEvent, read_directory

Objects: TypeAlias = tuple[Any, ...] | None


def despite(fault: ReadEvent, part: slice = slice(None)) -> Callable[..., Objects]:
    """Return a reading that a fault does not stop, or not before some of its objects."""

    def objects(self: SteppedRouter, answer: Objects, element: type[Any], *filters: AttributeFilter) -> Objects:
        if (element.__name__, fault) not in self.view.faults:
            return answer
        _, _, records = read_directory(replace(self.view, faults=frozenset()), element, filters)
        return records[part] or None

    return objects


def _old_data(self: SteppedRouter, object_type: str, at: str | None) -> None:
    if at != ReadEvent.BEGIN:
        SteppedRouter.fail_directory(self, object_type, at)


def _part(*bounds: int | None) -> Callable[..., Objects]:
    part = slice(*bounds)
    return lambda self, answer, element, *filters: answer if filters or not answer else answer[part] or None


def _others(self: SteppedRouter, answer: Objects, element: type[Any], *filters: AttributeFilter) -> Objects:
    everything = SteppedRouter.get_directory_data(self, element)
    if not filters or not everything or not answer:
        return answer
    return tuple(thing for thing in everything if thing not in answer) or None


def _member_of_site(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    machines = self.get_directory_data(QueueManager) or ()
    return record or next((member for member in machines if machine in member.site_identifier_list), None)


def _fail_all_types(self: SteppedRouter, object_type: str, at: str | None) -> None:
    for name in OBJECT_TYPES:
        SteppedRouter.fail_directory(self, name, at)


def _raise_without_match(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    if record is None and self.get_directory_data(Site) is not None:
        raise LookupError(f"no queue manager has the identifier {machine}")
    return record


_objects = partial(procedure, "3.1.5.9", with_answers, "get_directory_data")
_record = partial(procedure, "3.1.5.9", with_answers, "get_queue_manager")
_fault = partial(procedure, "3.1.5.9", altered, "fail_directory")

MUTANTS = (
    _objects(
        "begin-not-checked", "A reading that cannot begin yields all objects.", despite(ReadEvent.BEGIN), "B01 B02"
    ),
    _fault(
        "old-data-where-begin-fails",
        "Where a reading cannot begin the objects of the last one are used.",
        _old_data,
        "B01 B02",
    ),
    _objects(
        "beginning-of-a-broken-reading",
        "A reading that breaks off yields its first object.",
        despite(ReadEvent.NEXT, slice(1)),
        "B06 B07",
    ),
    _objects("last-object-lost", "The last object of a reading is lost.", _part(-1), "01 B03 B04"),
    _objects("first-object-lost", "The first object of a reading is lost.", _part(1, None), "01 B04"),
    _objects("one-object-read", "A reading ends after its first object.", _part(1), "B05 B03"),
    _objects("last-two-objects", "Only the last two objects of a reading are kept.", _part(-2, None), "01 B04"),
    _objects(
        "filter-forgotten",
        "The filter is not passed on, so that the first object of all is the one found.",
        lambda self, answer, element, *_: SteppedRouter.get_directory_data(self, element) if answer else answer,
        "04",
    ),
    _objects("filter-turned-round", "Only objects that do not satisfy the filter are returned.", _others, "04"),
    _record("any-type", "An identifier of a site is taken for a queue manager of it.", _member_of_site, "02"),
    _fault("one-fault-spoils-all", "A reading that fails for one type fails for all.", _fail_all_types, "02"),
    _record(
        "no-match-raises",
        "A reading that finds nothing raises an error.",
        _raise_without_match,
        "MQBR-3.1.5.5-B02 MQBR-3.1.5.6-B02 MQBR-3.1.5.8-B02",
    ),
)
