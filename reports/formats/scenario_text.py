"""The scenario that a case was made of, out of the features that ship with mqconform.

A result file names scenarios and does not repeat them. Cases of features that a user added, or of another version of
the package, are not found here; formats say then what the result file alone knows.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gherkin.ast_builder import AstBuilder
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler
from gherkin.stream.id_generator import IdGenerator

from mqconform.harness.records.results import Case

_NAME = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class FeatureText:
    """A feature file: its name, text, syntax tree and pickles as Cucumber Messages have them."""

    uri: str
    text: str
    tree: Mapping[str, Any]
    pickles: tuple[Mapping[str, Any], ...]

    def pickle_of(self, case: Case) -> Mapping[str, Any] | None:
        """Return the pickle of a case, None if the feature has no such scenario."""
        for key, pickle in self._keyed():
            if key == (case.scenario, case.row):
                return pickle
        return None

    def _keyed(self) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:
        nodes = dict(_nodes(self.tree["feature"]))
        for pickle in self.pickles:
            scenario, *row = (nodes[identifier] for identifier in pickle["astNodeIds"])
            yield (scenario["name"], _slug(scenario, row[0]) if row else ""), pickle


@cache
def feature_text(feature: str) -> FeatureText | None:
    """Return a feature by its name, ``mqsd/3_2_discovery_server``; None if the package has none of that name."""
    folder, _, stem = feature.partition("/")
    if not (_NAME.fullmatch(folder) and _NAME.fullmatch(stem)):
        return None  # a name out of a result file is no path
    file = files("mqconform.features").joinpath(folder, f"{stem}.feature")
    if not file.is_file():
        return None
    text = file.read_text("utf-8")
    return parsed(f"{feature}.feature", text)


def parsed(uri: str, text: str) -> FeatureText:
    """Return a feature with ids that no other feature has."""
    ids = _Ids(uri)
    tree: Any = {**Parser(AstBuilder(ids)).parse(text), "uri": uri}
    return FeatureText(uri, text, tree, tuple(Compiler(ids).compile(tree)))


class _Ids(IdGenerator):  # type: ignore[misc,unused-ignore]
    """Counts within a feature; all features of a run go into one stream of messages."""

    def __init__(self, uri: str) -> None:
        super().__init__()
        self._uri = uri

    def get_next_id(self) -> str:
        return f"{self._uri}#{super().get_next_id()}"


def line_of(case: Case) -> int:
    """Return the line on which the scenario or row of a case begins, 1 where it is not known."""
    feature = feature_text(case.feature)
    pickle = feature.pickle_of(case) if feature else None
    if feature is None or pickle is None:
        return 1
    node = dict(_nodes(feature.tree["feature"]))[pickle["astNodeIds"][-1]]
    line: int = node["location"]["line"]
    return line


def _nodes(parent: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield scenarios and rows of examples, each with its id."""
    for child in parent["children"]:
        if "rule" in child:
            yield from _nodes(child["rule"])
        if scenario := child.get("scenario"):
            yield scenario["id"], scenario
            for table in scenario["examples"]:
                yield from ((row["id"], row) for row in table.get("tableBody", ()))


def _slug(scenario: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """Return what the column ``case`` says of a row; empty without that column."""
    for table in scenario["examples"]:
        if row in table.get("tableBody", ()):
            cells = [cell["value"] for cell in table["tableHeader"]["cells"]]
            if "case" in cells:
                slug: str = row["cells"][cells.index("case")]["value"]
                return slug
    return ""
