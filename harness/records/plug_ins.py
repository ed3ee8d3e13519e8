"""Plug-ins: the adapters and report formats that installed distributions register as entry points.

The names of a group are read one by one, so that a fault of one plug-in never stands in the way of another.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any

from mqconform.harness.records.problem import ConfigurationError


@dataclass(frozen=True, slots=True)
class PlugInGroup:
    """One group of entry points: one function for each name.

    Attributes:
        group: the name of the group in the metadata of a distribution.
        noun: what a plug-in of the group is called in messages.
        built_in: names that mqconform itself answers to, which no plug-in may take.
    """

    group: str
    noun: str
    built_in: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return the names that plug-ins register, sorted, each once."""
        return tuple(sorted({point.name for point in _registered(tuple(sys.path), self.group)}))

    def load(self, name: str) -> Callable[..., Any] | None:
        """Return the function registered under a name, None without one.

        Raises:
            ConfigurationError: several plug-ins take the name, or the one that does cannot be loaded.
        """
        points = self._sole(name)
        return self._loaded(points[0]) if points else None

    def check_built_in(self, name: str) -> None:
        """Check that no plug-in takes a name that is built in.

        Raises:
            ConfigurationError: one does.
        """
        self._sole(name)

    def problems(self) -> Iterator[str]:
        """Yield a message for each name that cannot be used."""
        for name in self.names():
            try:
                self.load(name)
            except ConfigurationError as problem:
                yield str(problem)

    def _sole(self, name: str) -> tuple[EntryPoint, ...]:
        points = tuple(_registered(tuple(sys.path), self.group).select(name=name))
        owners = [f"{point.value} of {_distribution(point)}" for point in points]
        if name in self.built_in and owners:
            owners.insert(0, "mqconform itself")
        if len(owners) > 1:
            raise ConfigurationError(
                f"the {self.noun} {name!r} is registered more than once in {self.group}: by {', by '.join(owners)}; "
                "uninstall all but one of them, or have a plug-in register another name"
            )
        return points

    def _loaded(self, point: EntryPoint) -> Callable[..., Any]:
        try:
            function = point.load()
        except Exception as error:  # the module of a third party runs here and may raise anything
            raise self._unloadable(point, f"{type(error).__name__}: {error}") from error
        if not callable(function):
            raise self._unloadable(point, f"it is of type {type(function).__name__} and cannot be called")
        loaded: Callable[..., Any] = function
        return loaded

    def _unloadable(self, point: EntryPoint, reason: str) -> ConfigurationError:
        return ConfigurationError(
            f"the {self.noun} {point.name!r} cannot be loaded: {point.value} of {_distribution(point)}: {reason}; "
            "install that distribution anew, or uninstall it"
        )


@lru_cache(maxsize=16)
def _registered(search_path: tuple[str, ...], group: str) -> EntryPoints:
    """Return what all distributions register in a group, read once for a search path: a run asks four times."""
    del search_path
    return entry_points(group=group)


def _distribution(point: EntryPoint) -> str:
    """Return the name and version of the distribution that an entry point comes from."""
    if point.dist is None:
        return "an unknown distribution"
    return f"{point.dist.name} {point.dist.version}"
