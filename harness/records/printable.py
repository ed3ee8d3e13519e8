r"""Text that an implementation sent, made safe to show.

Controls, terminal escapes, direction marks and unpaired surrogates become ``\uXXXX``; a backslash doubles, so that
what is shown can be told from what was sent. So does one character of what is a command to a CI service in its log:
``::set-output`` at the beginning of a line, ``##[error]`` and ``##vso[`` anywhere.
"""

import re
from reprlib import Repr
from typing import Final
from uuid import UUID

_COMMANDS: Final = re.compile(r"^\s*:(?=:)|#(?=#\w*\[)")
_GUID_OCTETS: Final = re.compile(r"(?<![0-9a-fA-F-])[0-9a-f]{32}(?![0-9a-fA-F-])")


def visible(text: str) -> str:
    """Return ``text`` with every character visible and none that acts on a terminal."""
    return one_line(text.replace("\\", "\\\\"))


def one_line(text: str) -> str:
    """Return ``text`` on one line with nothing that acts on a terminal; backslashes stay as they are."""
    return harmless(text.replace("\n", "\\u000a"))


def harmless(message: str) -> str:
    """Return a message, parts of which may have been made visible, so that none of its lines acts on anything."""
    return "\n".join(_COMMANDS.sub(_escaped, _escaped_line(line)) for line in message.split("\n"))


def visible_lines(text: str) -> str:
    """Return ``text`` made visible line by line; its line breaks stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def quoted_lines(text: str, indent: str = "") -> str:
    """Return ``text`` made visible line by line, a bar before each but the first, which stands behind words of ours."""
    return visible_lines(text).replace("\n", f"\n{indent}| ")


def shortened(text: str, longest: int) -> str:
    """Return ``text``, its end left out where it is longer than ``longest`` characters."""
    return text if len(text) <= longest else f"{text[:longest]} ... {len(text) - longest} characters omitted"


def with_guids(text: str) -> str:
    """Return ``text`` with each GUID that stands there as 32 hexadecimal digits in wire order also as it is written."""
    return _GUID_OCTETS.sub(lambda hit: f"{hit[0]} (GUID {UUID(bytes_le=bytes.fromhex(hit[0]))})", text)


def octets_text(octets: bytes, longest: int) -> str:
    """Return octets in hexadecimal, at most the first ``longest`` of them."""
    rest = len(octets) - longest
    return octets[:longest].hex(" ") + (f" ... {rest} octets omitted" if rest > 0 else "")


def _escaped_line(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(character if character.isprintable() else _escape(character) for character in line)


def _escaped(hit: re.Match[str]) -> str:
    return hit[0][:-1] + _escape(hit[0][-1])


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


class _Excerpt(Repr):
    """A short ``repr`` that no JSON value can make fail or grow."""

    def repr_int(self, x: int, level: int) -> str:
        """Return ``x``; Python refuses to write integers of more than 4,300 digits."""
        return super().repr_int(x, level) if x.bit_length() < 4096 else f"an integer of {x.bit_length()} bits"


_EXCERPT = _Excerpt()
_EXCERPT.maxstring = _EXCERPT.maxother = 120
_EXCERPT.maxlong = 40
_EXCERPT.maxlevel = 3


def excerpt(value: object) -> str:
    """Return a value that an IUT sent as text short enough for a message, control characters escaped."""
    return _EXCERPT.repr(value[:400] if isinstance(value, str | bytes) else value)
