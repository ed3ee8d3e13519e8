"""All cells of routing: messages walk through enterprises of several vendors, and each wrong hop names its router.

Every implementation is asked once, and each cell walks through the answers of its sides.
"""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Played, Result
from mqconform.harness.explore.matrix.matrix_file import Settings
from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.explore.matrix.routing.enterprises import FOLDER, Enterprise, as_enterprise, enterprises_of
from mqconform.harness.explore.matrix.routing.router_answers import Answers, Asking, Model
from mqconform.harness.iut.drivers.router.hops import known, next_hops
from mqconform.harness.iut.interface import IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.mqbr.message_walks import End, Walk, walk
from mqconform.harness.judge.mqbr.named_enterprise import MACHINE, NamedEnterprise, guid_of
from mqconform.harness.judge.mqbr.smaller_enterprises import has_gates, smaller_enterprises
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.suite.ambiguity import load_register

MOST: Final = 3
"""Requirements of one implementation for which a smallest enterprise is looked for."""
ATTEMPTS: Final = 120
Question = tuple[NamedEnterprise, str, str]
"""Where, and the names of source and destination."""


@dataclass(frozen=True, slots=True)
class Smallest:
    """One of them, as it was kept.

    Attributes:
        file: below the folder of the results.
        command: the command that explains it, in that folder.
    """

    file: str
    command: str


