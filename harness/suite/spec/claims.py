"""Account for every RFC 2119 word: each belongs to exactly one requirement or exclusion."""

from collections import Counter
from collections.abc import Iterator

from mqconform.harness.records.requirement import Entry, Requirement, Specification
from mqconform.harness.suite.spec.document import Document, Segment
from mqconform.harness.suite.spec.match import Placement
from mqconform.harness.suite.spec.sentences import LEVEL_OF

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
