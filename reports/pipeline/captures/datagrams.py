"""Datagrams of discovery as rows of Arrow: made of the frames of a capture, and taken by compiled loops."""

import ipaddress
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk_compiled import Masks, Octets
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams, direction_of, read_udp, room_for
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.columns import Where, address_texts
from mqconform.reports.pipeline.captures.fragments import IPV4_KEY, Broken, Fragment, Whole

DATAGRAMS: Final = pa.schema(
    [
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("frame", pa.int64()),
        ("time", pa.timestamp("us", "UTC")),
        ("nanoseconds", pa.int64()),
        ("source", pa.string()),
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
        ("identification", pa.int32()),
        ("length", pa.int32()),
        ("payload", pa.binary()),
        ("fragment_key", pa.binary()),
        ("fragment_at", pa.int32()),
        ("fragment_more", pa.bool_()),
        ("problem", pa.string()),
    ]
)
"""One row for each UDP datagram on a port of discovery.

``file``, ``offset`` and ``frame`` say where it was captured, ``time`` and ``nanoseconds`` (since 1970) when, null where
the capture has no time. ``identification`` is of IPv4. ``length`` is the payload length in the UDP header;
``payload`` has what was captured of it. A row with ``fragment_key`` is a fragment, whose payload is a part of that of
IP. A row with ``problem`` is no datagram: that number of octets (``length``) could not be read there.
"""


class Read(NamedTuple):
    """Rows as compiled loops take them."""

    octets: Octets
    where: Where
    datagrams: Datagrams


class Addresses:
    """The two numbers of each address that is written as text; each is read once, IPv4 as mapped into IPv6."""

    MOST: Final = 2**17

    def __init__(self) -> None:
        self._pairs: dict[str, tuple[int, int]] = {}

    def numbers(self, texts: pa.Array) -> Masks:
        """Return two numbers for each text.

        Raises:
            ValueError: a text is no address.
        """
        coded = texts.dictionary_encode()
        if len(self._pairs) > self.MOST:
            self._pairs.clear()
        pairs = np.array([self._pair(text) for text in coded.dictionary.to_pylist()], np.uint64).reshape(-1, 2)
        numbers: Masks = pairs[coded.indices.to_numpy(zero_copy_only=False)]
        return numbers

    def _pair(self, text: str) -> tuple[int, int]:
        if text not in self._pairs:
            address = ipaddress.ip_address(text)
            number = int(address) | 0xFFFF << 32 if address.version == 4 else int(address)
            self._pairs[text] = number >> 64, number & 2**64 - 1
        return self._pairs[text]


