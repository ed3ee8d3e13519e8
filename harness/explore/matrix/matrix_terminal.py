"""The matrix for a terminal: a table for each kind, what went wrong, and what was not played and why.

Control characters in text from an implementation are made visible.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mqconform.harness.explore.matrix.matrix_cell import DISCOVERY, ROLES, ROUTING, TOGETHER, Result
from mqconform.harness.explore.matrix.matrix_run import Outcome
from mqconform.harness.explore.terminal import short
from mqconform.harness.records.exit_codes import ALL_PLAYED, WORDS, ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.records.verdict import Verdict

MOST_CELLS: Final = 20
"""Cells that are described in full."""
MOST_FINDINGS: Final = 3
"""Findings of each side of one of them, and files."""
MOST_REASONS: Final = 8
STYLES: Final = {"pass": "green", "known": "cyan", "fail": "bold red", "inconclusive": "yellow", "error": "magenta"}


def lines(outcome: Outcome) -> Iterator[RenderableType]:
    """Yield what is printed."""
    for grid in outcome.record()["grids"]:
        row_side, column_side = grid["sides"]
        yield Text(f"\n{grid['kind']}: {row_side} by row, {column_side} by column", "bold")
        yield _table(grid["kind"], grid["rows"], grid["columns"], outcome.results)
    wrong = [result for result in outcome.results if result.verdict > Verdict.PASS and not result.tolerated]
    for result in wrong[:MOST_CELLS]:
        yield from _description(result)
    if len(wrong) > MOST_CELLS:
        yield Text(f"\nand {len(wrong) - MOST_CELLS} more cells, in matrix.json", "red")
    yield from _not_played(outcome)
    yield from _without_cell(outcome)
    for problem in outcome.problems:
        yield Text(f"known deviation: {visible(problem.says)}", "yellow")
    yield Text("")
    for kind, counts in outcome.totals().items():
        yield Text(f"{kind}: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    words, cells = WORDS[outcome.exit_code], len(outcome.results)
    word, style, played = words.matrix, words.style, sum(not result.excuse for result in outcome.results)
    if outcome.exit_code == ExitCode.OK and played < cells:
        word, style = ALL_PLAYED, "bold yellow"
    count = f"{played} of {cells}" if played < cells else f"{cells}"
    yield Text.assemble((word, style), f"  {count} cells in {outcome.seconds:.1f} s")


def _table(kind: str, rows: list[str], columns: list[str], results: tuple[Result, ...]) -> Table:
    table = Table(caption_justify="left", highlight=False)
    for column in ("", *columns):
        table.add_column(Text(visible(column)), overflow="fold")
    result_by_pair = {result.cell.pair: result for result in results if result.cell.kind == kind}
    for row in rows:
        table.add_row(Text(visible(row)), *(_cell(result_by_pair.get((row, column))) for column in columns))
    if (together := result_by_pair.get((TOGETHER, TOGETHER))) is not None:
        table.caption = Text.assemble("all of them together: ", _cell(together))
    return table


def _cell(result: Result | None) -> Text:
    """Return a word for a cell: whose fault it is where something is wrong; a router by name, it has no fixed side."""
    if result is None or result.excuse:
        return Text("-", "dim")
    sides, blame = dict(result.cell.sides), result.blame
    if result.cell.kind == ROUTING and result.at_fault:
        blame = ", ".join(dict.fromkeys(visible(sides[side]) for side in result.at_fault))
    if result.tolerated:
        return Text(f"known ({blame})", STYLES["known"])
    return Text(blame or "ok", STYLES.get(result.outcome, ""))


def _description(result: Result) -> Iterator[RenderableType]:
    first, second = (visible(name) for name in result.cell.pair)
    who, sides = "all routers together" if first == TOGETHER else f"{first} with {second}", dict(result.cell.sides)
    names = [visible(f"{sides[side]} ({side})" if sides[side] != side else side) for side in result.at_fault]
    blame = f", at fault: {', '.join(names)}" if names else ", whose fault is open"
    head = f"{result.outcome.upper()} {result.cell.kind}: {who}"
    yield Text.assemble("\n", (head, STYLES.get(result.outcome, "")), blame)
    scenarios: dict[tuple[str, str, str], dict[str, None]] = {}
    for finding in sorted(result.findings, key=lambda finding: -finding.verdict):
        scenarios.setdefault((finding.side, finding.requirement, finding.says), {})[finding.scenario] = None
    count_by_side = Counter[str]()
    for (side, requirement, says), names_of_scenarios in scenarios.items():
        count_by_side[side] += 1
        if count_by_side[side] <= MOST_FINDINGS:
            where = f"{side or 'open'}: {requirement}".rstrip(": ")
            during = f" ({visible(', '.join(names_of_scenarios))})" if result.cell.kind == DISCOVERY else ""
            yield Text(f"  {visible(where)}  {short(says)}{during}")
    if result.evidence:
        yield Text(f"  evidence: {', '.join(map(visible, result.evidence[:MOST_FINDINGS]))}", "dim")


def _not_played(outcome: Outcome) -> Iterator[Text]:
    reasons = Counter((result.excuse, result.reason) for result in outcome.results if result.excuse)
    if reasons:
        yield Text(f"\n{reasons.total()} cells were not played:", "yellow" if outcome.lost else "dim")
    for (excuse, reason), count in reasons.most_common(MOST_REASONS):
        yield Text(f"  {count} {excuse}: {short(reason)}")


def _without_cell(outcome: Outcome) -> Iterator[Text]:
    """Yield implementations without a cell: none of their roles meets another, as with queue managers."""
    meeting = {role for roles in ROLES.values() for role in roles}
    for name, implementation in outcome.implementations.items():
        roles = implementation.declared
        if roles and roles.isdisjoint(meeting) and not any(map(implementation.command, meeting)):
            text = f"  {visible(name)} has no cell: its roles meet no other ({visible(', '.join(sorted(roles)))})"
            yield Text(text, "yellow")
