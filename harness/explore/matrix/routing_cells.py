"""Cells of routing: messages walk through enterprises of several vendors, and each wrong hop names its router.

Each implementation is asked once, each cell walks through the answers of its sides, and the model decides once for all.
"""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from hashlib import shake_256
from itertools import cycle
from pathlib import Path
from typing import Final, TypeVar

from mqconform.harness.explore.inputs.router import RouterInputs
from mqconform.harness.explore.inputs.router_enterprises import RouterInput
from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, Cell, Finding, Played, Result, alike
from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.explore.votes import Ballot
from mqconform.harness.iut.drivers.router import known, next_hops, with_names
from mqconform.harness.iut.interface import ConfigurationError, IutProblem, Json
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqbr.enterprise_shapes import OCTETS, SHAPES, Choices
from mqconform.harness.judge.mqbr.message_walks import End, Walk, walk
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.judge.mqbr.next_hops import judge_answer
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import Judgement
from mqconform.harness.tools.enterprise.source import open_enterprise
from mqconform.reference.directory import (
    Directory,
    DirectoryView,
    QueueManagerId,
    directory_from_document,
    document_from_directory,
)
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

T = TypeVar("T")
FOLDER: Final = "enterprises"
MOST_ANSWERS: Final = 4_000
"""Of each implementation in one enterprise."""
MOST_FAULTS: Final = 3
"""An implementation that breaks its contract so often is asked no more."""
MOST_REDUCED: Final = 3
"""Requirements of one implementation for which a smallest enterprise is looked for."""
ATTEMPTS: Final = 120
MOST_PRINTED: Final = 10
"""Hops of one answer."""
Hops = tuple[str, ...] | None
Step = tuple[str, Hops, str]
"""Who was asked, the answer, and how the implementation broke its contract instead."""


