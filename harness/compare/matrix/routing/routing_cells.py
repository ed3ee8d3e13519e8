"""All cells of routing: messages walk through enterprises of several vendors, and whoever misleads them is named.

Every implementation is asked once, and each cell walks through the answers of its sides.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from mqconform.harness.compare.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Played, Result
from mqconform.harness.compare.matrix.matrix_file import Settings
from mqconform.harness.compare.matrix.matrix_plan import Implementation
from mqconform.harness.compare.matrix.routing.enterprises import Enterprise, enterprises_of
from mqconform.harness.compare.matrix.routing.router_answers import Answers, Asking, Model
from mqconform.harness.compare.matrix.routing.smallest_enterprises import Shrinking, Smallest
from mqconform.harness.iut.interface import IutFault
from mqconform.harness.judge.mqbr.message_walks import End, Walk, walk
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.suite.ambiguity import load_register

Hops = tuple[str, ...] | None
Step = tuple[str, Hops, str]
"""Who was asked, the answer, and how the implementation broke its contract instead."""
SHOWN: Final = 10
"""Hops of one answer."""


@dataclass(frozen=True, slots=True)
class MixedEnterprise:
    """An enterprise whose queue managers are played by the sides of a cell, in turn.

    Attributes:
        sides: the side that plays each queue manager, by identifier.
        answers: of the implementation on each side.
    """

    enterprise: Enterprise
    sides: Mapping[str, str]
    answers: Mapping[str, Answers]
    model: Model

    def played(self, most: int) -> tuple[Played, tuple[Finding, ...]]:
        """Walk as many messages at most; return what came of it."""
        findings: list[Finding] = []
        ends: Counter[End] = Counter()
        for source, destination in self.enterprise.questions(most):
            ways = {
                (one.way, one.end): one
                for one in (self._walk(source, destination, last=last) for last in (False, True))
            }
            for walked in ways.values():
                ends[walked.end] += 1
                findings += self._findings(walked, destination)
        verdict = worst((Verdict.PASS, *(one.verdict for one in findings)))
        told = f"{ends[End.ARRIVED]} of {ends.total()} messages arrived"
        return Played(self.enterprise.name, verdict, told), tuple(findings)

    def _walk(self, source: str, destination: str, *, last: bool) -> Walk[Step]:
        """Walk by the first hop of each answer, or by the last."""

        def ask(at: str) -> tuple[Step, str | None]:
            try:
                hops = self._hops(at, destination)
            except IutFault as fault:
                return (at, None, str(fault)), None
            chosen = hops[-1 if last else 0] if hops else None
            known = chosen is None or chosen in self.sides
            return (at, hops, ""), chosen if known else ""

        return walk(ask, source, destination)

    def _hops(self, at: str, destination: str) -> Hops:
        answers, question = self.answers[self.sides[at]], (self.enterprise.name, at, destination)
        if question not in answers.hops:
            raise IutFault(
                "error", answers.faults.get(question, "it had broken its contract before, and was not asked")
            )
        return answers.hops[question]

    def _findings(self, walked: Walk[Step], destination: str) -> Iterator[Finding]:
        """Yield who chose a hop that is not allowed; where nobody did, that the message was lost all the same."""
        wrong = False
        for at, hops, fault in walked.answers:
            judged = self.model.judgement(self.enterprise, at, destination, hops)
            if fault or judged.verdict is Verdict.FAIL:
                wrong = True
                says = fault or f"{self._named(at)} answers {self._hops_text(hops)}; allowed: {judged.expected}"
                requirement = "" if fault else self.model.requirement(self.enterprise, at, destination)
                yield Finding(
                    self.enterprise.name,
                    self.sides[at],
                    requirement,
                    Verdict.FAIL,
                    says,
                    self._told(walked, destination),
                )
        by_right = walked.end is End.STUCK and len(walked.way) == 1
        if not wrong and walked.end is not End.ARRIVED and not by_right:
            says = f"a message is lost ({walked.end}), though each answer on its way is one that the text allows"
            told = self._told(walked, destination)
            yield Finding(self.enterprise.name, "", "", Verdict.INCONCLUSIVE, says, told)

    def _told(self, walked: Walk[Step], destination: str) -> str:
        """Return the way of a message, each queue manager with the side that played it."""
        steps = [f"{self._named(one)} ({self.sides[one]})" for one in walked.way]
        return f"to {self._named(destination)}: {' -> '.join(steps)}: {walked.end}"

    def _hops_text(self, hops: Hops) -> str:
        return ", ".join(map(self._named, hops[:SHOWN])) if hops else "no route"

    def _named(self, identifier: str) -> str:
        return self.enterprise.named(identifier)


def sides_in_turn(cell: Cell, enterprise: Enterprise) -> dict[str, str]:
    """Return which side plays each queue manager: they take turns in the directory's order."""
    sides = [side for side, _ in cell.sides]
    return {machine: sides[place % len(sides)] for place, machine in enumerate(enterprise.machines)}


