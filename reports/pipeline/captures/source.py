"""The data source ``mqconform.captures``: datagrams of discovery in pcap and pcapng, gzip too, as a DataFrame of Spark.

    spark.dataSource.register(Captures)
    datagrams = spark.read.format("mqconform.captures").option("ports", "1801").load("captures/")

A huge file is divided at the ends of its records, small ones are read together. What cannot be read is a row with
``problem``; the rest of its file is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.captures import bulk_datagrams as kinds_of
from mqconform.reports.pipeline.captures.bulk_datagrams import find_datagrams
from mqconform.reports.pipeline.captures.columns import Where
from mqconform.reports.pipeline.captures.datagrams import (
    DATAGRAMS,
    batch_of,
    fragment_row,
    port_flags,
    problem_row,
    rows_of,
)
from mqconform.reports.pipeline.captures.fragments import fragment_of
from mqconform.reports.pipeline.captures.planning import HUGE, PIECE, Piece, captures_in, divided, grouped
from mqconform.reports.pipeline.captures.reading import (
    CONTRADICTION,
    Damage,
    Scan,
    link_of,
    read_capture,
    source_of,
    unknown_link,
)
from mqconform.reports.pipeline.captures.section import NotRead
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.source_options import number_in, path_in
from mqconform.reports.pipeline.storage import place_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

FORMAT: Final = "mqconform.captures"


class Captures(DataSource):
    """Captures as rows of ``DATAGRAMS``.

    Options:
        path: a file or a folder, given by ``load``.
        ports: UDP ports on which servers listen, divided by commas; 1801 unless given.
        pieceOctets: about how many octets of captures one task reads; 32 MiB unless given.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return FORMAT

    def schema(self) -> "StructType":
        """Return ``DATAGRAMS`` in Spark's types."""
        return from_arrow_schema(DATAGRAMS)

    def reader(self, schema: "StructType") -> DataSourceReader:  # noqa: ARG002 - Spark's interface
        """Return the reader of the captures that the options name."""
        return _CapturesReader(self.options)


class _Part(InputPartition):
    """What one task reads."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        super().__init__(tuple(pieces))


class _CapturesReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self._path = path_in(options, FORMAT, "a capture, or a folder of captures")
        self._ports = ports_in(options.get("ports", str(FACTS.udp_port)))
        self._octets = number_in(options, FORMAT, "pieceOctets", PIECE)

    def partitions(self) -> Sequence[InputPartition]:
        """Return which task reads what; huge files are looked through for the ends of records."""
        pieces = [
            part
            for piece in captures_in(place_of(self._path))
            for part in (divided(piece, self._octets) if piece.octets > self._octets * HUGE // PIECE else [piece])
        ]
        tasks = sum(piece.octets for piece in pieces) // self._octets + 1
        return [_Part(split.pieces) for split in grouped(pieces, max(1, tasks // 4))]

    def read(self, partition: InputPartition) -> Iterator["pa.RecordBatch"]:
        """Yield the rows of some pieces."""
        flags = port_flags(self._ports)
        for piece in partition.value:
            yield from datagrams_of_piece(piece, flags)


def datagrams_of_piece(piece: Piece, ports: Any) -> Iterator["pa.RecordBatch"]:
    """Yield the datagrams, fragments and problems of a piece of a capture as rows of ``DATAGRAMS``."""
    system, path = piece.file.resolve()
    try:
        with system.open_input_file(path) as file:
            for portion in read_capture(source_of(file, piece.end), piece.start, piece.frame, piece.section):
                if isinstance(portion, Damage):
                    yield batch_of([problem_row(piece.name, portion.offset, portion.length, None, portion.reason)])
                else:
                    yield from _rows_of_scan(piece, portion, ports)
    except NotRead as problem:
        yield batch_of([problem_row(piece.name, 0, piece.octets, None, str(problem))])
    except OSError as problem:
        yield batch_of([problem_row(piece.name, piece.start, 0, None, f"cannot be read: {problem}"[:200])])


def _rows_of_scan(piece: Piece, scan: Scan, ports: Any) -> Iterator["pa.RecordBatch"]:
    frames, count = scan.frames, scan.frame_count
    kinds, room = np.empty(count, np.uint8), kinds_of.room_for(count)
    datagram_count = find_datagrams(scan.octets, frames, count, scan.links, ports, kinds, room)
    if datagram_count:
        datagrams = kinds_of.first(room, datagram_count)
        at = datagrams.frame
        where = Where(scan.number + at.astype(np.int64), scan.offset + frames.records[at], frames.times[at])
        yield rows_of(piece.name, scan.octets, where, datagrams)
    others = [fragment_row(fragment_of(scan, frame, piece.name, piece.number)) for frame in _of(kinds, "fragment")]
    others += [_problem(piece, scan, frame, CONTRADICTION) for frame in _of(kinds, "malformed")]
    others += [
        _problem(piece, scan, frame, unknown_link(link_of(scan, frame))) for frame in _of(kinds, "unknown_link_type")
    ]
    if others:
        yield batch_of(others)


def _of(kinds: Any, kind: str) -> list[int]:
    frames: list[int] = np.flatnonzero(kinds == kinds_of.KINDS.index(kind)).tolist()
    return frames


def _problem(piece: Piece, scan: Scan, frame: int, problem: str) -> dict[str, Any]:
    frames = scan.frames
    length = int(frames.starts[frame] + frames.captured[frame] - frames.records[frame])
    return problem_row(piece.name, scan.offset + int(frames.records[frame]), length, scan.number + frame, problem)


def ports_in(text: str) -> tuple[int, ...]:
    """Return the ports in a text, divided by commas.

    Raises:
        UnusableInput: one is no port.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < int(part) < 2**16 for part in parts):
        raise UnusableInput(f"{FORMAT}: option ports: {text!r}; give numbers from 1 to 65535 divided by commas")
    return tuple(int(part) for part in parts)
