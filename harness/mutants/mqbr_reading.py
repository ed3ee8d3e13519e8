"""Faulty routers: reading the directory (GetDirectoryData, MS-MQBR 3.1.5.9)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mqconform.harness.mutants.mqbr_mutant import SteppedRouter, misreading, routing
from mqconform.reference.directory.elements import QueueManager, Site
from mqconform.reference.directory.reading import AttributeFilter, DirectoryView, ReadEvent

EVERYTHING = ("MQBR-3",)


def despite(at: ReadEvent, kept: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> type[SteppedRouter]:
    """Return a router that answers with some objects although a reading failed."""

    class Despite(SteppedRouter):
        def get_directory_data(self, element: type[Any], *filters: AttributeFilter) -> tuple[Any, ...] | None:
            if (element.__name__, at) not in self.view.faults:
                return super().get_directory_data(element, *filters)
            faulty, self.view = self.view, replace(self.view, faults=frozenset())
            found = super().get_directory_data(element, *filters)
            self.view = faulty
            return kept(found) or None if found else None

    return Despite


def reading(kept: slice) -> type[SteppedRouter]:
    """Return a router that loses objects of each reading without a filter."""

    class Losing(SteppedRouter):
        def get_directory_data(self, element: type[Any], *filters: AttributeFilter) -> tuple[Any, ...] | None:
            found = super().get_directory_data(element, *filters)
            return found if filters or not found else found[kept] or None

    return Losing


class FilterForgotten(SteppedRouter):
    """The filter is not passed on, so that the first object of all is the one found."""

    def get_directory_data(self, element: type[Any], *filters: AttributeFilter) -> tuple[Any, ...] | None:
        """Filter nothing, where anything would be found."""
        found = super().get_directory_data(element, *filters)
        return super().get_directory_data(element) if found else found


class FilterTurnedRound(SteppedRouter):
    """Only objects that do not satisfy the filter are returned."""

    def get_directory_data(self, element: type[Any], *filters: AttributeFilter) -> tuple[Any, ...] | None:
        """Keep the others."""
        everything, found = super().get_directory_data(element), super().get_directory_data(element, *filters)
        if not filters or not everything or not found:
            return found
        return tuple(one for one in everything if one not in found) or None


class AnyType(SteppedRouter):
    """An identifier of a site is taken for a queue manager of it."""

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        """Look at the wrong objects too."""
        machines = self.get_directory_data(QueueManager) or ()
        members = (one for one in machines if machine in one.site_identifier_list)
        return super().get_queue_manager(machine) or next(members, None)


class OneFaultSpoilsAll(SteppedRouter):
    """A reading that fails for one type fails for all."""

    def fail_directory(self, object_type: str, at: str | None) -> None:
        """Fail them all."""
        del object_type
        for name in ("Site", "RoutingLink", "QueueManager"):
            super().fail_directory(name, at)


class StaleWhereReadingFails(SteppedRouter):
    """Where a reading cannot begin the objects of the last one are used."""

    remembered: DirectoryView | None = None

    def fail_directory(self, object_type: str, at: str | None) -> None:
        """Remember what was read."""
        if at == ReadEvent.BEGIN:
            self.remembered = self.view
        else:
            super().fail_directory(object_type, at)


class NoMatchRaises(SteppedRouter):
    """A reading that finds nothing raises an error."""

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        """Insist on a record."""
        found = super().get_queue_manager(machine)
        if found is None and self.get_directory_data(Site) is not None:
            raise LookupError(f"no queue manager has the identifier {machine}")
        return found


def _ids(*branches: str) -> tuple[str, ...]:
    return tuple(f"MQBR-3.1.5.9-{branch}" for branch in branches)


def _everything(found: tuple[Any, ...]) -> tuple[Any, ...]:
    return found


def _all_but_the_last(found: tuple[Any, ...]) -> tuple[Any, ...]:
    return found[:-1]


MUTANTS = (
    misreading(
        "begin-not-checked",
        "A reading that cannot begin yields all objects.",
        despite(ReadEvent.BEGIN, _everything),
        _ids("B01", "B02"),
    ),
    routing("old-data-where-begin-fails", StaleWhereReadingFails, _ids("B01", "B02")),
    misreading(
        "broken-reading-kept",
        "A reading that breaks off yields what was read.",
        despite(ReadEvent.NEXT, _everything),
        _ids("B06", "B07"),
    ),
    misreading(
        "broken-reading-kept-in-part",
        "A reading that breaks off yields all but the last object.",
        despite(ReadEvent.NEXT, _all_but_the_last),
        _ids("B06", "B07"),
    ),
    misreading(
        "last-object-lost",
        "The last object of a reading is lost.",
        reading(slice(None, -1)),
        _ids("01", "B03", "B04"),
        *EVERYTHING,
    ),
    misreading(
        "first-object-lost",
        "The first object of a reading is lost.",
        reading(slice(1, None)),
        _ids("01", "B04"),
        *EVERYTHING,
    ),
    misreading(
        "one-object-read", "A reading ends after its first object.", reading(slice(1)), _ids("B05", "B03"), *EVERYTHING
    ),
    misreading(
        "last-two-objects",
        "Only the last two objects of a reading are kept.",
        reading(slice(-2, None)),
        _ids("01", "B04"),
        *EVERYTHING,
    ),
    routing("filter-forgotten", FilterForgotten, _ids("04"), EVERYTHING),
    routing("filter-turned-round", FilterTurnedRound, _ids("04"), EVERYTHING),
    routing("any-type", AnyType, _ids("02")),
    routing("one-fault-spoils-all", OneFaultSpoilsAll, _ids("02")),
    routing(
        "no-match-raises",
        NoMatchRaises,
        ("MQBR-3.1.5.5-B02", "MQBR-3.1.5.6-B02", "MQBR-3.1.5.8-B02"),
        ("MQBR-3.1.5.1-B01", "MQBR-3.1.5.4", "MQBR-3.1.5.5", "MQBR-3.1.5.6", "MQBR-3.1.5.8", "MQBR-3.1.5.9"),
    ),
)
