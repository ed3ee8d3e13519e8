"""A scenario that the package does not have, with what the result file says of it, as Cucumber Messages."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from mqconform.harness.records.printable import visible
from mqconform.harness.records.results import Case, Witness
from mqconform.reports.formats.scenario_text import parsed


class UnknownScenario(NamedTuple):
    """What stands in for it: a source and its tree, and the one pickle."""

    envelopes: tuple[dict[str, Any], ...]
    pickle: Mapping[str, Any]


def pickle_of_case(case: Case, witnesses: tuple[Witness, ...]) -> UnknownScenario:
    """Return a scenario whose steps are those that made assertions."""
    uri = f"{visible(case.id)}.feature"
    steps = list(dict.fromkeys(visible(witness.step) for witness in witnesses)) or ["nothing was asserted"]
    lines = [f"Feature: {visible(case.feature)}", "", *_tags(case), f"  Scenario: {visible(case.scenario or case.id)}"]
    text = "\n".join([*lines, *(f"    * {step}" for step in steps), ""])
    feature = parsed(uri, text)
    source = {"uri": uri, "data": text, "mediaType": "text/x.cucumber.gherkin+plain"}
    return UnknownScenario(({"source": source}, {"gherkinDocument": feature.tree}), feature.pickles[0])


def _tags(case: Case) -> list[str]:
    named = (f"@req:{requirement}" for requirement in case.requirements)
    return [" ".join(["  @unknown-feature", *(name for name in named if name.isascii() and " " not in name)])]
