"""What a triangulation found, for a person to read in a minute."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text

from mqconform.harness.compare.triangulate.triangulation import Found, Participant, RoleTally
from mqconform.harness.compare.triangulate.votes import Disagreement, Kind
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
    for one in participants:
        yield Text.assemble((f"  {one.label}  ", "bold"), f"{visible(one.name)} ({visible(one.target)})")


def counts(tallies: Sequence[RoleTally]) -> Iterator[Line]:
    """Yield the counts, role by role, and who took no part."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("role", no_wrap=True)
    for name in ("of", "questions", "agreed", "open", "outside", "alone", "oracles"):
        table.add_column(name, justify="right", no_wrap=True)
    kinds = (Kind.OPEN, Kind.IUT, Kind.REFERENCE_ALONE, Kind.ORACLES)
    for tally in tallies:
        numbers = [tally.questions, tally.agreed, *(tally.kinds[kind] for kind in kinds)]
        shown = map(str, numbers) if tally.inputs else ["-"] * len(numbers)
        table.add_row(tally.subject.role, " ".join(tally.labels) or "-", *shown)
    yield Text("")
    yield table
    for tally in tallies:
        for label, reason in tally.unsupported.items():
            yield Text(f"  not compared as {tally.subject.role}: {label}, {short(reason)}", "dim")


def findings(tallies: Sequence[RoleTally], files: Mapping[int, Path]) -> Iterator[Line]:
    """Yield the disagreements that somebody has to look at; ``files`` by the identity of what was found."""
    found = [(tally, one) for tally in tallies for one in tally.found.values()]
    shown = 0
    for kind in (Kind.ORACLES, Kind.REFERENCE_ALONE, Kind.IUT):
        for tally, one in found:
            if one.disagreement.kind is kind and (shown := shown + 1) <= SHOWN:
                yield from _finding(tally, one, files.get(id(one)))
    if shown > SHOWN:
        yield Text(f"\nand {shown - SHOWN} more, in the result file")
    choices: Counter[str] = Counter()
    for _, one in found:
        if one.disagreement.kind is Kind.OPEN:
            choices[" ".join(one.disagreement.register) or "the text leaves the choice"] += one.times
    if choices:
        told = ", ".join(f"{name} {count}" for name, count in choices.most_common())
        yield Text(f"\nchoices that the text leaves open, with the number of questions: {told}", "dim")


def conclusion(
    tallies: Sequence[RoleTally], participants: Iterable[Participant], code: ExitCode, results: Path
) -> Iterator[Line]:
    """Yield who dropped out, and what it all comes to: never more than was compared."""
    for one in participants:
        if one.gone:
            yield Text(f"  {one.label} was asked nothing any more: {short(one.gone)}", "yellow")
    words = WORDS[code]
    compared = [one.subject.role for one in tallies if one.questions]
    left = len(tallies) - len(compared)
    told = f" ({left} roles were not compared)" if left > 1 else " (1 role was not compared)" if left else ""
    yield Text.assemble(
        "\n", (words.triangulation, words.style), f"  compared: {', '.join(compared) or 'nothing'}{told}"
    )
    yield Text(f"results in {results}")


def disagreement_lines(seen: Disagreement) -> Iterator[Text]:
    """Yield one disagreement: where, who says what, what is allowed."""
    yield Text(f"  {visible(seen.place)}")
    for label, says in seen.says.items():
        yield Text(f"    {label} says {short(says)}  ({seen.votes[label].value})")
    if seen.kind is not Kind.OPEN and seen.expected:
        yield Text(f"    the reference allows {short(seen.expected)}")
    if seen.objection:
        yield Text(f"    {short(seen.objection)}")


def heading(role: str, seen: Disagreement, more: str = "") -> Text:
    """Return the first line of a disagreement."""
    word, style = HEADINGS[seen.kind]
    who = f"  {', '.join(seen.blamed)}" if seen.kind is Kind.IUT else ""
    about = f", {' '.join(seen.requirements[:1])}" if seen.requirements else ""
    entries = f", register {', '.join(seen.register)}" if seen.register else ""
    return Text.assemble((word, style), f"{who}  {role}{about}{entries}{more}")


def _finding(tally: RoleTally, found: Found, file: Path | None) -> Iterator[Text]:
    times = f", on {found.times} question{'s' * (found.times != 1)}"
    yield Text("")
    yield heading(tally.subject.role, found.disagreement, times)
    yield from disagreement_lines(found.disagreement)
    lines = tally.subject.told(found.given)
    yield from (Text(f"      {short(one)}", "dim") for one in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield Text(f"      and {len(lines) - MOST_LINES} lines more", "dim")
    if file:
        yield Text(f"    Again: {shlex.join(['mqconform', 'triangulate', '--replay', str(file)])}")


def short(text: str) -> str:
    """Return what an implementation said as a part of a line."""
    return shortened(visible(text), LONGEST)
