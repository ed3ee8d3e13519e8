"""Marks of the long lane, which `pytest -m long` runs; without ``-m`` its tests are left out (``addopts``).

A part of it has a mark of its own besides: `pytest -m "long and samba"`. ``pyproject.toml`` lists them.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

LONG = pytest.mark.long
long = LONG


def mostly_long(values: Iterable[Any], *, first: Iterable[str]) -> list[ParameterSet]:
    """Return the parameters of a test, all but a few of them in the long lane.

    Args:
        values: Each a text, or a tuple that begins with one.
        first: The texts of those that every run tries; it is an error if one of them is not among the values.
    """
    wanted, found = set(first), []
    for value in values:
        fields = value if isinstance(value, tuple) else (value,)
        marks = () if fields[0] in wanted else LONG
        wanted.discard(fields[0])
        found.append(pytest.param(*fields, marks=marks))
    if wanted:
        raise ValueError(f"no parameter is called {sorted(wanted)}")
    return found
