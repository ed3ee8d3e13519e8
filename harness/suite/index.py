"""The suite without running it: which scenarios and cases there are, and what they bear on.

Cases are named by the rules that name them in results, so that an id listed here is an id found there.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mqconform.harness.suite.feature_text import FeatureText, ScenarioText, feature_files, read_feature
from mqconform.harness.suite.naming import slug

_SHIPPED: Final = Path(str(files("mqconform.features")))


@dataclass(frozen=True, slots=True)
class IndexedCase:
    """One row of a scenario outline, or a scenario that has no rows.

    Attributes:
        id: as in results, ``mqsd/3_2_discovery_server/own-site/plain``.
        row: slug of the row, empty where there is none.
    """

    id: str
    row: str = ""


@dataclass(frozen=True, slots=True)
class IndexedScenario:
    """One scenario of a feature file.

    Attributes:
        feature: folder and stem of its file, ``mqsd/3_2_discovery_server``.
        requirements: ids that its ``@req`` tags name, those of its rule and feature included.
        roles: roles of which the implementation needs one.
        needs: capabilities of which it needs all.
        file: the feature file, and the line in it.
    """

    feature: str
    name: str
    requirements: tuple[str, ...]
    roles: tuple[str, ...]
    needs: tuple[str, ...]
    cases: tuple[IndexedCase, ...]
    file: Path = Path()
    line: int = 0

    @property
    def id(self) -> str:
        """What the ids of its cases begin with."""
        return f"{self.feature}/{slug(self.name)}"

    @property
    def rows(self) -> tuple[str, ...]:
        """The slugs of its rows, none where it has no Examples table."""
        return tuple(case.row for case in self.cases if case.row)


@dataclass(frozen=True, slots=True)
class SuiteIndex:
    """All scenarios, feature file by feature file in the order of their paths, then as they stand there."""

    scenarios: tuple[IndexedScenario, ...]

    def of_requirement(self, requirement: str) -> tuple[IndexedScenario, ...]:
        """Return the scenarios that are tagged with a requirement."""
        return tuple(scenario for scenario in self.scenarios if requirement in scenario.requirements)

    def by_requirement(self) -> Mapping[str, tuple[str, ...]]:
        """Return, by requirement, the scenarios that are tagged with it, as ``file: scenario``."""
        names_by_requirement: dict[str, list[str]] = defaultdict(list)
        for scenario in self.scenarios:
            for requirement in scenario.requirements:
                names_by_requirement[requirement].append(f"{scenario.file.name}: {scenario.name}")
        return {requirement: tuple(names) for requirement, names in names_by_requirement.items()}


@cache
def load_suite_index() -> SuiteIndex:
    """Return the index of the features that the package ships.

    Raises:
        FeatureFault: a feature file does not parse.
    """
    return read_suite_index((_SHIPPED,))


def read_suite_index(paths: tuple[Path, ...]) -> SuiteIndex:
    """Return the index of feature files, or of all those below folders.

    Raises:
        ConfigurationError: there is no such file or folder.
        FeatureFault: a feature file does not parse.
    """
    files = sorted({file for path in paths for file in feature_files(path)})
    return SuiteIndex(
        tuple(_indexed(feature, scenario) for feature in map(read_feature, files) for scenario in feature.scenarios)
    )


def _indexed(feature: FeatureText, scenario: ScenarioText) -> IndexedScenario:
    return IndexedScenario(
        feature=feature.name,
        name=scenario.name,
        requirements=_values(scenario, "req"),
        roles=_values(scenario, "role"),
        needs=_values(scenario, "needs"),
        cases=tuple(IndexedCase(feature.case_id(scenario, row), row) for row, _, _ in scenario.cases()),
        file=Path(feature.path),
        line=scenario.line,
    )


def _values(scenario: ScenarioText, key: str) -> tuple[str, ...]:
    return tuple(sorted({value for value, _ in scenario.values(key)}))


@cache
def situations() -> Mapping[str, tuple[str, ...]]:
    """Return the Givens and Whens of each case that the package ships, by its id."""
    return MappingProxyType(
        {
            feature.case_id(scenario, row): tuple(step.text for step in steps if step.type != "then")
            for feature in map(read_feature, feature_files(_SHIPPED))
            for scenario in feature.scenarios
            for row, _, steps in scenario.cases()
        }
    )
