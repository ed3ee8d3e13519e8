"""The summary of an audit for a person, and the exit code that it comes to; no library of Spark is needed for it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible

VERDICTS: Final = ("pass", "fail", "inconclusive")
SHOWN: Final = 3
"""Broken promises and stray hops of a system that are shown; the folder has all."""
Summary = Mapping[str, Any]
Counts = Mapping[str, int]


def code_of(counts: Iterable[Counts], unread: object = None) -> ExitCode:
    """Return the exit code of what was counted; ``unread`` is what could not be judged, if anything."""
    every = [*counts]
    if any(count.get("fail") for count in every):
        return ExitCode.FAIL
    return ExitCode.INCONCLUSIVE if unread or any(count.get("inconclusive") for count in every) else ExitCode.OK


def captures_lines(summary: Summary, out: str) -> Iterator[str]:
    """Yield what came of captured packets."""
    frames, packets = summary["frames"], summary["packets"]
    yield f"{frames['read']:,} frames in {summary['files']:,} files; {packets['judged']:,} discovery packets judged"
    for what in ("packets", "conversations"):
        yield f"{what}: {_counted(summary[what]['verdicts'], (*VERDICTS, 'none'))}"
    if foreign := packets["messages"]["foreign"]:
        yield f"{foreign:,} datagrams are not MS-MQSD (pings between queue managers, or junk) and are not judged"
    if not packets["judged"]:
        yield "no packet could be judged: is --port right, and were whole packets captured?"
    if entries := summary["quarantine"]["entries"]:
        yield f"{entries:,} runs of octets could not be read; they are in {out}/quarantine"
    for rule in summary["rules"]:
        if rule["verdict"] != "pass":
            yield f"  {rule['count']:>12,}  {rule['verdict']} {rule['requirement']}: {rule['says']}"
    worst = summary["hosts"]["worst"]
    if worst and worst[0]["fail"]:
        yield f"most failures: {worst[0]['host']} with {worst[0]['fail']:,}"
    yield f"{out}/index.html has the rest; {out}/packets and {out}/conversations all verdicts"


def routes_lines(summary: Summary, out: str) -> Iterator[str]:
    """Yield what came of the decisions of routers."""
    yield f"{summary['rows']:,} decisions: {_counted(summary['verdicts'])}"
    if summary["unreadable_lines"]:
        yield f"{summary['unreadable_lines']:,} lines could not be read; they are in {out}/quarantine"
    for rule, row in summary["not_judged"].items():
        yield f"  {row['rows']:>12,}  not judged, {rule}: {row['meaning']}"
    for row in summary["branches"]:
        if row["fail"]:
            yield f"  {row['fail']:>12,}  fail {row['requirement']} ({row['rule']})"
    if worst := summary["routers"]["worst"]:
        yield f"most failures: {_ascii(worst[0]['name'] or worst[0]['router'])} with {worst[0]['fail']:,}"
    yield f"{out}/index.html has the rest; {out}/verdicts every decision"


def streams_lines(summary: Summary, out: str) -> Iterator[str]:
    """Yield what came of the streams of a delivery log."""
    judged = _counted(summary["verdicts"])
    yield f"{summary['streams']:,} streams with {summary['deliveries']:,} deliveries: {judged}"
    yield from _unusable(summary)
    if summary["undecided"]:
        yield f"{summary['undecided']:,} entries are wrong if their streams begin in the log: add --from-start if so"
    for row in summary["requirements"]:
        yield f"  {row['found']:>12,}  {row['requirement']} in {row['streams']:,} streams: {row['says']}"
    if summary["worst"]:
        worst = summary["worst"][0]
        yield f"most found: stream {visible(str(worst['stream']))} with {worst['found']:,}"
    yield f"{out}/findings has each finding; {out}/streams every stream"


def system_lines(summary: Summary, out: str) -> Iterator[str]:
    """Yield what came of the log of a system of queue managers."""
    yield f"{summary['entries']:,} entries of {_all_counted(summary['messages'], 'messages')}"
    if "hops" in summary:
        yield _all_counted(summary["hops"], "different answers of routers")
    yield from _unusable(summary)
    for row in summary["broken"]:
        yield f"  {row['found']:>12,}  {row['requirement']} in {row['histories']:,} histories"
    for row in summary["examples"][:SHOWN]:
        history = f"history {visible(row['history'])}: " if row["history"] else ""
        yield f"{history}{visible(row['says'])}: {row['requirement']}"
    yield from (visible(says) for says in summary.get("strays", ())[:SHOWN])
    yield f"{out}/broken has each broken promise; {out}/messages every message"


def _unusable(summary: Summary) -> Iterator[str]:
    if summary["unusable"]:
        yield f"{summary['unusable']:,} entries lack a value or hold an invalid one"


def _all_counted(counts: Counts, what: str) -> str:
    return f"{sum(counts.values()):,} {what}: {_counted(counts)}"


def _counted(counts: Counts, verdicts: Iterable[str] = VERDICTS) -> str:
    return ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in verdicts)


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode() if text.isprintable() else repr(text)
