"""Files that a user names: read with a limit, as text or TOML, and replaced whole; errors name the file."""

import os
import tomllib
from collections.abc import Iterator
from glob import escape
from math import isfinite
from pathlib import Path
from typing import Any

from mqconform.harness.records.problem import ConfigurationError


def read_octets(path: Path, most: int, what: str) -> bytes:
    """Return the octets of a file.

    Args:
        path: the file.
        most: size in octets beyond which it is refused.
        what: what it should be, such as ``a facts file``.

    Raises:
        ConfigurationError: it cannot be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            octets = file.read(most + 1)
    except OSError as error:
        raise ConfigurationError(
            f"{path}: cannot be read: {error.strerror or error}; name {what} that can be read"
        ) from error
    if len(octets) > most:
        raise ConfigurationError(f"{path}: is larger than {most} octets; this is not {what}")
    return octets


def read_text(path: Path, most: int, what: str) -> str:
    """Return the text of a file in UTF-8; see ``read_octets``.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is not UTF-8.
    """
    try:
        return read_octets(path, most, what).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: octet {error.start} is not UTF-8; save the file as UTF-8") from error


def read_toml(path: Path, most: int, what: str) -> dict[str, Any]:
    """Return the TOML document in a file; see ``read_octets``.

    Raises:
        ConfigurationError: it cannot be read, is too large, is not TOML in UTF-8, or has a number that is not finite.
    """
    text = read_text(path, most, what)
    try:
        return tomllib.loads(text, parse_float=_finite)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        # ValueError: tomllib passes on what int() says of a number with thousands of digits
        raise ConfigurationError(f"{path}: is not TOML: {str(error)[:200]}") from error


def _finite(text: str) -> float:
    """Return a number; ``inf`` and ``nan``, which TOML knows, are no measure of anything here."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a finite number; write a finite one")
    return number


def replace_file(out: Path, octets: bytes) -> None:
    """Write a file beside its place and move it there, so that it is whole or as before.

    What is not an ordinary file is written to.
    """
    if out.exists() and not out.is_file():
        out.write_bytes(octets)
        return
    target = Path(os.path.realpath(out))  # a link stays one; Path.resolve raises RuntimeError at a circle of links
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(octets)
        beside.replace(target)
    finally:
        for left in (beside, *_left_by_the_killed(target)):
            left.unlink(missing_ok=True)


def _left_by_the_killed(target: Path) -> Iterator[Path]:
    """Yield temporary files beside ``target`` whose writers were killed."""
    for leftover in target.parent.glob(f".{escape(target.name)}.*"):
        number = leftover.name.rpartition(".")[2]
        try:
            if number.isdecimal():
                os.kill(int(number), 0)
        except ProcessLookupError:
            yield leftover
        except (OSError, OverflowError):  # another user's process, or not a process id
            continue
