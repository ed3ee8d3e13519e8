"""Which passed assertions show anything: those that are known to convict an implementation which breaks the sentence.

An assertion that passes whatever an implementation does verifies nothing. ``mqconform mutants --whole --update-kills``
tries all faulty implementations and writes down which assertion convicts which of them of which requirement; a
requirement is verified by a witness of such an assertion, and by no other.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness

KILLS: Final = "kills.json"
"""The file, beside this module."""
LEVELS: Final = 3
"""Folder, file and scenario; what follows in the id of a case is its row."""
NOT_SHOWN: Final = "what ran here passes for implementations that break it as well"
"""Why a requirement of which assertions passed is not verified."""


def scenario_of(case: str) -> str:
    """Return the scenario of a case, whatever its row."""
    return "/".join(case.split("/")[:LEVELS])


def kills_text() -> str:
    """Return the text of the file."""
    return files(__package__).joinpath(KILLS).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Telling:
    """What is known of assertions.

    Attributes:
        scenarios: those that were tried with faulty implementations; of others, such as a user's own, nothing is known.
        places: by scenario, ``step [requirement]`` of each assertion that convicted one.
        readings: ``AMBIGUITY/reading`` of the register -> name of an implementation that was seen to follow it.
    """

    scenarios: frozenset[str]
    places: Mapping[str, frozenset[str]]
    readings: Mapping[str, str] = field(default_factory=dict)

    def shows(self, seen: Witness) -> bool:
        """Return whether a faulty implementation is known that would not have passed this assertion."""
        scenario = scenario_of(seen.case)
        if scenario not in self.scenarios:
            return True
        return f"{seen.step} [{seen.requirement}]" in self.places.get(scenario, frozenset())

    def worth(self, seen: Witness) -> Verdict:
        """Return what a witness says of its requirement: nothing where it passed and would have passed anyway."""
        verdict = seen.judgement.verdict
        return Verdict.NONE if verdict is Verdict.PASS and not self.shows(seen) else verdict


@cache
def load_telling() -> Telling:
    """Return what is known of the suite's own scenarios."""
    kept = json.loads(kills_text())
    places = {scenario: frozenset(steps) for scenario, steps in kept["kills"].items()}
    return Telling(frozenset(kept["assertions"]), places, kept["readings"])
