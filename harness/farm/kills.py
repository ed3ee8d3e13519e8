"""What each assertion of the suite is known to achieve: how often it runs, and which mutants it convicts.

The list is kept in ``kills.json`` and holds what must not get lost: a scenario that is dropped, an assertion that is
deleted, a comparison that no longer tells right from wrong. What is gained needs no entry. ``mqconform mutants
--update-kills`` writes it anew.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

from mqconform.harness.farm.trial import Trial

FILE = "kills.json"
MOST = 12
"""Mutants named for one assertion; those that few others convict go first, as they notice most."""
LEVELS = 3
"""Folder, file and scenario; what follows in the id of a case is its row."""


def scenario_of(case: str) -> str:
    """Return the scenario of a case, whatever its row."""
    return "/".join(case.split("/")[:LEVELS])


@dataclass(frozen=True, slots=True)
class Kills:
    """What must not get lost.

    Attributes:
        assertions: how many assertions the reference passes, by scenario.
        convicts: names of mutants, by scenario and step.
    """

    assertions: Mapping[str, int]
    convicts: Mapping[tuple[str, str], tuple[str, ...]]

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Return the list that the package ships, or that of a file."""
        text = path.read_text("utf-8") if path else files(__package__).joinpath(FILE).read_text("utf-8")
        kept = json.loads(text)
        steps = ((scenario, step, names) for scenario, found in kept["kills"].items() for step, names in found.items())
        return cls(kept["assertions"], {(scenario, step): tuple(names.split()) for scenario, step, names in steps})

    @classmethod
    def of(cls, reference: Trial, trials: Iterable[Trial]) -> Self:
        """Return what a farm has shown."""
        convicts: dict[tuple[str, str], set[str]] = defaultdict(set)
        for trial in trials:
            for one in trial.convictions:
                convicts[scenario_of(one.case), one.step].add(trial.name)
        common = Counter(name for names in convicts.values() for name in names)
        kept = {place: sorted(names, key=lambda one: (common[one], one))[:MOST] for place, names in convicts.items()}
        return cls(assertions_of(reference), {place: tuple(sorted(names)) for place, names in kept.items()})

    def scenarios_against(self, mutant: str) -> set[str]:
        """Return the scenarios that are known to convict a mutant."""
        return {scenario for (scenario, _), names in self.convicts.items() if mutant in names}

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
        found = {
            name: {(scenario_of(one.case), one.step) for one in trial.convictions} for name, trial in trials.items()
        }
        for (scenario, step), names in self.convicts.items():
            for name in names:
                if name in found and (scenario, step) not in found[name]:
                    yield scenario, step, name

    def save(self, path: Path) -> None:
        """Write the list, one assertion a line."""
        kills: dict[str, dict[str, str]] = defaultdict(dict)
        for (scenario, step), names in sorted(self.convicts.items()):
            kills[scenario][step] = " ".join(names)
        whole = {"assertions": dict(sorted(self.assertions.items())), "kills": kills}
        path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


def assertions_of(reference: Trial) -> dict[str, int]:
    """Return how many assertions each scenario makes."""
    counted: Counter[str] = Counter()
    for case, number in reference.assertions.items():
        counted[scenario_of(case)] += number
    return dict(counted)