def first_of_each(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return of each requirement and side the first finding, with how many more there are."""
    groups: dict[tuple[str, str, Verdict], list[Finding]] = {}
    for one in findings:
        groups.setdefault((one.side, one.requirement or one.says, one.verdict), []).append(one)
    return tuple(_with_count(group) for group in groups.values())


def _with_count(group: Sequence[Finding]) -> Finding:
    first, more = group[0], len(group) - 1
    if not more:
        return first
    says = f"{first.says} (and {more} more of the kind)"
    return replace(first, says=says)


def play_cells(cells: Sequence[Cell], by_name: dict[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known.

    Raises:
        ConfigurationError: an enterprise file cannot be used.
    """
    enterprises = enterprises_of(settings.tried, settings.seed)
    names = dict.fromkeys(name for cell in cells for _, name in cell.sides)
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        asked = {name: pool.submit(Asking(by_name[name], settings.deadline).ask_all, enterprises) for name in names}
        answers = {name: one.result() for name, one in asked.items()}
    model = Model(load_register(), settings.profile)
    shrinking = Shrinking(enterprises, model, settings.out, settings.deadline)
    smallest = {name: shrinking.smallest_of(by_name[name], one) for name, one in answers.items()}
    walks = _Walks(enterprises, answers, model, settings, smallest)
    for cell in cells:
        yield walks.result(cell)


@dataclass(frozen=True, slots=True)
class _Walks:
    enterprises: Sequence[Enterprise]
    answers: dict[str, Answers]
    model: Model
    settings: Settings
    smallest: dict[str, dict[str, Smallest]]

    def result(self, cell: Cell) -> Result:
        unreachable = [self.answers[name].unreachable for _, name in cell.sides if self.answers[name].unreachable]
        if unreachable:
            return Result(cell, excuse=NOT_APPLICABLE, reason=unreachable[0])
        of_sides = {side: self.answers[name] for side, name in cell.sides}
        played, findings, kept = [], list[Finding](), dict[str, None]()
        for enterprise in self.enterprises:
            mixed = MixedEnterprise(enterprise, sides_in_turn(cell, enterprise), of_sides, self.model)
            one, found = mixed.played(self.settings.tried.questions)
            played.append(one)
            if found:
                file = enterprise.keep(self.settings.out)
                kept[file] = None
                findings += [replace(each, evidence=file) for each in found]
        told = tuple(self._with_smallest(cell, one) for one in first_of_each(findings))
        files = dict.fromkeys((*(one.evidence for one in told if one.evidence), *kept))
        return Result(cell, tuple(played), told, tuple(files))

    def _with_smallest(self, cell: Cell, finding: Finding) -> Finding:
        """Return a finding with the smallest enterprise that shows it, where one was found."""
        small = self.smallest.get(dict(cell.sides).get(finding.side, ""), {}).get(finding.requirement)
        if small is None or not finding.side:
            return finding
        return replace(
            finding, observed=f"{finding.observed}\nexplained by, in this folder: {small.told}", evidence=small.file
        )
