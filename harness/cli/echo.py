"""The one way of lines to the terminal: whatever they hold, from a file or an implementation, acts on nothing."""

import os
import sys
from typing import TextIO

import click

from mqconform.harness.records.printable import harmless


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message as ``click.echo`` does, none of its characters acting on a terminal or a CI service."""
    try:
        click.echo(harmless(str(message)), err=err, nl=nl)  # noqa: TID251 - the one place
    except BrokenPipeError:
        forget_output(sys.stderr if err else sys.stdout)


def forget_output(stream: TextIO | None = None) -> None:
    """Print to nobody from now on, by standard output unless given: its reader has left, and the exit code stays."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())  # or Python fails again at its exit
