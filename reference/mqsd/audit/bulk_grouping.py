"""Sorting packets into conversations: by identifier, in each in order of time, in compiled loops."""

from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, compiled

FEW = 32
"""Packets of a conversation that are sorted by insertion."""


class Groups(NamedTuple):
    """Rows in order: conversation n is ``order[bounds[n]:bounds[n + 1]]``, in order of time."""

    order: Int64s
    bounds: Int64s


@compiled
def grouped(high: Masks, low: Masks, times: Int64s) -> Groups:
    """Sort rows by identifier, in the order in which identifiers first occur, and by time.

    Args:
        high: first half of each identifier.
        low: second half.
        times: nanoseconds; rows of equal times stay in order.
    """
    rows = len(high)
    group = np.empty(rows, np.int32)
    count = _number(high, low, group)
    bounds = np.zeros(count + 1, np.int64)
    for row in range(rows):
        bounds[group[row] + 1] += 1
    for number in range(count):
        bounds[number + 1] += bounds[number]
    following, order = bounds[:count].copy(), np.empty(rows, np.int64)
    for row in range(rows):
        number = group[row]
        order[following[number]] = row
        following[number] += 1
    for number in range(count):
        _sort(order, times, bounds[number], bounds[number + 1])
    return Groups(order, bounds)


@compiled
def _number(high: Masks, low: Masks, group: Int32s) -> int:
    """Number the identifiers in the order in which they first occur; return how many there are."""
    size = 16
    while size < 2 * len(high):
        size *= 2
    first, count = np.full(size, -1, np.int64), 0
    for row in range(len(high)):
        mixed = (high[row] ^ (low[row] * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        place = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(size - 1))
        while first[place] >= 0:
            other = first[place]
            if high[other] == high[row] and low[other] == low[row]:
                break
            place = (place + 1) & (size - 1)
        if first[place] < 0:
            first[place], group[row] = row, count
            count += 1
        else:
            group[row] = group[first[place]]
    return count


@compiled
def _sort(order: Int64s, times: Int64s, begin: int, end: int) -> None:
    """Sort rows of one conversation by time."""
    if end - begin > FEW:
        part = order[begin:end].copy()
        order[begin:end] = part[np.argsort(times[part], kind="mergesort")]
        return
    for place in range(begin + 1, end):
        row, here = order[place], place
        while here > begin and times[order[here - 1]] > times[row]:
            order[here] = order[here - 1]
            here -= 1
        order[here] = row
