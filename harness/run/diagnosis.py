"""What a red run behaves like: the known faults that fail the way it failed.

One bug breaks many sentences. A run that fails as a known fault fails likely has that fault, so the few faults that
explain a run are named first, and what else fails in the same cases is *affected*: not verified, not violated. No fault
is named that fails where the run passed. A diagnosis changes no verdict of a case and no exit code.

Faults are chosen by the kill matrix and then played, in this process and with the virtual clock. Their number and that
of the cases is limited by count and not by time, so that no result hangs on the load of the machine.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.suite.telling import load_telling, scenario_of

MOST_FAULTS: Final = 3
"""Faults that one diagnosis names together."""
MOST_PLAYED: Final = 8
"""Faults that are played before one of them is chosen."""
MOST_CASES: Final = 48
"""Cases that a fault is played in: failed ones, and passed ones that it is known to fail; none that searches."""
PRECISION: Final = 0.25
"""What it weighs that a run fails all that a fault does not, against one; squared, as in an F measure."""


class Failure(NamedTuple):
    """A check that failed: the scenario and the requirement."""

    scenario: str
    requirement: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault: what it breaks, the first requirement first, and the checks that are known to fail for it."""

    name: str
    role: RoleName
    says: str
    breaks: tuple[str, ...]
    fails: frozenset[Failure]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A fault that behaves like the run in some of its failed cases, and others that no case tells from it."""

    fault: Fault
    cases: tuple[str, ...]
    others: tuple[Fault, ...] = ()

    def record(self) -> results.Diagnosed:
        """Return it as the result file has it."""
        fault = self.fault
        others = tuple(results.AlikeFault(other.name, other.says) for other in self.others)
        return results.Diagnosed(fault.name, fault.role, fault.says, fault.breaks, self.cases, others)


CaseFailures = Mapping[str, str]
"""Of one case, the requirements that it found violated, each with what was observed."""
Play = Callable[[str, Sequence[str]], Mapping[str, CaseFailures]]
"""Runs cases on the fault of a name, and returns the failures of each."""


def failures_of(case: Case) -> dict[str, str]:
    """Return the requirements that a case found violated, each with what was observed first."""
    failed = [witness for witness in case.witnesses if witness.judgement.verdict is Verdict.FAIL]
    return {witness.requirement: witness.judgement.observed for witness in reversed(failed)}


def diagnose(cases: Iterable[Case], play: Play) -> tuple[Explanation, ...]:
    """Return the faults that together explain the failed cases, the one that explains most first; none if none does."""
    ended = [case for case in cases if not case.excused and case.verdict is not Verdict.ERROR]
    judged = {case.id: failures_of(case) for case in ended}
    searching = frozenset(case.id for case in ended if case.generated)
    left = {case: failures for case, failures in judged.items() if failures}
    explanations: list[Explanation] = []
    while left and len(explanations) < MOST_FAULTS:
        explanation = _best(left, judged, searching, play, {each.fault.name for each in explanations})
        if explanation is None:
            break
        explanations.append(explanation)
        left = {case: failures for case, failures in left.items() if case not in explanation.cases}
    return tuple(explanations)


def _best(
    left: Mapping[str, CaseFailures],
    judged: Mapping[str, CaseFailures],
    searching: Collection[str],
    play: Play,
    named: Collection[str],
) -> Explanation | None:
    """Return the fault that explains most of what is left and contradicts nothing."""
    best: Explanation | None = None
    merit = (0, 0)
    for fault in ranked(left, judged, named):
        chosen = _cases_for(fault, left, judged, searching)
        played = play(fault.name, chosen) if chosen else {}
        if any(set(played.get(case, {})) - set(judged[case]) for case in chosen):
            continue
        alike = [case for case in chosen if case in left and played.get(case)]
        explains = (*alike, *_unplayed(fault, left, chosen, searching))
        exact = sum(played[case] == left[case] for case in alike)
        if alike and best and (len(explains), exact) == merit:
            best = replace(best, others=(*best.others, fault))
        elif alike and (len(explains), exact) > merit:
            best, merit = Explanation(fault, explains), (len(explains), exact)
    return best


def _unplayed(
    fault: Fault, left: Mapping[str, CaseFailures], chosen: Sequence[str], searching: Collection[str]
) -> Iterator[str]:
    """Yield the cases that a fault explains unplayed: those it is known to fail, and those that draw what they ask."""
    for case, failures in left.items():
        fails_here = any(Failure(scenario_of(case), id_) in fault.fails for id_ in failures)
        if case not in chosen and (fails_here or case in searching):
            yield case


def ranked(
    left: Mapping[str, CaseFailures], judged: Mapping[str, CaseFailures], named: Collection[str] = ()
) -> list[Fault]:
    """Return the few faults whose known failures are most like those that are left."""
    scenarios = {scenario_of(case) for case in judged}
    failed = {Failure(scenario_of(case), id_) for case, failures in judged.items() for id_ in failures}
    open_failures = {Failure(scenario_of(case), id_) for case, failures in left.items() for id_ in failures}
    merits: dict[str, float] = {}
    for fault in known_faults().values():
        if fault.name in named or not (common := len(fault.fails & open_failures)):
            continue
        usual = [failure for failure in fault.fails if failure.scenario in scenarios]
        precision = sum(failure in failed for failure in usual) / len(usual)
        recall = common / len(open_failures)
        merits[fault.name] = (1 + PRECISION) * precision * recall / (PRECISION * precision + recall)
    broken = {id_ for failures in left.values() for id_ in failures}
    about = {name: len(broken.intersection(known_faults()[name].breaks)) for name in merits}
    best = sorted(merits, key=lambda name: (-merits[name], -about[name], name))[:MOST_PLAYED]
    return [known_faults()[name] for name in best]


def _cases_for(
    fault: Fault, left: Mapping[str, CaseFailures], judged: Mapping[str, CaseFailures], searching: Collection[str]
) -> list[str]:
    """Return cases to play a fault in, spread over the scenarios."""
    fails_in = {failure.scenario for failure in fault.fails}
    playable = {case: failures for case, failures in judged.items() if case not in searching}
    failed = [case for case in playable if case in left]
    passed = [case for case, failures in playable.items() if not failures and scenario_of(case) in fails_in]
    return [*_spread(failed, MOST_CASES * 2 // 3), *_spread(passed, MOST_CASES // 3)]


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
    """Return the findings; what fails only in cases that something else explains is affected, and names its cause."""
    all_findings = list(findings)
    violated = [finding.requirement.id for finding in all_findings if finding.standing is Standing.VIOLATED]
    causes = _causes({case.id: failures_of(case) for case in cases}, explanations)
    broken = {id_ for case_causes in causes.values() for id_ in case_causes.values()}
    cause_of: dict[str, str] = {}
    for requirement in violated:
        if requirement not in broken:
            named = [case_causes[requirement] for case_causes in causes.values() if requirement in case_causes]
            cause_of[requirement] = named[0] if named else ""
    return [
        replace(finding, standing=Standing.AFFECTED, cause=cause_of[finding.requirement.id])
        if cause_of.get(finding.requirement.id)
        else finding
        for finding in all_findings
    ]


def _causes(failed: Mapping[str, CaseFailures], explanations: Sequence[Explanation]) -> dict[str, dict[str, str]]:
    """Return by case each requirement that failed there with the one whose breach is the cause, maybe itself."""
    explained = {case: explanation.fault for explanation in explanations for case in explanation.cases}
    mains = {explanation.fault.name: _main(explanation, failed) for explanation in explanations}
    causes = {}
    for case, failures in failed.items():
        if failures:
            fault = explained.get(case)
            cause = mains[fault.name] if fault else narrowest(failures)
            causes[case] = dict.fromkeys(failures, cause) | {cause: cause}
    return causes


def _main(explanation: Explanation, failed: Mapping[str, CaseFailures]) -> str:
    """Return the requirement that a fault breaks and that failed; the first of those that it breaks comes first."""
    violated = {id_ for case in explanation.cases for id_ in failed[case]}
    broken = [id_ for id_ in explanation.fault.breaks if id_ in violated]
    return broken[0] if broken else narrowest(violated)


def narrowest(requirements: Iterable[str]) -> str:
    """Return the requirement that the fewest known faults violate: it says most about what is wrong."""
    return min(requirements, key=lambda id_: (_frequencies()[id_], id_))


@cache
def known_faults() -> Mapping[str, Fault]:
    """Return the known faults of all roles that some check convicts, by name."""
    fails: dict[str, set[Failure]] = {}
    for scenario, requirement, names in load_telling().failures():
        for name in names:
            fails.setdefault(name, set()).add(Failure(scenario, requirement))
    return {
        name: Fault(name, mutant.role, mutant.says, mutant.breaks, frozenset(fails[name]))
        for name, mutant in all_mutants().items()
        if mutant.breaks and name in fails
    }


@cache
def _frequencies() -> Counter[str]:
    """Return how many known faults violate each requirement."""
    return Counter(id_ for fault in known_faults().values() for id_ in {failure.requirement for failure in fault.fails})
