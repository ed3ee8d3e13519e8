"""Feature files as the official parser sees them: the one reader for lint, index and what a user adds to a run."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gherkin.errors import CompositeParserException, ParserError
from gherkin.parser import Parser

from mqconform.harness.records.problem import ConfigurationError, PackageFault
from mqconform.harness.suite.naming import feature_name, slug

PLACEHOLDER = re.compile(r"<([^<>]+)>")
MAX_SIZE = 1024 * 1024
TYPES = {"Context": "given", "Action": "when", "Outcome": "then"}
Node = Mapping[str, Any]


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """One breach of one rule.

    Attributes:
        rule: name of the rule, as ``mqconform lint --rules`` lists it.
        text: what is wrong and what to do.
    """

    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


class FeatureFault(PackageFault):
    """A feature file cannot be used; the finding says why."""

    def __init__(self, path: Path, line: int, rule: str, text: str) -> None:
        super().__init__(f"{path}:{line}: {text}")
        self.finding = Finding(str(path), line, rule, text)


@dataclass(frozen=True, slots=True)
class StepText:
    """One step: ``given``, ``when`` or ``then``, an And being what stands before it."""

    type: str
    text: str
    line: int
    table: tuple[tuple[str, ...], ...] = ()
    document: str = ""

    def words(self) -> str:
        """Return all text in which a column may stand."""
        return "\n".join([self.text, self.document, *(cell for row in self.table for cell in row)])

    def rendered(self, row: Mapping[str, str]) -> "StepText":
        """Return the step with the columns of a row put in."""
        table = tuple(tuple(_put_in(cell, row) for cell in line) for line in self.table)
        return StepText(self.type, _put_in(self.text, row), self.line, table, _put_in(self.document, row))

    def body(self) -> tuple[object, ...]:
        """Return what the step is, its line left out."""
        return (self.type, self.text, self.table, self.document)


@dataclass(frozen=True, slots=True)
class TableText:
    """One Examples table."""

    line: int
    tags: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """One scenario.

    Attributes:
        tags: its own with those of its rule and feature, each with its line.
        background: steps that stand before its own.
        outline: whether it is written as an outline.
    """

    name: str
    line: int
    tags: tuple[tuple[str, int], ...]
    background: tuple[StepText, ...]
    own: tuple[StepText, ...]
    tables: tuple[TableText, ...]
    outline: bool

    @property
    def steps(self) -> tuple[StepText, ...]:
        """All steps, those of the background first."""
        return self.background + self.own

    def values(self, key: str) -> tuple[tuple[str, int], ...]:
        """Return what stands behind ``@KEY:`` in its tags, with the lines."""
        prefix = f"@{key}:"
        return tuple((tag.removeprefix(prefix), line) for tag, line in self.tags if tag.startswith(prefix))

    def cases(self) -> Iterator[tuple[str, int, tuple[StepText, ...]]]:
        """Yield each case: name of its row, line, steps with the row put in."""
        if not self.tables:
            yield "", self.line, self.steps
        for table in self.tables:
            for line, cells in table.rows:
                row = dict(zip(table.columns, cells, strict=False))
                yield slug(row.get("case", "")), line, tuple(step.rendered(row) for step in self.steps)


@dataclass(frozen=True, slots=True)
class FeatureText:
    """One feature file."""

    path: str
    name: str
    scenarios: tuple[ScenarioText, ...]

    def case_id(self, scenario: ScenarioText, row: str) -> str:
        """Return the id that results have of a case; ``row`` is empty where the scenario has no Examples."""
        return "/".join(part for part in (self.name, slug(scenario.name), row) if part)

    def finding(self, line: int, rule: str, text: str) -> Finding:
        """Return a finding in this file."""
        return Finding(self.path, line, rule, text)


def feature_files(path: Path) -> list[Path]:
    """Return the feature files below a folder, sorted, or the one file.

    Raises:
        ConfigurationError: there is no such file or folder.
    """
    if not path.exists():
        raise ConfigurationError(f"{path}: there is no such feature file or folder; check the name")
    return sorted(path.rglob("*.feature")) if path.is_dir() else [path]


def read_feature(path: Path) -> FeatureText:
    """Return a feature file.

    Raises:
        FeatureFault: it is not Gherkin, or holds no scenario.
    """
    try:
        with path.open("rb") as file:
            text = file.read(MAX_SIZE + 1).decode("utf-8")
        if len(text) > MAX_SIZE:
            raise FeatureFault(path, 1, "not-gherkin", f"is longer than {MAX_SIZE} octets; split it")
        document: Node = Parser().parse(text)
    except CompositeParserException as error:
        first = error.errors[0]
        raise FeatureFault(path, first.location["line"], "not-gherkin", str(first)) from error
    except UnicodeDecodeError as error:
        raise FeatureFault(
            path, 1, "not-gherkin", f"octet {error.start} is not UTF-8; save the file as UTF-8"
        ) from error
    except (ParserError, OSError, RecursionError) as error:
        raise FeatureFault(path, 1, "not-gherkin", f"cannot be read: {error}") from error
    feature = document.get("feature")
    try:
        scenarios = tuple(_scenarios(feature, (), ())) if feature else ()
    except _NoStepBefore as step:
        problem = "a scenario begins with And or But; write Given, When or Then"
        raise FeatureFault(path, step.args[0], "not-gherkin", problem) from step
    if not scenarios:
        raise FeatureFault(path, 1, "no-scenario", "holds no feature with a scenario; add one or remove the file")
    return FeatureText(str(path), feature_name(str(path)), scenarios)


class _NoStepBefore(Exception):
    """The first step of a scenario continues none; with its line."""


def _scenarios(
    node: Node, tags: tuple[tuple[str, int], ...], background: tuple[StepText, ...]
) -> Iterator[ScenarioText]:
    tags += _tags(node)
    for child in node["children"]:
        if "background" in child:
            background += _steps(child["background"]["steps"])
        elif "rule" in child:
            yield from _scenarios(child["rule"], tags, background)
        else:
            yield _scenario(child["scenario"], tags, background)


def _scenario(node: Node, tags: tuple[tuple[str, int], ...], background: tuple[StepText, ...]) -> ScenarioText:
    return ScenarioText(
        name=node["name"],
        line=node["location"]["line"],
        tags=tags + _tags(node),
        background=background,
        own=_steps(node["steps"]),
        tables=tuple(map(_table, node["examples"])),
        outline="utline" in node["keyword"] or bool(node["examples"]),
    )


def _tags(node: Node) -> tuple[tuple[str, int], ...]:
    return tuple((tag["name"], tag["location"]["line"]) for tag in node["tags"])


def _steps(nodes: list[Node]) -> tuple[StepText, ...]:
    made: list[StepText] = []
    before = ""
    for node in nodes:
        before = TYPES.get(node["keywordType"], before)
        if not before:
            raise _NoStepBefore(node["location"]["line"])
        table = tuple(_cells(row) for row in node.get("dataTable", {}).get("rows", ()))
        document = node.get("docString", {}).get("content", "")
        made.append(StepText(before, node["text"], node["location"]["line"], table, document))
    return tuple(made)


def _table(node: Node) -> TableText:
    head = node.get("tableHeader")
    return TableText(
        node["location"]["line"],
        tuple(tag["name"] for tag in node["tags"]),
        _cells(head) if head else (),
        tuple((row["location"]["line"], _cells(row)) for row in node["tableBody"]),
    )


def _cells(row: Node) -> tuple[str, ...]:
    return tuple(cell["value"] for cell in row["cells"])


def _put_in(text: str, row: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: row.get(match[1], match[0]), text)
