"""All cells of routing: messages walk through enterprises of several vendors, and each wrong hop names its router.

Every implementation is asked once, and each cell walks through the answers of its sides.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import Final

from mqconform.harness.explore.inputs.router import RouterInputs
from mqconform.harness.explore.inputs.router_enterprises import RouterInput
from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Played, Result, alike
from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.explore.matrix.routing_answers import Enterprise, Hops, Model, Router, enterprises_of, kept
from mqconform.harness.iut.interface import IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqbr.message_walks import End, Walk, walk
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.records.verdict import Verdict, worst

MOST: Final = 3
"""Requirements of one implementation for which a smallest enterprise is looked for."""
ATTEMPTS: Final = 120
SHOWN: Final = 10
"""Hops of one answer."""
Step = tuple[str, Hops, str]
"""Who was asked, the answer, and how the implementation broke its contract instead."""


@dataclass(frozen=True, slots=True)
class Shrinking:
    """Looks for smallest enterprises, and keeps them below the folder of the results; only generated ones shrink."""

    enterprises: Sequence[Enterprise]
    model: Model
    out: Path

    def smallest_of(self, router: Router) -> dict[str, tuple[str, str]]:
        """Return a file below the folder of results and a command to run there, by the requirement broken in it."""
        wrong = self._wrong_answers(router)
        if not wrong:
            return {}
        try:
            with closing(router.implementation.connect(router.deadline)) as iut:
                return {
                    name: self._shrunk(iut, f"{router.implementation.name}-{name}", *at) for name, at in wrong.items()
                }
        except IutProblem:  # it cannot be reached, or breaks its contract as well, which its cells tell
            return {}

    def _wrong_answers(self, router: Router) -> dict[str, tuple[NamedEnterprise, str, str]]:
        """Return for some requirements where a question was answered wrongly first, and its source and destination."""
        questions: dict[str, tuple[NamedEnterprise, str, str]] = {}
        by_name = {enterprise.name: enterprise for enterprise in self.enterprises}
        for (name, source, destination), hops in router.hops.items():
            enterprise = by_name[name]
            if enterprise.generated is None or len(questions) == MOST:
                continue
            if self.model.judgement(enterprise, source, destination, hops).verdict is Verdict.FAIL:
                names = (enterprise.named(source), enterprise.named(destination))
                requirement = self.model.requirement(enterprise, source, destination)
                questions.setdefault(requirement, (enterprise.generated, *names))
        return questions

    def _shrunk(
        self, iut: CheckedIut, name: str, enterprise: NamedEnterprise, source: str, destination: str
    ) -> tuple[str, str]:
        inputs = RouterInputs(self.model.profile)

        def shows(candidate: RouterInput) -> bool:
            iut.call("reset", {})
            return any(answer.wrong for answer in inputs.play(iut, candidate))

        whole = RouterInput(enterprise, ((source, destination),))
        small = reduced(whole, inputs.smaller, shows, ATTEMPTS).enterprise
        file = kept(small.document, f"smallest-{name}", self.out)
        words = ["mqconform", "next-hops", "--directory", file, "--from", source, "--to", destination, "--explain"]
        return file, shlex.join(words)


@dataclass(frozen=True, slots=True)
class MixedEnterprise:
    """An enterprise whose queue managers are played by the sides of a cell, in turn.

    Attributes:
        sides: the side that plays each queue manager, by identifier.
        routers: the implementation on each side.
    """

    enterprise: Enterprise
    sides: Mapping[str, str]
    routers: Mapping[str, Router]
    model: Model

    def played(self, most: int) -> tuple[Played, list[Finding]]:
        """Walk as many messages at most; return what came of it."""
        findings: list[Finding] = []
        ends: Counter[End] = Counter()
        for source, destination in self.enterprise.questions(most):
            walks = [self._walk(source, destination, choice) for choice in (0, -1)]
            for walked in {(each.way, each.end): each for each in walks}.values():
                ends[walked.end] += 1
                findings += self._findings(walked, destination)
        verdict = worst((Verdict.PASS, *(finding.verdict for finding in findings)))
        summary = f"{ends[End.ARRIVED]} of {ends.total()} messages arrived"
        return Played(self.enterprise.name, verdict, summary), findings

    def _walk(self, source: str, destination: str, choice: int) -> Walk[Step]:
        """Walk by the first hop of each answer, or by the last."""

        def ask(at: str) -> tuple[Step, str | None]:
            try:
                hops = self.routers[self.sides[at]].answer((self.enterprise.name, at, destination))
            except IutFault as fault:
                return (at, None, str(fault)), None
            chosen = hops[choice] if hops else None
            return (at, hops, ""), chosen if chosen is None or chosen in self.sides else ""

        return walk(ask, source, destination)

    def _findings(self, walked: Walk[Step], destination: str) -> Iterator[Finding]:
        """Yield each hop that is not allowed; a message that is lost without one is a finding of its own."""
        wrong, name, named = False, self.enterprise.name, self.enterprise.named
        steps = " -> ".join(f"{named(machine)} ({self.sides[machine]})" for machine in walked.way)
        told = f"to {named(destination)}: {steps}: {walked.end}"
        for at, hops, fault in walked.answers:
            judged = self.model.judgement(self.enterprise, at, destination, hops)
            if fault or judged.verdict is Verdict.FAIL:
                wrong = True
                answer = ", ".join(map(named, hops[:SHOWN])) if hops else "no route"
                says = fault or f"{named(at)} answers {answer}; allowed: {judged.expected}"
                requirement = "" if fault else self.model.requirement(self.enterprise, at, destination)
                yield Finding(name, self.sides[at], requirement, Verdict.FAIL, says, told)
        by_right = walked.end is End.STUCK and len(walked.way) == 1
        if not wrong and walked.end is not End.ARRIVED and not by_right:
            says = f"a message is lost ({walked.end}), although each answer on its path is allowed"
            yield Finding(name, "", "", Verdict.INCONCLUSIVE, says, told)


def play_cells(cells: Sequence[Cell], by_name: Mapping[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known.

    Raises:
        ConfigurationError: an enterprise file cannot be used.
    """
    enterprises = enterprises_of(settings)
    names = dict.fromkeys(name for cell in cells for _, name in cell.sides)
    routers = {name: Router(by_name[name], settings.deadline) for name in names}
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        list(pool.map(lambda router: router.ask_all(enterprises), routers.values()))
    model = Model(settings.profile)
    shrinking = Shrinking(enterprises, model, settings.out)
    smallest = {name: shrinking.smallest_of(router) for name, router in routers.items()}
    for cell in cells:
        of_sides = {side: routers[name] for side, name in cell.sides}
        unreachable = [router.unreachable for router in of_sides.values() if router.unreachable]
        if unreachable:
            yield Result(cell, excuse=NOT_APPLICABLE, reason=unreachable[0])
            continue
        played, findings, files = [], list[Finding](), list[str]()
        for enterprise in enterprises:
            turns = dict(zip(enterprise.machines, cycle(of_sides)))
            journeys, wrong = MixedEnterprise(enterprise, turns, of_sides, model).played(settings.tried.questions)
            played.append(journeys)
            if wrong:
                files.append(kept(enterprise.document, enterprise.name, settings.out))
                findings += [replace(each, evidence=files[-1]) for each in wrong]
        by_side = {side: smallest[name] for side, name in cell.sides}
        distinct = tuple(_summed_up(group, by_side.get(group[0].side, {})) for group in alike(findings))
        evidence = dict.fromkeys((*(finding.evidence for finding in distinct), *files))
        yield Result(cell, tuple(played), distinct, tuple(evidence))


def _summed_up(group: Sequence[Finding], smallest: Mapping[str, tuple[str, str]]) -> Finding:
    """Return the first of some findings with how many more there are, and the smallest enterprise that shows it."""
    first, more = group[0], len(group) - 1
    if more:
        first = replace(first, says=f"{first.says} (and {more} more of the kind)")
    if not first.side or first.requirement not in smallest:
        return first
    file, command = smallest[first.requirement]
    return replace(first, observed=f"{first.observed}\nexplained by, in this folder: {command}", evidence=file)
