"""Rules about tags: what a scenario judges, and of whom."""

from collections.abc import Iterator

from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.feature_text import FeatureText, Finding, ScenarioText

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