def rows_of(file: str, scan_octets: Octets, where: Where, datagrams: Datagrams) -> pa.RecordBatch:
    """Return datagrams as rows of ``DATAGRAMS``.

    Args:
        file: name of the capture.
        scan_octets: what the payloads lie in.
        where: where each datagram stands in the capture.
        datagrams: their addresses, ports and lengths.
    """
    rows = len(where.frame)
    has_time = where.time != NO_TIME
    columns = {
        "file": _same(file, rows),
        "offset": pa.array(where.offset),
        "frame": pa.array(where.frame),
        "time": pa.array(where.time // 1_000, mask=~has_time).cast(DATAGRAMS.field("time").type),
        "nanoseconds": pa.array(where.time, mask=~has_time),
        "source": address_texts(datagrams.source).cast(pa.string()),
        "source_port": pa.array(datagrams.source_port),
        "destination": address_texts(datagrams.destination).cast(pa.string()),
        "destination_port": pa.array(datagrams.destination_port),
        "identification": pa.array(datagrams.identification, mask=datagrams.identification < 0),
        "length": pa.array(datagrams.length),
        "payload": _payloads(scan_octets, datagrams),
    }
    return filled(columns, rows)


def problem_row(file: str, offset: int, length: int, frame: int | None, problem: str) -> dict[str, Any]:
    """Return the row of octets that could not be read."""
    columns = {"file": file, "offset": offset, "frame": frame, "length": length, "problem": problem}
    return dict.fromkeys(DATAGRAMS.names) | columns


def fragment_row(fragment: Fragment) -> dict[str, Any]:
    """Return the row of a fragment."""
    columns = {
        "file": fragment.file,
        "offset": fragment.offset,
        "frame": fragment.frame,
        "nanoseconds": fragment.time or None,
        "payload": fragment.payload,
        "fragment_key": fragment.key,
        "fragment_at": fragment.at,
        "fragment_more": fragment.more,
    }
    return dict.fromkeys(DATAGRAMS.names) | columns


def batch_of(rows: Iterable[dict[str, Any]]) -> pa.RecordBatch:
    """Return rows of ``problem_row`` and ``fragment_row`` as a batch."""
    return pa.RecordBatch.from_pylist(list(rows), DATAGRAMS)


def filled(columns: dict[str, Any], rows: int) -> pa.RecordBatch:
    """Return a batch of ``DATAGRAMS`` that has nothing in the columns which are not given."""
    arrays = [columns.get(field.name) for field in DATAGRAMS]
    return pa.RecordBatch.from_arrays(
        [
            pa.nulls(rows, field.type) if array is None else array
            for array, field in zip(arrays, DATAGRAMS, strict=True)
        ],
        schema=DATAGRAMS,
    )


def datagrams_in(table: pa.Table, ports: Any, addresses: Addresses) -> Read:
    """Return rows that are whole datagrams as compiled loops take them.

    Args:
        table: columns of ``DATAGRAMS`` without ``problem`` and fragments.
        ports: 65,536 flags, set for the ports of servers.
        addresses: what was read of addresses so far.
    """
    batch = table.combine_chunks()
    rows, columns = batch.num_rows, {name: _single_array(batch.column(name)) for name in batch.column_names}
    room = room_for(rows)
    ends, octets = _buffers(columns["payload"])
    room.frame[:], room.start[:] = np.arange(rows), ends[:-1]
    room.captured[:], room.length[:] = np.diff(ends), columns["length"]
    room.source[:], room.destination[:] = (addresses.numbers(columns[name]) for name in ("source", "destination"))
    room.source_port[:], room.destination_port[:] = columns["source_port"], columns["destination_port"]
    room.identification[:] = pc.fill_null(columns["identification"], -1)
    source, destination = ports[room.source_port], ports[room.destination_port]
    room.direction[:] = np.where(source == destination, direction_of(True, True), np.where(destination, 1, 2))
    times = np.asarray(pc.fill_null(columns["nanoseconds"], NO_TIME))
    return Read(octets, Where(np.asarray(columns["frame"]), np.asarray(columns["offset"]), times), room)


def datagram_in(whole: Whole, ports: Any) -> tuple[int, Read]:
    """Return what a packet of IP is that was put together, and its datagram if it is one of discovery."""
    octets, last = np.frombuffer(whole.payload + bytes(8), np.uint8), whole.last
    room, address = room_for(1), np.frombuffer(whole.key[:32], ">u8").astype(np.uint64)
    room.source[0], room.destination[0], room.frame[0] = address[:2], address[2:], 0
    room.identification[0] = int.from_bytes(whole.key[32:34], "big") if len(whole.key) == IPV4_KEY else -1
    end = len(whole.payload)
    kind = read_udp(octets, 0, end, end, ports, room, 0)
    where = Where(*(np.array([number], np.int64) for number in (last.frame, last.offset, last.time or NO_TIME)))
    return kind, Read(octets, where, room)


def may_be_discovery(broken: Broken, ports: Any) -> bool:
    """Return whether fragments may be of discovery: sent to one of its ports, or without the part with the ports."""
    first = next(
        (fragment.payload for fragment in broken.fragments if fragment.at == 0 and len(fragment.payload) >= 4), b""
    )
    return not first or any(bool(ports[int.from_bytes(first[at : at + 2], "big")]) for at in (0, 2))


def port_flags(ports: Iterable[int]) -> Any:
    """Return 65,536 flags, set for some ports."""
    flags = np.zeros(2**16, np.bool_)
    flags[list(ports)] = True
    return flags


def _payloads(octets: Octets, datagrams: Datagrams) -> Any:
    ends = np.concatenate([[0], np.cumsum(datagrams.captured, dtype=np.int64)])
    places = np.arange(ends[-1]) + np.repeat(datagrams.start - ends[:-1], datagrams.captured)
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(octets[places])]
    return pa.Array.from_buffers(pa.binary(), len(datagrams.captured), buffers)


def _same(text: str, rows: int) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), pa.array([text])).cast(pa.string())


def _single_array(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [pa.nulls(0, column.type)])


def _buffers(octets: Any) -> tuple[Any, Octets]:
    _, ends, buffer = octets.buffers()
    if not len(octets):
        return np.zeros(1, np.int32), np.empty(0, np.uint8)
    values = np.frombuffer(buffer, np.uint8) if buffer is not None else np.empty(0, np.uint8)
    return np.frombuffer(ends, np.int32)[octets.offset : octets.offset + len(octets) + 1], values
