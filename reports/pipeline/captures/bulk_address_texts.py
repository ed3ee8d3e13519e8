"""Addresses as text, in compiled loops: millions of hosts cost less than looking for those that are written already.

IPv4 stands in its own form, IPv6 as RFC 5952 has it: the longest run of zeros left out, the first of equal ones.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, Octets, compiled_reader

LONGEST: Final = 39
"""Characters of an address without zeros to leave out."""
DOT, COLON, DIGIT, LETTER = 0x2E, 0x3A, 0x30, 0x61
_MAPPED: Final = 0xFFFF
"""What the second number of an IPv4 address begins with, above its own 32 bits."""


def texts_of(addresses: Masks) -> Any:
    """Return addresses of two numbers each, IPv4 as mapped into IPv6, as an array of Arrow strings."""
    count = len(addresses)
    ends, octets = np.zeros(count + 1, np.int32), np.empty(LONGEST * count, np.uint8)
    _write_all(addresses, ends, octets)
    written = pa.py_buffer(octets[: ends[-1]].copy())
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(ends), written])


@compiled_reader
def _write_all(addresses: Masks, ends: Int32s, octets: Octets) -> None:
    at = 0
    for row in range(len(addresses)):
        high, low = addresses[row, 0], addresses[row, 1]
        if high == 0 and low >> np.uint64(32) == _MAPPED:
            at = _write_ipv4(low, octets, at)
        else:
            at = _write_ipv6(high, low, octets, at)
        ends[row + 1] = at


@compiled_reader
def _write_ipv4(low: Any, octets: Octets, at: int) -> int:
    for place in range(4):
        value = np.int64(low >> np.uint64(8 * (3 - place))) & 0xFF
        if place:
            octets[at] = DOT
            at += 1
        if value >= 100:
            octets[at] = DIGIT + value // 100
            at += 1
        if value >= 10:
            octets[at] = DIGIT + value // 10 % 10
            at += 1
        octets[at] = DIGIT + value % 10
        at += 1
    return at


@compiled_reader
def _write_ipv6(high: Any, low: Any, octets: Octets, at: int) -> int:
    left_out, until = _zeros(high, low)
    for group in range(8):
        if left_out <= group < until:
            if group == left_out:
                octets[at] = octets[at + 1] = COLON
                at += 2
            continue
        if group and group != until:
            octets[at] = COLON
            at += 1
        at = _write_group(_group(high, low, group), octets, at)
    return at


@compiled_reader
def _group(high: Any, low: Any, group: int) -> int:
    """Return one of the eight groups of 16 bits."""
    half = high if group < 4 else low
    return int(np.int64(half >> np.uint64(16 * (3 - group % 4))) & 0xFFFF)


@compiled_reader
def _zeros(high: Any, low: Any) -> tuple[int, int]:
    """Return where the groups that are left out begin and end; -1 twice where none are."""
    begin, end, run = -1, -1, 0
    for group in range(8):
        run = run + 1 if _group(high, low, group) == 0 else 0
        if run > 1 and run > end - begin:
            begin, end = group + 1 - run, group + 1
    return begin, end


@compiled_reader
def _write_group(value: int, octets: Octets, at: int) -> int:
    digit_written = False
    for place in range(4):
        digit = value >> 4 * (3 - place) & 15
        digit_written = digit_written or digit > 0 or place == 3
        if digit_written:
            octets[at] = DIGIT + digit if digit < 10 else LETTER + digit - 10
            at += 1
    return at
