"""The comparison itself: who takes part, generated inputs put to all, classes counted, the smallest of each kept."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.subjects import Subject
from mqconform.harness.compare.triangulate.votes import Answer, Disagreement, Kind, Vote, disagreements
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutErrorAnswer, IutFault, IutProblem, Unsupported
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.records.exit_codes import ExitCode

MOST_RESTARTS = 20
GOES_ON = "whether it goes on"
CONTRACT = "the implementation goes on and answers"
MOST_REDUCED: Final = 25
"""Disagreements of one role that are made small; further ones are kept as they were found."""
MOST_OPEN: Final = 6
"""Of them, open choices, the most frequent: nobody is wrong there."""
ATTEMPTS: Final = {Kind.ORACLES: 250, Kind.IUT: 250, Kind.REFERENCE_ALONE: 250, Kind.OPEN: 30}
"""How often a smaller input is tried, by what it is to show."""
ATTEMPTS_WITH_A_CRASH: Final = 4
"""The same where each attempt may cost a deadline and a new start."""
CODES = (
    f"{ExitCode.OK} nobody leaves the allowed set, {ExitCode.FAIL} an implementation does, "
    f"{ExitCode.INCONCLUSIVE} a question to the specification or an implementation that cannot be reached, "
    f"{ExitCode.ERROR} the oracles disagree or the harness failed, {ExitCode.USAGE} usage, "
    f"{ExitCode.INCOMPLETE} a role was compared by fewer than two"
)


@dataclass(slots=True)
class Participant:
    """An implementation by the name that it has here.

    Attributes:
        label: short name, such as ``A``.
        target: ``KIND:ID``.
        lacks: role -> why it takes no part in it.
        gone: why it is asked nothing any more, empty while it is.
    """

    label: str
    target: str
    options: AdapterOptions
    iut: CheckedIut = field(init=False)
    lacks: dict[str, str] = field(default_factory=dict)
    gone: str = ""
    _restarts: int = 0

    def __post_init__(self) -> None:
        """Reach it; see ``connect`` for what that raises."""
        self.iut = connect(self.target, self.options)

    @property
    def name(self) -> str:
        """Name and version that it gives itself."""
        known = self.iut.description
        return " ".join(part for part in (known.vendor, known.name, known.version) if part)

    @property
    def is_reference(self) -> bool:
        """Whether it is the reference itself, or a variant of it."""
        return self.target.startswith("ref:")

    def takes_part(self, role: str) -> bool:
        """Return whether it can be asked in a role, and note why if it cannot."""
        declared = self.iut.description.roles
        if role not in declared:
            self.lacks.setdefault(role, f"declares no role {role}")
        if role == "discovery_client" and "virtual-clock" not in self.iut.description.capabilities:
            self.lacks.setdefault(role, "does not offer virtual-clock")
        return not self.gone and role not in self.lacks

    def answers(self, subject: Subject[Any], given: Any) -> list[Answer] | None:
        """Return its answers to an input, None where it does not offer what that takes.

        An implementation that breaks the contract of its carrier is started again; that it broke it is an answer.
        """
        try:
            self._reset()
            return subject.play(self.iut, given)
        except Unsupported as absent:
            self.lacks[subject.role] = str(absent) or "an operation that the inputs need is not offered"
            return None
        except IutFault as fault:
            told = f"{fault.kind}: {fault}"
        except IutErrorAnswer as answered:
            told = f"unexpected answer, {answered}"
        except IutProblem as problem:
            self.gone = str(problem)
            return None
        self._start_again()
        return [Answer(GOES_ON, told, Vote.FAULT, CONTRACT)]

    def close(self) -> None:
        """End it."""
        self.iut.close()

    def _reset(self) -> None:
        if self.iut.facts is None:
            self.iut.call("reset", {})

    def _start_again(self) -> None:
        self.iut.close()
        self._restarts += 1
        if self._restarts > MOST_RESTARTS:
            self.gone = f"it broke down more than {MOST_RESTARTS} times"
            return
        try:
            self.iut = connect(self.target, self.options)
        except IutProblem as problem:
            self.gone = f"it could not be started again: {problem}"


@dataclass(slots=True)
class Found:
    """A disagreement with the smallest input known to show it.

    Attributes:
        times: on how many questions it showed.
    """

    role: str
    disagreement: Disagreement
    given: Any
    times: int = 1


@dataclass(slots=True)
class RoleTally:
    """What became of one role.

    Attributes:
        ours: labels of the reference itself.
        labels: who took part to the end.
        questions: how many questions were put, and ``agreed`` on how many nobody was wrong and all said the same.
        kinds: number of questions for each kind of disagreement.
        unsupported: label -> why it took no part, or ceased to.
        found: each disagreement once, in the order of first sight.
    """

    subject: Subject[Any]
    ours: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    inputs: int = 0
    questions: int = 0
    agreed: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)
    unsupported: dict[str, str] = field(default_factory=dict)
    found: dict[tuple[str, ...], Found] = field(default_factory=dict)

    def count(self, given: Any, votes: dict[str, list[Answer]]) -> None:
        """Count what all made of one input."""
        parted = list(disagreements(votes, self.ours))
        given_by = Counter(answer.place for answers in votes.values() for answer in answers)
        asked = {place for place, voters in given_by.items() if voters > 1} | {one.place for one in parted}
        self.inputs += 1
        self.questions += len(asked)
        self.agreed += len(asked - {one.place for one in parted})
        self.kinds.update(kind for kind, _ in {(one.kind, one.place) for one in parted})
        for one in parted:
            known = self.found.get(one.signature)
            if known is None:
                self.found[one.signature] = Found(self.subject.role, one, given)
                continue
            known.times += 1
            if self.subject.size(given) < self.subject.size(known.given):
                known.disagreement, known.given = one, given


def triangulate(
    subjects: Sequence[Subject[Any]],
    participants: Sequence[Participant],
    *,
    inputs: int,
    seed: int,
    each: Callable[[], None] = lambda: None,
) -> Iterator[RoleTally]:
    """Put generated inputs to all who take part in each role, and yield what came of it, role by role.

    Args:
        subjects: one for each role.
        participants: implementations, reached.
        inputs: how many for each role.
        seed: makes the inputs the same each time.
        each: called after each input.
    """
    for subject in subjects:
        tally = RoleTally(subject, frozenset(one.label for one in participants if one.is_reference))
        if len(_taking_part(participants, subject.role)) >= 2:
            for given in generated(subject.inputs(), inputs, seed):
                tally.count(given, asked_of(participants, subject, given))
                each()
                if len(_taking_part(participants, subject.role)) < 2:
                    break  # nobody is left to compare with
            _shrink(tally, participants)
        tally.labels = tuple(one.label for one in _taking_part(participants, subject.role))
        tally.unsupported = {one.label: one.lacks[subject.role] for one in participants if subject.role in one.lacks}
        yield tally


def exit_code(tallies: Collection[RoleTally], participants: Iterable[Participant], wanted: Collection[str]) -> ExitCode:
    """Return the exit code.

    Args:
        tallies: what came of each role.
        participants: the implementations, after all was asked.
        wanted: roles that the user asked for by name; each has to have been compared.
    """
    kinds = {kind for tally in tallies for kind in tally.kinds}
    compared = {tally.subject.role for tally in tallies if tally.questions}
    if Kind.ORACLES in kinds:
        return ExitCode.ERROR
    if Kind.IUT in kinds:
        return ExitCode.FAIL
    if Kind.REFERENCE_ALONE in kinds or any(one.gone for one in participants):
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if compared and compared >= {*wanted} else ExitCode.INCOMPLETE


def generated(strategy: st.SearchStrategy[Any], count: int, seed: int) -> list[Any]:
    """Return inputs that a strategy gives, the same for the same seed."""
    inputs: list[Any] = []

    @with_seed(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(one: Any) -> None:
        inputs.append(one)

    collect()
    return inputs


def asked_of(participants: Iterable[Participant], subject: Subject[Any], given: Any) -> dict[str, list[Answer]]:
    """Return what everybody who takes part answers to an input, by label."""
    votes = {}
    for one in participants:
        try:
            answers = one.answers(subject, given) if one.takes_part(subject.role) else None
        except Exception as defect:
            defect.add_note(f"{subject.role}, asking {one.label}: {json.dumps(subject.record(given))}")
            raise
        if answers is not None:
            votes[one.label] = answers
    return votes


def _taking_part(participants: Sequence[Participant], role: str) -> list[Participant]:
    return [one for one in participants if one.takes_part(role)]


def _shrink(tally: RoleTally, participants: Sequence[Participant]) -> None:
    """Make the inputs small, those of the gravest disagreements first."""
    _drop_mixtures(tally)
    order = list(Kind)
    ranked = sorted(tally.found.values(), key=lambda one: (order.index(one.disagreement.kind), -one.times))
    wrong = [one for one in ranked if one.disagreement.kind is not Kind.OPEN]
    chosen = [one for one in ranked if one.disagreement.kind is Kind.OPEN]
    for found in [*wrong, *chosen[:MOST_OPEN]][:MOST_REDUCED]:
        _shrink_one(tally, found, participants)


def _drop_mixtures(tally: RoleTally) -> None:
    """Leave out open choices of several entries, each of which has an example of its own; they stay counted."""
    single = {one.disagreement.register for one in tally.found.values() if len(one.disagreement.register) == 1}
    for signature, found in list(tally.found.items()):
        entries = found.disagreement.register
        if len(entries) > 1 and all((entry,) in single for entry in entries):
            del tally.found[signature]


def _shrink_one(tally: RoleTally, found: Found, participants: Sequence[Participant]) -> None:
    """Make one input small; those who do not matter to the disagreement are asked at the end alone."""
    wanted = found.disagreement
    labels = _who_matter(wanted)
    concerned = [one for one in participants if one.label in labels]

    def shown(given: Any, asked: Sequence[Participant]) -> Disagreement | None:
        found_now = disagreements(asked_of(asked, tally.subject, given), tally.ours)
        return next((one for one in found_now if one.alike(wanted)), None)

    crashes = Vote.FAULT in wanted.votes.values()
    attempts = ATTEMPTS_WITH_A_CRASH if crashes else ATTEMPTS[wanted.kind]
    smallest = reduced(found.given, tally.subject.smaller, lambda given: shown(given, concerned) is not None, attempts)
    if (again := shown(smallest, participants)) is not None:
        found.disagreement, found.given = again, smallest


def _who_matter(seen: Disagreement) -> tuple[str, ...]:
    """Return the labels that a disagreement needs: who is blamed, or of a choice two who differ."""
    if seen.kind is not Kind.OPEN:
        return seen.blamed
    first = seen.blamed[0]
    return (first, *[one for one in seen.blamed if seen.says[one] != seen.says[first]][:1])
