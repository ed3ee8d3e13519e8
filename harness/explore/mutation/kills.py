"""What each assertion of the suite is known to achieve: how often it runs, and which mutants it convicts or sets apart.

The list is kept in ``harness/suite/kills.json`` and holds what must not get lost: a scenario that is dropped, an
assertion that is deleted, a comparison that no longer tells right from wrong. What is gained needs no entry.
``mqconform mutants --whole --update-kills`` writes it anew.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import nsmallest
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from mqconform.harness.explore.mutation.trial import Statement, Trial
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.telling import OVER_CASES, Place, kills_text, places_in, scenario_of

MOST_TRIED = 4
"""Mutants that a quick round tries at one check; those that few others convict go first, as they notice most."""
MOST_SET_APART = 3
"""Mutants named for one assertion that sets them apart, likewise."""


@dataclass(frozen=True)
class Kills:
    """What must not get lost.

    Attributes:
        assertions: how many assertions the reference passes, by scenario.
        convicts: names of mutants, by place.
        sets_apart: likewise, of those of which the assertion says something else than of the reference, without
            convicting them: that it cannot decide, or that another reading was followed.
        readings: one implementation that follows it, by reading of the ambiguity register.
    """

    assertions: Mapping[str, int]
    convicts: Mapping[Place, tuple[str, ...]]
    sets_apart: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Return the list that the package ships, or that of a file."""
        text = path.read_text("utf-8") if path else kills_text()
        document = json.loads(text)
        scenarios = document["scenarios"]
        assertions = {scenario: entry["assertions"] for scenario, entry in scenarios.items()}
        return cls(assertions, places_in(scenarios, "kills"), places_in(scenarios, "apart"), document["readings"])

    @classmethod
    def of(cls, reference: Trial, trials: Sequence[Trial], readings: Mapping[str, str]) -> Self:
        """Return what a farm has shown; ``readings`` is what ``executed`` makes of the same trials."""
        convicts: dict[Place, set[str]] = defaultdict(set)
        apart: dict[Place, set[str]] = defaultdict(set)
        usual = remarks_of(reference)
        for trial in trials:
            for conviction in trial.convictions:
                if conviction.check != OVER_CASES:
                    convicts[place_of(conviction)].add(trial.name)
            for place, remarks in remarks_of(trial).items():
                if remarks != usual.get(place) and trial.name not in convicts[place]:
                    apart[place].add(trial.name)
        named = {place: tuple(sorted(names)) for place, names in convicts.items() if names}
        return cls(assertions_of(reference), named, _rarest(apart, MOST_SET_APART), readings)

    def scenarios_against(self, mutant: str, breaks: Sequence[str]) -> set[str]:
        """Return the scenarios in which a quick round tries a mutant: that convict it, or set it apart.

        For each requirement that it breaks there is one, as far as any scenario convicts it of that.
        """
        tried = {scenario for name, scenario in self._tried if name == mutant}
        tried |= {scenario for (scenario, *_), names in self.sets_apart.items() if mutant in names}
        shows: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for (scenario, _, requirement), names in self.convicts.items():
            if mutant in names and requirement in breaks:
                shows[requirement].append((len(names), scenario))
        return tried | {
            min(places)[1] for places in shows.values() if tried.isdisjoint(scenario for _, scenario in places)
        }

    @cached_property
    def _tried(self) -> set[tuple[str, str]]:
        """Mutants and scenarios: few mutants at each check of each scenario, and at each check for each requirement."""
        common = Counter(name for names in self.convicts.values() for name in names)
        pairs: dict[tuple[str, str], set[tuple[int, str, str]]] = defaultdict(set)
        for (scenario, check, requirement), names in self.convicts.items():
            for group in ((scenario, check), (check, requirement)):
                pairs[group].update((common[name], name, scenario) for name in names)
        return {(name, scenario) for group in pairs.values() for _, name, scenario in nsmallest(MOST_TRIED, group)}

    def lost_assertions(self, reference: Trial) -> Iterator[tuple[str, str]]:
        """Yield scenarios that assert less than they did, and what is missing."""
        now = assertions_of(reference)
        for scenario, before in self.assertions.items():
            if scenario not in now:
                yield scenario, "the scenario no longer runs"
            elif now[scenario] < before:
                yield scenario, f"{now[scenario]} assertions instead of {before}"

    def lost_kills(self, trials: Mapping[str, Trial]) -> Iterator[tuple[Place, str]]:
        """Yield place and mutant where an assertion that was tried acquits what it used to convict."""
        places_by_name = {
            name: {place_of(conviction) for conviction in trial.convictions} for name, trial in trials.items()
        }
        scenarios_by_name = {name: {*map(scenario_of, trial.assertions)} for name, trial in trials.items()}
        for place, names in self.convicts.items():
            for name in names:
                if place[0] in scenarios_by_name.get(name, ()) and place not in places_by_name[name]:
                    yield place, name

    def lost_distinctions(self, reference: Trial, trials: Mapping[str, Trial]) -> Iterator[tuple[Place, str]]:
        """Yield place and mutant where an assertion says by now what it says of the reference, or nothing."""
        usual = remarks_of(reference)
        remarks = {name: remarks_of(trial) for name, trial in trials.items()}
        convicted = {(place_of(each), name) for name, trial in trials.items() for each in trial.convictions}
        for place, names in self.sets_apart.items():
            for name in filter(remarks.__contains__, names):
                if remarks[name].get(place) in (None, usual.get(place)) and (place, name) not in convicted:
                    yield place, name

    def save(self, path: Path) -> None:
        """Write the list, one scenario and one reading a line."""
        scenarios: dict[str, dict[str, Any]] = {
            scenario: {"assertions": number} for scenario, number in sorted(self.assertions.items())
        }
        for part, places in (("kills", self.convicts), ("apart", self.sets_apart)):
            for scenario, of_scenario in groupby(sorted(places.items()), key=lambda entry: entry[0][0]):
                scenarios.setdefault(scenario, {"assertions": 0})[part] = _by_check(of_scenario)
        readings = dict(sorted(self.readings.items()))
        path.write_text(f'{{"scenarios": {_lines(scenarios)},\n"readings": {_lines(readings)}}}\n', "utf-8")


