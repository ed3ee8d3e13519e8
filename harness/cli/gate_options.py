"""Options of whatever decides whether the gate opens: a run and a merge; and those that divide a run."""

from collections.abc import Callable
from pathlib import Path

import click

FORMAT = "FORMAT[=PATH]"
Function = Callable[..., None]


def output_options(default: str) -> Callable[[Function], Function]:
    """Return a decorator that adds --report and --out."""

    def add(function: Function) -> Function:
        for option in (
            click.option(
                "--out",
                type=click.Path(path_type=Path),
                default=default,
                show_default=True,
                help="Directory for results and evidence.",
            ),
            click.option(
                "--report",
                "reports",
                multiple=True,
                metavar=FORMAT,
                help="Also write this format, such as junit=junit.xml; repeatable.",
            ),
        ):
            function = option(function)
        return function

    return add


def dividing_options(function: Function) -> Function:
    """Add the options that divide a run, and the one that names the build."""
    for option in (
        click.option("--build", default="", metavar="TEXT", help="Which build this is, such as a commit: for `diff`."),
        click.option("--shard", metavar="I/N", help="Only part I of N; `mqconform merge` makes one result of all."),
        click.option(
            "-n",
            "processes",
            type=click.IntRange(1, 256),
            default=1,
            show_default=True,
            metavar="NUMBER",
            help="Run in so many processes, each with the implementation to itself.",
        ),
    ):
        function = option(function)
    return function
