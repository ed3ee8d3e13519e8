"""Find out what became of a catalogued segment that is missing in the copy.

Of the lost segment only its hash is known. What stands now between its neighbours is its new wording; where nothing
does, it is gone.
"""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mqconform.harness.records.requirement import Anchor, Entry, Requirement
from mqconform.harness.suite.spec.document import Segment
from mqconform.harness.suite.spec.match import Placement

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
