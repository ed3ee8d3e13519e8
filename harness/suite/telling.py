"""Which passed assertions show anything: those that are known to convict an implementation which breaks the sentence.

An assertion that passes for every implementation verifies nothing. ``mqconform mutants --whole --update-kills``
tries all faulty implementations and writes down which assertion convicts which of them of which requirement; a
requirement is verified by a witness of such an assertion, and by no other.
"""

import json
from collections.abc import Iterator, Mapping
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
    """Return the scenario of a case, without its row."""
    return "/".join(case.split("/")[:LEVELS])


def kills_text() -> str:
    """Return the text of the file."""
    return files(__package__).joinpath(KILLS).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Telling:
    """What is known of assertions.

    Attributes:
        scenarios: those that were tried with faulty implementations; of others, such as a user's own, nothing is known.
        places: by scenario, ``step [requirement]`` of each assertion that convicted one, and names of those.
        readings: ``AMBIGUITY/reading`` of the register -> name of an implementation that was seen to follow it.
    """

    scenarios: frozenset[str]
    places: Mapping[str, Mapping[str, str]]
    readings: Mapping[str, str] = field(default_factory=dict)

    def shows(self, witness: Witness) -> bool:
        """Return whether a faulty implementation is known that would not have passed this assertion."""
        scenario = scenario_of(witness.case)
        if scenario not in self.scenarios:
            return True
        return f"{witness.step} [{witness.requirement}]" in self.places.get(scenario, {})

    def failures(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield scenario and requirement of each assertion, and the faulty implementations that fail it."""
        for scenario, places in self.places.items():
            for place, names in places.items():
                yield scenario, place[place.rindex("[") + 1 : -1], names.split()

    def worth(self, witness: Witness) -> Verdict:
        """Return what a witness says of its requirement: nothing where it passed and would have passed anyway."""
        verdict = witness.judgement.verdict
        return Verdict.NONE if verdict is Verdict.PASS and not self.shows(witness) else verdict


@cache
def load_telling() -> Telling:
    """Return what is known of the suite's own scenarios."""
    document = json.loads(kills_text())
    return Telling(frozenset(document["assertions"]), document["kills"], document["readings"])
