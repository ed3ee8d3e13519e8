"""What the commands about enterprise files have in common: their options, and how they write."""

import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path

import click

from mqconform.harness.cli.echo import echo, forget_output
from mqconform.harness.cli.stacked import Decorator
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.text_file import replace_file
from mqconform.harness.tools.enterprise.file import MAX_SIZE

MEBIOCTET = 1024 * 1024

file_argument: Decorator = click.argument("file", metavar="FILE", type=click.Path())

max_size_option: Decorator = click.option(
    "--max-size",
    type=click.IntRange(min=1, max=16 * 1024),
    metavar="MIB",
    default=MAX_SIZE // MEBIOCTET,
    show_default=True,
    help="Largest file that is read, in MiB.",
)


def machine_option(name: str, parameter: str, text: str, *, required: bool = False) -> Decorator:
    """Return an option that names a queue manager."""
    return click.option(name, parameter, metavar="QM", required=required, help=text)


def octets(max_size: int) -> int:
    """Return the value of ``--max-size`` in octets."""
    return max_size * MEBIOCTET


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
