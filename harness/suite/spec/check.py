"""Prove a catalogue against one copy of the text.

Every segment that the catalogue stands on must be there, and every RFC 2119 word in its normative sections must belong
to exactly one requirement or exclusion; of a text that has none of these words, every statement must belong to at
least one. Every exception is an alarm.
"""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mqconform.harness.records.requirement import Anchor, Entry, Requirement, Specification
from mqconform.harness.suite.spec.document import Document, Segment
from mqconform.harness.suite.spec.match import Placement, place
from mqconform.harness.suite.spec.segments import LEVEL_OF

Fate = Literal["changed", "moved", "gone"]


@dataclass(frozen=True, slots=True)
class Loss:
    """One segment that is missing from a copy."""

    section: str
    entries: tuple[Entry, ...]
    """All that stand on it."""
    fate: Fate
    present: Segment | None
    """Changed: the segment that stands in its place; moved: the same text elsewhere; gone: what is nearest."""


def losses(entries: Iterable[Entry], placement: Placement) -> list[Loss]:
    """Return what is missing from the placement's document, in catalogue order, each with its fate."""
    owners = _owners(entries, placement)
    free = {id(segment): segment for segment in placement.free()}
    all_losses: list[Loss] = []
    for (section, anchor), standing in owners.items():
        loss = _loss(section, anchor, tuple(standing), placement, free)
        if loss.fate != "gone" and loss.present is not None:
            del free[id(loss.present)]
        all_losses.append(loss)
    return all_losses


def _owners(entries: Iterable[Entry], placement: Placement) -> dict[tuple[str, Anchor], list[Entry]]:
    owners: dict[tuple[str, Anchor], list[Entry]] = {lost: [] for lost in placement.missing()}
    for entry in entries:
        for anchor in placement.anchors(entry):
            if (entry.section, anchor) in owners:
                owners[entry.section, anchor].append(entry)
    return owners


def _loss(
    section: str, anchor: Anchor, entries: tuple[Entry, ...], placement: Placement, free: dict[int, Segment]
) -> Loss:
    elsewhere = next((segment for segment in free.values() if segment.digest == anchor.digest), None)
    if elsewhere is not None:
        return Loss(section, entries, "moved", elsewhere)
    before, between = _surroundings(section, anchor, placement)
    candidates = [segment for segment in between if id(segment) in free]
    forced = [segment for segment in candidates if segment.keywords]
    if any(entry.keywords for entry in entries) and forced:
        candidates = forced
    if candidates:
        return Loss(section, entries, "changed", _most_like(_words(entries), candidates))
    return Loss(section, entries, "gone", before)


def _surroundings(section: str, anchor: Anchor, placement: Placement) -> tuple[Segment | None, list[Segment]]:
    """Return the segment before the lost one and all that stand between its neighbours in the catalogue.

    Of an exclusion the catalogue does not say between which requirements it stands: it may be anywhere.
    """
    segments = [segment for segment in placement.document.segments if segment.section == section]
    anchors = placement.requirement_anchors(section)
    if anchor not in anchors:
        return None, segments
    index = {id(segment): number for number, segment in enumerate(segments)}
    here = anchors.index(anchor)
    before = _indices(section, reversed(anchors[:here]), placement, index)
    begin = next(before, -1)
    after = (number for number in _indices(section, anchors[here + 1 :], placement, index) if number > begin)
    return (segments[begin] if begin >= 0 else None), segments[begin + 1 : next(after, len(segments))]


def _indices(section: str, anchors: Iterable[Anchor], placement: Placement, index: dict[int, int]) -> Iterator[int]:
    segments = (placement.segments.get((section, anchor)) for anchor in anchors)
    return (index[id(segment)] for segment in segments if segment is not None)


def _words(entries: tuple[Entry, ...]) -> list[str]:
    texts = (entry.summary if isinstance(entry, Requirement) else entry.reason for entry in entries)
    return [word for text in texts for word in text.lower().split()]


def _most_like(words: list[str], candidates: list[Segment]) -> Segment:
    return max(
        candidates, key=lambda candidate: difflib.SequenceMatcher(None, words, candidate.text.lower().split()).ratio()
    )


Occurrence = tuple[Segment, int]
"""One RFC 2119 word: its segment, and which of the segment's words it is, from 0."""


class Ledger:
    """Which entry claims which RFC 2119 word of a document."""

    def __init__(self, specification: Specification, placement: Placement) -> None:
        """Enter the claims of every requirement and exclusion."""
        self.claimed: dict[Occurrence, list[Entry]] = {}
        self.void: list[tuple[Entry, int]] = []
        """Entry and the keyword number it claims though its segments have fewer."""
        self._excused: set[Segment] = set()
        self._specification = specification
        self._by_statement = specification.counted == "statements"
        self._stated: set[Segment] = set()
        for entry in specification.entries:
            self._enter(entry, placement.of(entry))

    def _enter(self, entry: Entry, segments: list[Segment | None]) -> None:
        there = [segment for segment in segments if segment is not None]
        self._stated.update(there)
        if len(there) < len(segments):  # numbers past a lost segment mean nothing
            self._excused.update(there)
            return
        words = [(segment, index) for segment in there for index in range(len(segment.keywords))]
        for number in entry.keywords:
            if number > len(words):
                self.void.append((entry, number))
            else:
                self.claimed.setdefault(words[number - 1], []).append(entry)

    def unclaimed(self, document: Document) -> Iterator[Occurrence]:
        """Yield the RFC 2119 words of the normative sections that no entry claims."""
        for segment in document.segments:
            if self._specification.binds(segment.section) and segment not in self._excused:
                for index in range(len(segment.keywords)):
                    if (segment, index) not in self.claimed:
                        yield segment, index

    def unstated(self, document: Document) -> Iterator[Segment]:
        """Yield the segments that no entry stands on, where every statement of the text has to be accounted for."""
        if self._by_statement:
            yield from (segment for segment in document.segments if segment not in self._stated)

    def claimed_twice(self) -> Iterator[tuple[Occurrence, list[Entry]]]:
        """Yield the words that more than one entry claims."""
        for occurrence, entries in self.claimed.items():
            if len(entries) > 1:
                yield occurrence, entries

    def misjudged(self) -> Iterator[tuple[Occurrence, Requirement]]:
        """Yield the words whose force is not the level of the requirement that claims them."""
        for (segment, index), entries in self.claimed.items():
            for entry in entries:
                if isinstance(entry, Requirement) and entry.level != LEVEL_OF[segment.keywords[index]]:
                    yield (segment, index), entry


def totals(document: Document, specification: Specification) -> Counter[str]:
    """Return how often each RFC 2119 word stands in the normative sections."""
    return Counter(
        word for segment in document.segments if specification.binds(segment.section) for word in segment.keywords
    )


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
