"""The one way of lines to the terminal and of documents to files, and what a room refuses of the user's files.

Whatever a line holds, from a file or an implementation, acts on nothing.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import harmless
from mqconform.harness.records.text_file import replace_file


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a message as ``click.echo`` does, none of its characters acting on a terminal or a CI service."""
    try:
        click.echo(harmless(str(message)), err=err, nl=nl)  # noqa: TID251 - the one place
    except BrokenPipeError:
        forget_output(sys.stderr if err else sys.stdout)


def say_apart(message: str) -> None:
    """Print a message on standard error."""
    echo(message, err=True)


def forget_output(stream: TextIO | None = None) -> None:
    """Print to nobody from now on, by standard output unless given: its reader has left, and the exit code stays."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())  # or Python fails again at its exit


def say(lines: Iterable[str]) -> None:
    """Print lines on standard output, in whatever characters that can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    echo("\n".join(lines))


def write_out(text: str, out: Path | None, option: str = "--out") -> None:
    """Write a document as UTF-8 to a file, wholly or not at all, or to standard output; ``option`` named the file.

    Raises:
        ConfigurationError: if the file cannot be written.
    """
    if out is None:
        try:
            sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            forget_output()
        return
    try:
        replace_file(out, text.encode("utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"{option} {out}: {error.strerror or error}; name a file that can be written"
        ) from error
    echo(f"written to {out}", err=True)


@contextmanager
def refusals_shown(*kinds: type[Exception]) -> Iterator[None]:
    """Turn exceptions of some kinds, whose text names file and remedy, into usage errors."""
    try:
        yield
    except kinds as refused:
        raise ConfigurationError(str(refused)) from refused


@contextmanager
def needing(extra: str, what: str = "this") -> Iterator[None]:
    """Say which extra installs what cannot be imported."""
    try:
        yield
    except ImportError as absent:
        raise ConfigurationError(
            f"{what} needs {absent.name or absent}; run in a checkout of mqconform: pip install '.[{extra}]'"
        ) from absent


@contextmanager
def unwritable_shown() -> Iterator[None]:
    """Say what a folder of reports cannot be written for."""
    try:
        yield
    except OSError as error:
        name = error.filename or "--out"
        raise ConfigurationError(f"{name}: {error.strerror}; name a folder that can be written") from error
