"""Prove a catalogue against one copy of the text.

Every segment that the catalogue stands on must be there, and every RFC 2119 word in its normative sections must belong
to exactly one requirement or exclusion; of a text that has none of these words, every statement must belong to at
least one. Every exception is an alarm.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mqconform.harness.records.requirement import Entry, Specification
from mqconform.harness.suite.spec.claims import Ledger, Occurrence, totals
from mqconform.harness.suite.spec.document import Document, Segment
from mqconform.harness.suite.spec.losses import Loss, losses
from mqconform.harness.suite.spec.match import place

AlarmKind = Literal["changed", "moved", "gone", "unmapped", "claimed twice", "no such word", "other level"]


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing that the catalogue and the text disagree on."""

    kind: AlarmKind
    section: str
    entries: tuple[Entry, ...]
    """The entries concerned; none for a word that no entry claims."""
    detail: str
    """What is wrong, one line."""
    present: str
    """The sentence of the copy that it concerns, empty where there is none."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a check found."""

    document: Document
    specification: Specification
    totals: Counter[str]
    """RFC 2119 word -> occurrences in the normative sections."""
    alarms: tuple[Alarm, ...]
    """In text order; none where catalogue and text agree."""


def check(specification: Specification, document: Document) -> Proof:
    """Return the alarms that the document raises against its catalogue."""
    placement = place(specification, document)
    lost = losses(specification.entries, placement)
    ledger = Ledger(specification, placement)
    explained = {id(loss.present) for loss in lost if loss.fate != "gone"}
    alarms = [
        *map(_of_loss, lost),
        *(_unmapped(occurrence) for occurrence in ledger.unclaimed(document) if id(occurrence[0]) not in explained),
        *(_unstated(segment) for segment in ledger.unstated(document) if id(segment) not in explained),
        *_of_ledger(ledger),
    ]
    order = {
        section: index for index, section in enumerate(dict.fromkeys(segment.section for segment in document.segments))
    }
    alarms.sort(key=lambda alarm: order.get(alarm.section, len(order)))
    return Proof(document, specification, totals(document, specification), tuple(alarms))


def _of_loss(loss: Loss) -> Alarm:
    details = {
        "changed": "its sentence changed to:",
        "moved": f"its sentence moved to {loss.present.section if loss.present else 'none'}:",
        "gone": "its sentence is gone; the nearest one is:"
        if loss.present
        else "its sentence is gone, with its surroundings",
    }
    return Alarm(loss.fate, loss.section, loss.entries, details[loss.fate], loss.present.text if loss.present else "")


def _unmapped(occurrence: Occurrence) -> Alarm:
    segment, index = occurrence
    word = f"{segment.keywords[index]} ({index + 1} of {len(segment.keywords)})"
    detail = f"{word} belongs to no requirement and no exclusion:"
    return Alarm("unmapped", segment.section, (), detail, segment.text)


def _unstated(segment: Segment) -> Alarm:
    detail = "a statement that belongs to no requirement and no exclusion:"
    return Alarm("unmapped", segment.section, (), detail, segment.text)


def _of_ledger(ledger: Ledger) -> Iterator[Alarm]:
    for (segment, index), entries in ledger.claimed_twice():
        detail = f"{segment.keywords[index]} ({index + 1} of {len(segment.keywords)}) is claimed more than once:"
        yield Alarm("claimed twice", segment.section, tuple(entries), detail, segment.text)
    for entry, number in ledger.void:
        yield Alarm("no such word", entry.section, (entry,), f"claims RFC 2119 word {number} of fewer", "")
    for (segment, index), requirement in ledger.misjudged():
        detail = f"its level is {requirement.level}, the specification has {segment.keywords[index]}:"
        yield Alarm("other level", segment.section, (requirement,), detail, segment.text)
