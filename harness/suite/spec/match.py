"""Find the segments that a catalogue's entries stand on in one copy of the text."""

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mqconform.harness.records.requirement import Anchor, Entry, Exclusion, Specification
from mqconform.harness.suite.spec.document import Document, Segment

LIKENESS = 0.6
"""Ratio of difflib from which a sentence counts as another wording of the one that is missing."""


@dataclass(frozen=True)
class Placement:
    """Where the anchors of a catalogue stand in one document."""

    specification: Specification
    document: Document
    segments: Mapping[tuple[str, Anchor], Segment]
    """(section, anchor) -> its segment; an anchor that is missing from the document is missing here."""
    expected: Mapping[str, Sequence[Anchor]]
    """Section -> all anchors that should stand there, those of requirements first and in text order."""
    chosen: Mapping[int, tuple[Anchor, ...]]
    """Identity of an entry -> the reading of it that the document carries, its own wording where it carries none."""

    def anchors(self, entry: Entry) -> tuple[Anchor, ...]:
        """Return the anchors of the entry's reading in this document."""
        return self.chosen[id(entry)]

    def of(self, entry: Entry) -> list[Segment | None]:
        """Return the segments an entry stands on, None for each that is missing."""
        return [self.segments.get((entry.section, anchor)) for anchor in self.anchors(entry)]

    def holds(self, entry: Entry) -> bool:
        """Return whether every segment of the entry is there."""
        return all(segment is not None for segment in self.of(entry))

    def requirement_anchors(self, section: str) -> list[Anchor]:
        """Return the anchors of the section's requirements, in text order."""
        mine = (requirement for requirement in self.specification.requirements if requirement.section == section)
        return list(dict.fromkeys(anchor for requirement in mine for anchor in self.anchors(requirement)))

    def missing(self) -> dict[tuple[str, Anchor], None]:
        """Return what the document lacks, in catalogue order."""
        expected = ((section, anchor) for section, anchors in self.expected.items() for anchor in anchors)
        return {pair: None for pair in expected if pair not in self.segments}

    def free(self) -> list[Segment]:
        """Return the segments that nothing in the catalogue stands on."""
        taken = {id(segment) for segment in self.segments.values()}
        return [segment for segment in self.document.segments if id(segment) not in taken]


def place(specification: Specification, document: Document) -> Placement:
    """Return where each anchor of the catalogue stands in the document.

    Equal sentences of one section are told apart by their order; where one of them is missing, the order of their
    neighbours tells which.
    """
    by_section = sections(document.segments)
    entries = specification.entries
    chosen = {id(entry): _reading(entry, by_section.get(entry.section, [])) for entry in entries}
    anchors_by_section: dict[str, dict[Anchor, None]] = defaultdict(dict)
    for entry in entries:
        anchors_by_section[entry.section].update(dict.fromkeys(chosen[id(entry)]))
    placed = {
        (section, anchor): segment
        for section, anchors in anchors_by_section.items()
        for anchor, segment in _aligned(list(anchors), by_section.get(section, [])).items()
    }
    return Placement(
        specification,
        document,
        placed,
        {section: tuple(anchors) for section, anchors in anchors_by_section.items()},
        chosen,
    )


def sections(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    """Return the segments by section, in text order."""
    by_section: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        by_section[segment.section].append(segment)
    return dict(by_section)


def nearest(text: str, candidates: Iterable[Segment], likeness: float = LIKENESS) -> Segment | None:
    """Return the candidate most like ``text``, None where none is like it at all."""
    by_text = {segment.text: segment for segment in candidates}
    close = difflib.get_close_matches(text, by_text, n=1, cutoff=likeness)
    return by_text[close[0]] if close else None


def _reading(entry: Entry, segments: Sequence[Segment]) -> tuple[Anchor, ...]:
    if isinstance(entry, Exclusion):
        return (entry.anchor,)
    present = {Anchor(segment.digest, segment.occurrence) for segment in segments}
    carried = (reading for reading in entry.readings() if present.issuperset(reading))
    return next(carried, entry.anchors)


def _aligned(anchors: Sequence[Anchor], segments: Sequence[Segment]) -> dict[Anchor, Segment]:
    """Pair anchors with segments of equal digest, in order."""
    count_by_digest = Counter[str]()
    for anchor in anchors:
        count_by_digest[anchor.digest] = max(count_by_digest[anchor.digest], anchor.occurrence)
    there = Counter(segment.digest for segment in segments)
    complete = {digest for digest, times in count_by_digest.items() if there[digest] >= times}
    by_place = {Anchor(segment.digest, segment.occurrence): segment for segment in segments}
    pairs = {anchor: by_place[anchor] for anchor in anchors if anchor.digest in complete}
    if len(pairs) < len(anchors):
        pairs |= _by_neighbours([anchor for anchor in anchors if anchor not in pairs], anchors, segments)
    return pairs


def _by_neighbours(
    scarce: Sequence[Anchor], anchors: Sequence[Anchor], segments: Sequence[Segment]
) -> dict[Anchor, Segment]:
    """Pair anchors of which the section holds too few, by the anchors around them."""
    matcher = difflib.SequenceMatcher(
        None, [anchor.digest for anchor in anchors], [segment.digest for segment in segments], autojunk=False
    )
    pairs = {
        anchors[block.a + step]: segments[block.b + step]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
        if anchors[block.a + step] in scarce
    }
    taken = {id(segment) for segment in pairs.values()}
    for anchor in scarce:
        free = (segment for segment in segments if segment.digest == anchor.digest and id(segment) not in taken)
        if anchor not in pairs and (segment := next(free, None)):
            pairs[anchor] = segment
            taken.add(id(segment))
    return pairs
