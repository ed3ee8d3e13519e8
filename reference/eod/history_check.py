"""Check a history in the manner of Jepsen: nothing twice, nothing out of order, nothing lost, no number changed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mqconform.reference.eod.findings import RULES, Finding, single_findings
from mqconform.reference.eod.history import Entry, Kind, Stream
from mqconform.reference.eod.history_scan import OF_MESSAGES, Columns, OfMessages, OfStreams, of_streams, scan


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong in a history."""

    finding: Finding
    position: int
    """Index of the entry."""
    entry: Entry

    @property
    def requirement(self) -> str:
        """Id of the requirement that says so."""
        return RULES[self.finding].requirement

    @property
    def role(self) -> str:
        """Whose fault it is, empty where the history alone does not tell."""
        return RULES[self.finding].role

    def __str__(self) -> str:
        """Name stream and message, and say what is wrong."""
        entry = self.entry
        what = f"acknowledgment {entry.number}" if entry.message is None else f"message {entry.message}"
        return f"{self.requirement}: stream {entry.stream}, {what}: {RULES[self.finding].says}"


def check_history(history: Sequence[Entry], *, healed: bool = True, begun: bool = True) -> tuple[Violation, ...]:
    """Return what is wrong in a history, in order of occurrence; linear in its length.

    Args:
        history: entries in order of occurrence; streams may interleave.
        healed: whether faults had healed long enough for everything to arrive; if so, what never did is lost.
        begun: whether the streams begin in it; if not, what was sent and accepted before is not known.
    """
    columns, streams, messages = _columns(history)
    findings = [0] * len(history)
    of_each = OfMessages(*([initial] * messages for initial in OF_MESSAGES))
    scan(columns, of_each, OfStreams(*([initial] * streams for initial in of_streams(begun))), findings, healed)
    return tuple(
        Violation(finding, position, history[position])
        for position, sum_of_findings in enumerate(findings)
        if sum_of_findings
        for finding in single_findings(sum_of_findings)
    )


def with_kept_delivered(history: Iterable[Entry]) -> Iterator[Entry]:
    """Yield a history as it went if the receiver keeps what comes too early and delivers it in its turn (EOD-02)."""
    last: dict[Stream, int] = {}
    early_by_stream: dict[Stream, list[Entry]] = {}
    for entry in history:
        yield entry
        stream = entry.stream
        if entry.kind is Kind.RECEIVER_LOST_STATE:
            last.pop(stream, None)
            early_by_stream.pop(stream, None)
        elif entry.kind is Kind.REJECTED and entry.previous > last.get(stream, 0):
            early_by_stream.setdefault(stream, []).append(entry)
        elif entry.kind is Kind.ACCEPTED:
            last[stream] = entry.number
            for early in sorted(early_by_stream.pop(stream, ()), key=lambda early: early.number):
                if early.previous <= last[stream] < early.number:
                    last[stream] = early.number
                    yield replace(early, kind=Kind.ACCEPTED, time=entry.time)
                elif early.number > last[stream]:
                    early_by_stream.setdefault(stream, []).append(early)


def _columns(history: Iterable[Entry]) -> tuple[Columns, int, int]:
    """Return the history in columns, and how many streams and messages it names."""
    streams: dict[Stream, int] = {}
    messages: dict[tuple[int, str | int | None], int] = {}
    kinds, stream_of, message_of, numbers, previous = [], [], [], [], []
    for entry in history:
        stream = streams.setdefault(entry.stream, len(streams))
        kinds.append(int(entry.kind))
        stream_of.append(stream)
        concerned = entry.message is not None
        message_of.append(messages.setdefault((stream, entry.message), len(messages)) if concerned else -1)
        numbers.append(entry.number)
        previous.append(entry.previous)
    return Columns(kinds, stream_of, message_of, numbers, previous), len(streams), len(messages)
