"""The text of a file, read with a limit."""

import sys
from pathlib import Path
from typing import Final

from mqconform.harness.tools.enterprise.faults import BadText, Fault

STANDARD_INPUT: Final = "-"
"""Name that stands for the standard input."""


def source_text(name: str, max_size: int) -> str:
    """Return the text of a file or of the standard input.

    Args:
        name: the file; ``-`` for standard input.
        max_size: size in octets beyond which it is refused.

    Raises:
        BadText: it cannot be read, is too large, or is no UTF-8.
    """
    octets = _octets(name, max_size)
    if len(octets) > max_size:
        raise BadText(Fault(f"is larger than {max_size} octets; if it is an enterprise, permit more by --max-size"))
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise BadText(Fault(f"octet {error.start} is not UTF-8; save the file as UTF-8", line=line)) from error


def _octets(name: str, max_size: int) -> bytes:
    """Return the octets of a file, one more than permitted where there are more."""
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.buffer.read(max_size + 1)
        with Path(name).open("rb") as file:
            return file.read(max_size + 1)
    except OSError as error:
        raise BadText(Fault(f"cannot be read: {error.strerror or error}; name a JSON or YAML file")) from error
    except ValueError as error:
        raise BadText(Fault(f"is no file name: {error}; name a JSON or YAML file")) from error
