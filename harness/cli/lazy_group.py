"""A group of commands, each in a module that is loaded when the command is used: ``--help`` needs none of them."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """Commands with their lines in the help, by what they are for."""

    def __init__(self, *, jobs: Mapping[str, Mapping[str, str]], **settings: Any) -> None:
        super().__init__(**settings)
        self._jobs = jobs
        self._lines = {name: line for commands in jobs.values() for name, line in commands.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return [*self._lines]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, its module loaded now."""
        del ctx
        if cmd_name not in self._lines:
            return None
        command: click.Command = import_module(f"{__package__}.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, and name those that a mistyped one comes near to."""
        near = get_close_matches(args[0], self._lines)
        if args[0] not in self._lines and near:
            ctx.fail(f"No such command {args[0]!r}. (Did you mean one of: {', '.join(map(repr, near))}?)")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by job, without loading them."""
        del ctx
        for job, commands in self._jobs.items():
            with formatter.section(job):
                formatter.write_dl([*commands.items()], col_max=11)
