"""Counts of an audit: by host, by rule, with an example of each; parts of it are added up by the driver."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Masks
from mqconform.reports.pipeline.captures.host_counts import HostCounts
from mqconform.reports.pipeline.captures.weights import VERDICTS

EXAMPLES: Final = 40
"""Examples of one rule that one task keeps, of different hosts."""
EXAMPLE_OCTETS: Final = 2_048
MESSAGES: Final = ("unknown", "request", "reply")
SEEN: Final = len(MESSAGES) * len(VERDICTS)
"""What is counted of a host: packets by message and verdict, see ``column_of``."""


def column_of(message: Any, verdict: Any) -> Any:
    """Return where packets of a message with a verdict are counted.

    Args:
        message: values of ``Message``.
        verdict: places in ``VERDICTS``.
    """
    return message * len(VERDICTS) + verdict


@dataclass(frozen=True, slots=True)
class Example:
    """A packet that shows a finding."""

    file: str
    offset: int
    frame: int
    octets: bytes
    """The payload, or its beginning."""
    length: int
    """Octets of the whole payload."""
    direction: int

    @property
    def place(self) -> tuple[str, int]:
        """By which examples are ordered."""
        return self.file, self.offset


@dataclass(slots=True)
class Tally:
    """What was counted.

    Attributes:
        frames: frames by what they are.
        files: capture files read.
        link_types: frames of link types that are not known.
        octets: octets of captures read, decompressed.
        messages: packets by host, message and verdict, in columns as ``column_of`` says.
        findings: packets by host and rule.
        examples: for each host and rule the first packet that shows it.
        first_time: time of the first packet of discovery, in nanoseconds since 1970; None without any.
        last_time: that of the last one.
        quarantined: runs of octets that could not be read, by reason.
        quarantined_octets: how long those are together.
    """

    frames: Counter[str] = field(default_factory=Counter)
    files: int = 0
    link_types: Counter[int] = field(default_factory=Counter)
    octets: int = 0
    messages: HostCounts = field(default_factory=lambda: HostCounts(SEEN))
    findings: Counter[tuple[bytes, int]] = field(default_factory=Counter)
    examples: dict[tuple[bytes, int], Example] = field(default_factory=dict)
    first_time: int | None = None
    last_time: int | None = None
    quarantined: Counter[str] = field(default_factory=Counter)
    quarantined_octets: int = 0

    def add(self, other: "Tally") -> None:
        """Add what another part counted."""
        for mine, its in (
            (self.frames, other.frames),
            (self.link_types, other.link_types),
            (self.findings, other.findings),
            (self.quarantined, other.quarantined),
        ):
            mine.update(its)  # type: ignore[arg-type]  # each pair has keys of one kind
        self.messages.add(other.messages)
        self.files += other.files
        self.octets += other.octets
        self.quarantined_octets += other.quarantined_octets
        for key, example in other.examples.items():
            if key not in self.examples or example.place < self.examples[key].place:
                self.examples[key] = example
        self.see_times(other.first_time, other.last_time)

    def see_times(self, first: int | None, last: int | None) -> None:
        """Widen the span of time."""
        if first is not None and last is not None:
            self.first_time = first if self.first_time is None else min(self.first_time, first)
            self.last_time = last if self.last_time is None else max(self.last_time, last)


def rows_by_rule(rules: Masks, judged: Flags) -> Iterable[tuple[int, "np.ndarray"]]:
    """Yield each rule that was found, with the packets in which it was."""
    rows = np.flatnonzero((rules != 0) & judged)
    if not len(rows):
        return
    rule_bits = rules[rows]
    present = int(np.bitwise_or.reduce(rule_bits))
    for rule in range(64):
        if present >> rule & 1:
            yield rule, rows[(rule_bits >> np.uint64(rule)) & np.uint64(1) != 0]
