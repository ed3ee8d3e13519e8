"""The mutation score: how many machine-made changes to the reference the suite convicts, module by module."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mqconform.harness.compare.mutation.machine.places import Place
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.records.exit_codes import ExitCode

SCHEMA_VERSION = 1


class Fate(StrEnum):
    """What became of a change."""

    KILLED = "killed"
    """A scenario convicted it."""
    TIMEOUT = "timeout"
    """It never ended; a verdict as well."""
    SURVIVED = "survived"
    """The whole suite took it for conforming: a hole, or a reason to be written down."""
    UNDECIDED = "undecided"
    """No scenario convicts it, and some leave it open."""
    EQUIVALENT = "equivalent"
    """Listed, with the reason why nothing can convict it."""
    UNREACHED = "unreached"
    """No scenario passes through its line."""
    ERROR = "error"
    """The harness stumbled; a defect of ours."""


DETECTED = (Fate.KILLED, Fate.TIMEOUT)
MISSED = (Fate.SURVIVED, Fate.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Result:
    """A change and what became of it; ``by`` is the conviction, or the reason why there need be none."""

    place: Place
    fate: Fate
    by: str = ""

    def record(self) -> dict[str, Any]:
        """Return it as JSON."""
        one = self.place
        line: dict[str, Any] = {
            "place": one.id,
            "module": one.module,
            "line": one.line,
            "operator": one.operator,
            "fate": self.fate.value,
        }
        return line | ({"by": self.by} if self.by else {})


def result_of(place: Place, trial: Trial) -> Result:
    """Return what a trial says of a change."""
    if trial.convictions:
        found = trial.convictions[0]
        hung = "deadline" in trial.reasons.get(found.case, "")[:40]
        return Result(place, Fate.TIMEOUT if hung else Fate.KILLED, f"{found.requirement} in {found.case}")
    if trial.ended == "timeout":
        return Result(place, Fate.TIMEOUT)
    if trial.exit_code == ExitCode.FAIL:
        return Result(place, Fate.KILLED, "it cannot start")
    if trial.ended == "crash" or trial.errors:
        return Result(place, Fate.ERROR, "; ".join(trial.errors)[:400])
    return Result(place, Fate.UNDECIDED if trial.undecided else Fate.SURVIVED, ", ".join(trial.undecided[:3]))


@dataclass(frozen=True, slots=True)
class Score:
    """What a round of machine-made mutants came to.

    Attributes:
        total: how many places there are, tried or not.
    """

    results: Sequence[Result]
    total: int
    seed: int

    def counts(self, module: str = "") -> Counter[Fate]:
        """Return how many changes met which fate, in all modules or in one."""
        return Counter(one.fate for one in self.results if not module or one.place.module == module)

    def modules(self) -> list[str]:
        """Return the modules that were changed, sorted."""
        return sorted({one.place.module for one in self.results})

    def document(self) -> dict[str, Any]:
        """Return the score as ``mutation_score.schema.json`` has it."""
        return {
            "schema": SCHEMA_VERSION,
            "harness": harness_name(),
            "seed": self.seed,
            "places": self.total,
            "tried": len(self.results),
            "score": share(self.counts()),
            "counts": {fate.value: self.counts()[fate] for fate in Fate},
            "modules": {
                name: {"score": share(self.counts(name))} | {fate.value: self.counts(name)[fate] for fate in Fate}
                for name in self.modules()
            },
            "not_killed": [one.record() for one in self.results if one.fate not in DETECTED],
            "equivalent": {one.place.id: one.by for one in self.results if one.fate is Fate.EQUIVALENT},
        }


def share(counts: Counter[Fate]) -> float | None:
    """Return detected changes as a share of what is reached and not equivalent; None where that is nothing."""
    detected, missed = sum(counts[one] for one in DETECTED), sum(counts[one] for one in MISSED)
    return round(detected / (detected + missed), 4) if detected + missed else None
