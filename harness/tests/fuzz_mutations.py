"""Octets changed by chance: what users, editors, disks and enemies make of a file."""

import random
import re
from collections.abc import Callable
from typing import Final

TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[A-Za-z_][\w.-]*|-?\d[\d.eE+-]*|\S')
VALUE: Final = re.compile(rb'[:=]\s*("(?:[^"\\]|\\.)*"|[-\w.]+)')
MOST_COPIED: Final = 5_000
"""Octets; what grows at each step is soon refused for its size alone."""
_SCALARS: Final = (
    b"null",
    b"true",
    b"0",
    b"-1",
    b"1.5",
    b"1e400",
    b"NaN",
    b"9" * 19,
    b"9" * 39,
    b"9" * 310,
    b"9" * 5_000,
    b'""',
    b'"\\u0000"',
    b'"\\ud800"',
    b'"\\n"',
    b'"\\u001b[2J\\u009b\\u202e\\r"',
    b"[]",
    b"{}",
    b"[[]]",
    b"[{}]",
    b'[""]',
    b'"' + b"x" * 70_000 + b'"',
    b"2026-02-30",
    b"1:30:00",
    b'"../../x"',
    b'"{0.__class__}"',
)
_NESTED: Final = (b"[" * 2_000, b'{"a":' * 500, b"- " * 500)
_SIGNS: Final = tuple(bytes([sign]) for sign in b"\x00\xff\r\n\t[]{},:\"'#&*!%")
_WORDS: Final = tuple(
    word.encode() for word in ("\u202e", "\u0130", "\u2028", "\U0001f600", "\x1b[2J", "\x9b2J", "*a", "!!binary", "---")
)
HOSTILE: Final = (b"", *_SCALARS, *_NESTED, *_SIGNS, *_WORDS)
Way = Callable[[bytes, random.Random], bytes]


def mutated(octets: bytes, rng: random.Random) -> bytes:
    """Return the octets after one change or a few."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        octets = rng.choice(WAYS)(octets, rng)
    return octets


def _token(octets: bytes, rng: random.Random) -> bytes:
    """Replace, repeat or leave out a word."""
    spans = [one.span() for one in TOKEN.finditer(octets)] or [(0, len(octets))]
    start, end = rng.choice(spans)
    other = octets[slice(*rng.choice(spans))]
    new = rng.choice((b"", other, octets[start:end] * rng.choice((2, 50)), rng.choice(HOSTILE)))
    return octets[:start] + new + octets[end:]


def _value(octets: bytes, rng: random.Random) -> bytes:
    """Replace a value, so that the text stays well formed: what is refused early tests little."""
    spans = [one.span(1) for one in VALUE.finditer(octets)] or [(0, len(octets))]
    start, end = rng.choice(spans)
    new = rng.choice((*_SCALARS, octets[slice(*rng.choice(spans))]))
    return octets[:start] + new + octets[end:]


def _bit(octets: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(octets) + 1)
    return (
        octets[:place]
        + bytes([octets[place] ^ 1 << rng.randrange(8)] if place < len(octets) else 1)
        + octets[place + 1 :]
    )


def _cut(octets: bytes, rng: random.Random) -> bytes:
    start, end = _part(octets, rng)
    return octets[:start] + rng.choice((octets[end:], b""))


def _copy(octets: bytes, rng: random.Random) -> bytes:
    start, end = _part(octets, rng)
    place = rng.randrange(len(octets) + 1)
    return octets[:place] + octets[start:end][:MOST_COPIED] + octets[place:]


def _line(octets: bytes, rng: random.Random) -> bytes:
    lines = octets.split(b"\n")
    place = rng.randrange(len(lines))
    new = rng.choice(([], [lines[place], rng.choice(lines)], [rng.choice(HOSTILE)]))
    return b"\n".join((*lines[:place], *new, *lines[place + 1 :]))


def _part(octets: bytes, rng: random.Random) -> tuple[int, int]:
    start, end = sorted((rng.randrange(len(octets) + 1), rng.randrange(len(octets) + 1)))
    return start, end


WAYS: Final[tuple[Way, ...]] = (_token, _token, _value, _value, _value, _bit, _cut, _copy, _line)
