"""Packets as rows for whoever judges conversations, sorted by bucket, in compiled loops.

A row is written as its eight-octet words, of which ``ROW`` names the parts.
"""

from typing import Any, Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks, Octets, compiled_reader
from mqconform.reference.mqsd.bulk_findings import Verdicts
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_fields import HAS_ID, REPLY, Fields
from mqconform.reports.pipeline.captures.exchange import ROW, Rows

WORDS: Final = ROW.itemsize // 8
assert ROW.itemsize == 8 * WORDS, "a row is whole words"


def packed(  # noqa: PLR0913, PLR0917 - the parts of a row
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    where: tuple[Int64s, Int64s],
    known: Int64s,
    file: int,
    buckets: int,
) -> tuple[Rows, tuple[int, ...]]:
    """Return the packets that show an identifier as rows, sorted by the bucket of it, and where each bucket begins.

    Args:
        datagrams: addresses, ports and lengths.
        fields: identifiers and sites.
        verdicts: message and weight of each packet.
        where: time and offset of each packet.
        known: which known configuration is that of each sender, -1 for none.
        file: number of the capture.
        buckets: among how many buckets the rows are divided.
    """
    numbers = fields.identifiers.view(">u8").astype(np.uint64), fields.sites.view(">u8").astype(np.uint64)
    bucket, bounds = np.empty(len(known), np.int64), np.zeros(buckets + 1, np.int64)
    _assign(numbers[0], fields.shown, bucket, bounds)
    words = np.zeros((int(bounds[-1]), WORDS), np.uint64)
    _fill(datagrams, fields, verdicts, numbers, where, known, file, bucket, bounds.copy(), words)
    return words.view(ROW).ravel(), tuple(bounds.tolist())


@compiled_reader
def _assign(identifiers: Masks, shown: Octets, bucket: Int64s, bounds: Int64s) -> None:
    """Choose the bucket of each packet, and count where the rows of each begin."""
    buckets = np.uint64(len(bounds) - 1)
    for row in range(len(shown)):
        if shown[row] & HAS_ID:
            mixed = (identifiers[row, 0] ^ identifiers[row, 1]) * np.uint64(0x9E3779B97F4A7C15)
            bucket[row] = np.int64((mixed >> np.uint64(33)) % buckets)
            bounds[bucket[row] + 1] += 1
        else:
            bucket[row] = -1
    for number in range(len(bounds) - 1):
        bounds[number + 1] += bounds[number]


@compiled_reader
def _fill(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    numbers: tuple[Masks, Masks],
    where: tuple[Int64s, Int64s],
    known: Int64s,
    file: int,
    bucket: Int64s,
    following: Int64s,
    words: Any,
) -> None:
    for row in range(len(bucket)):
        if bucket[row] < 0:
            continue
        place = following[bucket[row]]
        following[bucket[row]] += 1
        is_reply = verdicts.message[row] == REPLY
        client = datagrams.destination if is_reply else datagrams.source
        server = datagrams.source if is_reply else datagrams.destination
        client_port = datagrams.destination_port[row] if is_reply else datagrams.source_port[row]
        server_port = datagrams.source_port[row] if is_reply else datagrams.destination_port[row]
        server_known = known[row] if is_reply else -1
        words[place, 0], words[place, 1] = numbers[0][row, 0], numbers[0][row, 1]
        words[place, 2], words[place, 3] = numbers[1][row, 0], numbers[1][row, 1]
        words[place, 4], words[place, 5] = fields.enterprises[row], np.uint64(where[0][row])
        words[place, 6], words[place, 7] = client[row, 0], client[row, 1]
        words[place, 8], words[place, 9] = server[row, 0], server[row, 1]
        ports = np.uint64(client_port) | np.uint64(server_port) << np.uint64(16)
        words[place, 10] = ports | np.uint64(datagrams.identification[row] & 0xFFFFFFFF) << np.uint64(32)
        judged = np.uint64(verdicts.weight[row]) | np.uint64(verdicts.message[row]) << np.uint64(8)
        judged |= np.uint64(fields.shown[row]) << np.uint64(16) | np.uint64(server_known & 0xFF) << np.uint64(24)
        words[place, 11] = np.uint64(file) | judged << np.uint64(32)
        words[place, 12] = np.uint64(where[1][row])
        words[place, 13] = np.uint64(datagrams.length[row])
