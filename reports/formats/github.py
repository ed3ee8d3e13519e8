"""What GitHub Actions shows of a result file: a step summary in Markdown, and annotations as workflow commands.

``--report github-summary="$GITHUB_STEP_SUMMARY" --report github-annotations=/dev/stdout`` in a step does both. GitHub
shows ten annotations of each level and step at most; the summary has all failures up to its own limit.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.diagnosis_text import likenesses
from mqconform.harness.records.finding import by_cause
from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.records.report_writers import named
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.verdict import FAILED
from mqconform.reports.formats.case_outcome import all_cases, failed_cases, message, outcome
from mqconform.reports.formats.expected_failures import WORDS as EXPECTED
from mqconform.reports.formats.expected_failures import expected_failures, known_violations, prefixed
from mqconform.reports.formats.repository import source_of
from mqconform.reports.formats.run_remarks import INFORMATION, run_remarks
from mqconform.reports.formats.scope import roles_text, standings, word_of

LONGEST: Final = 300
MOST_ROWS: Final = 200
"""Failures that a summary lists; GitHub cuts summaries off at 1 MiB."""
LEVELS: Final = {"fail": "error", "error": "error", "unjudged": "error", "inconclusive": "warning"}
MARKDOWN: Final = str.maketrans({character: f"&#{ord(character)};" for character in "&<>|`*_[]()!#~@\\:"})
"""Everything by which a cell could become markup, a mention, a link or an emoji."""


@named("summary.md")
def write_summary(results: Path, target: Path) -> None:
    """Write the step summary of the result file ``results`` to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    target.write_text("\n".join(summary(read_result_file(results))) + "\n", "utf-8")


@named("annotations.txt")
def write_annotations(results: Path, target: Path) -> None:
    """Write the annotations of the result file ``results``, one workflow command on each line, to ``target``.

    Raises:
        ResultFault: the result file cannot be used.
        OSError: ``target`` cannot be written.
    """
    text = "".join(f"{annotation}\n" for annotation in annotations(read_result_file(results), source_of(results)))
    with target.open("w", encoding="utf-8") as stream:  # may be a pipe, which knows no other way
        stream.write(text)


def summary(run: ResultFile) -> Iterator[str]:
    """Yield the lines of a step summary."""
    footer, iut = run.footer, run.header.iut
    word = "the run did not end" if footer is None else word_of(run)[0]
    name = " ".join(part for part in (iut.vendor, iut.name, iut.version) if part) or iut.target
    yield f"## mqconform: {_cell(name)}: {word} ({_cell(roles_text(run))})"
    yield ""
    yield f"Profile {run.header.profile}, seed {run.header.seed}, {_cell(run.header.harness)}."
    yield ""
    if footer is not None:
        yield "| | |"
        yield "| --- | --- |"
        yield f"| requirements | {_counts(standings(run))} |"
        yield f"| cases | {_counts(footer.cases)} |"
        yield ""
    likeliest = footer.broken if footer else ()
    groups = by_cause((each for each in run.findings if each.standing in FAILED), lambda each: each.id, likeliest)
    for where, says, others in likenesses(footer.diagnosis if footer else (), failed_cases(run)):
        yield f"{where[0].upper()}{where[1:]}: **{_cell(says)}**"
        yield from (f"- or: {_cell(other)}" for other in others)
        yield ""
    known = known_violations(run)
    for finding, affected in groups:
        more = f"; {len(affected)} more fail in the same cases" if affected else ""
        yield f"- {finding.id} violated{', as expected' if finding.id in known else ''}{more}: {_cell(finding.summary)}"
    if groups:
        yield ""
    last = tuple(f"| {word} |" for word in ("inconclusive", *EXPECTED.values()))
    rows = sorted(_rows(run), key=lambda row: row.startswith(last))
    if rows:
        yield "| verdict | requirements | case | why |"
        yield "| --- | --- | --- | --- |"
        yield from rows[:MOST_ROWS]
        if len(rows) > MOST_ROWS:
            yield f"\n{len(rows) - MOST_ROWS} more are in the result file."


def annotations(run: ResultFile, source: str = "") -> Iterator[str]:
    """Yield a workflow command for each case that did not pass and was not excused, then for the run.

    ``source`` is the file of the user's repository that they stand at, from its top; without one they stand at none.
    """
    place = {"file": source, "line": "1"} if source else {}
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    for case in all_cases(run):
        level = LEVELS.get(outcome(case))
        if level:
            expectation = expected.get(case.id, "")
            level = "notice" if expectation else level
            why = prefixed(message(case, witnesses.get(case.id, ())), expectation)
            yield _command(level, why, **place, title=case.id)
    for remark in run_remarks(run):
        level = "notice" if remark.kind in INFORMATION else "warning" if remark.element == "skipped" else "error"
        yield _command(level, remark.message, title=f"run/{remark.name}")


def _rows(run: ResultFile) -> Iterator[str]:
    witnesses, expected = run.witnesses_by_case(), expected_failures(run)
    for case in all_cases(run):
        if outcome(case) in LEVELS:
            why = message(case, witnesses.get(case.id, ())).removeprefix("inconclusive: ")
            named = ", ".join(case.requirements)
            yield f"| {expected.get(case.id, outcome(case))} | {_cell(named)} | {_cell(case.id)} | {_cell(why)} |"
    for remark in run_remarks(run):
        yield f"| {remark.kind} | | run/{remark.name} | {_cell(remark.message)} |"


def _counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "none"


def _cell(text: str) -> str:
    return shortened(visible(text), LONGEST).translate(MARKDOWN)


def _command(level: str, text: str, **properties: str) -> str:
    """Return a workflow command; the escapes are those of GitHub's own toolkit."""
    parameters = ",".join(f"{name}={_escaped(visible(value), ':,')}" for name, value in properties.items())
    return f"::{level} {parameters}::{_escaped(shortened(visible(text), LONGEST))}"


def _escaped(text: str, further: str = "") -> str:
    for character in f"%\r\n{further}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
