"""Rules about several scenarios: no requirement and no case goes missing, and no two cases do the same or the contrary.

Rules about one scenario are in ``scenario_rules``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.feature_text import FeatureText, Finding, ScenarioText, StepText
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
                cases[feature.case_id(scenario, row)] = named
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


_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|does|do|is|are|has|have|nothing|something|any)\b|n't\b|s\b|\s+")
"""What tells a sentence from its contrary, and the words that come and go with it."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A case with where it stands."""

    feature: FeatureText
    scenario: ScenarioText
    row: str
    line: int
    steps: tuple[StepText, ...]

    @property
    def called(self) -> str:
        """Its name for a message."""
        row = f" ({self.row})" if self.row else ""
        return f"{self.scenario.name!r}{row} in {self.feature.path}:{self.line}"

    def situation(self) -> tuple[object, ...]:
        """Return what is brought about, and for whom."""
        roles = tuple(sorted(self.scenario.values("role")))
        return (tuple(name for name, _ in roles), *(step.body() for step in self.steps if step.type != "then"))

    def demands(self) -> frozenset[str]:
        """Return what has to hold then."""
        return frozenset(step.words() for step in self.steps if step.type == "then")


def check_names(features: Sequence[FeatureText]) -> Iterator[Finding]:
    """Yield features and scenarios that share the name which results have for them."""
    files = Counter(feature.name for feature in features)
    for feature in features:
        if files[feature.name] > 1:
            yield feature.finding(1, "duplicate-feature", f"another file is {feature.name} as well; rename one")
        names = Counter(slug(scenario.name) for scenario in feature.scenarios)
        for scenario in feature.scenarios:
            if names[slug(scenario.name)] > 1:
                text = f"{scenario.name!r} is {slug(scenario.name)!r} in results, and so is another; rename one"
                yield feature.finding(scenario.line, "duplicate-scenario", text)


def check_twins(features: Sequence[FeatureText]) -> Iterator[Finding]:
    """Yield cases that are the same as an earlier one but for their names, or its contrary."""
    by_situation: dict[tuple[object, ...], list[Placed]] = defaultdict(list)
    for feature in features:
        for scenario in feature.scenarios:
            for row, line, steps in scenario.cases():
                placed = Placed(feature, scenario, row, line, steps)
                for earlier in by_situation[placed.situation()]:
                    yield from _pair(earlier, placed)
                by_situation[placed.situation()].append(placed)


def _pair(earlier: Placed, later: Placed) -> Iterator[Finding]:
    earlier_demands, later_demands = earlier.demands(), later.demands()
    if earlier_demands == later_demands:
        named, also_named = ({name for name, _ in placed.scenario.values("req")} for placed in (earlier, later))
        if named & also_named:
            problem = f"does what {earlier.called} does; change its situation or remove it"
            yield later.feature.finding(later.line, "twins", problem)
        return
    only_one = (earlier_demands - later_demands, later_demands - earlier_demands)
    positive, also_positive = ({_NEGATION.sub("", text.lower()) for text in demands} for demands in only_one)
    if positive & also_positive:
        problem = f"demands the contrary of {earlier.called} in the same situation; one of them is wrong"
        yield later.feature.finding(later.line, "contradiction", problem)
