"""Dividing captures among tasks: small files together, a huge one at the ends of its records."""

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from mqconform.reports.pipeline.captures.reading import TO_THE_END, Damage, GzipSource, read_capture, source_of
from mqconform.reports.pipeline.captures.section import NotRead, Section
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in

PIECE: Final = 2**25
"""Octets of a part of a huge file."""
HUGE: Final = 2 * PIECE
SPLITS_PER_CORE: Final = 4


class Piece(NamedTuple):
    """A capture or a part of one."""

    file: Place
    name: str
    """What the file is called in the output: its path below what was to be audited."""
    octets: int
    """Octets of the file that belong to it, as they are stored."""
    start: int = 0
    end: int = TO_THE_END
    frame: int = 1
    """Number of its first frame in the file."""
    section: Section | None = None
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
            source = source_of(file)
            if isinstance(source, GzipSource):
                return [piece]
            return list(_parts(piece, source, octets))
    except (NotRead, OSError):
        return [piece]


def _parts(piece: Piece, source: Any, octets: int) -> Iterator[Piece]:
    current = piece
    for scan in read_capture(source):
        if isinstance(scan, Damage):
            continue
        records = scan.frames.records
        for frame in range(0, scan.frame_count, max(1, scan.frame_count // 64)):
            at = scan.offset + int(records[frame])
            if at - current.start >= octets:
                yield current._replace(end=at, octets=at - current.start)
                current = current._replace(start=at, frame=scan.number + frame, section=scan.section)
    yield current._replace(octets=piece.octets - current.start)


def grouped(pieces: Iterable[Piece], cores: int) -> list[list[Piece]]:
    """Return groups of about equal size, the pieces in their order."""
    listed = list(pieces)
    total = sum(piece.octets for piece in listed)
    split_count = max(cores * SPLITS_PER_CORE, math.ceil(total / PIECE))
    size = max(1.0, total / split_count)
    groups: list[list[Piece]] = []
    reached = 0
    for piece in listed:
        if not groups or reached >= size * len(groups):
            groups.append([])
        groups[-1].append(piece)
        reached += piece.octets
    return groups
