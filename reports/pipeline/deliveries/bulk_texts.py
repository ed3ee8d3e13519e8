"""Texts of delivery logs in compiled loops: lines that can be read in only one way, numbers, times and hashes.

What these loops do not know for certain they leave to Spark, whose reading of CSV and of times is what counts.
"""

from typing import Any, Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Masks, Octets, compiled_reader

ABSENT, KNOWN, ODD = 0, 1, 2
"""What was made of a text: there is none or it is empty; a number; something that has to be looked at otherwise."""
MOST_DIGITS: Final = 18
_QUOTE, _COMMA, _NEWLINE, _RETURN, _TAB, _BACKSLASH, _SPACE = 0x22, 0x2C, 0x0A, 0x0D, 0x09, 0x5C, 0x20
_MINUS, _DOT, _COLON, _ZERO, _UPPER_T, _UPPER_Z, _PLUS = 0x2D, 0x2E, 0x3A, 0x30, 0x54, 0x5A, 0x2B
_DAYS: Final = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int64)


@compiled_reader
def is_plain_csv(octets: Octets, columns: int) -> bool:
    """Tell whether every line has so many fields, and no field may be read in more than one way.

    A field is either free of quotes, or quoted as a whole with one character or more and neither quotes nor backslashes
    within. The lines end alike for everybody, and none is empty.
    """
    at, fields, begin = 0, 1, 0
    while at < len(octets):
        unit = octets[at]
        if unit == _QUOTE:
            at = _after_quotes(octets, at, begin)
            if at < 0:
                return False
            continue
        if unit == _COMMA:
            fields, begin = fields + 1, at + 1
        elif unit == _NEWLINE:
            empty = fields == 1 and (at == begin or (at == begin + 1 and octets[begin] == _RETURN))
            if fields != columns or empty:
                return False
            fields, begin = 1, at + 1
        elif unit == _RETURN:
            if at + 1 >= len(octets) or octets[at + 1] != _NEWLINE:
                return False
        elif unit == _BACKSLASH or (unit < _SPACE and unit != _TAB):
            return False
        at += 1
    return fields == columns or begin == len(octets)


@compiled_reader
def _after_quotes(octets: Octets, at: int, begin: int) -> int:
    """Return the octet after a quoted field that begins at ``at``, -1 where it is not plain."""
    if at != begin:
        return -1
    end = at + 1
    while end < len(octets) and octets[end] != _QUOTE:
        if octets[end] == _BACKSLASH or (octets[end] < _SPACE and octets[end] != _TAB):
            return -1
        end += 1
    if end >= len(octets) or end == at + 1:
        return -1
    end += 1
    closed = end == len(octets) or octets[end] in (_COMMA, _NEWLINE, _RETURN)
    return end if closed else -1


@compiled_reader
def hash_all(ends: Any, octets: Octets, hashes: Masks) -> None:
    """Give each text a number by its octets."""
    for row in range(len(hashes)):
        value = np.uint64(0xCBF29CE484222325)
        for place in range(ends[row], ends[row + 1]):
            value = (value ^ np.uint64(octets[place])) * np.uint64(0x100000001B3)
        hashes[row] = (value ^ value >> np.uint64(32)) * np.uint64(0x9E3779B97F4A7C15)


@compiled_reader
def read_integers(ends: Any, octets: Octets, absent: Flags, numbers: Int64s, made: Octets) -> None:
    """Read texts that are decimal integers of up to ``MOST_DIGITS`` digits."""
    for row in range(len(numbers)):
        begin, end = ends[row], ends[row + 1]
        made[row], numbers[row] = KNOWN, 0
        if absent[row] or begin == end:
            made[row] = ABSENT
            continue
        negative = octets[begin] == _MINUS
        number = _digits(octets, begin + int(negative), end)
        if number < 0 or end - begin - int(negative) > MOST_DIGITS:
            made[row] = ODD
        else:
            numbers[row] = -number if negative else number


@compiled_reader
def read_times(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    ends: Any, octets: Octets, absent: Flags, seconds: Int64s, nanoseconds: Int64s, made: Octets
) -> None:
    """Read texts that are numbers of seconds or times of ISO 8601, in UTC where they do not say otherwise."""
    for row in range(len(seconds)):
        begin, end = ends[row], ends[row + 1]
        seconds[row] = nanoseconds[row] = 0
        if absent[row] or begin == end:
            made[row] = ABSENT
        elif end - begin >= 19 and octets[begin + 4] == _MINUS and octets[begin + 13] == _COLON:
            made[row] = _read_moment(octets, begin, end, seconds, nanoseconds, row)
        else:
            made[row] = _read_number(octets, begin, end, seconds, nanoseconds, row)


