"""What a triangulation found, for a person to read in a minute."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from mqconform.harness.explore.triangulation import Example, Participant, RoleTally
from mqconform.harness.explore.votes import Disagreement, Kind
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.printable import shortened, visible

Line = Text | Table
HEADINGS: Final[Mapping[Kind, tuple[str, str]]] = {
    Kind.ORACLES: ("THE ORACLES DISAGREE", "bold magenta"),
    Kind.REFERENCE_ALONE: ("THE REFERENCE STANDS ALONE", "bold yellow"),
    Kind.IUT: ("LEAVES THE ALLOWED SET", "bold red"),
    Kind.OPEN: ("OPEN CHOICE", "dim"),
}
SHOWN: Final = 12
"""Disagreements that are shown in full."""
LONGEST: Final = 300
MOST_LINES: Final = 24
"""Lines of an input that are shown."""


def introduction(participants: Iterable[Participant], inputs: int, seed: int) -> Iterator[Line]:
    """Yield who is compared."""
    yield Text(f"triangulation, {inputs} inputs a role, seed {seed}")
    yield from participant_lines(participants)


def participant_lines(participants: Iterable[Participant]) -> Iterator[Text]:
    """Yield each implementation with its label."""
    for participant in participants:
        yield Text.assemble(
            (f"  {participant.label}  ", "bold"), f"{visible(participant.name)} ({visible(participant.target)})"
        )


def counts(tallies: Sequence[RoleTally]) -> Iterator[Line]:
    """Yield the counts, role by role, and who took no part."""
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


def findings(tallies: Sequence[RoleTally], files: Mapping[int, Path]) -> Iterator[Line]:
    """Yield the disagreements to look into; ``files`` are by the identity of the example."""
    examples = [(tally, example) for tally in tallies for example in tally.examples.values()]
    number = 0
    for kind in (Kind.ORACLES, Kind.REFERENCE_ALONE, Kind.IUT):
        for tally, example in examples:
            if example.disagreement.kind is kind and (number := number + 1) <= SHOWN:
                yield from _finding(tally, example, files.get(id(example)))
    if number > SHOWN:
        yield Text(f"\nand {number - SHOWN} more, in the result file")
    choices: Counter[str] = Counter()
    for _, example in examples:
        if example.disagreement.kind is Kind.OPEN:
            choices[" ".join(example.disagreement.register) or "the text leaves the choice"] += example.times
    if choices:
        choices_text = ", ".join(f"{name} {count}" for name, count in choices.most_common())
        yield Text(f"\nchoices that the text leaves open, with the number of questions: {choices_text}", "dim")


def conclusion(
    tallies: Sequence[RoleTally], participants: Iterable[Participant], code: ExitCode, results: Path
) -> Iterator[Line]:
    """Yield who dropped out, and what it all comes to: never more than was compared."""
    for participant in participants:
        if participant.gone:
            yield Text(f"  {participant.label} was asked nothing any more: {short(participant.gone)}", "yellow")
    words = WORDS[code]
    compared = [tally.source.role for tally in tallies if tally.questions]
    left = len(tallies) - len(compared)
    left_out = f" ({left} roles were not compared)" if left > 1 else " (1 role was not compared)" if left else ""
    yield Text.assemble(
        "\n", (words.triangulation, words.style), f"  compared: {', '.join(compared) or 'nothing'}{left_out}"
    )
    yield Text(f"results in {visible(str(results))}")


def disagreement_lines(disagreement: Disagreement) -> Iterator[Text]:
    """Yield one disagreement: where, who says what, what is allowed."""
    yield Text(f"  {visible(disagreement.place)}")
    for label, says in disagreement.says.items():
        yield Text(f"    {label} says {short(says)}  ({disagreement.votes[label].value})")
    if disagreement.kind is not Kind.OPEN and disagreement.expected:
        yield Text(f"    the reference allows {short(disagreement.expected)}")
    if disagreement.objection:
        yield Text(f"    {short(disagreement.objection)}")


def heading(role: str, disagreement: Disagreement, more: str = "") -> Text:
    """Return the first line of a disagreement."""
    word, style = HEADINGS[disagreement.kind]
    who = f"  {', '.join(disagreement.blamed)}" if disagreement.kind is Kind.IUT else ""
    about = f", {' '.join(disagreement.requirements[:1])}" if disagreement.requirements else ""
    entries = f", register {', '.join(disagreement.register)}" if disagreement.register else ""
    return Text.assemble((word, style), f"{who}  {role}{about}{entries}{more}")


def _finding(tally: RoleTally, example: Example, file: Path | None) -> Iterator[Text]:
    times = f", on {example.times} question{'s' * (example.times != 1)}"
    yield Text("")
    yield heading(tally.source.role, example.disagreement, times)
    yield from disagreement_lines(example.disagreement)
    lines = tally.source.told(example.role_input)
    yield from (Text(f"      {short(line)}", "dim") for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield Text(f"      and {len(lines) - MOST_LINES} lines more", "dim")
    if file:
        yield Text(f"    Again: {shlex.join(['mqconform', 'triangulate', '--replay', str(file)])}")


def short(text: str) -> str:
    """Return what an implementation said as a part of a line."""
    return shortened(visible(text), LONGEST)
