"""Packets octet by octet, and who sent them to whom: coordinates for drawings, texts for everybody else."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mqconform.harness.records.results import Span, Witness
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.layout import Field, Layout, read_layout

ROW: Final = 16
MOST_OCTETS: Final = 2048
"""Octets that are shown one by one; the result file has them all."""
TINTS: Final = 6
"""Colours that fields take in turns."""


class Octet(NamedTuple):
    """One octet of the grid."""

    offset: int
    text: str
    field: str
    tint: int
    """0 to ``TINTS`` - 1; -1 behind the last field."""
    marked: bool
    """Whether a judgement that the datagram did not pass is about it."""


class FieldRow(NamedTuple):
    """One field of the table below the grid; parts of a field are indented."""

    name: str
    section: str
    first: int
    last: int
    octets: str
    value: str
    tint: int
    depth: int
    marked: bool
    missing: int


@dataclass(frozen=True, slots=True)
class PacketView:
    """Everything that the page shows of a datagram."""

    packet: str
    size: int
    rows: tuple[tuple[Octet, ...], ...]
    fields: tuple[FieldRow, ...]
    problems: tuple[MalformedPacket, ...]
    """Violations of the message syntax that the datagram shows."""
    left_out: int


def packet_view(octets: bytes, spans: tuple[Span, ...] = ()) -> PacketView:
    """Return a datagram taken apart; ``spans`` are the octets to mark."""
    layout = read_layout(octets)
    marked = {at for span in spans for at in range(span.offset, min(span.offset + span.length, len(octets)))}
    grid = _grid(layout, marked)
    return PacketView(
        packet=layout.packet,
        size=len(octets),
        rows=tuple(grid[at : at + ROW] for at in range(0, len(grid), ROW)),
        fields=tuple(_field_rows(layout, marked)),
        problems=layout.problems,
        left_out=max(0, len(octets) - MOST_OCTETS),
    )


def _grid(layout: Layout, marked: set[int]) -> tuple[Octet, ...]:
    owner = {}
    for number, field in enumerate(layout.shown):
        for at in range(field.offset, field.offset + len(field.octets)):
            owner[at] = (field.name, number % TINTS)
    return tuple(
        Octet(at, f"{octet:02x}", *owner.get(at, ("after the last field", -1)), at in marked)
        for at, octet in enumerate(layout.octets[:MOST_OCTETS])
    )


def _field_rows(layout: Layout, marked: set[int]) -> list[FieldRow]:
    rows = []
    for number, field in enumerate(layout.shown):
        rows.append(_row(field, number % TINTS, 0, marked))
        rows += [_row(part, number % TINTS, 1, marked) for part in field.parts[:200]]
    if layout.trailing:
        first = len(layout.octets) - len(layout.trailing)
        last = len(layout.octets) - 1
        is_marked = not marked.isdisjoint(range(first, last + 1))
        text = _short(layout.trailing)
        rows.append(FieldRow("after the last field", "", first, last, text, "", -1, 0, is_marked, 0))
    return rows


def _row(field: Field, tint: int, depth: int, marked: set[int]) -> FieldRow:
    last = field.offset + len(field.octets) - 1
    is_marked = not marked.isdisjoint(range(field.offset, last + 1))
    return FieldRow(
        field.name,
        field.section,
        field.offset,
        last,
        _short(field.octets),
        field.text,
        tint,
        depth,
        is_marked,
        field.missing,
    )


def _short(octets: bytes) -> str:
    return octets[:32].hex(" ") + (" ..." if len(octets) > 32 else "")


LEFT: Final = 140
RIGHT: Final = 560
TOP: Final = 70
STEP: Final = 44
MOST_ARROWS: Final = 40


class Arrow(NamedTuple):
    """One datagram on its way."""

    y: int
    to_iut: bool
    label: str
    """Name of the message and number of octets."""
    faulty: bool
    """Whether a witness that did not pass is about it."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The diagram of a case."""

    arrows: tuple[Arrow, ...]
    width: int
    height: int
    left: int
    right: int
    left_out: int


def sequence(witnesses: tuple[Witness, ...]) -> Sequence | None:
    """Return the diagram of the datagrams that witnesses hold, None if they hold none."""
    datagrams: dict[tuple[bool, bytes], bool] = {}
    for witness in witnesses:
        bad = witness.verdict not in ("pass", "none")
        for to_iut, octets in ((True, witness.request_octets), (False, witness.reply_octets)):
            if octets:
                datagrams[to_iut, octets] = datagrams.get((to_iut, octets), False) or (bad and not to_iut)
    if not datagrams:
        return None
    drawn = list(datagrams.items())[:MOST_ARROWS]
    arrows = tuple(
        Arrow(TOP + number * STEP, to_iut, f"{read_layout(octets).packet}, {len(octets)} octets", faulty)
        for number, ((to_iut, octets), faulty) in enumerate(drawn)
    )
    height = TOP + len(arrows) * STEP
    return Sequence(arrows, LEFT + RIGHT, height, LEFT, RIGHT, len(datagrams) - len(drawn))
