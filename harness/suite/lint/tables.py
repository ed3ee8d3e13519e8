"""Rules about Examples tables: rows have stable names, and columns are used."""

from collections import Counter
from collections.abc import Iterator

from mqconform.harness.suite.feature_text import PLACEHOLDER, FeatureText, Finding, ScenarioText, TableText
from mqconform.harness.suite.naming import slug


def check_tables(feature: FeatureText) -> Iterator[Finding]:
    """Yield what is wrong with the tables of a feature."""
    for scenario in feature.scenarios:
        yield from _rows(feature, scenario)
        for table in scenario.tables:
            yield from _columns(feature, scenario, table)
            yield from _names(feature, table)


def _rows(feature: FeatureText, scenario: ScenarioText) -> Iterator[Finding]:
    rows = [row for table in scenario.tables for row in table.rows]
    if scenario.outline and not rows:
        yield feature.finding(
            scenario.line, "no-examples", f"{scenario.name!r} has no row; add one or make it a scenario"
        )
    names = Counter(slug(cells[0]) for _, cells in rows if cells)
    for line, cells in rows:
        if cells and names[slug(cells[0])] > 1:
            yield feature.finding(
                line, "duplicate-case", f"{cells[0]!r} names more than one row; give each its own name"
            )
    if not scenario.outline:
        used = {name for step in scenario.own for name in PLACEHOLDER.findall(step.words())}
        if used:
            text = f"<{'>, <'.join(sorted(used))}> stand in a scenario without rows; add Examples"
            yield feature.finding(scenario.line, "no-examples", text)


def _columns(feature: FeatureText, scenario: ScenarioText, table: TableText) -> Iterator[Finding]:
    used = {name: step.line for step in scenario.steps for name in PLACEHOLDER.findall(step.words())}
    if table.columns[:1] != ("case",):
        text = "begin the table with a column `case` that names each row"
        yield feature.finding(table.line, "no-case-column", text)
    for name in table.columns[1:]:
        if name not in used:
            yield feature.finding(table.line, "unused-column", f"no step uses <{name}>; use the column or remove it")
    for name, line in used.items():
        if table.columns and name not in table.columns:
            yield feature.finding(line, "unknown-column", f"the table has no column {name}; add it")


def _names(feature: FeatureText, table: TableText) -> Iterator[Finding]:
    if table.columns[:1] != ("case",):
        return
    for line, cells in table.rows:
        if not cells[0] or cells[0] != slug(cells[0]):
            text = f"{cells[0]!r} is not a stable name; write {slug(cells[0]) or 'one'}"
            yield feature.finding(line, "bad-case-name", text)
