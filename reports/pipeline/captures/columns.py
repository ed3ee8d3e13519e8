"""The Parquet files of an audit: their columns, and packets as rows of them."""

import ipaddress
import socket
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Octets
from mqconform.reference.mqsd.audit.bulk_findings import Verdicts
from mqconform.reference.mqsd.audit.wire_rules import Rule
from mqconform.reports.pipeline.captures.bulk_address_texts import texts_of
from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_fields import HAS_ID, HAS_SITE, Fields
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.tally import MESSAGES
from mqconform.reports.pipeline.captures.weights import VERDICTS

WORDS: Final = pa.dictionary(pa.int32(), pa.string())
TIME: Final = pa.timestamp("ns", "UTC")

PACKETS: Final = pa.schema(
    [
        ("file", WORDS),
        ("frame", pa.int64()),
        ("offset", pa.int64()),
        ("time", TIME),
        ("source", WORDS),
        ("source_port", pa.uint16()),
        ("destination", WORDS),
        ("destination_port", pa.uint16()),
        ("length", pa.int32()),
        ("message", WORDS),
        ("id", pa.binary(16)),
        ("site", pa.binary(16)),
        ("verdict", WORDS),
        ("rule", WORDS),
        ("requirement", WORDS),
        ("field", WORDS),
        ("field_offset", pa.int32()),
        ("field_length", pa.int32()),
        ("rules", pa.uint64()),
    ]
)
"""One row for each datagram of discovery; docs/audit-captures.md says what the columns mean."""

HOSTS: Final = ("source", "destination")
NUMBERED_PACKETS: Final = pa.schema(
    [pa.field(field.name, pa.int32() if field.name in {"file", *HOSTS} else field.type) for field in PACKETS]
)
"""The same with captures and hosts as numbers: their texts are written once for many packets."""

QUARANTINE: Final = pa.schema(
    [
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("frame", pa.int64()),
        ("reason", pa.string()),
    ]
)
"""One row for each run of octets that could not be read."""

RULE_NAMES: Final = tuple("" if rule is Rule.NONE else rule.name.lower().replace("_", "-") for rule in Rule)
_REQUIREMENTS: Final = tuple(rule.requirement for rule in Rule)
_FIELDS: Final = tuple(rule.field for rule in Rule)
VERDICT_OF_WEIGHT: Final = np.array([1, 1, 2, 3], np.uint8)
"""For each weight of the deciding finding the place of the verdict in ``VERDICTS``."""


class Where(NamedTuple):
    """Where packets stand in their capture; one entry of each array for one packet."""

    frame: Int64s
    offset: Int64s
    time: Int64s


def packet_batch(  # noqa: PLR0913, PLR0917 - the parts of a row
    file: int,
    where: Where,
    datagrams: Datagrams,
    fields: Fields,
    verdicts: Verdicts,
    judged: Flags,
    book: AddressBook,
) -> pa.RecordBatch:
    """Return packets as rows in which captures and hosts are numbers; ``with_texts`` makes them what they stand for.

    Args:
        file: number of the capture.
        where: where each packet stands in it.
        datagrams: addresses, ports and lengths.
        fields: what the packets are matched by.
        verdicts: what was found in each.
        judged: whether all octets of a packet were there to be judged.
        book: where hosts are numbered.
    """
    rows = len(where.frame)
    decided = np.where(judged, VERDICT_OF_WEIGHT[verdicts.weight], 0).astype(np.int32)
    rule, has_rule = verdicts.rule.astype(np.int32), verdicts.rule > 0
    columns = [
        pa.array(np.full(rows, file, np.int32)),
        pa.array(where.frame),
        pa.array(where.offset),
        times(where.time),
        pa.array(book.numbers(datagrams.source)),
        pa.array(datagrams.source_port.astype(np.uint16)),
        pa.array(book.numbers(datagrams.destination)),
        pa.array(datagrams.destination_port.astype(np.uint16)),
        pa.array(datagrams.length),
        words(verdicts.message.astype(np.int32), MESSAGES),
        identifiers(fields.identifiers, (fields.flags & HAS_ID) != 0),
        identifiers(fields.sites, (fields.flags & HAS_SITE) != 0),
        words(decided, VERDICTS),
        words(rule, RULE_NAMES, has_rule),
        words(rule, _REQUIREMENTS, has_rule),
        words(rule, _FIELDS, has_rule),
        pa.array(verdicts.offset, mask=~has_rule),
        pa.array(verdicts.length, mask=~has_rule),
        pa.array(verdicts.rules),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NUMBERED_PACKETS)


def with_texts(batches: list[pa.RecordBatch], book: AddressBook, files: list[str]) -> pa.Table:
    """Return packets as the rows that are written; dictionaries are the same in all of a column.

    Args:
        batches: what ``packet_batch`` gives.
        book: the hosts by their numbers.
        files: names of the captures by their numbers.
    """
    table, hosts = pa.Table.from_batches(batches, NUMBERED_PACKETS), book_texts(book)
    for name, texts in {"file": pa.array(files), **dict.fromkeys(HOSTS, hosts)}.items():
        chunks = [pa.DictionaryArray.from_arrays(chunk, texts) for chunk in table[name].chunks]
        table = table.set_column(table.schema.get_field_index(name), name, pa.chunked_array(chunks, WORDS))
    return table


def words(numbers: Int32s, texts: tuple[str, ...], present: Flags | None = None) -> Any:
    """Return numbers as the texts that they stand for, null where there is none."""
    places, distinct = _distinct(texts)
    indices = places[numbers]
    return pa.DictionaryArray.from_arrays(pa.array(indices, mask=None if present is None else ~present), distinct)


@lru_cache
def _distinct(texts: tuple[str, ...]) -> tuple[Int32s, Any]:
    """Return the place of each text among the distinct ones, and those.

    Arrow's Parquet writer leaves room for every entry of a dictionary and fills that of the distinct ones alone: the
    rest is whatever was in memory, so that the same packets gave other octets each time.
    """
    places: dict[str, int] = {}
    for text in texts:
        places.setdefault(text, len(places))
    return np.array([places[text] for text in texts], np.int32), pa.array([*places], pa.string())


def times(nanoseconds: Int64s) -> Any:
    """Return nanoseconds since 1970 as times, null where there is none."""
    return pa.array(nanoseconds, mask=nanoseconds == NO_TIME).cast(pa.timestamp("ns")).cast(TIME)


def identifiers(octets: Octets, present: Flags) -> Any:
    """Return rows of 16 octets as identifiers, null where they are absent."""
    validity = None if present.all() else pa.py_buffer(np.packbits(present, bitorder="little"))
    return pa.Array.from_buffers(pa.binary(16), len(octets), [validity, pa.py_buffer(np.ascontiguousarray(octets))])


def address_texts(addresses: Any) -> Any:
    """Return addresses as text, each distinct one written out once."""
    book = AddressBook()
    numbers = book.numbers(addresses)
    return pa.DictionaryArray.from_arrays(numbers, book_texts(book))


def book_texts(book: AddressBook) -> Any:
    """Return the addresses of a book as text."""
    return texts_of(book.addresses)


_MAPPED: Final = bytes(10) + b"\xff\xff"


@lru_cache(2**16)
def address_text(octets: bytes) -> str:
    """Return 16 octets of an address as text, IPv4 in its own form."""
    if octets.startswith(_MAPPED):
        return socket.inet_ntoa(octets[12:])
    return str(ipaddress.IPv6Address(octets))
