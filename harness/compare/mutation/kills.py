"""What each assertion of the suite is known to achieve: how often it runs, and which mutants it convicts or sets apart.

The list is kept in ``harness/suite/kills.json`` and holds what must not get lost: a scenario that is dropped, an
assertion that is deleted, a comparison that no longer tells right from wrong. What is gained needs no entry.
``mqconform mutants --update-kills`` writes it anew.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from mqconform.harness.compare.mutation.trial import Conviction, Remark, Trial
from mqconform.harness.suite.telling import kills_text, scenario_of

Place = tuple[str, str]
"""A scenario, and one of its steps with a requirement that it judges: a step may say more than one thing."""

MOST = 12
"""Mutants named for one assertion; those that few others convict go first, as they notice most."""
MOST_SET_APART = 3


@dataclass(frozen=True, slots=True)
class Kills:
    """What must not get lost.

    Attributes:
        assertions: how many assertions the reference passes, by scenario.
        convicts: names of mutants, by scenario and step.
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
        kept = json.loads(text)
        return cls(kept["assertions"], _places(kept["kills"]), _places(kept["set apart"]), kept["readings"])

    @classmethod
    def of(cls, reference: Trial, trials: Sequence[Trial], readings: Mapping[str, str]) -> Self:
        """Return what a farm has shown; ``readings`` is what ``executed`` makes of the same trials."""
        convicts: dict[Place, set[str]] = defaultdict(set)
        apart: dict[Place, set[str]] = defaultdict(set)
        usual = remarks_of(reference)
        for trial in trials:
            for one in trial.convictions:
                convicts[place_of(one)].add(trial.name)
            for place, said in remarks_of(trial).items():
                if said != usual.get(place) and trial.name not in convicts[place]:
                    apart[place].add(trial.name)
        return cls(assertions_of(reference), _rarest(convicts, MOST), _rarest(apart, MOST_SET_APART), readings)

    def scenarios_against(self, mutant: str) -> set[str]:
        """Return the scenarios that are known to convict a mutant, or to set it apart."""
        known = (*self.convicts.items(), *self.sets_apart.items())
        return {scenario for (scenario, _), names in known if mutant in names}

    def lost_assertions(self, reference: Trial) -> Iterator[tuple[str, str]]:
        """Yield scenarios that assert less than they did, and what is missing."""
        now = assertions_of(reference)
        for scenario, before in self.assertions.items():
            if scenario not in now:
                yield scenario, "the scenario does not run any more"
            elif now[scenario] < before:
                yield scenario, f"{now[scenario]} assertions instead of {before}"

    def lost_kills(self, trials: Mapping[str, Trial]) -> Iterator[tuple[str, str, str]]:
        """Yield scenario, step and mutant where an assertion acquits what it used to convict."""
        found = {name: {place_of(one) for one in trial.convictions} for name, trial in trials.items()}
        for place, names in self.convicts.items():
            for name in names:
                if name in found and place not in found[name]:
                    yield *place, name

    def lost_distinctions(self, reference: Trial, trials: Mapping[str, Trial]) -> Iterator[tuple[str, str, str]]:
        """Yield scenario, step and mutant where an assertion says by now what it says of the reference, or nothing."""
        usual = remarks_of(reference)
        said = {name: remarks_of(trial) for name, trial in trials.items()}
        for place, names in self.sets_apart.items():
            for name in names:
                convicted = name in said and place in {place_of(one) for one in trials[name].convictions}
                if name in said and said[name].get(place) in (None, usual.get(place)) and not convicted:
                    yield *place, name

    def save(self, path: Path) -> None:
        """Write the list, one assertion a line."""
        whole = {
            "assertions": dict(sorted(self.assertions.items())),
            "kills": _by_scenario(self.convicts),
            "set apart": _by_scenario(self.sets_apart),
            "readings": dict(sorted(self.readings.items())),
        }
        path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


def place_of(one: Conviction | Remark) -> Place:
    """Return where something was said."""
    return scenario_of(one.case), f"{one.step} [{one.requirement}]"


def remarks_of(trial: Trial) -> dict[Place, set[tuple[str, str]]]:
    """Return case and text of what a trial's assertions remarked, by scenario and step.

    Cases that ended early are left out: when an implementation that crashes is given up depends on what else was run.
    """
    found: dict[Place, set[tuple[str, str]]] = defaultdict(set)
    for one in trial.remarks:
        if one.case in trial.reasons:
            continue
        found[place_of(one)].add((one.case, one.says))
    return found


def assertions_of(reference: Trial) -> dict[str, int]:
    """Return how many assertions each scenario makes."""
    counted: Counter[str] = Counter()
    for case, number in reference.assertions.items():
        counted[scenario_of(case)] += number
    return dict(counted)


def _rarest(found: Mapping[Place, set[str]], most: int) -> dict[Place, tuple[str, ...]]:
    common = Counter(name for names in found.values() for name in names)
    chosen = {place: sorted(names, key=lambda one: (common[one], one))[:most] for place, names in found.items()}
    return {place: tuple(sorted(names)) for place, names in chosen.items() if names}


def _places(kept: Mapping[str, Mapping[str, str]]) -> dict[Place, tuple[str, ...]]:
    steps = ((scenario, step, names) for scenario, found in kept.items() for step, names in found.items())
    return {(scenario, step): tuple(names.split()) for scenario, step, names in steps}


def _by_scenario(places: Mapping[Place, Iterable[str]]) -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = defaultdict(dict)
    for (scenario, step), names in sorted(places.items()):
        kept[scenario][step] = " ".join(names)
    return kept
