"""Draws by Hypothesis that depend on the seed alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants


@contextmanager
def by_seed_alone() -> Iterator[None]:
    """Draw no constants from source files, which Hypothesis reads where a project is not installed among packages.

    A checkout and an installed package would try different inputs with the same seed, and so might differ in a verdict.
    Hypothesis has no setting for it. It would also leave a folder where the user stands.
    """
    inside: Any = providers
    before = inside._get_local_constants, inside.CONSTANTS_CACHE  # noqa: SLF001 - see above
    inside._get_local_constants = Constants  # noqa: SLF001
    inside.CONSTANTS_CACHE = type(before[1])(1024)
    try:
        yield
    finally:
        inside._get_local_constants, inside.CONSTANTS_CACHE = before  # noqa: SLF001
