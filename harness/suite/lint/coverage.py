"""Rules about the whole suite: no requirement and no case goes missing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.feature_text import FeatureText, Finding
from mqconform.harness.suite.naming import slug
from mqconform.harness.suite.telling import scenario_of

Cases = Mapping[str, frozenset[str]]
"""Id of each case -> requirements that its tags name."""


def cases_of(features: Sequence[FeatureText]) -> Cases:
    """Return the cases of some features by the ids that results have."""
    cases: dict[str, frozenset[str]] = {}
    for feature in features:
        for scenario in feature.scenarios:
            named = frozenset(name for name, _ in scenario.values("req"))
            for row, _, _ in scenario.cases():
                cases["/".join(part for part in (feature.name, slug(scenario.name), row) if part)] = named
    return cases


def lost_requirements(catalogue: Catalogue, cases: Cases, judged: Iterable[str]) -> Iterator[Finding]:
    """Yield requirements that could be judged and that no scenario names.

    Args:
        catalogue: what there is.
        cases: what the suite has.
        judged: specifications that have features at all; one that has none is not begun rather than lost.
    """
    named: frozenset[str] = frozenset().union(*cases.values())
    for requirement in catalogue.values():
        if requirement.is_judged and requirement.id not in named and requirement.id.partition("-")[0] in judged:
            text = f"{requirement.id} can be judged but has no scenario; write one"
            yield Finding(f"requirements/{requirement.id.partition('-')[0].lower()}.toml", 1, "lost-requirement", text)


def read_list(path: Path) -> Cases:
    """Return a list of cases: on each line an id, then the requirements that it names.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"--list {path}: cannot be read: {error}") from error
    columns = (line.split() for line in lines if line.strip() and not line.startswith("#"))
    return {case: frozenset(named) for case, *named in columns}


HEAD = """\
# The cases of the suite with the requirements that they name, so that none is dropped unseen.
# `mqconform lint --record` writes this file; what it takes away is for a reviewer to see.
"""


def list_text(cases: Cases) -> str:
    """Return cases as the text of a list."""
    return HEAD + "".join(f"{name} {' '.join(sorted(cases[name]))}".rstrip() + "\n" for name in sorted(cases))


def lost_cases(listed: Cases, cases: Cases, path: str) -> Iterator[Finding]:
    """Yield cases of a list that are gone, or that name less than they did."""
    for number, (name, named) in enumerate(listed.items(), start=HEAD.count("\n") + 1):
        if name not in cases:
            text = f"{name} is gone; restore it, or update the list with --record"
            yield Finding(path, number, "lost-case", text)
        elif gone := sorted(named - cases[name]):
            text = f"{name} names {', '.join(gone)} no longer; tag it again, or update the list with --record"
            yield Finding(path, number, "lost-case", text)


def unplayed(failed: Iterable[tuple[str, str]], cases: Cases, path: str) -> Iterator[Finding]:
    """Yield scenarios that are known to fail requirements and are not there for ``run --req`` to play.

    Args:
        failed: scenarios, each with a requirement that a faulty implementation fails in it.
        cases: what the suite has.
        path: where the scenarios are listed.
    """
    there = {scenario_of(case) for case in cases}
    gone: dict[str, list[str]] = {}
    for scenario, requirement in failed:
        if scenario not in there:
            gone.setdefault(scenario, []).append(requirement)
    for scenario, requirements in gone.items():
        text = f"{scenario} fails {', '.join(requirements)}, and is gone; rename it here, or run mutants --update-kills"
        yield Finding(path, 1, "unplayed", text)


def unlisted(listed: Cases, cases: Cases) -> int:
    """Return how many cases a list does not know yet."""
    return len(set(cases) - set(listed))
