"""The data source ``mqconform.captures``: pcap and pcapng, gzip too, as judged rows of a DataFrame of Spark.

    spark.dataSource.register(Captures)
    packets = reassembled(spark.read.format("mqconform.captures").option("ports", "1801").load("captures/"))

A huge file is divided at the ends of its records, small ones are read together. What cannot be read is a row with
``problem``: the rest of a damaged file. Payloads stay where they are, but for those of packets with a failure.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from mqconform.reference.mqsd.specification import FACTS
from mqconform.reports.pipeline.captures import bulk_datagrams as kinds_of
from mqconform.reports.pipeline.captures import judging, reading
from mqconform.reports.pipeline.captures.bulk_datagrams import find_datagrams
from mqconform.reports.pipeline.captures.facts import facts_of
from mqconform.reports.pipeline.captures.frames import fragment_rows
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in, in_splits, place_of

PIECE: Final = 2**25
"""Octets of a part of a huge file."""


class Piece(NamedTuple):
    """A capture or a part of one."""

    file: Place
    name: str
    """What the file is called in the output: its path below what was to be audited."""
    octets: int
    """Octets of the file that belong to it, as they are stored."""
    start: int = 0
    end: int = reading.TO_THE_END
    frame: int = 1
    """Number of its first frame in the file."""
    section: reading.Section | None = None
    """How to read at its start; None at the head of the file."""


def captures_in(place: Place) -> list[Piece]:
    """Return the files to audit, each as one piece.

    Raises:
        UnusableInput: there is none.
    """
    files = files_in(place, ("",))
    prefix = place.text.rstrip("/") + "/"
    pieces = []
    for file in files:
        system, path = file.resolve()
        size = system.get_file_info(path).size or 0
        name = file.text.removeprefix(prefix) if file != place else file.name
        pieces.append(Piece(file, name, size))
    if not any(piece.octets for piece in pieces):
        raise UnusableInput(f"{place.text}: holds no octet; name a capture, or a folder of captures")
    return pieces


def divided(piece: Piece, octets: int = PIECE) -> list[Piece]:
    """Divide a file into parts that begin with a record and are about as long as asked for.

    One task does it: a million records take some hundredths of a second where the file is in memory.

    A gzipped file cannot be read from its middle and stays in one piece; so does what is no capture.
    """
    system, path = piece.file.resolve()
    try:
        with system.open_input_file(path) as file:
            source = reading.source_of(file)
            if isinstance(source, reading.GzipSource):
                return [piece]
            return list(_parts(piece, source, octets))
    except (reading.NotRead, OSError):
        return [piece]


def _parts(piece: Piece, source: Any, octets: int) -> Iterator[Piece]:
    current = piece
    for scan in reading.read_capture(source):
        if isinstance(scan, reading.Damage):
            continue
        records = scan.frames.records
        for frame in range(0, scan.frame_count, max(1, scan.frame_count // 64)):
            at = scan.offset + int(records[frame])
            if at - current.start >= octets:
                yield current._replace(end=at, octets=at - current.start)
                current = current._replace(start=at, frame=scan.number + frame, section=scan.section)
    yield current._replace(octets=piece.octets - current.start)


FORMAT: Final = "mqconform.captures"
MOST_OTHERS: Final = 2_000
"""Fragments and problems that are gathered before they are handed on."""
OPTIONS: Final = ("path", "ports", "pieceOctets", "profile", "facts")


class Captures(DataSource):
    """Captures as rows of ``ROWS``.

    Options:
        path: a file or a folder, given by ``load``.
        ports: UDP ports on which servers listen, divided by commas; 1801 unless given.
        profile: which verdicts of the ambiguity register count: must, default, strict or windows.
        facts: facts files of servers, ``FILE`` or ``ADDRESS=FILE``, each on a line of its own.
        pieceOctets: about how many octets of captures one task reads; 32 MiB unless given.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return FORMAT

    def schema(self) -> StructType:
        """Return ``ROWS`` in Spark's types."""
        return from_arrow_schema(judging.ROWS)

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return the reader of the captures that the options name.

        Raises:
            UnusableInput: an option cannot be used, or a schema was given.
        """
        if schema.names != judging.ROWS.names:
            raise UnusableInput(f"{FORMAT}: has fixed columns; omit schema(), and select() what you need")
        return _CapturesReader(self.options)


class _CapturesReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        if "paths" in options:
            raise UnusableInput(f"{FORMAT}: load() was given several paths; name one file, or one folder of captures")
        if strange := sorted(set(options) - {name.lower() for name in OPTIONS} - {*OPTIONS}):
            raise UnusableInput(f"{FORMAT}: there is no option {strange[0]}; the options are {', '.join(OPTIONS)}")
        if "path" not in options:
            raise UnusableInput(f"{FORMAT}: no path; name a capture, or a folder of captures, in load()")
        self._path, octets, profile = options["path"], options.get("pieceOctets", str(PIECE)), options.get("profile")
        if not (octets.isascii() and octets.isdigit() and int(octets)):
            raise UnusableInput(f"{FORMAT}: option pieceOctets: {octets!r}; give a whole number above 0")
        if profile not in (None, *judging.PROFILES):
            raise UnusableInput(f"{FORMAT}: option profile: {profile!r}; give one of {', '.join(judging.PROFILES)}")
        facts = facts_of(options.get("facts", "").split("\n")) if options.get("facts") else ()
        self._octets = int(octets)
        self._settings = judging.Settings(
            profile or "default", facts, _ports(options.get("ports", str(FACTS.udp_port)))
        )

    def partitions(self) -> Sequence[InputPartition]:
        """Return which task reads what; huge files are looked through for the ends of records."""
        pieces = [
            part
            for piece in captures_in(place_of(self._path))
            for part in (divided(piece, self._octets) if piece.octets > 2 * self._octets else [piece])
        ]
        octets = [piece.octets for piece in pieces]
        return [
            InputPartition(tuple(split)) for split in in_splits(pieces, octets, max(4, sum(octets) // self._octets + 1))
        ]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some pieces, what was counted in a piece last."""
        for piece in partition.value:
            yield from _rows_of(piece, self._settings)