@compiled_reader
def _read_number(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, begin: int, end: int, seconds: Int64s, nanoseconds: Int64s, row: int
) -> int:
    negative = octets[begin] == _MINUS
    begin += int(negative)
    dot = begin
    while dot < end and octets[dot] != _DOT:
        dot += 1
    whole = _digits(octets, begin, dot)
    fraction = _fraction(octets, dot + 1, end, 9) if dot < end else 0
    if whole < 0 or fraction < 0 or dot - begin > MOST_DIGITS:
        return ODD
    seconds[row], nanoseconds[row] = whole, fraction
    if negative:
        seconds[row] = -whole - int(fraction > 0)
        nanoseconds[row] = 1_000_000_000 - fraction if fraction else 0
    return KNOWN


@compiled_reader
def _read_moment(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, begin: int, end: int, seconds: Int64s, nanoseconds: Int64s, row: int
) -> int:
    """Read ``YYYY-MM-DDThh:mm:ss``, then perhaps up to six digits of a fraction, then perhaps ``Z`` or ``+hh:mm``."""
    marks = octets[begin + 7] == _MINUS and octets[begin + 10] in (_UPPER_T, _SPACE) and octets[begin + 16] == _COLON
    day = _day(octets, begin)
    hour, minute = _digits(octets, begin + 11, begin + 13), _digits(octets, begin + 14, begin + 16)
    second = _digits(octets, begin + 17, begin + 19)
    if not marks or day == ODD_DAY or not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
        return ODD
    at, fraction = begin + 19, 0
    if at < end and octets[at] == _DOT:
        stop = at + 1
        while stop < end and _ZERO <= octets[stop] <= _ZERO + 9:
            stop += 1
        fraction, at = _fraction(octets, at + 1, stop, 6), stop
    shift = _offset(octets, at, end)
    if fraction < 0 or shift == ODD_OFFSET:
        return ODD
    seconds[row] = 86_400 * day + 3_600 * hour + 60 * minute + second - 60 * shift
    nanoseconds[row] = fraction
    return KNOWN


ODD_DAY: Final = -(2**40)
ODD_OFFSET: Final = 2**20
FARTHEST_OFFSET: Final = 14


@compiled_reader
def _day(octets: Octets, begin: int) -> int:
    """Return how many days after 1970 a date is, ``ODD_DAY`` where it is none."""
    year, month = _digits(octets, begin, begin + 4), _digits(octets, begin + 5, begin + 7)
    day = _digits(octets, begin + 8, begin + 10)
    if year < 1 or not 1 <= month <= 12 or day < 1:
        return ODD_DAY
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > _DAYS[month - 1] + int(leap and month == 2):
        return ODD_DAY
    before = year - 1
    days = 365 * before + before // 4 - before // 100 + before // 400 - 719_162
    for earlier in range(month - 1):
        days += _DAYS[earlier]
    return int(days + int(leap and month > 2) + day - 1)


@compiled_reader
def _offset(octets: Octets, at: int, end: int) -> int:
    """Return the minutes that a clock is ahead of UTC, ``ODD_OFFSET`` where they are not said plainly."""
    if at == end or (at + 1 == end and octets[at] == _UPPER_Z):
        return 0
    if at + 6 != end or octets[at] not in (_PLUS, _MINUS) or octets[at + 3] != _COLON:
        return ODD_OFFSET
    hours, minutes = _digits(octets, at + 1, at + 3), _digits(octets, at + 4, at + 6)
    if not (0 <= hours <= FARTHEST_OFFSET and 0 <= minutes < 60):
        return ODD_OFFSET
    return 60 * hours + minutes if octets[at] == _PLUS else -60 * hours - minutes


@compiled_reader
def _digits(octets: Octets, begin: int, end: int) -> int:
    """Return the number that digits say, -1 where there is none or something else."""
    if begin >= end:
        return -1
    number = 0
    for place in range(begin, end):
        if not _ZERO <= octets[place] <= _ZERO + 9:
            return -1
        number = number * 10 + int(octets[place]) - _ZERO
    return number


@compiled_reader
def _fraction(octets: Octets, begin: int, end: int, most: int) -> int:
    """Return digits behind a point in billionths; -1 where there are none, too many, or something else."""
    number = _digits(octets, begin, end)
    if number < 0 or end - begin > most:
        return -1
    for _ in range(9 - (end - begin)):
        number *= 10
    return number
