"""Dividing one huge capture by several tasks at once: each indexes a stretch, and stretches have to meet exactly.

Where a stretch begins is guessed. A guess counts only if whoever indexes the stretch before it comes to its end at that
very octet, without damage on the way: records follow one another without gaps, so that reading the file from its head
would have come there too. Otherwise one task divides the whole file.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mqconform.reports.pipeline.captures.bulk_resuming import NOWHERE, resume_pcap
from mqconform.reports.pipeline.captures.planning import PIECE, Piece
from mqconform.reports.pipeline.captures.reading import TO_THE_END, Damage, FileSource, Scan, read_capture, source_of
from mqconform.reports.pipeline.captures.section import PCAP_HEAD, NotRead, Section, pcap_section

LOOKED_AT: Final = 2**20
"""Octets in which the beginning of a stretch is looked for."""
CUTS_OF_SCAN: Final = 64
"""Places in one scan at which a part may end."""


class Stretch(NamedTuple):
    """Octets of a capture that one task indexes; records begin at both ends."""

    piece: Piece
    start: int
    end: int
    section: Section | None
    """How to read there; None at the head of the file."""


class Index(NamedTuple):
    """Where a stretch can be cut."""

    stretch: Stretch
    cuts: tuple[tuple[int, int], ...]
    """Offset of a record, and how many frames of the stretch are before it."""
    frames: int
    section: Section | None
    """How to read at the cuts."""
    whole: bool
    """Whether records fill the stretch exactly."""


def stretches(piece: Piece, count: int) -> list[Stretch]:
    """Return up to so many stretches of a pcap file, which fill it; one where no others can be guessed."""
    system, path = piece.file.resolve()
    try:
        with system.open_input_file(path) as file:
            source = source_of(file)
            starts = list(_starts(source, file.size(), count)) if isinstance(source, FileSource) else []
            section = pcap_section(source.window(0, PCAP_HEAD).tobytes()) if starts else None
    except (NotRead, OSError):
        starts, section = [], None
    bounds = [0, *starts, TO_THE_END]
    return [Stretch(piece, at, bounds[place + 1], section if at else None) for place, at in enumerate(bounds[:-1])]


def _starts(source: FileSource, size: int, count: int) -> Iterator[int]:
    """Yield guesses of where records begin, at about equal distances."""
    section = pcap_section(source.window(0, PCAP_HEAD).tobytes())
    first = next((one for one in read_capture(source, window=LOOKED_AT) if isinstance(one, Scan)), None)
    if first is None:
        return
    seconds, before = int(first.frames.times[0]) // 10**9, 0
    for number in range(1, count):
        at = size * number // count
        found = resume_pcap(source.window(at, LOOKED_AT), 0, section.swapped, 10**9 // section.fraction, seconds, False)
        if found != NOWHERE and at + found > before:
            before = at + found
            yield before


def indexed(stretch: Stretch, octets: int = PIECE) -> Index:
    """Return where a stretch can be cut into parts of about so many octets."""
    system, path = stretch.piece.file.resolve()
    cuts, frames, section, whole = list[tuple[int, int]](), 0, stretch.section, True
    reached = stretch.start
    try:
        with system.open_input_file(path) as file:
            for scan in read_capture(source_of(file, stretch.end), stretch.start, 1, stretch.section):
                if isinstance(scan, Damage):
                    whole = False
                    break
                section, frames = scan.section, scan.number - 1 + scan.frame_count
                for frame in range(0, scan.frame_count, max(1, scan.frame_count // CUTS_OF_SCAN)):
                    at = scan.offset + int(scan.frames.records[frame])
                    if at - reached >= octets:
                        reached = at
                        cuts.append((at, scan.number - 1 + frame))
    except (NotRead, OSError):
        whole = False
    return Index(stretch, tuple(cuts), frames, section, whole)


def pieces_of(indexes: Sequence[Index]) -> list[Piece]:
    """Return the parts of a capture of which all stretches were indexed; nothing where they do not meet."""
    if not all(one.whole for one in indexes):
        return []
    piece, begins, before = indexes[0].stretch.piece, list[Piece](), 0
    for one in indexes:
        for at, frames in ((one.stretch.start, 0), *one.cuts):
            section = one.section if at else None
            begins.append(piece._replace(start=at, frame=1 + before + frames, section=section))
        before += one.frames
    ends = [*(one.start for one in begins[1:]), piece.octets]
    return [
        one._replace(end=TO_THE_END if one is begins[-1] else end, octets=end - one.start)
        for one, end in zip(begins, ends, strict=True)
    ]
