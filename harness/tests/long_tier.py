"""The second tier of tests: repetitions of what the first tier shows, with other languages, counts, pages and faults.

``MQCONFORM_LONG=1`` admits them; without it they are skipped and say so. ``-m long`` picks them alone.
"""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

ADMITTED = bool(os.environ.get("MQCONFORM_LONG"))
LONG = (
    pytest.mark.long,
    pytest.mark.skipif(not ADMITTED, reason="second tier: MQCONFORM_LONG=1 pytest -m long runs it"),
)
"""The marks of a case of the second tier: for ``pytest.param`` and ``pytestmark``."""


def long(test: Any) -> Any:
    """Put a whole test into the second tier."""
    for mark in LONG:
        test = mark(test)
    return test


def mostly_long(values: Iterable[Any], *, first: Iterable[str]) -> list[ParameterSet]:
    """Return the parameters of a test, all but a few of them in the second tier.

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
