"""Compare two revisions of a specification requirement by requirement.

What the catalogue stands on is compared through it: a requirement is unchanged where both texts carry it, in
whichever wording the catalogue knows. All other differences are wording, listed section by section.
"""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from mqconform.harness.records.requirement import Requirement, Specification
from mqconform.harness.suite.spec.document import Document, Segment
from mqconform.harness.suite.spec.match import Placement, nearest, place, sections
from mqconform.harness.suite.spec.segments import keywords

Fate = Literal["changed", "new", "gone"]

_UNCOMPARED = frozenset({"7", "8"})
"""Change tracking and index: they differ in every revision and contain no requirements."""


@dataclass(frozen=True, slots=True)
class RequirementChange:
    """A requirement that one of the two texts does not carry."""

    fate: Fate
    section: str
    requirement: Requirement | None
    """None for a sentence with RFC 2119 words that no catalogue entry claims."""
    old: tuple[str, ...]
    """Its sentences in the old text, none where it is new."""
    new: tuple[str, ...]
    """Its sentences in the new text, none where it is gone."""


@dataclass(frozen=True, slots=True)
class WordingChange:
    """A difference that touches no requirement."""

    section: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two revisions."""

    old: Document
    new: Document
    requirements: tuple[RequirementChange, ...]
    wordings: tuple[WordingChange, ...]
    reworded: tuple[Requirement, ...]
    """Requirements that both texts carry, in wordings the catalogue knows to mean the same."""
    strangers: tuple[Requirement, ...]
    """Requirements that neither text carries: the catalogue is of another revision."""


def compare(specification: Specification | None, old: Document, new: Document) -> Comparison:
    """Return what differs between two revisions, seen through the catalogue where there is one."""
    catalogue = specification or Specification(old.id, "", "", (), ())
    before, after = place(catalogue, old), place(catalogue, new)
    changes: list[RequirementChange] = []
    reworded: list[Requirement] = []
    strangers: list[Requirement] = []
    for requirement in catalogue.requirements:
        was, now = before.holds(requirement), after.holds(requirement)
        if was != now:
            changes.append(_change(requirement, before, after, was=was))
        elif not was:
            strangers.append(requirement)
        elif before.anchors(requirement) != after.anchors(requirement):
            reworded.append(requirement)
    shown_texts = {text for change in changes for text in (*change.old, *change.new)}
    catalogued = {segment.text for placement in (before, after) for segment in placement.segments.values()}
    wordings: list[WordingChange] = []
    for difference in _differences(old, new, shown_texts):
        if change := _uncatalogued(difference, catalogued, catalogue):
            changes.append(change)
        else:
            wordings.append(difference)
    return Comparison(old, new, tuple(changes), tuple(wordings), tuple(reworded), tuple(strangers))


def _change(requirement: Requirement, before: Placement, after: Placement, *, was: bool) -> RequirementChange:
    holding, lacking = (before, after) if was else (after, before)
    anchors = holding.anchors(requirement)
    mine = {anchor: holding.segments[requirement.section, anchor] for anchor in anchors}
    free = [segment for segment in lacking.free() if segment.section == requirement.section]
    theirs = [  # the same segment, or the free one that reads most like it
        lacking.segments.get((segment.section, anchor)) or nearest(segment.text, free)
        for anchor, segment in mine.items()
    ]
    here = tuple(segment.text for segment in mine.values())
    there = tuple(segment.text for segment in theirs if segment is not None)
    if not there:
        return RequirementChange(
            "gone" if was else "new", requirement.section, requirement, here if was else (), () if was else here
        )
    old, new = (here, there) if was else (there, here)
    return RequirementChange("changed", requirement.section, requirement, old, new)


def _differences(old: Document, new: Document, shown_texts: set[str]) -> Iterator[WordingChange]:
    """Yield the stretches of each section that differ, apart from the sentences already shown."""
    before, after = sections(old.segments), sections(new.segments)
    for section in dict.fromkeys([*before, *after]):
        if section not in _UNCOMPARED:
            yield from _stretches(section, before.get(section, []), after.get(section, []), shown_texts)


def _stretches(
    section: str, before: Sequence[Segment], after: Sequence[Segment], shown_texts: set[str]
) -> Iterator[WordingChange]:
    matcher = difflib.SequenceMatcher(None, _keys(before), _keys(after), autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            continue
        old = [segment.text for segment in before[i:j] if segment.text not in shown_texts]
        new = [segment.text for segment in after[k:m] if segment.text not in shown_texts]
        if len(old) == len(new):
            yield from (WordingChange(section, (was,), (now,)) for was, now in zip(old, new, strict=True))
        elif old or new:
            yield WordingChange(section, tuple(old), tuple(new))


def _keys(segments: Sequence[Segment]) -> list[str]:
    """Spaces are left out: conversions lose them between two emphasised words."""
    return [segment.text.replace(" ", "") for segment in segments]


def _uncatalogued(
    difference: WordingChange, catalogued: set[str], specification: Specification
) -> RequirementChange | None:
    unknown = [text for text in (*difference.old, *difference.new) if text not in catalogued]
    by_statement = specification.counted == "statements"
    counted = bool(unknown) if by_statement else any(map(keywords, unknown))
    if not counted or not (by_statement or specification.binds(difference.section)):
        return None
    fate: Fate = "changed" if difference.old and difference.new else "gone" if difference.old else "new"
    return RequirementChange(fate, difference.section, None, difference.old, difference.new)