def place_of(statement: Statement) -> Place:
    """Return where something was said."""
    return scenario_of(statement.case), statement.check, statement.requirement


def remarks_of(trial: Trial) -> dict[Place, set[tuple[str, str, str]]]:
    """Return case, verdict and reading of what assertions said that failed nothing, by place.

    Cases that ended early are left out: when an implementation that crashes is given up depends on what else was run.
    """
    remarks_by_place: dict[Place, set[tuple[str, str, str]]] = defaultdict(set)
    for statement in trial.statements:
        if statement.verdict != Verdict.FAIL.word and statement.case not in trial.reasons:
            remark = statement.case, statement.verdict, statement.reading
            remarks_by_place[place_of(statement)].add(remark)
    return remarks_by_place


def assertions_of(reference: Trial) -> dict[str, int]:
    """Return how many assertions each scenario makes."""
    counted: Counter[str] = Counter()
    for case, number in reference.assertions.items():
        counted[scenario_of(case)] += number
    return dict(counted)


def _rarest(names_by_place: Mapping[Place, set[str]], most: int) -> dict[Place, tuple[str, ...]]:
    common = Counter(name for names in names_by_place.values() for name in names)
    chosen = {
        place: sorted(names, key=lambda name: (common[name], name))[:most] for place, names in names_by_place.items()
    }
    return {place: tuple(sorted(names)) for place, names in chosen.items() if names}


def _by_check(places: Iterable[tuple[Place, tuple[str, ...]]]) -> dict[str, dict[str, str]]:
    """Return names of mutants by check and requirements, those requirements together that have the same."""
    checks: dict[str, dict[str, str]] = defaultdict(dict)
    for (_, check, requirement), names in places:
        requirements = checks[check]
        text = " ".join(names)
        before = next((key for key, others in requirements.items() if others == text), "")
        requirements.pop(before, None)
        requirements[f"{before} {requirement}".lstrip()] = text
    return checks


def _lines(entries: Mapping[str, object]) -> str:
    """Return an object as JSON, each of its entries a line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in entries.items()) + "\n}"
