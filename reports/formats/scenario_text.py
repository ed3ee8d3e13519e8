"""The scenario that a case was made of, out of the features that ship with mqconform.

A result file names scenarios and does not repeat them. Cases of features that a user added, or of another version of
the package, are not found here; formats say then what the result file alone knows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from mqconform.harness.records.results import Case

_NAME = re.compile(r"\w+", re.ASCII)


class ScenarioText(NamedTuple):
    """A scenario as its feature file has it.

    Attributes:
        line: on which the scenario, or its row of examples, begins.
        steps: as Gherkin compiles them, the values of the row in their texts.
    """

    line: int
    steps: Sequence[Mapping[str, Any]]


def scenario_text(case: Case) -> ScenarioText | None:
    """Return the scenario or the row that a case is, None where the package has none of its names."""
    return _scenarios(case.feature).get((case.scenario, case.row))


@cache
def _scenarios(feature: str) -> Mapping[tuple[str, str], ScenarioText]:
    """Return what a feature has, ``mqsd/3_2_discovery_server``, by scenario and row."""
    folder, _, stem = feature.partition("/")
    if not (_NAME.fullmatch(folder) and _NAME.fullmatch(stem)):
        return {}  # a name out of a result file is not a path
    file = files("mqconform.features").joinpath(folder, f"{stem}.feature")
    if not file.is_file():
        return {}
    tree: Any = {**Parser().parse(file.read_text("utf-8")), "uri": feature}
    nodes = dict(_nodes(tree["feature"]))
    scenarios = {}
    for pickle in Compiler().compile(tree):
        scenario, *row = (nodes[identifier] for identifier in pickle["astNodeIds"])
        line = (row or [scenario])[0]["location"]["line"]
        key = scenario["name"], _slug(scenario, row[0]) if row else ""
        scenarios[key] = ScenarioText(line, pickle["steps"])
    return scenarios


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