@dataclass(frozen=True, eq=False)
class Enterprise:
    """An enterprise that messages walk through; ``generated`` is None for one from a file."""

    name: str
    directory: Directory
    generated: NamedEnterprise | None = None

    @cached_property
    def document(self) -> Json:
        """The enterprise document, without what the IUT protocol has no word for."""
        document: Json = document_from_directory(self.directory)
        sites = [{key: value for key, value in site.items() if key != "foreign_site"} for site in document["sites"]]
        return {**document, "sites": sites}

    @cached_property
    def machines(self) -> tuple[str, ...]:
        """Identifiers of its queue managers, in the directory's order."""
        return tuple(dict.fromkeys(str(machine.identifier) for machine in self.directory.queue_managers))

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of sites and queue managers by identifier."""
        names = {str(site.identifier): site.name for site in self.directory.sites if site.name}
        machines = self.directory.queue_managers
        return names | {str(machine.identifier): machine.name for machine in machines if machine.name}

    def named(self, identifier: str) -> str:
        """Return a name, or the identifier of what has none."""
        return self.names.get(identifier, identifier)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Sources and destinations; in a large enterprise the destinations are an evenly spaced selection."""
        destinations = _spaced(self.machines, max(1, MOST_ANSWERS // len(self.machines)))
        return tuple((source, other) for source in self.machines for other in destinations if source != other)


def _spaced(items: Sequence[T], most: int) -> tuple[T, ...]:
    number = min(most, len(items))
    return tuple(items[place * len(items) // number] for place in range(number))


def _write(document: Json, name: str, out: Path) -> str:
    """Write an enterprise below a folder, and return the file's name there."""
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    (out / FOLDER / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return f"{FOLDER}/{name}.json"


def _enterprises(settings: Settings) -> Iterator[Enterprise]:
    tried = settings.tried
    for number, path in enumerate(tried.enterprises, start=1):
        try:
            directory = open_enterprise(path, settings.source).directory
        except ConfigurationError as wrong:
            raise ConfigurationError(f"routing.enterprises: {wrong}") from wrong
        stem = "".join(letter if letter.isalnum() else "-" for letter in Path(path).stem)[:40]
        enterprise = Enterprise(f"given-{number}-{stem}", directory)
        yield replace(enterprise, directory=directory_from_document(enterprise.document))
    for number in range(tried.generated):
        shape = tried.shapes[number % len(tried.shapes)]
        drawn = SHAPES[shape](Choices(shake_256(f"{settings.seed} {number} {shape}".encode()).digest(OCTETS)))
        yield Enterprise(f"generated-{number:03}-{shape.replace(' ', '-')}", drawn.directory, drawn)


class Model:
    """The reference, which decides and judges each question once (MS-MQBR 3.1.5.1)."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._state = cache(self._initialized)
        self._decision = cache(self._decided)
        self.judgement = cache(self._judged)

    def requirement(self, enterprise: Enterprise, source: str, destination: str) -> str:
        """Return the branch of the algorithm by which the text answers a question, empty where it leaves it open."""
        alternatives = self._decision(enterprise, source, destination).allowed.alternatives
        best = min(alternatives, key=lambda alternative: alternative.standing, default=None)
        return best.requirements[-1] if best and best.requirements else ""

    def _initialized(self, enterprise: Enterprise, source: str) -> RouterState:
        return initialize(DirectoryView(enterprise.directory), QueueManagerId(source))

    def _decided(self, enterprise: Enterprise, source: str, destination: str) -> NextHopsDecision:
        return decide_next_hops(self._state(enterprise, source), QueueManagerId(destination))

    def _judged(self, enterprise: Enterprise, source: str, destination: str, hops: Hops) -> Judgement:
        decision, naming = self._decision(enterprise, source, destination), partial(with_names, names=enterprise.names)
        return judge_answer(Ballot(self.profile).judge, decision, hops, naming)


@dataclass(slots=True)
class Router:
    """One implementation with its answers; its connection is made anew after each fault.

    Attributes:
        hops: what it answered, by enterprise, source and destination.
        faults: how it broke its contract, likewise.
        unreachable: why it could not be asked at all, empty where it could.
    """

    implementation: Implementation
    deadline: float
    hops: dict[tuple[Enterprise, str, str], Hops] = field(default_factory=dict)
    faults: dict[tuple[Enterprise, str, str], str] = field(default_factory=dict)
    unreachable: str = ""
    _iut: CheckedIut | None = None
    _local: tuple[Enterprise | None, str] = (None, "")

    def ask_all(self, enterprises: Sequence[Enterprise]) -> None:
        """Ask as every queue manager of each enterprise for the way to every destination."""
        try:
            for enterprise in enterprises:
                for source, destination in enterprise.pairs:
                    if len(self.faults) < MOST_FAULTS:
                        self._ask(enterprise, source, destination)
        except ConfigurationError as problem:
            self.unreachable = str(problem)
        finally:
            self._close()

    def _ask(self, enterprise: Enterprise, source: str, destination: str) -> None:
        question = (enterprise, source, destination)
        try:
            self.hops[question] = known(next_hops(self._become(enterprise, source), source, destination))
        except ConfigurationError:
            raise
        except IutProblem as problem:
            self.faults[question] = str(problem)
            self._close()

    def _become(self, enterprise: Enterprise, source: str) -> CheckedIut:
        self._iut = self._iut or self.implementation.connect(self.deadline)
        if self._local[0] is not enterprise:
            self._iut.call("reset", {})
            self._iut.call("router.load_directory", {"directory": enterprise.document})
        if self._local != (enterprise, source):
            self._iut.call("router.initialize", {"local": source})
        self._local = (enterprise, source)
        return self._iut

    def _close(self) -> None:
        if self._iut is not None:
            self._iut.close()
        self._iut, self._local = None, (None, "")

    def smallest(self, model: Model, out: Path) -> dict[str, tuple[str, str]]:
        """Return a file below a folder and a command to run there, by requirement that it fails in that enterprise.

        Only generated enterprises shrink.
        """
        wrong: dict[str, RouterInput] = {}
        for (enterprise, source, destination), hops in self.hops.items():
            if enterprise.generated is None or len(wrong) == MOST_REDUCED:
                continue
            if model.judgement(enterprise, source, destination, hops).verdict is Verdict.FAIL:
                question = enterprise.named(source), enterprise.named(destination)
                whole = RouterInput(enterprise.generated, (question,))
                wrong.setdefault(model.requirement(enterprise, source, destination), whole)
        if not wrong:
            return {}
        inputs, name = RouterInputs(model.profile), self.implementation.name
        try:
            with closing(self.implementation.connect(self.deadline)) as iut:

                def fails(candidate: RouterInput) -> bool:
                    iut.call("reset", {})
                    return any(answer.wrong for answer in inputs.play(iut, candidate))

                small = {key: reduced(whole, inputs.smaller, fails, ATTEMPTS) for key, whole in wrong.items()}
        except IutProblem:  # it cannot be reached, or breaks its contract as well, which its cells tell
            return {}
        return {key: _explained(each, f"smallest-{name}-{key}", out) for key, each in small.items()}


def _explained(small: RouterInput, name: str, out: Path) -> tuple[str, str]:
    """Write an enterprise below a folder, and return the file there with a command that explains the right answer."""
    file, (source, destination) = _write(small.enterprise.document, name, out), small.questions[0]
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

    def play(self, most: int) -> tuple[Played, list[Finding]]:
        """Walk as many messages at most, by the first hop of each answer and by the last."""
        findings: list[Finding] = []
        ends: Counter[End] = Counter()
        for source, destination in _spaced(self.enterprise.pairs, most):
            walks = [walk(partial(self._ask, destination, choice), source, destination) for choice in (0, -1)]
            for walked in {(each.way, each.end): each for each in walks}.values():
                ends[walked.end] += 1
                findings += self._findings(walked, destination)
        verdict = worst((Verdict.PASS, *(finding.verdict for finding in findings)))
        summary = f"{ends[End.ARRIVED]} of {ends.total()} messages arrived"
        return Played(self.enterprise.name, verdict, summary), findings

    def _ask(self, destination: str, choice: int, at: str) -> tuple[Step, str | None]:
        router, question = self.routers[self.sides[at]], (self.enterprise, at, destination)
        if question not in router.hops:
            return (at, None, router.faults.get(question, "it had broken its contract before, and was not asked")), None
        hops = router.hops[question]
        chosen = hops[choice] if hops else None
        return (at, hops, ""), chosen if chosen is None or chosen in self.sides else ""

    def _findings(self, walked: Walk[Step], destination: str) -> Iterator[Finding]:
        """Yield each hop that is not allowed; a message that is lost without one is a finding of its own."""
        wrong, name, named = False, self.enterprise.name, self.enterprise.named
        steps = " -> ".join(f"{named(machine)} ({self.sides[machine]})" for machine in walked.way)
        way = f"to {named(destination)}: {steps}: {walked.end}"
        for at, hops, fault in walked.answers:
            judged = self.model.judgement(self.enterprise, at, destination, hops)
            if fault or judged.verdict is Verdict.FAIL:
                wrong = True
                answer = ", ".join(map(named, hops[:MOST_PRINTED])) if hops else "no route"
                says = fault or f"{named(at)} answers {answer}; allowed: {judged.expected}"
                requirement = "" if fault else self.model.requirement(self.enterprise, at, destination)
                yield Finding(name, self.sides[at], requirement, Verdict.FAIL, says, way)
        by_right = walked.end is End.STUCK and len(walked.way) == 1
        if not wrong and walked.end is not End.ARRIVED and not by_right:
            says = f"a message is lost ({walked.end}), although each answer on its path is allowed"
            yield Finding(name, "", "", Verdict.INCONCLUSIVE, says, way)


def play_cells(cells: Sequence[Cell], by_name: Mapping[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known.

    Raises:
        ConfigurationError: an enterprise file cannot be used.
    """
    enterprises = [*_enterprises(settings)]
    for each in enterprises:
        if (count := len(each.machines)) < 2:
            raise ConfigurationError(f"routing.enterprises: {each.name}: has {count} queue managers; two are needed")
    names = dict.fromkeys(name for cell in cells for _, name in cell.sides)
    routers = {name: Router(by_name[name], settings.deadline) for name in names}
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        list(pool.map(lambda router: router.ask_all(enterprises), routers.values()))
    model = Model(settings.profile)
    smallest = {name: router.smallest(model, settings.out) for name, router in routers.items()}
    for cell in cells:
        of_sides = {side: routers[name] for side, name in cell.sides}
        if unreachable := [router.unreachable for router in of_sides.values() if router.unreachable]:
            yield Result(cell, excuse=NOT_APPLICABLE, reason=unreachable[0])
            continue
        played, findings, files = [], list[Finding](), list[str]()
        for enterprise in enterprises:
            turns = dict(zip(enterprise.machines, cycle(of_sides)))
            summary, wrong = MixedEnterprise(enterprise, turns, of_sides, model).play(settings.tried.questions)
            played.append(summary)
            if wrong:
                files.append(_write(enterprise.document, enterprise.name, settings.out))
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
