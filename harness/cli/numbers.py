"""Numbers that options take: finite ones."""

from math import isfinite
from typing import Any, Final

import click

A_DAY: Final = 86_400
"""Seconds that nothing here waits longer than."""


class Number(click.FloatRange):
    """A number within bounds; ``nan``, which lies within any of them, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fail as click does where it is out of bounds or not finite."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number
