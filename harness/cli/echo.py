"""The one way of lines to the terminal: whatever they hold, from a file or an implementation, acts on nothing."""

import click

from mqconform.harness.records.printable import harmless


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message as ``click.echo`` does, none of its characters acting on a terminal or a CI service."""
    click.echo(harmless(str(message)), err=err, nl=nl)  # noqa: TID251 - the one place
