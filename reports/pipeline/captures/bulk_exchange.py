"""Packets as rows for whoever judges conversations, sorted by bucket, in compiled loops; ``bulk_handed`` reads them.

Words of rows, from bit 0 on where several things share one:

- narrow: identifier (2), time, server (32) and client (32), offset from the base of the part (32) and the ports of
  client (16) and server (16), identification (16), length (16), pair (16), shown (8) and message (8);
- wide: identifier (2), time, client (2), server (2), site (2), enterprise, offset, ports of client (16) and server (16)
  and identification (32), length (32), shown (8) and message (8).
"""

from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, compiled_reader
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_fields import HAS_ID, REPLY, Fields
from mqconform.reports.pipeline.captures.exchange import MOST_PAIRS, NARROW_WORDS, PAIR_WORDS, WIDE_WORDS, Packed

SLOTS: Final = 4 * MOST_PAIRS
NONE, WIDE = -2, -1
"""A packet that shows no identifier, and one that needs a wide row; others have the number of their pair."""
PREFIX: Final = 0xFFFF
"""What the second number of an IPv4 address begins with, above its own 32 bits."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_32: Final = np.uint64(32)


def packed(  # noqa: PLR0913, PLR0917 - the parts of a row
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    where: tuple[Int64s, Int64s],
    file: int,
    buckets: int,
) -> Packed:
    """Return the packets that show an identifier as rows, sorted by the bucket of it.

    Args:
        datagrams: addresses, ports and lengths.
        fields: identifiers and sites.
        verdicts: message of each packet.
        where: time and offset of each packet; offsets rise.
        file: number of the capture.
        buckets: among how many buckets the rows are divided.
    """
    numbers = fields.identifiers.view(">u8").astype(np.uint64), fields.sites.view(">u8").astype(np.uint64)
    base = int(where[1][0]) if len(where[1]) else 0
    bucket, form = np.empty(len(where[1]), np.int32), np.empty(len(where[1]), np.int32)
    pairs, bounds = np.empty((MOST_PAIRS, PAIR_WORDS), np.uint64), np.zeros((2, buckets + 1), np.int64)
    slots = np.full(SLOTS, -1, np.int32)
    kept = _assign(datagrams, fields, numbers, where[1], base, bucket, form, pairs, slots, bounds)
    narrow = np.empty((int(bounds[0, -1]), NARROW_WORDS), np.uint64)
    wide = np.empty((int(bounds[1, -1]), WIDE_WORDS), np.uint64)
    following = bounds.copy()
    _fill_narrow(datagrams, fields, verdicts, numbers[0], where, base, bucket, form, following[0], narrow)
    if len(wide):
        _fill_wide(datagrams, fields, verdicts, numbers, where, bucket, form, following[1], wide)
    return Packed(pairs[:kept], narrow, wide, tuple(bounds[0].tolist()), tuple(bounds[1].tolist()), file, base)


@compiled_reader
def _assign(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    datagrams: Datagrams,
    fields: Fields,
    numbers: tuple[Masks, Masks],
    offsets: Int64s,
    base: int,
    bucket: Int32s,
    form: Int32s,
    pairs: Masks,
    slots: Int32s,
    bounds: Int64s,
) -> int:
    """Choose bucket and form of each packet and count where the rows of each begin; return how many pairs there are."""
    identifiers, sites = numbers
    buckets, kept = np.uint64(bounds.shape[1] - 1), 0
    for row in range(len(bucket)):
        bucket[row], form[row] = 0, NONE
        if not fields.shown[row] & HAS_ID:
            continue
        mixed = (identifiers[row, 0] ^ identifiers[row, 1]) * _MIX
        bucket[row], form[row] = np.int32((mixed >> np.uint64(33)) % buckets), WIDE
        if _is_narrow(datagrams, row) and 0 <= offsets[row] - base < 2**32:
            number = _pair(sites[row, 0], sites[row, 1], fields.enterprises[row], pairs, kept, slots)
            kept += number == kept
            form[row] = number
        bounds[int(form[row] == WIDE), bucket[row] + 1] += 1
    for number in range(bounds.shape[1] - 1):
        for which in range(2):
            bounds[which, number + 1] += bounds[which, number]
    return kept


@compiled_reader
def _is_narrow(datagrams: Datagrams, row: int) -> bool:
    """Tell whether a packet is of IPv4 by its addresses and by its identification."""
    if datagrams.source[row, 0] or datagrams.destination[row, 0] or datagrams.length[row] >= 2**16:
        return False
    both = datagrams.source[row, 1] >> _32 == PREFIX and datagrams.destination[row, 1] >> _32 == PREFIX
    return bool(both and 0 <= datagrams.identification[row] < 2**16)


@compiled_reader
def _pair(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    high: np.uint64, low: np.uint64, enterprise: np.uint64, pairs: Masks, kept: int, slots: Int32s
) -> int:
    """Return the number of a pair, which is a new one if it is ``kept``; ``WIDE`` where there is no room for it.

    Whoever chooses sites so that they all meet at one slot makes a search as long as ``MOST_PAIRS`` at worst.
    """
    mixed = ((high * _MIX) ^ low ^ (enterprise >> np.uint64(7))) * _MIX
    slot = np.int64((mixed ^ (mixed >> _32)) % np.uint64(SLOTS))
    while slots[slot] >= 0:
        number = slots[slot]
        if pairs[number, 0] == high and pairs[number, 1] == low and pairs[number, 2] == enterprise:
            return int(number)
        slot = (slot + 1) % SLOTS
    if kept == MOST_PAIRS:
        return WIDE
    slots[slot] = kept
    pairs[kept, 0], pairs[kept, 1], pairs[kept, 2] = high, low, enterprise
    return kept


@compiled_reader
def _fill_narrow(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    identifiers: Masks,
    where: tuple[Int64s, Int64s],
    base: int,
    bucket: Int32s,
    form: Int32s,
    following: Int64s,
    words: Masks,
) -> None:
    times, offsets = where
    for row in range(len(form)):
        if form[row] < 0:
            continue
        place = following[bucket[row]]
        following[bucket[row]] += 1
        is_reply = verdicts.message[row] == REPLY
        source, destination = datagrams.source[row, 1], datagrams.destination[row, 1]
        client, server = (destination, source) if is_reply else (source, destination)
        words[place, 0], words[place, 1] = identifiers[row, 0], identifiers[row, 1]
        words[place, 2] = np.uint64(times[row])
        words[place, 3] = client << _32 | server & np.uint64(0xFFFFFFFF)
        words[place, 4] = np.uint64(offsets[row] - base) | _ports(datagrams, row, is_reply) << _32
        rest = np.uint64(datagrams.identification[row]) | np.uint64(datagrams.length[row]) << np.uint64(16)
        words[place, 5] = rest | np.uint64(form[row]) << _32 | _kind(fields, verdicts, row) << np.uint64(48)


@compiled_reader
def _fill_wide(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    numbers: tuple[Masks, Masks],
    where: tuple[Int64s, Int64s],
    bucket: Int32s,
    form: Int32s,
    following: Int64s,
    words: Masks,
) -> None:
    identifiers, sites = numbers
    times, offsets = where
    for row in range(len(form)):
        if form[row] != WIDE:
            continue
        place = following[bucket[row]]
        following[bucket[row]] += 1
        is_reply = verdicts.message[row] == REPLY
        client = datagrams.destination if is_reply else datagrams.source
        server = datagrams.source if is_reply else datagrams.destination
        for half in range(2):
            words[place, half], words[place, 7 + half] = identifiers[row, half], sites[row, half]
            words[place, 3 + half], words[place, 5 + half] = client[row, half], server[row, half]
        words[place, 2], words[place, 9] = np.uint64(times[row]), fields.enterprises[row]
        words[place, 10] = np.uint64(offsets[row])
        identification = np.uint64(datagrams.identification[row] & 0xFFFFFFFF)
        words[place, 11] = _ports(datagrams, row, is_reply) | identification << _32
        words[place, 12] = np.uint64(datagrams.length[row]) | _kind(fields, verdicts, row) << _32


@compiled_reader
def _ports(datagrams: Datagrams, row: int, is_reply: bool) -> np.uint64:  # noqa: FBT001 - compiled: no keywords
    """Return the port of the client, and above it that of the server."""
    source, destination = np.uint64(datagrams.source_port[row]), np.uint64(datagrams.destination_port[row])
    client, server = (destination, source) if is_reply else (source, destination)
    return np.uint64(client | server << np.uint64(16))


@compiled_reader
def _kind(fields: Fields, verdicts: Verdicts, row: int) -> np.uint64:
    """Return what a packet shows, and above it which message it is."""
    return np.uint64(fields.shown[row]) | np.uint64(verdicts.message[row]) << np.uint64(8)
