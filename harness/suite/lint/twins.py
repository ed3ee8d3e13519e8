"""Rules about pairs: no two cases have the same name or do the same, and none demands what another forbids."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mqconform.harness.suite.feature_text import FeatureText, Finding, ScenarioText, StepText
from mqconform.harness.suite.naming import slug

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
        return frozenset(f"{step.words()}" for step in self.steps if step.type == "then")


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
        if _requirements(earlier) & _requirements(later):
            problem = f"does what {earlier.called} does; change its situation or remove it"
            yield later.feature.finding(later.line, "twins", problem)
        return
    contrary = {_positive(text) for text in earlier_demands - later_demands} & {
        _positive(text) for text in later_demands - earlier_demands
    }
    if contrary:
        problem = f"demands the contrary of {earlier.called} in the same situation; one of them is wrong"
        yield later.feature.finding(later.line, "contradiction", problem)


def _positive(sentence: str) -> str:
    return _NEGATION.sub("", sentence.lower())


def _requirements(placed: Placed) -> set[str]:
    return {name for name, _ in placed.scenario.values("req")}
