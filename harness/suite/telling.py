"""Which passed checks prove something: those known to fail for a mutant of the requirement.

An assertion that passes for every implementation verifies nothing. ``mqconform mutants --whole --update-kills``
tries all faulty implementations and writes down which check of which scenario convicts which of them of which
requirement; a requirement is verified by a witness of such a check, and by no other. Checks are known by their names,
see ``steps``: the words of a sentence are free.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness

KILLS: Final = "kills.json"
"""The file, beside this module."""
Place = tuple[str, str, str]
"""A scenario, one of its checks, and a requirement that the check judges."""
OVER_CASES: Final = "no_request_id_of_an_earlier_case"
"""The check that holds a case against those before it: where it convicts depends on what else was played, so the list
leaves it out."""
LEVELS: Final = 3
"""Folder, file and scenario; what follows in the id of a case is its row."""
NOT_SHOWN: Final = "the checks that ran also pass for implementations that break it"
"""Why a requirement of which assertions passed is not verified."""


def scenario_of(case: str) -> str:
    """Return the scenario of a case, without its row."""
    return "/".join(case.split("/")[:LEVELS])


def kills_text() -> str:
    """Return the text of the file."""
    return files(__package__).joinpath(KILLS).read_text("utf-8")


def places_in(scenarios: Mapping[str, Any], part: str) -> dict[Place, tuple[str, ...]]:
    """Return the faulty implementations that stand in one part of the file, by place."""
    return {
        (scenario, check, requirement): tuple(names.split())
        for scenario, entry in scenarios.items()
        for check, names_by_requirements in entry.get(part, {}).items()
        for requirements, names in names_by_requirements.items()
        for requirement in requirements.split()
    }


@dataclass(frozen=True, slots=True)
class Telling:
    """What is known of assertions.

    Attributes:
        scenarios: those that were tried with faulty implementations; of others, such as a user's own, nothing is known.
        places: names of those that an assertion convicted, by its place.
        readings: ``AMBIGUITY/reading`` of the register -> name of an implementation that was seen to follow it.
    """

    scenarios: frozenset[str]
    places: Mapping[Place, tuple[str, ...]]
    readings: Mapping[str, str] = field(default_factory=dict)

    def shows(self, witness: Witness) -> bool:
        """Return whether a faulty implementation is known that would not have passed this assertion."""
        scenario = scenario_of(witness.case)
        return scenario not in self.scenarios or (scenario, witness.check, witness.requirement) in self.places

    def worth(self, witness: Witness) -> Verdict:
        """Return what a witness says of its requirement: nothing where it passed and would have passed anyway."""
        verdict = witness.judgement.verdict
        return Verdict.NONE if verdict is Verdict.PASS and not self.shows(witness) else verdict


def failed_in(scenario: str) -> tuple[str, ...]:
    """Return the requirements that some faulty implementation is known to fail in a scenario, by its tags or not."""
    return _failed_by_scenario().get(scenario, ())


@cache
def _failed_by_scenario() -> Mapping[str, tuple[str, ...]]:
    requirements: dict[str, dict[str, None]] = {}
    for scenario, _, requirement in load_telling().places:
        requirements.setdefault(scenario, {})[requirement] = None
    return {scenario: tuple(names) for scenario, names in requirements.items()}


@cache
def load_telling() -> Telling:
    """Return what is known of the suite's own scenarios."""
    document = json.loads(kills_text())
    scenarios = document["scenarios"]
    return Telling(frozenset(scenarios), places_in(scenarios, "kills"), document["readings"])
