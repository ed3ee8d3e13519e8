"""Two result files side by side, guarantee by guarantee."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Implementation
from mqconform.harness.records.scope import NOT_OFFERED
from mqconform.reports.migration.guarantees import FOLDER, GUARANTEES, Guarantee

MEANS: Final = frozenset(
    {
        "concurrent", "virtual-clock", "restart", "management", "store-faults", "coordinator-faults", "throttling",
        "several-machines",
    }
)  # fmt: skip
"""Capabilities that are ways of trying: who does not declare one may keep every promise all the same."""


class Fate(StrEnum):
    """What becomes of a guarantee, the worst first."""

    GONE = "gone"
    """Nothing of what was shown is offered any more, or no scenario shows it."""
    WEAKER = "weaker"
    """Some of what was shown is not."""
    UNDECIDED = "undecided"
    """A scenario has left open whether it still holds."""
    NOT_TRIED = "not tried"
    """Nothing is known of one side or both."""
    DIFFERENT = "different"
    """It holds where it did not, or another reading of the text is followed."""
    KEPT = "kept"


class Side(StrEnum):
    """What a run tells of a scenario."""

    HOLDS = "holds"
    BROKEN = "broken"
    NOT_OFFERED = "not offered"
    UNDECIDED = "undecided"
    NOT_TRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Shown:
    """A scenario on both sides.

    Attributes:
        readings: those of the text that are followed on each side.
        reason: why it is not offered, or what was seen instead, on the new side.
    """

    case: str
    requirements: tuple[str, ...]
    before: Side
    after: Side
    readings: tuple[frozenset[str], frozenset[str]]
    reason: str

    @property
    def fate(self) -> Fate:
        """Return what becomes of what the scenario shows."""
        match self.before, self.after:
            case (Side.NOT_TRIED | Side.UNDECIDED, _) | (_, Side.NOT_TRIED):
                return Fate.NOT_TRIED
            case Side.HOLDS, Side.HOLDS:
                return Fate.DIFFERENT if _differ(*self.readings) else Fate.KEPT
            case Side.HOLDS, Side.UNDECIDED:
                return Fate.UNDECIDED
            case Side.HOLDS, _:
                return Fate.GONE
            case _, Side.HOLDS:
                return Fate.DIFFERENT
            case _:  # it was not there to be relied on
                return Fate.NOT_TRIED


@dataclass(frozen=True, slots=True)
class Comparison:
    """A guarantee on both sides."""

    guarantee: Guarantee
    scenarios: tuple[Shown, ...]

    @property
    def fate(self) -> Fate:
        """Return the worst that the scenarios tell; what some of them still show is weaker, not gone."""
        fates = {scenario.fate for scenario in self.scenarios}
        if Fate.GONE in fates:
            return Fate.WEAKER if fates & {Fate.KEPT, Fate.DIFFERENT} else Fate.GONE
        # What was not tried on the old side is no reason to doubt the rest, but there has to be a rest.
        return min(fates - {Fate.NOT_TRIED}, key=[*Fate].index, default=Fate.NOT_TRIED)

    @property
    def witnesses(self) -> tuple[Shown, ...]:
        """Return the scenarios that decide the fate; those that hold where it is kept."""
        fates = {self.fate, Fate.GONE} if self.fate is Fate.WEAKER else {self.fate}
        return tuple(scenario for scenario in self.scenarios if scenario.fate in fates)

    @property
    def requirements(self) -> tuple[str, ...]:
        """Return the ids of the requirements behind the deciding scenarios."""
        return tuple(sorted({each for witness in self.witnesses for each in witness.requirements}))


@dataclass(frozen=True, slots=True)
class Migration:
    """What an application finds on the other side.

    Attributes:
        others: scenarios in no guarantee that held and do not any more.
        remarks: what a reader has to know about the files.
    """

    before: Implementation
    after: Implementation
    guarantees: tuple[Comparison, ...]
    others: tuple[Shown, ...]
    remarks: tuple[str, ...]

    def counts(self) -> dict[Fate, int]:
        """Return how many guarantees meet each fate that any meets."""
        fates = [comparison.fate for comparison in self.guarantees]
        return {fate: fates.count(fate) for fate in Fate if fate in fates}

    @property
    def loses(self) -> bool:
        """Whether anything is gone or weaker."""
        return bool(self.others) or not {Fate.GONE, Fate.WEAKER}.isdisjoint(self.counts())


def migration(before: Path, after: Path) -> Migration:
    """Compare two runs by what an application relies on.

    Raises:
        ResultFault: a result file cannot be used.
    """
    old, new = read_result_file(before), read_result_file(after)
    observed = _observed(new)
    then, now = ({case.id: case for case in file.cases} for file in (old, new))
    scenarios = [_shown(case, then, now, observed) for case in _cases(old) | _cases(new)]
    compared = tuple(
        Comparison(guarantee, tuple(scenario for scenario in scenarios if guarantee.covers(scenario.case)))
        for guarantee in GUARANTEES
    )
    covered = {scenario.case for comparison in compared for scenario in comparison.scenarios}
    others = tuple(scenario for scenario in scenarios if scenario.fate is Fate.GONE and scenario.case not in covered)
    return Migration(old.header.iut, new.header.iut, compared, others, tuple(_remarks((old, before), (new, after))))


def _cases(file: ResultFile) -> dict[str, None]:
    """Return the ids of cases of queue managers, in order and each once."""
    return dict.fromkeys(case.id for case in file.cases if case.id.startswith(FOLDER))


def _observed(file: ResultFile) -> dict[str, str]:
    return {witness.case: witness.observed for witness in file.witnesses if witness.verdict != "pass"}


def _shown(case: str, then: dict[str, Case], now: dict[str, Case], observed: dict[str, str]) -> Shown:
    before, after = then.get(case), now.get(case)
    case_record = after or before
    return Shown(
        case,
        case_record.requirements if case_record else (),
        _side(before),
        _side(after),
        (_readings(before), _readings(after)),
        observed.get(case, after.reason if after else ""),
    )


def _side(case: Case | None) -> Side:
    if case is None or case.excused == "not-applicable":
        return Side.NOT_TRIED
    if case.excused == "unsupported":
        return Side.NOT_TRIED if _lacks_means(case.reason) else Side.NOT_OFFERED
    return {"pass": Side.HOLDS, "fail": Side.BROKEN}.get(case.verdict, Side.UNDECIDED)


def _lacks_means(reason: str) -> bool:
    missing = reason.removeprefix(NOT_OFFERED).split(", ") if reason.startswith(NOT_OFFERED) else []
    return not MEANS.isdisjoint(missing)


def _readings(case: Case | None) -> frozenset[str]:
    return frozenset(reading.reading for reading in case.readings) if case else frozenset()


def _differ(before: Iterable[str], after: Iterable[str]) -> bool:
    """Return whether one place of the text is read in two ways; a place that one side alone has met does not count."""
    then, now = (dict(reading.split("/", 1) for reading in side) for side in (before, after))
    return any(then[place] != now[place] for place in then.keys() & now.keys())


def _remarks(*files: tuple[ResultFile, Path]) -> Iterator[str]:
    for file, path in files:
        yield from file.remarks()
        if not _cases(file):
            yield f"{path}: holds no case of queue managers; run with --req MQSO"
