"""What a triangulation found, for a person to read in a minute."""

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from mqconform.harness.explore.subjects import Subject
from mqconform.harness.explore.terminal import short
from mqconform.harness.explore.triangulate import Example, Plan, RoleTally
from mqconform.harness.explore.votes import Disagreement, Kind
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.printable import visible

Line = Text | Table
HEADINGS: Final[Mapping[Kind, tuple[str, str]]] = {
    Kind.ORACLES: ("THE ORACLES DISAGREE", "bold magenta"),
    Kind.REFERENCE_ALONE: ("THE REFERENCE STANDS ALONE", "bold yellow"),
    Kind.IUT: ("LEAVES THE ALLOWED SET", "bold red"),
    Kind.OPEN: ("OPEN CHOICE", "dim"),
}
SHOWN: Final = 12
"""Disagreements that are shown in full."""
MOST_LINES: Final = 24
"""Lines of an input that are shown."""


def lines(
    tallies: Sequence[RoleTally], subjects: Sequence[Subject], code: ExitCode, plan: Plan, results: Path
) -> Iterator[Line]:
    """Yield all that is shown of a triangulation."""
    yield Text(f"triangulation, {plan.inputs} inputs a role, seed {plan.seed}")
    yield from _subject_lines(subjects)
    yield from _counts(tallies)
    yield from _findings(tallies)
    yield from _conclusion(tallies, subjects, code, results)


def case_lines(
    role: str, subjects: Sequence[Subject], answered: Collection[str], parted: Sequence[Disagreement]
) -> Iterator[Line]:
    """Yield what came of a saved case."""
    yield from _subject_lines(subjects)
    for subject in subjects:
        if reason := subject.gone or subject.lacks.get(role, ""):
            yield Text(f"  {subject.label} was not asked: {short(reason)}", "dim")
    for disagreement in parted:
        yield _heading(role, disagreement)
        yield from _disagreement_lines(disagreement)
    if not answered:
        yield Text("NOTHING WAS COMPARED", "bold yellow")
    elif not parted:
        yield Text.assemble(("AGREED", "bold green"), f": one allowed answer of {', '.join(answered)}")


def _subject_lines(subjects: Iterable[Subject]) -> Iterator[Text]:
    for subject in subjects:
        yield Text.assemble((f"  {subject.label}  ", "bold"), f"{visible(subject.name)} ({visible(subject.target)})")


def _counts(tallies: Sequence[RoleTally]) -> Iterator[Line]:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("role", no_wrap=True)
    for name in ("of", "questions", "agreed", "open", "outside", "alone", "oracles"):
        table.add_column(name, justify="right", no_wrap=True)
    kinds = (Kind.OPEN, Kind.IUT, Kind.REFERENCE_ALONE, Kind.ORACLES)
    for tally in tallies:
        numbers = [tally.questions, tally.agreed, *(tally.kinds[kind] for kind in kinds)]
        cells = map(str, numbers) if tally.inputs else ["-"] * len(numbers)
        table.add_row(tally.source.role, " ".join(tally.labels) or "-", *cells)
    yield Text("")
    yield table
    for tally in tallies:
        for label, reason in tally.unsupported.items():
            yield Text(f"  not compared as {tally.source.role}: {label}, {short(reason)}", "dim")


def _findings(tallies: Sequence[RoleTally]) -> Iterator[Line]:
    examples = [(tally, example) for tally in tallies for example in tally.examples.values()]
    number = 0
    for kind in (Kind.ORACLES, Kind.REFERENCE_ALONE, Kind.IUT):
        for tally, example in examples:
            if example.disagreement.kind is kind and (number := number + 1) <= SHOWN:
                yield from _finding(tally, example)
    if number > SHOWN:
        yield Text(f"\nand {number - SHOWN} more, in the result file")
    choices: Counter[str] = Counter()
    for _, example in examples:
        if example.disagreement.kind is Kind.OPEN:
            choices[" ".join(example.disagreement.register) or "the specification leaves the choice"] += example.times
    if choices:
        choices_text = ", ".join(f"{name} {count}" for name, count in choices.most_common())
        yield Text(f"\nchoices left open by the specification, with the number of questions: {choices_text}", "dim")


def _conclusion(
    tallies: Sequence[RoleTally], subjects: Iterable[Subject], code: ExitCode, results: Path
) -> Iterator[Line]:
    """Yield who dropped out, and what it all comes to: never more than was compared."""
    for subject in subjects:
        if subject.gone:
            yield Text(f"  {subject.label} was not asked again: {short(subject.gone)}", "yellow")
    words = WORDS[code]
    compared = [tally.source.role for tally in tallies if tally.questions]
    left = len(tallies) - len(compared)
    left_out = f" ({left} roles were not compared)" if left > 1 else " (1 role was not compared)" if left else ""
    yield Text.assemble(
        "\n", (words.triangulation, words.style), f"  compared: {', '.join(compared) or 'nothing'}{left_out}"
    )
    yield Text(f"results in {visible(str(results))}")


def _disagreement_lines(disagreement: Disagreement) -> Iterator[Text]:
    yield Text(f"  {visible(disagreement.place)}")
    for label, answer in disagreement.answers.items():
        yield Text(f"    {label} says {short(answer.says)}  ({answer.vote.value})")
    if disagreement.kind is not Kind.OPEN and disagreement.first.expected:
        yield Text(f"    the reference allows {short(disagreement.first.expected)}")
    if disagreement.objection:
        yield Text(f"    {short(disagreement.objection)}")


def _heading(role: str, disagreement: Disagreement, more: str = "") -> Text:
    word, style = HEADINGS[disagreement.kind]
    who = f"  {', '.join(disagreement.blamed)}" if disagreement.kind is Kind.IUT else ""
    about = "".join(f", {requirement}" for requirement in disagreement.first.requirements[:1])
    entries = f", register {', '.join(disagreement.register)}" if disagreement.register else ""
    return Text.assemble((word, style), f"{who}  {role}{about}{entries}{more}")


def _finding(tally: RoleTally, example: Example) -> Iterator[Text]:
    times = f", on {example.times} question{'s' * (example.times != 1)}"
    yield Text("")
    yield _heading(tally.source.role, example.disagreement, times)
    yield from _disagreement_lines(example.disagreement)
    told = tally.source.told(example.role_input)
    yield from (Text(f"      {short(line)}", "dim") for line in told[:MOST_LINES])
    if len(told) > MOST_LINES:
        yield Text(f"      and {len(told) - MOST_LINES} lines more", "dim")
    if example.file:
        yield Text(f"    Again: {shlex.join(['mqconform', 'triangulate', '--replay', str(example.file)])}")
