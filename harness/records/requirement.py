"""What a catalogue holds: requirements, exclusions, and the specification they belong to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Level = Literal["must", "must-not", "should", "should-not", "may", "informative"]
Kind = Literal[
    "prose", "field", "abnf", "branch", "procedure", "timer", "initialisation", "product-note", "precondition"
]
Judged = Literal["wire", "api", "no", "unseen"]
Counted = Literal["words", "statements"]
"""What a check accounts for: the words of RFC 2119, or every statement of a text that has no such words."""


class RoleName(StrEnum):
    """Role of an implementation; the values are those of catalogue, IUT protocol and results."""

    ROUTER = "router"
    DISCOVERY_SERVER = "discovery_server"
    DISCOVERY_CLIENT = "discovery_client"
    ORDERED_RECEIVER = "ordered_receiver"
    ORDERED_SENDER = "ordered_sender"
    TRANSACTION = "transaction"
    QUEUE_MANAGER = "queue_manager"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One segment of a specification's text that an entry stands on."""

    digest: str
    """``sha256:`` and the hexadecimal hash of the normalised segment."""
    occurrence: int = 1
    """Which of the equal segments of its section, 1 for the first in text order."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of one specification."""

    id: str
    """``SPEC-section-NN``, for a branch of pseudo-code ``SPEC-section-BNN``; never reused."""
    section: str
    level: Level
    kind: Kind
    roles: frozenset[RoleName]
    """Whom it binds; it may bind both sides of a protocol."""
    summary: str
    """One sentence in the project's own words."""
    anchors: tuple[Anchor, ...]
    """The segments of the catalogue's revision it stands on, all in its section."""
    keywords: tuple[int, ...]
    """RFC 2119 occurrences it covers, 1-based over its anchors' segments one after the other."""
    judged: Judged
    """Where it can be observed: in datagrams, only through the IUT protocol, not at all, or not by this harness."""
    reason: str = ""
    """Why it cannot be observed, or what its judgement needs."""
    wordings: Mapping[str, tuple[Anchor, ...]] = field(default_factory=dict)
    """Revision -> segments that say the same there in other words."""
    cited: str = ""
    """Document and revision that ``section`` belongs to where it is not the catalogued text; there are no anchors."""

    @property
    def is_judged(self) -> bool:
        """Whether this harness judges it, where an implementation offers what that takes."""
        return self.judged in ("wire", "api")

    @property
    def source(self) -> tuple[str, ...]:
        """The digests of its segments."""
        return tuple(anchor.digest for anchor in self.anchors)

    def readings(self) -> Iterator[tuple[Anchor, ...]]:
        """Yield each set of segments that carries it: the catalogue's own first, then other revisions'."""
        yield self.anchors
        yield from self.wordings.values()


@dataclass(frozen=True, slots=True)
class Exclusion:
    """RFC 2119 occurrences that are no requirement of their own, with the reason."""

    section: str
    anchor: Anchor
    keywords: tuple[int, ...]
    reason: str


Entry = Requirement | Exclusion
"""What RFC 2119 words are accounted for by."""


@dataclass(frozen=True, slots=True)
class Specification:
    """One catalogue file."""

    id: str
    """``MQSD``, ``MQBR``: the first part of its requirements' ids."""
    title: str
    revision: str
    requirements: tuple[Requirement, ...]
    """In text order."""
    exclusions: tuple[Exclusion, ...]
    headings: tuple[str, ...] = ()
    """Of a text that numbers no sections: its headings in order; the first opens section 1, the next section 2."""
    counted: Counted = "words"
    normative: tuple[str, ...] = ("1.5", "1.6", "1.7", "1.8", "1.9", "2", "3")
    """The sections, with all below them, in which every RFC 2119 word has to be accounted for."""

    def binds(self, section: str) -> bool:
        """Return whether every RFC 2119 word of a section has to be accounted for."""
        return any(section == parent or section.startswith(f"{parent}.") for parent in self.normative)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All requirements, then all exclusions."""
        return (*self.requirements, *self.exclusions)


def covers(asked: str, requirement: str) -> bool:
    """Tell whether ``asked`` is the requirement, its section or its specification."""
    return requirement == asked or requirement.startswith((f"{asked}-", f"{asked}."))
