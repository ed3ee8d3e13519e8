"""All rules over some feature files, and their names. The rules themselves stand in the other modules."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.feature_text import FeatureFault, FeatureText, Finding, feature_files, read_feature
from mqconform.harness.suite.lint import coverage
from mqconform.harness.suite.lint.coverage import check_names, check_twins
from mqconform.harness.suite.lint.readings import check_readings, check_verdicts
from mqconform.harness.suite.lint.scenario_rules import check_definitions, check_structure, check_tables, check_tags
from mqconform.harness.suite.steps import load_definitions
from mqconform.harness.suite.telling import KILLS, load_telling

LIST = "cases.txt"


def published() -> Path:
    """Return the folder of the features that the package ships."""
    return Path(str(files("mqconform.features")))


def read_features(paths: Sequence[Path]) -> tuple[list[FeatureText], list[Finding]]:
    """Return the feature files at some paths and below folders, and the paths without one.

    Raises:
        ConfigurationError: there is nothing at a path.
    """
    feature_texts: list[FeatureText] = []
    broken: list[Finding] = []
    here = Path.cwd()  # findings name files as a reader there would
    for path in paths:
        for file in feature_files(path):
            try:
                feature_texts.append(read_feature(file.relative_to(here) if file.is_relative_to(here) else file))
            except FeatureFault as fault:
                broken.append(fault.finding)
    if not feature_texts and not broken:
        raise ConfigurationError(f"{', '.join(map(str, paths))}: holds no file that ends in .feature; nothing to check")
    return feature_texts, broken


def check_features(features: Sequence[FeatureText], step_modules: tuple[str, ...]) -> Iterator[Finding]:
    """Yield what is wrong with feature files, whichever they are; ``step_modules`` hold the definitions of steps."""
    catalogue, definitions = load_catalogue(), load_definitions(step_modules)
    for feature in features:
        yield from check_tags(feature, catalogue)
        yield from check_tables(feature)
        yield from check_structure(feature)
        yield from check_definitions(feature, definitions)
    yield from check_names(features)
    yield from check_twins(features)


def check_suite(
    features: Sequence[FeatureText], case_list: Path, breaks: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    """Yield what the whole suite lacks; ``breaks`` says what implementations that are wrong on purpose break."""
    cases = coverage.cases_of(features)
    judged = {feature.name.partition("/")[0].upper() for feature in features}
    yield from coverage.lost_requirements(load_catalogue(), cases, judged)
    yield from coverage.lost_cases(coverage.read_list(case_list), cases, str(case_list))
    yield from coverage.unplayed(((scenario, failed) for scenario, _, failed in load_telling().places), cases, KILLS)
    folder = published() / "requirements" / "ambiguities"
    yield from check_readings(load_register(), load_telling().readings, breaks, folder)
    yield from check_verdicts(load_register(), load_catalogue(), folder)


def record_cases() -> None:
    """Write the list of the suite's cases anew.

    Raises:
        ConfigurationError: a feature is broken, or the list cannot be written.
    """
    features, broken = read_features((published(),))
    if broken:
        raise ConfigurationError(f"{broken[0]}; correct it first")
    path = published() / LIST
    try:
        path.write_text(coverage.list_text(coverage.cases_of(features)), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"--record: {path}: {error.strerror or error}; run it in a checkout") from error


RULES = {
    "not-gherkin": "A feature file is Gherkin in UTF-8.",
    "no-scenario": "A feature file has a feature with at least one scenario.",
    "duplicate-feature": "No two feature files have the same folder and name.",
    "duplicate-scenario": "No two scenarios of a feature have the same name in case ids.",
    "no-requirement": "A scenario names the requirement that it judges.",
    "unknown-requirement": "Each requirement in a tag is in the catalogue.",
    "unobservable-requirement": "Each requirement in a tag can be judged.",
    "lost-requirement": "A requirement that can be judged has a scenario.",
    "lost-case": "Each case of the list of cases exists and names its requirements.",
    "unplayed": "Each scenario in the list of kills exists: `run --req` plays those that fail a requirement by it.",
    "unread-reading": "A reading of a testable ambiguity has an implementation that follows it, or says why not.",
    "reading-variant": "A passing reading has a conforming implementation, a failing reading a failing one.",
    "reading-binds": "A reading that fails in a profile breaks a sentence that binds there; must fails none alone.",
    "needless-unseen": "A reading with an implementation is not marked as unseen.",
    "unknown-tag": "A tag is @req:ID, @role:ROLE, @needs:CAPABILITY or @sequence.",
    "tags-on-examples": "Examples carry no tags: the runner would lose them.",
    "no-examples": "A scenario outline has rows, and a scenario without rows uses no <column>.",
    "no-case-column": "An Examples table begins with the column case.",
    "bad-case-name": "A case name consists of lower-case letters, digits and hyphens.",
    "duplicate-case": "No two rows of a scenario have the same name.",
    "unused-column": "Each column but case is used by a step.",
    "unknown-column": "Each <column> of a step is in the table.",
    "no-then": "A scenario ends with a Then.",
    "no-when": "A scenario has a When, its own or its background's.",
    "several-whens": "A scenario has one When; a sequence of them is tagged @sequence.",
    "undefined-step": "Each step has a definition.",
    "ambiguous-step": "No step has two definitions.",
    "twins": "No two cases do the same for the same requirement.",
    "contradiction": "No case demands what another forbids in the same situation.",
    "no-assertion": "A case that runs makes an assertion on each requirement that it names (with --run).",
}
"""Every rule, with what it asks."""
