"""Commands that a file names are shown before they are started, and started only if the user allows it.

A facts file, a matrix, a bundle and a saved question may come from someone else, and the commands in them run with the
rights of the user who replays them. What is typed on the command line is the user's own and is not asked about.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from mqconform.harness.cli.echo import echo
from mqconform.harness.explore.matrix.matrix_file import Implementation
from mqconform.harness.iut.interface import ClientFacts, ConfigurationError
from mqconform.harness.records.printable import visible

VARIABLE: Final = "MQCONFORM_ALLOW_COMMANDS"
HARMLESS: Final = frozenset({"ref", "mutant", "udp"})
"""Kinds of targets that start nothing: parts of the harness, and datagrams to an address."""
_KEY: Final = "mqconform.allow-commands"


def _keep(ctx: click.Context, _: click.Parameter, allowed: bool) -> None:  # noqa: FBT001 - as click calls it
    ctx.meta[_KEY] = allowed


allow_commands_option = click.option(
    "--allow-commands",
    is_flag=True,
    envvar=VARIABLE,
    expose_value=False,
    callback=_keep,
    help=f"Start the commands that a file names; without it they are shown and asked about.  [env var: {VARIABLE}]",
)


def require_consent(file: Path, commands: Iterable[str]) -> None:
    """Show the commands that a file names, and return if the user allows them.

    Raises:
        ConfigurationError: the user does not, or there is no terminal to ask at.
    """
    named = [f"  {visible(command)}" for command in dict.fromkeys(commands)]
    if not named or click.get_current_context().meta.get(_KEY):
        return
    warning = "\n".join((f"{visible(str(file))} names commands that would run with your rights:", *named))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigurationError(f"{warning}\nread them, then allow them with --allow-commands or {VARIABLE}=1")
    echo(warning, err=True)
    if not click.confirm("Start them?", err=True):
        raise ConfigurationError(f"{visible(str(file))}: its commands were not allowed; nothing was started")


def commands_of_target(target: str) -> Iterator[str]:
    """Yield a target that starts or imports something of its own."""
    if target and target.partition(":")[0] not in HARMLESS:
        yield target


def commands_of_client(client: ClientFacts | None) -> Iterator[str]:
    """Yield the commands of a discovery client, placeholders included."""
    for words in (client.start, client.service) if client else ():
        if words:
            yield shlex.join(words)


def commands_of_implementation(implementation: Implementation) -> Iterator[str]:
    """Yield what an implementation of a matrix starts."""
    yield from commands_of_target(implementation.target)
    yield from commands_of_client(implementation.client)
    if implementation.server:
        yield shlex.join(implementation.server.start)