def _rows_of(piece: Piece, settings: judging.Settings) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a piece of a capture."""
    counts = Counter(files=int(piece.start == 0), octets=0, **dict.fromkeys(kinds_of.KINDS, 0))
    others: list[Mapping[str, Any]] = []
    system, path = piece.file.resolve()
    try:
        with system.open_input_file(path) as file:
            source = reading.source_of(file, piece.end)
            for portion in reading.read_capture(source, piece.start, piece.frame, piece.section):
                if isinstance(portion, reading.Damage):
                    others.append(judging.problem_row(piece.name, portion.offset, portion.length, None, portion.reason))
                else:
                    yield from _scanned(piece.name, portion, settings, counts, others)
                if len(others) > MOST_OTHERS:
                    yield judging.batch_of(others)
                    others.clear()
    except reading.NotRead as problem:
        others.append(judging.problem_row(piece.name, 0, piece.octets, None, str(problem)))
    except OSError as problem:
        others.append(judging.problem_row(piece.name, piece.start, 0, None, f"cannot be read: {problem}"[:200]))
    yield judging.batch_of([*others, judging.counts_row(piece.name, counts)])


def _scanned(
    file: str, scan: reading.Scan, settings: judging.Settings, counts: Counter[str], others: list[Mapping[str, Any]]
) -> Iterator[pa.RecordBatch]:
    """Yield the packets of a scan; add to what is counted, and to the rows of what is no packet."""
    frames, count = scan.frames, scan.frame_count
    kinds, room = np.empty(count, np.uint8), kinds_of.room_for(count)
    found_count = find_datagrams(scan.octets, frames, count, scan.links, settings.port_flags(), kinds, room)
    counts["octets"] += int(frames.starts[count - 1] + frames.captured[count - 1] - frames.records[0])
    counts.update(dict(zip(kinds_of.KINDS, np.bincount(kinds, minlength=len(kinds_of.KINDS)).tolist(), strict=True)))
    found = kinds_of.chosen(room, slice(found_count))
    whole = kinds[found.frame] == kinds_of.DISCOVERY
    if whole.any():
        datagrams = kinds_of.chosen(found, slice(None) if whole.all() else whole)
        at = datagrams.frame
        where = judging.Where(scan.number + at.astype(np.int64), scan.offset + frames.records[at], frames.times[at])
        yield judging.packet_rows(file, scan.octets, where, datagrams, settings)
    others += fragment_rows(scan, kinds_of.chosen(found, ~whole), file)
    others += (_problem(file, scan, frame, reading.CONTRADICTION) for frame in _of(kinds, "malformed"))
    for frame in _of(kinds, "unknown_link_type"):
        interface = int(frames.interfaces[frame])
        known = f"link type {scan.links[interface]} is not known"
        reason = known if interface >= 0 else "no interface is described for this frame"
        others.append(_problem(file, scan, frame, reason))


def _of(kinds: Any, kind: str) -> list[int]:
    frames: list[int] = np.flatnonzero(kinds == kinds_of.KINDS.index(kind)).tolist()
    return frames


def _problem(file: str, scan: reading.Scan, frame: int, problem: str) -> dict[str, Any]:
    frames = scan.frames
    length = int(frames.starts[frame] + frames.captured[frame] - frames.records[frame])
    return judging.problem_row(file, scan.offset + int(frames.records[frame]), length, scan.number + frame, problem)


def _ports(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < int(part) < 2**16 for part in parts):
        raise UnusableInput(f"{FORMAT}: option ports: {text!r}; give numbers from 1 to 65535, separated by commas")
    return tuple(dict.fromkeys(map(int, parts)))
