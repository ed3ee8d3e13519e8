"""The enterprises that messages walk through, what each implementation answers there, and what the model says of it.

Given files, and generated ones that are the same for one seed. Each implementation is asked once for all cells, and the
model decides once for all implementations.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import shake_256
from pathlib import Path
from typing import Final, TypeVar

from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.explore.votes import Ballot
from mqconform.harness.iut.drivers.router import known, next_hops, with_names
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem, Json
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.mqbr.enterprise_shapes import OCTETS, SHAPES, Choices
from mqconform.harness.judge.mqbr.named_enterprise import NamedEnterprise
from mqconform.harness.judge.mqbr.next_hops import judge_answer
from mqconform.harness.records.profile import Profile
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
MOST_HOPS: Final = 200
"""Of one answer; no list of an enterprise is as long."""
Hops = tuple[str, ...] | None
Question = tuple[str, str, str]
"""Name of the enterprise, identifiers of source and destination."""


@dataclass(frozen=True)
class Enterprise:
    """One enterprise.

    Attributes:
        name: for people, and for the file that is kept of it.
        directory: as the reference model reads it.
        generated: what it was generated as, None for a file.
    """

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
        """What people call sites and queue managers, by identifier."""
        names = {str(site.identifier): site.name for site in self.directory.sites if site.name}
        machines = self.directory.queue_managers
        return names | {str(machine.identifier): machine.name for machine in machines if machine.name}

    def named(self, identifier: str) -> str:
        """Return what people call something."""
        return self.names.get(identifier, identifier)

    @cached_property
    def destinations(self) -> tuple[str, ...]:
        """Destinations of messages: all queue managers, or an evenly spaced selection of a large enterprise."""
        return _spaced(self.machines, max(1, MOST_ANSWERS // len(self.machines)))

    def questions(self, most: int | None = None) -> Sequence[tuple[str, str]]:
        """Return pairs of source and destination, spread over all that there are."""
        pairs = [(machine, other) for machine in self.machines for other in self.destinations if machine != other]
        return _spaced(pairs, len(pairs) if most is None else most)


def _spaced(items: Sequence[T], most: int) -> tuple[T, ...]:
    number = min(most, len(items))
    return tuple(items[place * len(items) // number] for place in range(number))


def kept(document: Json, name: str, out: Path) -> str:
    """Write an enterprise below a folder, and return the file's name there."""
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    (out / FOLDER / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return f"{FOLDER}/{name}.json"


def enterprises_of(settings: Settings) -> tuple[Enterprise, ...]:
    """Return all enterprises of a matrix.

    Raises:
        ConfigurationError: a file cannot be used; the message says why.
    """
    enterprises, tried = list[Enterprise](), settings.tried
    for number, path in enumerate(tried.enterprises, start=1):
        try:
            directory = open_enterprise(path, settings.source).directory
        except ConfigurationError as wrong:
            raise ConfigurationError(f"routing.enterprises: {wrong}") from wrong
        stem = "".join(letter if letter.isalnum() else "-" for letter in Path(path).stem)[:40]
        enterprise = Enterprise(f"given-{number}-{stem}", directory)
        enterprises.append(replace(enterprise, directory=directory_from_document(enterprise.document)))
    for number in range(tried.generated):
        shape = tried.shapes[number % len(tried.shapes)]
        generated = SHAPES[shape](Choices(shake_256(f"{settings.seed} {number} {shape}".encode()).digest(OCTETS)))
        name = f"generated-{number:03}-{shape.replace(' ', '-')}"
        enterprises.append(Enterprise(name, generated.directory, generated))
    for each in enterprises:
        if len(each.machines) < 2:
            raise ConfigurationError(
                f"routing.enterprises: {each.name}: has {len(each.machines)} queue managers; two are needed"
            )
    return tuple(enterprises)


@dataclass(slots=True)
class Router:
    """One implementation and its answers; its connection is made anew after each fault.

    Attributes:
        hops: what it answered.
        faults: how it broke its contract, by question.
        unreachable: why it could not be asked at all, empty where it could.
    """

    implementation: Implementation
    deadline: float
    hops: dict[Question, Hops] = field(default_factory=dict)
    faults: dict[Question, str] = field(default_factory=dict)
    unreachable: str = ""
    _iut: CheckedIut | None = None
    _local: tuple[str, str] = ("", "")

    def ask_all(self, enterprises: Sequence[Enterprise]) -> None:
        """Ask as every queue manager of each enterprise for the way to every destination."""
        try:
            for enterprise in enterprises:
                for source, destination in enterprise.questions():
                    if len(self.faults) < MOST_FAULTS:
                        self._ask(enterprise, source, destination)
        except ConfigurationError as problem:
            self.unreachable = str(problem)
        finally:
            self._close()

    def answer(self, question: Question) -> Hops:
        """Return what it answered.

        Raises:
            IutFault: it broke its contract instead.
        """
        if question not in self.hops:
            unasked = "it had broken its contract before, and was not asked"
            raise IutFault("error", self.faults.get(question, unasked))
        return self.hops[question]

    def _ask(self, enterprise: Enterprise, source: str, destination: str) -> None:
        question = (enterprise.name, source, destination)
        try:
            hops = next_hops(self._become(enterprise, source), source, destination)
            if hops and len(hops) > MOST_HOPS:
                says = f"router.get_next_hops: {len(hops)} hops; an answer has {MOST_HOPS} at most"
                raise IutFault("oversize", says)
            self.hops[question] = known(hops)
        except ConfigurationError:
            raise
        except IutProblem as problem:
            self.faults[question] = str(problem)
            self._close()

    def _become(self, enterprise: Enterprise, source: str) -> CheckedIut:
        if self._iut is None:
            self._iut = self.implementation.connect(self.deadline)
        if self._local[0] != enterprise.name:
            self._iut.call("reset", {})
            self._iut.call("router.load_directory", {"directory": enterprise.document})
        if self._local != (enterprise.name, source):
            self._iut.call("router.initialize", {"local": source})
        self._local = (enterprise.name, source)
        return self._iut

    def _close(self) -> None:
        self._local = ("", "")
        if self._iut is not None:
            self._iut.close()
            self._iut = None


@dataclass(slots=True)
class Model:
    """The reference model with what it has decided so far."""

    profile: Profile
    _states: dict[tuple[str, str], RouterState] = field(default_factory=dict)
    _decisions: dict[Question, NextHopsDecision] = field(default_factory=dict)
    _judgements: dict[tuple[Question, Hops], Judgement] = field(default_factory=dict)

    def judgement(self, enterprise: Enterprise, source: str, destination: str, hops: Hops) -> Judgement:
        """Return the judgement on an answer, names in place of GUIDs (MS-MQBR 3.1.5.1)."""
        key = ((enterprise.name, source, destination), hops)
        if key not in self._judgements:
            judge, naming = Ballot(self.profile).judge, partial(with_names, names=enterprise.names)
            self._judgements[key] = judge_answer(judge, self._decision(enterprise, source, destination), hops, naming)
        return self._judgements[key]

    def requirement(self, enterprise: Enterprise, source: str, destination: str) -> str:
        """Return the branch of the algorithm by which the text answers a question, empty where it leaves it open."""
        alternatives = self._decision(enterprise, source, destination).allowed.alternatives
        best = min(alternatives, key=lambda alternative: alternative.standing, default=None)
        return best.requirements[-1] if best and best.requirements else ""

    def _decision(self, enterprise: Enterprise, source: str, destination: str) -> NextHopsDecision:
        question, at = (enterprise.name, source, destination), (enterprise.name, source)
        if at not in self._states:
            self._states[at] = initialize(DirectoryView(enterprise.directory), QueueManagerId(source))
        if question not in self._decisions:
            self._decisions[question] = decide_next_hops(self._states[at], QueueManagerId(destination))
        return self._decisions[question]
