"""Rules about one scenario: its tags, its Examples tables, and its steps."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.feature_text import PLACEHOLDER, FeatureText, Finding, ScenarioText, TableText
from mqconform.harness.suite.naming import slug
from mqconform.harness.suite.steps import Definitions

KEYS = ("req", "role", "needs")
SEQUENCE = "@sequence"


def check_tags(feature: FeatureText, catalogue: Catalogue) -> Iterator[Finding]:
    """Yield what is wrong with the tags of a feature."""
    reported: set[tuple[str, int]] = set()
    for scenario in feature.scenarios:
        for finding in (*_requirements(feature, scenario, catalogue), *_others(feature, scenario)):
            if (finding.text, finding.line) not in reported:  # a tag of the feature is the tag of each scenario
                yield finding
            reported.add((finding.text, finding.line))
        for table in scenario.tables:
            if table.tags:
                text = f"{' '.join(table.tags)}: the runner loses tags of Examples; tag the scenario"
                yield feature.finding(table.line, "tags-on-examples", text)


def _requirements(feature: FeatureText, scenario: ScenarioText, catalogue: Catalogue) -> Iterator[Finding]:
    named = scenario.values("req")
    if not named:
        text = f"{scenario.name!r} names no requirement; tag it @req:ID"
        yield feature.finding(scenario.line, "no-requirement", text)
    for requirement, line in named:
        if requirement not in catalogue:
            text = f"no catalogue has {requirement}; `mqconform list` shows all"
            yield feature.finding(line, "unknown-requirement", text)
        elif not catalogue[requirement].is_judged:
            text = f"{requirement} is catalogued as unobservable; name another, or change the catalogue"
            yield feature.finding(line, "unobservable-requirement", text)


def _others(feature: FeatureText, scenario: ScenarioText) -> Iterator[Finding]:
    for tag, line in scenario.tags:
        key, colon, value = tag.removeprefix("@").partition(":")
        is_known = tag == SEQUENCE or (key in KEYS and colon and value)
        if not is_known or (key == "role" and value not in tuple(RoleName)):
            yield feature.finding(line, "unknown-tag", f"{tag} means nothing here; write @req:, @role: or @needs:")


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


def check_structure(feature: FeatureText) -> Iterator[Finding]:
    """Yield scenarios that lack a When or a Then, or have too many of them."""
    for scenario in feature.scenarios:
        order = [kind for kind, _ in groupby(step.type for step in scenario.steps)]
        own = [kind for kind, _ in groupby(step.type for step in scenario.own)]
        if not scenario.own or scenario.own[-1].type != "then":
            text = f"{scenario.name!r} does not end with a Then: it judges nothing"
            yield feature.finding(scenario.line, "no-then", text)
        if "when" not in order:
            text = f"{scenario.name!r} has no When: nothing happens that could be judged"
            yield feature.finding(scenario.line, "no-when", text)
        if own.count("when") > 1 and not any(tag == SEQUENCE for tag, _ in scenario.tags):
            text = f"{scenario.name!r} has several Whens; make it several scenarios, or tag it {SEQUENCE}"
            yield feature.finding(scenario.line, "several-whens", text)


def check_definitions(feature: FeatureText, definitions: Definitions) -> Iterator[Finding]:
    """Yield steps that no definition matches, or more than one."""
    checked: set[tuple[str, int]] = set()
    for scenario in feature.scenarios:
        for _, _, steps in scenario.cases():
            for step in steps:
                if (step.text, step.line) in checked:
                    continue
                checked.add((step.text, step.line))
                matches = definitions.matching(step.type, step.text)
                if not matches:
                    text = f"no definition fits {step.text!r}; see harness/judge"
                    yield feature.finding(step.line, "undefined-step", text)
                elif len(matches) > 1:
                    text = f"{step.text!r} fits {' and '.join(sorted(matches))}; make the sentences distinct"
                    yield feature.finding(step.line, "ambiguous-step", text)
