"""The one way of lines to the terminal: whatever they hold, from a file or an implementation, acts on nothing."""

import os
import sys

import click

from mqconform.harness.records.printable import harmless


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message as ``click.echo`` does, none of its characters acting on a terminal or a CI service."""
    try:
        click.echo(harmless(str(message)), err=err, nl=nl)  # noqa: TID251 - the one place
    except BrokenPipeError:
        forget_output()


def forget_output() -> None:
    """Print to nobody from now on: the reader of the output has seen enough, and the exit code is what it is."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tries again at its exit, and fails