@dataclass(frozen=True, slots=True)
class Shrinking:
    """Looks for smallest enterprises, and keeps them below the folder of the results; only generated ones shrink."""

    enterprises: Sequence[Enterprise]
    model: Model
    out: Path
    deadline: float

    def smallest_of(self, implementation: Implementation, answers: Answers) -> dict[str, Smallest]:
        """Return the smallest enterprises of a router, by the requirement that it breaks there."""
        wrong = self._wrong_answers(answers)
        if not wrong:
            return {}
        try:
            with closing(implementation.connect(self.deadline)) as iut:
                return {name: self._shrunk(iut, f"{implementation.name}-{name}", *at) for name, at in wrong.items()}
        except IutProblem:  # it cannot be reached, or breaks its contract as well, which its cells tell
            return {}

    def _wrong_answers(self, answers: Answers) -> dict[str, Question]:
        """Return for some requirements the first question that was answered wrongly."""
        questions: dict[str, Question] = {}
        by_name = {enterprise.name: enterprise for enterprise in self.enterprises}
        for (name, source, destination), hops in answers.hops.items():
            enterprise = by_name[name]
            if enterprise.named_enterprise is None or len(questions) == MOST:
                continue
            if self.model.judgement(enterprise, source, destination, hops).verdict is Verdict.FAIL:
                requirement = self.model.requirement(enterprise, source, destination)
                names = (enterprise.named(source), enterprise.named(destination))
                questions.setdefault(requirement, (enterprise.named_enterprise, *names))
        return questions

    def _shrunk(
        self, iut: CheckedIut, name: str, enterprise: NamedEnterprise, source: str, destination: str
    ) -> Smallest:
        local, target = guid_of(MACHINE, source), guid_of(MACHINE, destination)

        def shows(candidate: NamedEnterprise) -> bool:
            if not {source, destination} <= {machine.name for machine in candidate.machines}:
                return False
            if not has_gates(candidate):
                return False
            tried = as_enterprise("tried", candidate)
            iut.call("reset", {})
            iut.call("router.load_directory", {"directory": tried.document})
            iut.call("router.initialize", {"local": local})
            hops = known(next_hops(iut, local, target))
            fresh = Model(self.model.register, self.model.profile)
            return fresh.judgement(tried, local, target, hops).verdict is Verdict.FAIL

        small = reduced(enterprise, smaller_enterprises, shows, ATTEMPTS)
        file = f"{FOLDER}/smallest-{name}.json"
        (self.out / FOLDER).mkdir(parents=True, exist_ok=True)
        (self.out / file).write_text(json.dumps(small.document, indent=1) + "\n", encoding="utf-8")
        words = ["mqconform", "next-hops", "--directory", file, "--from", source, "--to", destination, "--explain"]
        return Smallest(file, shlex.join(words))


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
                (message_walk.way, message_walk.end): message_walk
                for message_walk in (self._walk(source, destination, last=last) for last in (False, True))
            }
            for walked in ways.values():
                ends[walked.end] += 1
                findings += self._findings(walked, destination)
        verdict = worst((Verdict.PASS, *(finding.verdict for finding in findings)))
        summary = f"{ends[End.ARRIVED]} of {ends.total()} messages arrived"
        return Played(self.enterprise.name, verdict, summary), tuple(findings)

    def _walk(self, source: str, destination: str, *, last: bool) -> Walk[Step]:
        """Walk by the first hop of each answer, or by the last."""

        def ask(at: str) -> tuple[Step, str | None]:
            try:
                hops = self._hops(at, destination)
            except IutFault as fault:
                return (at, None, str(fault)), None
            chosen = hops[-1 if last else 0] if hops else None
            is_here = chosen is None or chosen in self.sides
            return (at, hops, ""), chosen if is_here else ""

        return walk(ask, source, destination)

    def _hops(self, at: str, destination: str) -> Hops:
        answers, question = self.answers[self.sides[at]], (self.enterprise.name, at, destination)
        if question not in answers.hops:
            raise IutFault(
                "error", answers.faults.get(question, "it had broken its contract before, and was not asked")
            )
        return answers.hops[question]

    def _findings(self, walked: Walk[Step], destination: str) -> Iterator[Finding]:
        """Yield each hop that is not allowed; a message that is lost without one is a finding of its own."""
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
            says = f"a message is lost ({walked.end}), although each answer on its path is allowed"
            observed = self._told(walked, destination)
            yield Finding(self.enterprise.name, "", "", Verdict.INCONCLUSIVE, says, observed)

    def _told(self, walked: Walk[Step], destination: str) -> str:
        """Return the way of a message, each queue manager with the side that played it."""
        steps = [f"{self._named(machine)} ({self.sides[machine]})" for machine in walked.way]
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
    for finding in findings:
        groups.setdefault((finding.side, finding.requirement or finding.says, finding.verdict), []).append(finding)
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
    enterprises = enterprises_of(settings.tried, settings.seed, settings.source)
    names = dict.fromkeys(name for cell in cells for _, name in cell.sides)
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        asked = {name: pool.submit(Asking(by_name[name], settings.deadline).ask_all, enterprises) for name in names}
        answers = {name: future.result() for name, future in asked.items()}
    model = Model(load_register(), settings.profile)
    shrinking = Shrinking(enterprises, model, settings.out, settings.deadline)
    smallest = {name: shrinking.smallest_of(by_name[name], answer) for name, answer in answers.items()}
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
        played, findings, enterprise_files = [], list[Finding](), dict[str, None]()
        for enterprise in self.enterprises:
            mixed = MixedEnterprise(enterprise, sides_in_turn(cell, enterprise), of_sides, self.model)
            enterprise_played, enterprise_findings = mixed.played(self.settings.tried.questions)
            played.append(enterprise_played)
            if enterprise_findings:
                file = enterprise.keep(self.settings.out)
                enterprise_files[file] = None
                findings += [replace(each, evidence=file) for each in enterprise_findings]
        distinct_findings = tuple(self._with_smallest(cell, finding) for finding in first_of_each(findings))
        files = dict.fromkeys(
            (*(finding.evidence for finding in distinct_findings if finding.evidence), *enterprise_files)
        )
        return Result(cell, tuple(played), distinct_findings, tuple(files))

    def _with_smallest(self, cell: Cell, finding: Finding) -> Finding:
        """Return a finding with the smallest enterprise that shows it, where one was found."""
        small = self.smallest.get(dict(cell.sides).get(finding.side, ""), {}).get(finding.requirement)
        if small is None or not finding.side:
            return finding
        return replace(
            finding, observed=f"{finding.observed}\nexplained by, in this folder: {small.command}", evidence=small.file
        )
