"""Packets for the tasks that judge conversations: columns of Arrow, divided by the bucket of their identifier.

A task writes one file, with a batch for each bucket of what it has gathered; the task of a bucket reads its batches of
all files. Spark's shuffle would need the captures to be read again, as the same task writes verdicts on their packets.
"""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets
from mqconform.reference.mqsd.audit.bulk_conversation_rows import REPLY, Exchange
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_fields import HAS_ID, Fields
from mqconform.reports.pipeline.storage import Place

GATHERED: Final = 2**19
"""Packets that are held before they are divided and written."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")


class Batch(NamedTuple):
    """One batch in a file of the staging folder."""

    name: str
    place: int
    bucket: int


class Handed(NamedTuple):
    """Packets as they are handed on; one entry of each array for one packet."""

    exchange: Exchange
    file: Int32s
    offset: Int64s

    @property
    def packets(self) -> int:
        """How many packets there are."""
        return len(self.file)

    def client(self, rows: Any) -> Masks:
        """Return the clients of some packets, two numbers each."""
        return np.stack([self.exchange.client_high[rows], self.exchange.client_low[rows]], 1)

    def server(self, rows: Any) -> Masks:
        """Return the servers of some packets, two numbers each."""
        return np.stack([self.exchange.server_high[rows], self.exchange.server_low[rows]], 1)

    def id(self, rows: Any) -> Any:
        """Return the identifiers of some packets, 16 octets each."""
        numbers = np.stack([self.exchange.id_high[rows], self.exchange.id_low[rows]], 1)
        return numbers.astype(">u8").view(np.uint8).reshape(-1, 16)

    def taken(self, rows: Any) -> "Handed":
        """Return some of the packets."""
        return Handed(Exchange._make(column[rows] for column in self.exchange), self.file[rows], self.offset[rows])


def room_for(packets: int) -> Handed:
    """Return room for packets; no configuration is known of any server yet."""
    numbers, small = np.uint64, np.int32
    kinds: dict[str, Any] = dict.fromkeys(Exchange._fields, numbers)
    kinds |= dict.fromkeys(("message", "shown"), np.uint8) | {"time": np.int64}
    kinds |= dict.fromkeys(("client_port", "server_port", "identification", "length", "known_server"), small)
    exchange = Exchange._make(np.empty(packets, kinds[name]) for name in Exchange._fields)
    exchange.known_server[:] = -1
    return Handed(exchange, np.empty(packets, np.int32), np.empty(packets, np.int64))


def together(some: Sequence[Handed]) -> Handed:
    """Return the packets of several as one."""
    columns = zip(*(packets.exchange for packets in (room_for(0), *some)), strict=True)
    return Handed(
        Exchange._make(np.concatenate(column) for column in columns),
        np.concatenate([packets.file for packets in (room_for(0), *some)]),
        np.concatenate([packets.offset for packets in (room_for(0), *some)]),
    )


def with_identifiers(
    datagrams: Datagrams, fields: Fields, message: Octets, where: tuple[Int64s, Int64s], file: Int32s
) -> Handed:
    """Return the packets that show an identifier, by client and server; no configuration of a server is known yet.

    Args:
        datagrams: addresses, ports and lengths.
        fields: identifiers and sites.
        message: of each packet.
        where: time and offset of each packet.
        file: number of the capture, for each packet.
    """
    rows = np.flatnonzero(fields.flags & HAS_ID)
    reply = message[rows] == REPLY
    sides = reply[:, None]
    source, destination = datagrams.source[rows], datagrams.destination[rows]
    client, server = np.where(sides, destination, source), np.where(sides, source, destination)
    ports = datagrams.source_port[rows], datagrams.destination_port[rows]
    client_port, server_port = np.where(reply, ports[1], ports[0]), np.where(reply, ports[0], ports[1])
    numbers, sites = (column[rows].view(">u8").astype(np.uint64) for column in (fields.identifiers, fields.sites))
    columns: list[Any] = [
        *numbers.T, message[rows], where[0][rows], *client.T, client_port, *server.T, server_port,
        datagrams.identification[rows], datagrams.length[rows], *sites.T, fields.enterprises[rows], fields.flags[rows],
        np.full(len(rows), -1, np.int32),
    ]  # fmt: skip
    exchange = Exchange._make(np.ascontiguousarray(column) for column in columns)
    return Handed(exchange, file[rows], where[1][rows])


class ExchangeWriter:
    """Writes the packets of one task; nothing is made before the first.

    Args:
        place: the file.
        buckets: among how many buckets identifiers are divided.
    """

    def __init__(self, place: Place, buckets: int) -> None:
        self._place, self._buckets = place, buckets
        self._gathered: list[Handed] = []
        self._stream: Any = None
        self._writer: Any = None
        self.batches: list[Batch] = []

    def write(self, packets: Handed) -> None:
        """Add packets."""
        self._gathered.append(packets)
        if sum(part.packets for part in self._gathered) >= GATHERED:
            self._divide()

    def close(self) -> None:
        """End the file, if that was not done before."""
        self._divide()
        if self._writer is not None:
            self._writer.close()
            self._stream.close()
            self._writer = None

    def _divide(self) -> None:
        packets, self._gathered = together(self._gathered), []
        if not packets.packets:
            return
        mixed = (packets.exchange.id_high ^ packets.exchange.id_low) * _MIX
        bucket = ((mixed >> np.uint64(33)) % np.uint64(self._buckets)).astype(np.uint16)
        ordered = _batch(packets.taken(np.argsort(bucket, kind="stable")))
        counts = np.bincount(bucket)
        for number, end in zip(np.flatnonzero(counts).tolist(), np.cumsum(counts)[counts > 0].tolist(), strict=True):
            self._write(ordered.slice(end - int(counts[number]), int(counts[number])), number)

    def _write(self, batch: pa.RecordBatch, bucket: int) -> None:
        if self._writer is None:
            system, path = self._place.resolve()
            self._stream = system.open_output_stream(path, compression=None)
            self._writer = pa.ipc.new_file(self._stream, batch.schema, options=_OPTIONS)
        self._writer.write_batch(batch)
        self.batches.append(Batch(self._place.name, len(self.batches), bucket))


def _batch(packets: Handed) -> pa.RecordBatch:
    columns = packets.exchange._asdict() | {"file": packets.file, "offset": packets.offset}
    return pa.RecordBatch.from_arrays([pa.array(column) for column in columns.values()], names=list(columns))


def handed_on(staging: Place, batches: Iterable[Batch]) -> Handed:
    """Return the packets of batches, those of each task in the order of its captures."""
    places: dict[str, list[int]] = {}
    for batch in batches:
        places.setdefault(batch.name, []).append(batch.place)
    parts: list[Handed] = []
    with ExitStack() as open_files:
        for name, own in places.items():
            system, path = (staging / name).resolve()
            reader = pa.ipc.open_file(open_files.enter_context(system.open_input_file(path)))
            parts += [_handed(reader.get_batch(place)) for place in own]
        return together(parts)


def _handed(batch: pa.RecordBatch) -> Handed:
    *exchange, file, offset = (column.to_numpy() for column in batch.columns)
    return Handed(Exchange._make(exchange), file, offset)
