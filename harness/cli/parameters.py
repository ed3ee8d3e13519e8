"""What options and arguments are made of: files and folders, finite numbers, and groups of options."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import click

A_DAY: Final = 86_400
"""Seconds that nothing here waits longer than."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class FilePath(click.Path):
    """A ``pathlib.Path``; an empty one, as an unset variable gives, is refused: it would be the working directory."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; fail as click does where it is empty or of another kind."""
        if value == "":
            self.fail("The name is empty; name a file or folder, or leave it out.", param, ctx)
        return super().convert(value, param, ctx)


FILE: Final = FilePath()
"""A file or a folder."""


class Number(click.FloatRange):
    """A number within bounds; ``nan``, which lies within any of them, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fail as click does where it is out of bounds or not finite."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def option(names: str, text: str, kind: object = None, **how: Any) -> Decorator:
    """Return an option.

    Args:
        names: its names, and that of its parameter where that is another, with blanks between.
        text: its line in the help.
        kind: what its values are, a list where they are some words.
        how: further parameters of ``click.option``.
    """
    kind = click.Choice(kind) if isinstance(kind, list) else kind
    return click.option(*names.split(), type=kind, help=text, **how)


def seconds_option(names: str, text: str, low: float = 0, high: float | None = A_DAY, **how: Any) -> Decorator:
    """Return an option of seconds within bounds; see ``option``."""
    return option(names, text, Number(min=low, max=high), metavar="SECONDS", **how)


def flag(names: str, text: str) -> Decorator:
    """Return an option without a value; see ``option``."""
    return option(names, text, is_flag=True)


def json_option(text: str = "One JSON object per line.") -> Decorator:
    """Return --json, which the command gets as ``as_json``."""
    return flag("--json as_json", text)


RARE: Final = ("seed", "deadline", "reply_timeout", "processes", "workers", "as_json", "master", "conf")
"""Parameters that are rare wherever no heading has them."""


class UsualFirst(click.Command):
    """A command whose help has the options to learn first, at most four for one job, and the rare ones at the end.

    Args of the constructor:
        rare: names of parameters, with blanks between.
        jobs: names of parameters by heading; without them all but the rare ones stand under one.
    """

    by_name: Collection[str] = ()
    """Rare parameters of which the help has the names alone."""
    page = "docs/configuration.md"
    """Describes those."""

    def __init__(self, *args: Any, rare: str = "", jobs: Mapping[str, Sequence[str]] | None = None, **how: Any) -> None:
        super().__init__(*args, **how)
        self.rare, self.jobs = (*RARE, *rare.split()), jobs or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what most users need; a file of options is the place for the rest."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option) and not each.is_eager]
        records = {each.name: record for each in options if (record := each.get_help_record(ctx))}
        rare = [
            name for name in records if name in self.rare and not any(name in names for names in self.jobs.values())
        ]
        usual = [name for name in records if name not in (*rare, *self.by_name)]
        for job, names in {**(self.jobs or {"Options": usual}), "Rare": rare}.items():
            if names:
                with formatter.section(job):
                    formatter.write_dl([records.pop(name) for name in names])
        if records:
            with formatter.section(f"Rare, at home in mqconform.toml ({self.page})"):
                named = ", ".join(record[0].split(" ")[0].removesuffix(",") for record in records.values())
                formatter.write(fill(named, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False) + "\n")
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class UsualGroup(UsualFirst, click.Group):
    """Such a command with others below it."""


def stacked(*options: Decorator) -> Decorator:
    """Return options as one decorator, in the order of the help."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add
