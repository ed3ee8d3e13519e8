"""The matrix for a terminal: a table for each kind, what went wrong, and what was not played and why."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from mqconform.harness.explore.matrix.matrix_cell import DISCOVERY, ROLES, ROUTING, TOGETHER, Finding, Result
from mqconform.harness.explore.matrix.matrix_run import Outcome
from mqconform.harness.explore.terminal import print_lines, short
from mqconform.harness.records.exit_codes import ALL_PLAYED, WORDS, ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.records.verdict import Verdict

SHOWN: Final = 20
"""Cells that are told about in full."""
FINDINGS: Final = 3
"""Findings of each side of one of them, and files."""
REASONS: Final = 8
STYLES: Final = {"pass": "green", "known": "cyan", "fail": "bold red", "inconclusive": "yellow", "error": "magenta"}


def print_matrix(outcome: Outcome, console: Console) -> None:
    """Print the results of a matrix; control characters in text from an implementation are made visible."""
    print_lines(lines(outcome), console)


def lines(outcome: Outcome) -> Iterator[RenderableType]:
    """Yield what is printed."""
    for grid in outcome.record()["grids"]:
        row_side, column_side = grid["sides"]
        yield Text(f"\n{grid['kind']}: {row_side} by row, {column_side} by column", "bold")
        yield _table(grid["kind"], grid["rows"], grid["columns"], outcome.results)
    wrong = [result for result in outcome.results if result.verdict > Verdict.PASS and not result.tolerated]
    for result in wrong[:SHOWN]:
        yield from _told(result)
    if len(wrong) > SHOWN:
        yield Text(f"\nand {len(wrong) - SHOWN} more cells, in matrix.json", "red")
    yield from _not_played(outcome)
    yield from _without_cell(outcome)
    for problem in outcome.problems:
        yield Text(f"known deviation: {visible(problem.deviation.name)}: {visible(problem.says)}", "yellow")
    yield Text("")
    for kind, counts in outcome.totals().items():
        yield Text(f"{kind}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    yield _last_line(outcome)


def _last_line(outcome: Outcome) -> Text:
    words, cells = WORDS[outcome.exit_code], len(outcome.results)
    word, style, played = words.matrix, words.style, sum(not result.excuse for result in outcome.results)
    if outcome.exit_code == ExitCode.OK and played < cells:
        word, style = ALL_PLAYED, "bold yellow"
    count = f"{played} of {cells}" if played < cells else f"{cells}"
    return Text.assemble((word, style), f"  {count} cells in {outcome.seconds:.1f} s")


def _table(kind: str, rows: list[str], columns: list[str], results: tuple[Result, ...]) -> Table:
    table = Table(caption_justify="left", highlight=False)
    table.add_column("", overflow="fold")
    for column in columns:
        table.add_column(Text(visible(column)), overflow="fold")
    result_by_pair = {result.cell.pair: result for result in results if result.cell.kind == kind}
    for row in rows:
        table.add_row(Text(visible(row)), *(_cell(result_by_pair.get((row, column))) for column in columns))
    if (together := result_by_pair.get((TOGETHER, TOGETHER))) is not None:
        table.caption = Text.assemble("all of them together: ", _cell(together))
    return table


def _cell(result: Result | None) -> Text:
    """Return a word for a cell: whose fault it is where something is wrong."""
    if result is None or result.excuse:
        return Text("-", "dim")
    if result.tolerated:
        return Text(f"known ({_blame(result)})", STYLES["known"])
    if result.verdict is Verdict.PASS:
        return Text("ok", STYLES["pass"])
    return Text(_blame(result), STYLES.get(result.outcome, ""))


def _blame(result: Result) -> str:
    """Return the name of the side at fault; of a router its own name, since routers have no fixed sides."""
    if result.cell.kind != ROUTING or not result.at_fault:
        return result.blame
    sides = dict(result.cell.sides)
    return ", ".join(dict.fromkeys(visible(sides[side]) for side in result.at_fault))


def _told(result: Result) -> Iterator[RenderableType]:
    first, second = (visible(name) for name in result.cell.pair)
    who = "all routers together" if first == TOGETHER else f"{first} with {second}"
    blame = f", at fault: {_names(result)}" if result.at_fault else ", whose fault is open"
    yield Text.assemble(
        "\n", (f"{result.outcome.upper()} {result.cell.kind}: {who}", STYLES.get(result.outcome, "")), blame
    )
    for finding, scenarios in _distinct(result):
        where = f"{finding.side or 'open'}: {finding.requirement}".rstrip(": ")
        scenario_names = f" ({visible(', '.join(scenarios))})" if result.cell.kind == DISCOVERY else ""
        yield Text(f"  {visible(where)}  {short(finding.says)}{scenario_names}")
    if result.evidence:
        yield Text(f"  evidence: {', '.join(map(visible, result.evidence[:FINDINGS]))}", "dim")


def _distinct(result: Result) -> Iterator[tuple[Finding, list[str]]]:
    """Yield the first findings of each side, what counts most first, each once with the scenarios that it was in."""
    scenarios: dict[tuple[str, str, str], dict[str, None]] = {}
    count_by_side: Counter[str] = Counter()
    findings = sorted(result.findings, key=lambda finding: -finding.verdict)
    for finding in findings:
        scenarios.setdefault((finding.side, finding.requirement, finding.says), {})[finding.scenario] = None
    for finding in findings:
        names = scenarios.pop((finding.side, finding.requirement, finding.says), None)
        count_by_side[finding.side] += names is not None
        if names is not None and count_by_side[finding.side] <= FINDINGS:
            yield finding, [*names]


def _names(result: Result) -> str:
    sides = dict(result.cell.sides)
    return ", ".join(visible(f"{sides[side]} ({side})" if sides[side] != side else side) for side in result.at_fault)


def _not_played(outcome: Outcome) -> Iterator[Text]:
    reasons = Counter((result.excuse, result.reason) for result in outcome.results if result.excuse)
    if reasons:
        yield Text(f"\n{reasons.total()} cells were not played:", "yellow" if outcome.lost else "dim")
    for (excuse, reason), count in reasons.most_common(REASONS):
        yield Text(f"  {count} {excuse}: {short(reason)}")


def _without_cell(outcome: Outcome) -> Iterator[Text]:
    """Yield implementations without a cell: none of their roles meets another, as with queue managers."""
    meeting = {role for roles in ROLES.values() for role in roles}
    for name, implementation in outcome.implementations.items():
        roles = implementation.declared
        if roles and roles.isdisjoint(meeting) and not any(map(implementation.command, meeting)):
            yield Text(
                f"  {visible(name)} has no cell: its roles meet no other ({visible(', '.join(sorted(roles)))})",
                "yellow",
            )
