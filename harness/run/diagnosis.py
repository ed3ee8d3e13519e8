"""What a red run is likely wrong in: the requirement that is broken, and the known fault that it behaves like.

One bug breaks many sentences. The kill matrix knows which checks some eight hundred faults fail, so the failures of a
run are compared with those of each fault. The requirement that is likely broken is the one that the most similar faults
break, of which most of the known checks failed, that failed where few faults fail, and that failed in most of the
cases. A drawn case aims at no one requirement, and tells which is broken only if no other case failed. A requirement
explains the failed cases of each scenario in which it failed, or in which a fault that breaks it is known to fail:
which check fails first hangs on the fault. What else fails in them is *affected*: not verified, not violated. What is
left is explained likewise, until no failed case is left.

Operations that never answered correctly in a run are one cause of their own: time lines show them.

A fault is named only if it was played, in this process and with the virtual clock, and failed nowhere where the run
passed. A diagnosis changes no verdict of a case and no exit code. Faults and cases to play are limited by count and not
by time, so that no result hangs on the load of the machine.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from typing import Final

from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.results import Moment
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import Place, load_telling, scenario_of

MOST_NAMED: Final = 3
"""Faults that one diagnosis names."""
MOST_PLAYED: Final = 4
"""Faults that are played before one of them is named."""
EVERYTHING: Final = Selection()
MOST_CASES: Final = 8
"""Passed cases that a fault is played in, where it is known to fail, and then failed cases; none that searches."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault: what it breaks, the first requirement first, and the checks that are known to fail for it."""

    name: str
    role: RoleName
    says: str
    breaks: tuple[str, ...]
    fails: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A requirement that is likely broken, and the failed cases that this explains.

    Attributes:
        fault: a known fault that breaks it and behaves like the run, if one does.
        alike: the cases in which it does.
        others: faults that no case tells from it.
    """

    requirement: str
    cases: frozenset[str]
    fault: Fault | None = None
    alike: tuple[str, ...] = ()
    others: tuple[Fault, ...] = ()

    def records(self) -> Iterator[results.Diagnosed]:
        """Yield it as the result file has it, where a fault is named."""
        if fault := self.fault:
            others = tuple(results.AlikeFault(other.name, other.says) for other in self.others)
            broken = (self.requirement, *(id_ for id_ in fault.breaks if id_ != self.requirement))
            yield results.Diagnosed(fault.name, fault.role, fault.says, broken, self.alike, others)


CaseFailures = Mapping[str, str]
"""Of one case, the requirements that it found violated, each with what was observed."""
Play = Callable[[str, Sequence[str]], Mapping[str, CaseFailures]]
"""Runs cases on the fault of a name, and returns the failures of each."""
Places = Mapping[str, frozenset[Place]]
"""The checks that failed, by case."""


def failures_of(case: Case) -> dict[str, str]:
    """Return the requirements that a case found violated, each with what was observed first."""
    failed = [witness for witness in case.witnesses if witness.judgement.verdict is Verdict.FAIL]
    return {witness.requirement: witness.judgement.observed for witness in reversed(failed)}


def places_of(case: Case) -> frozenset[Place]:
    """Return the checks that failed in a case."""
    return frozenset(
        (scenario_of(case.id), witness.check, witness.requirement)
        for witness in case.witnesses
        if witness.judgement.verdict is Verdict.FAIL
    )


def diagnose(
    cases: Iterable[Case], play: Play | None = None, selection: Selection = EVERYTHING
) -> tuple[Explanation, ...]:
    """Return what together explains the failed cases, the likeliest first; without ``play`` no fault is named.

    What was selected and failed is the likeliest, before anything that was not selected.
    """
    ended = {case.id: case for case in cases if not case.excused and case.verdict is not Verdict.ERROR}
    known = Matrix.of({scenario_of(case) for case in ended})
    left = {case.id: places for case in ended.values() if (places := places_of(case))}
    operations = broken_operations(ended.values())
    explanations: list[Explanation] = []
    while left:
        explanation = known.likeliest(left, _aimed(left, ended, selection))
        if play and len(explanations) < MOST_NAMED:
            breaking = (fault for fault in known.faults if explanation.requirement in fault.breaks)
            candidates = known.nearest(frozenset[Place]().union(*left.values()), breaking)[:MOST_PLAYED]
            explanation = _with_fault(explanation, candidates, left, ended, play)
            if explanation.fault and len(explanation.alike) == len(left):
                failed = {requirement for places in left.values() for *_, requirement in places}
                broken_first = (id_ for id_ in explanation.fault.breaks if id_ in failed and selection.wants((id_,)))
                explanation = replace(explanation, requirement=next(broken_first, explanation.requirement))
        broken = {operations[case] for case in explanation.cases if case in operations}
        alike = frozenset(case for case in left if operations.get(case) in broken)
        explanation = replace(explanation, cases=explanation.cases | alike)
        explanations.append(explanation)
        left = {case: places for case, places in left.items() if case not in explanation.cases}
    return tuple(explanations)


@dataclass(frozen=True, slots=True)
class Matrix:
    """What is known of the faults in the scenarios of a run.

    Attributes:
        faults: those that some check of them convicts.
        frequency: how many of the faults fail each check.
        checks: how many of the checks judge each requirement.
    """

    faults: tuple[Fault, ...]
    frequency: Counter[Place]
    checks: Counter[str]

    @classmethod
    def of(cls, scenarios: Collection[str]) -> "Matrix":
        """Return the part of the kill matrix that some scenarios make."""
        in_part = (
            replace(fault, fails=frozenset(place for place in fault.fails if place[0] in scenarios))
            for fault in known_faults().values()
        )
        faults = tuple(fault for fault in in_part if fault.fails)
        frequency = Counter(place for fault in faults for place in fault.fails)
        return cls(faults, frequency, Counter(requirement for *_, requirement in frequency))

    def likeliest(self, failed: Places, aimed: Places) -> Explanation:
        """Return the requirement that is most likely broken, with the cases that this explains.

        Args:
            failed: all failed cases.
            aimed: those of them, and of their checks, that a requirement may be named for.
        """
        failures = frozenset[Place]().union(*failed.values())
        alike = self.nearest(failures, self.faults)
        most = self._likeness(alike[0], failures) if alike else 0
        nearest = [*takewhile(lambda fault: self._likeness(fault, failures) == most, alike)]
        merits: dict[str, tuple[float, int]] = {}
        candidates = frozenset[Place]().union(*aimed.values())
        for requirement in sorted({requirement for *_, requirement in candidates}):
            places = {place for place in candidates if place[2] == requirement}
            merit = (
                most * sum(requirement in fault.breaks for fault in nearest) / max(len(nearest), 1)
                + len(places) / max(len(places), self.checks[requirement])
                + self._weight(places) / self._weight(candidates)
                + sum(not places.isdisjoint(aimed[case]) for case in aimed) / len(aimed)
            )
            merits[requirement] = merit, sum(requirement == fault.breaks[0] for fault in nearest if fault.breaks)
        likeliest = max(merits, key=lambda requirement: merits[requirement])
        breaking = (fault for fault in self.faults if likeliest in fault.breaks)
        explained = {scenario for fault in breaking for scenario, *_ in fault.fails}
        explained |= {scenario for scenario, _, requirement in failures if requirement == likeliest}
        return Explanation(likeliest, frozenset(case for case in failed if scenario_of(case) in explained))

    def nearest(self, failures: frozenset[Place], faults: Iterable[Fault]) -> list[Fault]:
        """Return those faults that fail some of the same checks, the most similar first."""
        alike = {fault.name: fault for fault in faults if not fault.fails.isdisjoint(failures)}
        return sorted(alike.values(), key=lambda fault: (-self._likeness(fault, failures), fault.name))

    def _likeness(self, fault: Fault, failures: frozenset[Place]) -> float:
        """Return which part of all failures they have in common; a check that many faults fail weighs little."""
        return self._weight(fault.fails & failures) / self._weight(fault.fails | failures)

    def _weight(self, places: Iterable[Place]) -> float:
        return sum(1 / (self.frequency[place] or 0.5) for place in places)


def _aimed(left: Places, ended: Mapping[str, Case], selection: Selection) -> Places:
    """Return what a requirement may be named for: what failed and was selected, if anything was, in cases not drawn."""
    wanted = {
        case: frozenset(place for place in places if selection.wants((place[2],))) for case, places in left.items()
    }
    wanted = {case: places for case, places in wanted.items() if places} or dict(left)
    return {case: places for case, places in wanted.items() if not ended[case].generated} or wanted


def _with_fault(
    explanation: Explanation,
    candidates: Iterable[Fault],
    left: Places,
    ended: Mapping[str, Case],
    play: Play,
) -> Explanation:
    """Return the explanation with the fault that behaves like most of what is left and contradicts nothing.

    Passed cases are played first: they take little time, and refute most faults.
    """
    best, merit = explanation, (0, 0)
    for fault in candidates:
        known = [case for case, places in left.items() if ended[case].generated or places & fault.fails]
        passed, failed = _cases_for(fault, left, ended)
        if len(known) < merit[0] or (passed and any(play(fault.name, passed).values())):
            continue
        played = play(fault.name, failed) if failed else {}
        if any(set(played.get(case, {})) - set(failures_of(ended[case])) for case in failed):
            continue
        same = [case for case in failed if played.get(case)]
        alike = (*same, *(case for case in known if case not in failed))
        exact = sum(played[case] == failures_of(ended[case]) for case in same)
        if same and best.fault and (len(alike), exact) == merit:
            best = replace(best, others=(*best.others, fault))
        elif same and (len(alike), exact) > merit:
            cases = explanation.cases.union(alike)
            best, merit = Explanation(explanation.requirement, cases, fault, alike), (len(alike), exact)
    return best


def _cases_for(fault: Fault, left: Places, ended: Mapping[str, Case]) -> tuple[list[str], list[str]]:
    fails_in = {scenario for scenario, *_ in fault.fails}
    playable = [case for case in ended if not ended[case].generated]
    failed = [case for case in playable if case in left]
    passed = [case for case in playable if not places_of(ended[case]) and scenario_of(case) in fails_in]
    return _spread(passed, MOST_CASES), _spread(failed, MOST_CASES)


def _spread(cases: Iterable[str], most: int) -> list[str]:
    """Return at most ``most`` cases: the first of each scenario, then the second, and so on."""
    places: Counter[str] = Counter()
    order: list[tuple[int, str]] = []
    for case in cases:
        order.append((places[scenario_of(case)], case))
        places[scenario_of(case)] += 1
    return [case for _, case in sorted(order, key=lambda entry: entry[0])[:most]]


def with_standings(
    findings: Iterable[Finding], cases: Iterable[Case], explanations: Sequence[Explanation]
) -> list[Finding]:
    """Return the findings; what fails only because of something else is affected, and names its cause."""
    broken = {explanation.requirement for explanation in explanations}
    cause_of: dict[str, str] = {}
    for explanation in explanations:
        for case in cases:
            for id_ in failures_of(case) if case.id in explanation.cases else ():
                if id_ not in broken:
                    cause_of.setdefault(id_, explanation.requirement)
    return [
        replace(finding, standing=Standing.AFFECTED, cause=cause_of[finding.requirement.id])
        if finding.standing is Standing.VIOLATED and finding.requirement.id in cause_of
        else finding
        for finding in findings
    ]


@cache
def known_faults() -> Mapping[str, Fault]:
    """Return the known faults of all roles that fail some check, by name."""
    fails: dict[str, set[Place]] = {}
    for place, names in load_telling().places.items():
        for name in names:
            fails.setdefault(name, set()).add(place)
    return {
        name: Fault(name, mutant.role, mutant.says, mutant.breaks, frozenset(fails[name]))
        for name, mutant in all_mutants().items()
        if mutant.breaks and name in fails
    }


FEWEST: Final = 3
"""Scenarios in which an operation has to be wrong: less may be chance."""


def broken_operations(cases: Iterable[Case]) -> dict[str, str]:
    """Return the operation that never answered correctly by the id of each case that it made fail."""
    wrong: dict[str, set[str]] = defaultdict(set)
    other: dict[str, set[str]] = defaultdict(set)
    failed: dict[str, str] = {}
    for case in cases:
        for moment in _judged(case.timeline):
            (wrong if moment.allowed else other)[_operation(moment)].add(moment.answer)
            if moment.allowed:
                failed[case.id] = _operation(moment)
    failures = [operation for _, operation in {(scenario_of(case), operation) for case, operation in failed.items()}]
    broken = {operation for operation in wrong if other[operation] <= wrong[operation]}
    return {
        case: operation
        for case, operation in failed.items()
        if operation in broken and failures.count(operation) >= FEWEST
    }


def _judged(timeline: Iterable[Moment]) -> Iterator[Moment]:
    """Yield the rows up to the one that was not allowed; those behind it are not judged."""
    for moment in timeline:
        yield moment
        if moment.allowed:
            return


def _operation(moment: Moment) -> str:
    return moment.what.partition(" ")[0]
