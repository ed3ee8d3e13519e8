"""Who sent what to whom in a case, as a sequence diagram: coordinates for a drawing, texts for everybody else."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from mqconform.harness.records.results import Witness
from mqconform.reference.mqsd.layout import read_layout

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
        Arrow(TOP + number * STEP, to_iut, _label(octets), faulty)
        for number, ((to_iut, octets), faulty) in enumerate(drawn)
    )
    height = TOP + len(arrows) * STEP
    return Sequence(arrows, LEFT + RIGHT, height, LEFT, RIGHT, len(datagrams) - len(drawn))


def _label(octets: bytes) -> str:
    return f"{read_layout(octets).packet}, {len(octets)} octets"
