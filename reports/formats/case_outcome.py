"""What a case came to, in the words and texts that every format needs."""

from collections.abc import Iterator
from itertools import starmap
from typing import Final, Literal, TypeAlias

from mqconform.harness.records.evidence_text import timeline_lines
from mqconform.harness.records.printable import octets_text, with_guids
from mqconform.harness.records.result_file import ResultFile
from mqconform.harness.records.results import Case, Witness

Outcome: TypeAlias = Literal["pass", "fail", "inconclusive", "error", "unjudged", "unsupported", "not-applicable"]
"""A verdict or an excuse; ``unjudged`` is a case that executed no assertion."""

LONGEST_DATAGRAM: Final = 1024
"""Octets of a datagram that are shown; the result file has them all."""


def outcome(case: Case) -> Outcome:
    """Return what a case came to; an excuse counts where no assertion said more than pass."""
    if case.error:
        return "error"
    if case.excused and case.verdict in ("none", "pass"):
        return "unsupported" if case.excused == "unsupported" else "not-applicable"
    match case.verdict:
        case "pass" | "fail" | "inconclusive" | "error":
            return case.verdict
        case _:
            return "unjudged"


def all_cases(run: ResultFile) -> tuple[Case, ...]:
    """Return the cases of a run, those that the run did not live to end among them, as errors."""
    return (*run.cases, *map(_unfinished_case, run.unfinished()))


def failed_cases(run: ResultFile) -> int:
    """Return how many cases of a run failed."""
    return sum(outcome(case) == "fail" for case in run.cases)


def message(case: Case, witnesses: tuple[Witness, ...]) -> str:
    """Return on one line why a case did not pass; empty if it did."""
    match outcome(case):
        case "pass":
            return ""
        case "error":
            return case.error
        case "unjudged":
            return "no check ran, so nothing was judged"
        case "unsupported" | "not-applicable":
            return case.reason or case.excused
        case verdict:
            text = _headline(blamed(case, witnesses))
            return text if verdict == "fail" else f"inconclusive: {text}"


def details(case: Case, witnesses: tuple[Witness, ...]) -> str:
    """Return what the message rests on, line by line; may be empty."""
    match outcome(case):
        case "error":
            return f"{case.trace}\n\n{evidence(witnesses)}".strip()
        case "fail" | "inconclusive":
            return "\n\n".join(
                filter(None, (evidence(blamed(case, witnesses)), "\n".join(timeline_lines(case.timeline))))
            )
        case _:
            return ""


def blamed(case: Case, witnesses: tuple[Witness, ...]) -> tuple[Witness, ...]:
    """Return the witnesses that gave a case its verdict."""
    return tuple(witness for witness in witnesses if witness.verdict == case.verdict)


def requirements(case: Case, witnesses: tuple[Witness, ...]) -> tuple[str, ...]:
    """Return the ids that a case names, then those that only its assertions name."""
    judged = {witness.requirement for witness in witnesses}
    return (*case.requirements, *sorted(judged.difference(case.requirements)))


def evidence(witnesses: tuple[Witness, ...]) -> str:
    """Return witnesses as paragraphs of labelled lines."""
    return "\n\n".join("\n".join(starmap(_line, _lines(witness))) for witness in witnesses)


def _headline(blamed: tuple[Witness, ...]) -> str:
    if not blamed:
        return "the witness is missing in the result file"
    first = blamed[0]
    return f"{first.requirement}: expected {first.expected}; observed {first.observed}"


def _line(label: str, text: str) -> str:
    """Return a labelled text; further lines of it are indented, so that none can pass for a label."""
    return f"{label:<12}" + text.replace("\n", "\n" + " " * 12)


def _lines(witness: Witness) -> Iterator[tuple[str, str]]:
    yield "requirement", witness.requirement
    yield "verdict", witness.verdict
    yield "step", witness.step
    yield "expected", with_guids(witness.expected)
    yield "observed", with_guids(witness.observed)
    if witness.reading:
        yield "reading", witness.reading
    if witness.request:
        yield "request", f"{octets_text(witness.request_octets, LONGEST_DATAGRAM)} over {witness.network}"
    if witness.reply:
        yield (
            "reply",
            octets_text(witness.reply_octets, LONGEST_DATAGRAM) + (f" from {witness.source}" if witness.source else ""),
        )
    if witness.span:
        yield "octets", f"{witness.span.length} at {witness.span.offset} of the reply, {witness.span.field}"


def _unfinished_case(case: str) -> Case:
    """Return a stand-in for a case whose record the run did not live to write."""
    feature = "/".join(case.split("/")[:2])
    return Case(case, feature, "", (), "error", error="the run ended within this case")
