"""Violated requirements by likely cause: one bug breaks many sentences, and the most specific of them says what it is.

The known faults of the suite are the dictionary: ``kills.json`` has which requirements each of them violates. The few
faults that best explain what a run violated divide it into groups; of each group, the requirement that its fault aims
at stands for the rest. This is a guess about where to look first. It changes no verdict and hides no requirement.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from typing import Final

from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.records.by_cause import by_cause
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.verdict import Standing
from mqconform.harness.suite.telling import load_telling

CONTRADICTION: Final = 0.5
"""What a requirement weighs that a fault violates and this run verified, against one that both violate."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a known fault violates: the requirements that it aims at, and all."""

    aims: tuple[str, ...]
    violates: frozenset[str]


def with_causes(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings, each violated one that is likely a consequence with the requirement that it follows from."""
    all_findings = list(findings)
    violated = {finding.requirement.id for finding in all_findings if finding.standing is Standing.VIOLATED}
    if len(violated) < 2:
        return all_findings
    verified = {finding.requirement.id for finding in all_findings if finding.standing is Standing.VERIFIED}
    causes = {id_: cause for cause, group in grouped(violated, verified).items() for id_ in group if id_ != cause}
    return [replace(finding, cause=causes.get(finding.requirement.id, "")) for finding in all_findings]


def by_likely_cause(violated: Iterable[Finding]) -> list[tuple[Finding, list[Finding]]]:
    """Return each cause with what follows from it; see ``by_cause``."""
    return by_cause(violated, lambda finding: finding.requirement.id)


def grouped(violated: Collection[str], verified: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the violated requirements by likely cause, the group that explains most first, itself first in it."""
    left, groups = set(violated), dict[str, list[str]]()
    while left:
        score, aims, name = max(
            (_score(fault, left, verified), aims, name)
            for name, fault in (*known_faults().items(), ("", Fault((), frozenset())))
            if (aims := _rarest(left.intersection(fault.aims))) or not name
        )
        if not aims or score <= 0:  # no known fault breaks these: each is its own cause
            return groups | {id_: [id_] for id_ in sorted(left)}
        group = left & known_faults()[name].violates | {aims}
        groups[aims] = sorted(group, key=lambda id_: (id_ != aims, _frequencies()[id_], id_))
        left -= group
    return groups


@cache
def known_faults() -> Mapping[str, Fault]:
    """Return the known faults of all roles that violate anything, by name of the mutant."""
    violates = defaultdict[str, set[str]](set)
    for requirement, names in load_telling().convicts():
        for name in names:
            violates[name].add(requirement)
    aims = {name: mutant.breaks for name, mutant in all_mutants().items()}
    return {name: Fault(aims[name], frozenset(ids)) for name, ids in violates.items() if aims.get(name)}


@cache
def _frequencies() -> Counter[str]:
    """Return how many known faults violate each requirement: few, where it is specific."""
    return Counter(id_ for fault in known_faults().values() for id_ in fault.violates)


def _score(fault: Fault, left: Collection[str], verified: Collection[str]) -> float:
    """Return how much of what is left a fault explains; what is rarely violated says more."""
    return _weight(fault.violates.intersection(left)) - CONTRADICTION * _weight(fault.violates.intersection(verified))


def _weight(ids: Iterable[str]) -> float:
    return sum(1 / sqrt(_frequencies()[id_]) for id_ in sorted(ids))


def _rarest(ids: Collection[str]) -> str:
    return min(ids, key=lambda id_: (_frequencies()[id_], id_), default="")
