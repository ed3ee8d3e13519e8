"""The comparison itself: who takes part, generated inputs put to all, classes counted, the smallest of each kept."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from mqconform.harness.explore.inputs.role_inputs import Inputs
from mqconform.harness.explore.votes import Answer, Disagreement, Kind, Vote, disagreements
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutErrorAnswer, IutFault, IutProblem, Unsupported
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.drawing import BY_SEED_ALONE
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.records.exit_codes import ExitCode

MOST_RESTARTS = 20
GOES_ON = "whether it goes on"
CONTRACT = "the implementation goes on and answers"
MOST_REDUCED: Final = 25
"""Disagreements of one role that are made small; further ones are kept as they were found."""
MOST_OPEN: Final = 6
"""Of them, open choices, the most frequent: no implementation is wrong there."""
ATTEMPTS: Final = {Kind.ORACLES: 250, Kind.IUT: 250, Kind.REFERENCE_ALONE: 250, Kind.OPEN: 30}
"""How often a smaller input is tried, by what it is to show."""
ATTEMPTS_WITH_A_CRASH: Final = 4
"""The same where each attempt may cost a deadline and a new start."""
CODES = (
    f"{ExitCode.OK} all stay in the allowed set, {ExitCode.FAIL} an implementation leaves it, "
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
        description = self.iut.description
        return " ".join(part for part in (description.vendor, description.name, description.version) if part)

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

    def answers(self, source: Inputs[Any], role_input: Any) -> list[Answer] | None:
        """Return its answers to an input, None where it does not offer what that takes.

        An implementation that breaks the contract of its carrier is started again; that it broke it is an answer.
        """
        try:
            self._reset()
            return source.play(self.iut, role_input)
        except Unsupported as absent:
            self.lacks[source.role] = str(absent) or "an operation that the inputs need is not offered"
            return None
        except IutFault as fault:
            says = f"{fault.kind}: {fault}"
        except IutErrorAnswer as answered:
            says = f"unexpected answer, {answered}"
        except IutProblem as problem:
            self.gone = str(problem)
            return None
        self._start_again()
        return [Answer(GOES_ON, says, Vote.FAULT, CONTRACT)]

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
class Example:
    """A disagreement with the smallest input known to show it.

    Attributes:
        times: on how many questions it showed.
    """

    role: str
    disagreement: Disagreement
    role_input: Any
    times: int = 1


@dataclass(slots=True)
class RoleTally:
    """What became of one role.

    Attributes:
        ours: labels of the reference itself.
        labels: who took part to the end.
        questions: how many questions were put.
        agreed: on how many of them all answers were the same and none was wrong.
        kinds: number of questions for each kind of disagreement.
        unsupported: label -> why it took no part, or ceased to.
        examples: each disagreement once, in the order of first sight.
    """

    source: Inputs[Any]
    ours: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    inputs: int = 0
    questions: int = 0
    agreed: int = 0
    kinds: Counter[Kind] = field(default_factory=Counter)
    unsupported: dict[str, str] = field(default_factory=dict)
    examples: dict[tuple[str, ...], Example] = field(default_factory=dict)

    def count(self, role_input: Any, votes: dict[str, list[Answer]]) -> None:
        """Count what all made of one input."""
        parted = list(disagreements(votes, self.ours))
        given_by = Counter(answer.place for answers in votes.values() for answer in answers)
        asked = {place for place, voters in given_by.items() if voters > 1} | {
            disagreement.place for disagreement in parted
        }
        self.inputs += 1
        self.questions += len(asked)
        self.agreed += len(asked - {disagreement.place for disagreement in parted})
        self.kinds.update(kind for kind, _ in {(disagreement.kind, disagreement.place) for disagreement in parted})
        for disagreement in parted:
            example = self.examples.get(disagreement.signature)
            if example is None:
                self.examples[disagreement.signature] = Example(self.source.role, disagreement, role_input)
                continue
            example.times += 1
            if self.source.size(role_input) < self.source.size(example.role_input):
                example.disagreement, example.role_input = disagreement, role_input


def triangulate(
    sources: Sequence[Inputs[Any]],
    participants: Sequence[Participant],
    *,
    inputs: int,
    seed: int,
    each: Callable[[], None] = lambda: None,
) -> Iterator[RoleTally]:
    """Put generated inputs to all who take part in each role, and yield what came of it, role by role.

    Args:
        sources: one for each role.
        participants: implementations, reached.
        inputs: how many for each role.
        seed: makes the inputs the same each time.
        each: called after each input.
    """
    for source in sources:
        tally = RoleTally(
            source, frozenset(participant.label for participant in participants if participant.is_reference)
        )
        if len(_taking_part(participants, source.role)) >= 2:
            for role_input in generated(source.inputs(), inputs, seed):
                tally.count(role_input, asked_of(participants, source, role_input))
                each()
                if len(_taking_part(participants, source.role)) < 2:
                    break  # one implementation alone cannot be compared
            _shrink(tally, participants)
        tally.labels = tuple(participant.label for participant in _taking_part(participants, source.role))
        tally.unsupported = {
            participant.label: participant.lacks[source.role]
            for participant in participants
            if source.role in participant.lacks
        }
        yield tally


def exit_code(
    tallies: Collection[RoleTally], participants: Iterable[Participant], required_roles: Collection[str]
) -> ExitCode:
    """Return the exit code.

    Args:
        tallies: what came of each role.
        participants: the implementations, after all was asked.
        required_roles: roles that the user asked for by name; each has to have been compared.
    """
    kinds = {kind for tally in tallies for kind in tally.kinds}
    compared = {tally.source.role for tally in tallies if tally.questions}
    if Kind.ORACLES in kinds:
        return ExitCode.ERROR
    if Kind.IUT in kinds:
        return ExitCode.FAIL
    if Kind.REFERENCE_ALONE in kinds or any(participant.gone for participant in participants):
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if compared and compared >= {*required_roles} else ExitCode.INCOMPLETE


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
        backend=BY_SEED_ALONE,
    )
    @given(strategy)
    def collect(role_input: Any) -> None:
        inputs.append(role_input)

    collect()
    return inputs


def asked_of(participants: Iterable[Participant], source: Inputs[Any], role_input: Any) -> dict[str, list[Answer]]:
    """Return the answers of all participants to an input, by label."""
    votes = {}
    for participant in participants:
        try:
            answers = participant.answers(source, role_input) if participant.takes_part(source.role) else None
        except Exception as defect:
            defect.add_note(f"{source.role}, asking {participant.label}: {json.dumps(source.record(role_input))}")
            raise
        if answers is not None:
            votes[participant.label] = answers
    return votes


def _taking_part(participants: Sequence[Participant], role: str) -> list[Participant]:
    return [participant for participant in participants if participant.takes_part(role)]


def _shrink(tally: RoleTally, participants: Sequence[Participant]) -> None:
    """Make the inputs small, those of the gravest disagreements first."""
    _drop_mixtures(tally)
    order = list(Kind)
    ranked = sorted(
        tally.examples.values(), key=lambda example: (order.index(example.disagreement.kind), -example.times)
    )
    wrong = [example for example in ranked if example.disagreement.kind is not Kind.OPEN]
    chosen = [example for example in ranked if example.disagreement.kind is Kind.OPEN]
    for example in [*wrong, *chosen[:MOST_OPEN]][:MOST_REDUCED]:
        _shrink_one(tally, example, participants)


def _drop_mixtures(tally: RoleTally) -> None:
    """Leave out open choices of several entries, each of which has an example of its own; they stay counted."""
    single = {
        example.disagreement.register for example in tally.examples.values() if len(example.disagreement.register) == 1
    }
    for signature, example in list(tally.examples.items()):
        entries = example.disagreement.register
        if len(entries) > 1 and all((entry,) in single for entry in entries):
            del tally.examples[signature]


def _shrink_one(tally: RoleTally, example: Example, participants: Sequence[Participant]) -> None:
    """Make one input small; those who do not matter to the disagreement are asked at the end alone."""
    disagreement = example.disagreement
    labels = _who_matter(disagreement)
    concerned = [participant for participant in participants if participant.label in labels]

    def shown(role_input: Any, asked: Sequence[Participant]) -> Disagreement | None:
        found_now = disagreements(asked_of(asked, tally.source, role_input), tally.ours)
        return next((candidate for candidate in found_now if candidate.alike(disagreement)), None)

    crashes = Vote.FAULT in disagreement.votes.values()
    attempts = ATTEMPTS_WITH_A_CRASH if crashes else ATTEMPTS[disagreement.kind]
    smallest = reduced(
        example.role_input, tally.source.smaller, lambda role_input: shown(role_input, concerned) is not None, attempts
    )
    if (again := shown(smallest, participants)) is not None:
        example.disagreement, example.role_input = again, smallest


def _who_matter(disagreement: Disagreement) -> tuple[str, ...]:
    """Return the labels that a disagreement needs: who is blamed, or of a choice two who differ."""
    if disagreement.kind is not Kind.OPEN:
        return disagreement.blamed
    first = disagreement.blamed[0]
    return (
        first,
        *[label for label in disagreement.blamed if disagreement.says[label] != disagreement.says[first]][:1],
    )
