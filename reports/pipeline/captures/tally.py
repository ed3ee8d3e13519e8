"""Counts of an audit: by host, by rule, with an example of each; parts of it are added up by the driver."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Masks, Octets

MOST_HOSTS: Final = 50_000
"""Hosts that one task counts apart; what further ones did is counted for all of them together."""
OTHERS: Final = b""
"""Stands for hosts beyond those."""
EXAMPLES: Final = 40
"""Examples of one rule that one task keeps, of different hosts."""
EXAMPLE_OCTETS: Final = 2_048


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
        messages: packets by host, message and verdict.
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
    messages: Counter[tuple[bytes, int, int]] = field(default_factory=Counter)
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
            (self.messages, other.messages),
            (self.findings, other.findings),
            (self.quarantined, other.quarantined),
        ):
            mine.update(its)  # type: ignore[arg-type]  # each pair has keys of one kind
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

    def hosts(self) -> set[bytes]:
        """Return the hosts that are counted apart."""
        return {host for host, _, _ in self.messages}

    def _host(self, host: bytes, known: set[bytes]) -> bytes:
        if host in known:
            return host
        if len(known) >= MOST_HOSTS:
            return OTHERS
        known.add(host)
        return host


def count_packets(  # noqa: PLR0913, PLR0917 - where, of whom, what
    tally: Tally, known: set[bytes], hosts: list[bytes], host: "np.ndarray", message: Octets, verdict: Octets
) -> None:
    """Count packets by who sent them.

    Args:
        tally: where they are counted.
        known: hosts that are counted apart so far.
        hosts: the distinct senders.
        host: for each packet the place of its sender in ``hosts``.
        message: values of ``Message``.
        verdict: places in ``VERDICTS``.
    """
    together = (host.astype(np.int64) * 4 + message) * 4 + verdict
    numbers, counts = np.unique(together, return_counts=True) if len(hosts) > 1_000 else _by_count(together, len(hosts))
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        tally.messages[tally._host(hosts[number // 16], known), number // 4 % 4, number % 4] += count  # noqa: SLF001


def _by_count(together: "np.ndarray", hosts: int) -> tuple["np.ndarray", "np.ndarray"]:
    counts = np.bincount(together, minlength=hosts * 16)
    numbers = np.flatnonzero(counts)
    return numbers, counts[numbers]


def rows_by_rule(rules: Masks, shown: Flags) -> Iterable[tuple[int, "np.ndarray"]]:
    """Yield each rule that was found, with the packets in which it was."""
    rows = np.flatnonzero((rules != 0) & shown)
    if not len(rows):
        return
    found = rules[rows]
    present = int(np.bitwise_or.reduce(found))
    for rule in range(64):
        if present >> rule & 1:
            yield rule, rows[(found >> np.uint64(rule)) & np.uint64(1) != 0]
