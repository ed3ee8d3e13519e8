"""Rules about steps: one situation, one stimulus, an end that judges, and a definition for each."""

from collections.abc import Iterator
from itertools import groupby

from mqconform.harness.suite.feature_text import FeatureText, Finding, ScenarioText
from mqconform.harness.suite.lint.definitions import Definitions
from mqconform.harness.suite.lint.tags import SEQUENCE


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
        if own.count("when") > 1 and not _is_sequence(scenario):
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


def _is_sequence(scenario: ScenarioText) -> bool:
    return any(tag == SEQUENCE for tag, _ in scenario.tags)
