"""The suite without running it: which scenarios and cases there are, and what they bear on.

Read with the parser that runs the features and named by the rules that name cases in results, so that an id listed
here is an id found there.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final

from pytest_bdd.exceptions import GherkinParseError
from pytest_bdd.feature import get_features
from pytest_bdd.parser import Feature, ScenarioTemplate

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.naming import case_id, feature_name, slug, tags_of, values_of

_SHIPPED: Final = Path(str(files("mqconform.features")))


class FeatureFault(Exception):
    """A feature file does not parse; the message names it."""


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
        thens: what its steps judge; of an outline, those of the first row.
    """

    feature: str
    name: str
    requirements: tuple[str, ...]
    roles: tuple[str, ...]
    needs: tuple[str, ...]
    cases: tuple[IndexedCase, ...]
    file: Path = Path()
    line: int = 0
    thens: tuple[str, ...] = ()

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
        return tuple(one for one in self.scenarios if requirement in one.requirements)

    def by_requirement(self) -> Mapping[str, tuple[str, ...]]:
        """Return, by requirement, the scenarios that are tagged with it, as ``file: scenario``."""
        found: dict[str, list[str]] = defaultdict(list)
        for scenario in self.scenarios:
            for requirement in scenario.requirements:
                found[requirement].append(f"{scenario.file.name}: {scenario.name}")
        return {requirement: tuple(names) for requirement, names in found.items()}


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
    found = sorted({file for path in paths for file in _feature_files(path)})
    templates = chain.from_iterable(_parsed(file).scenarios.values() for file in found)
    return SuiteIndex(tuple(map(_scenario, templates)))


def _feature_files(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise ConfigurationError(f"{path}: there is no such feature file or folder; check the name")
    return path.rglob("*.feature") if path.is_dir() else iter((path,))


def _parsed(file: Path) -> Feature:
    try:
        (feature,) = get_features([str(file)])
    except GherkinParseError as fault:
        raise FeatureFault(f"{file}:{fault.line}: {fault.message}") from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise FeatureFault(f"{file}: cannot be read: {fault}") from fault
    except KeyError as fault:
        # pytest-bdd takes for granted that a file has a feature
        raise FeatureFault(f"{file}: holds no feature; write `Feature:` and its name first") from fault
    return feature


def _scenario(template: ScenarioTemplate) -> IndexedScenario:
    tags = tags_of(template)
    return IndexedScenario(
        feature=feature_name(template.feature.filename),
        name=template.name,
        requirements=values_of(tags, "req"),
        roles=values_of(tags, "role"),
        needs=values_of(tags, "needs"),
        cases=tuple(_cases(template)),
        file=Path(template.feature.filename),
        line=template.line_number,
        thens=_thens(template),
    )


@cache
def situations() -> Mapping[str, tuple[str, ...]]:
    """Return the Givens and Whens of each case that the package ships, by its id."""
    templates = chain.from_iterable(_parsed(file).scenarios.values() for file in _feature_files(_SHIPPED))
    return MappingProxyType(
        {
            case_id(template, row): tuple(step.name for step in template.render(row).steps if step.type != "then")
            for template in templates
            for row in _rows(template)
        }
    )


def _rows(template: ScenarioTemplate) -> Iterator[dict[str, str]]:
    if not template.templated:
        yield {}
    for table in template.examples:
        yield from table.as_contexts()


def _thens(template: ScenarioTemplate) -> tuple[str, ...]:
    rows = (row for table in template.examples for row in table.as_contexts())
    return tuple(step.name for step in template.render(next(rows, {})).steps if step.type == "then")


def _cases(template: ScenarioTemplate) -> Iterator[IndexedCase]:
    for row in _rows(template):
        yield IndexedCase(case_id(template, row), slug(row.get("case", "")))
