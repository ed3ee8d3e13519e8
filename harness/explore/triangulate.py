"""Table ``triangulate``: several subjects of one role on the same drawn inputs, role by role.

A row is a role, with the questions that were put, how many were agreed on, and each disagreement once with the smallest
input that shows it. What stands in the result file and in saved cases: features/schemas/triangulation.schema.json.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from mqconform.harness.explore.inputs.role_inputs import INPUTS, Inputs
from mqconform.harness.explore.lines import lines_written
from mqconform.harness.explore.reduction import drawn, smallest
from mqconform.harness.explore.saved_case import EXIT, FOLDER, GRAVEST_FIRST, SCHEMA_VERSION, save
from mqconform.harness.explore.subjects import Subject, asked_of, taking_part
from mqconform.harness.explore.votes import Answer, Disagreement, Kind, disagreements
from mqconform.harness.iut.interface import Json, ServerFacts
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.witness import clip
from mqconform.harness.suite.catalogue import load_catalogue

RESULTS: Final = "triangulation.ndjson"
MOST_REDUCED: Final = 25
"""Disagreements of one role that are made small; further ones are kept as they were found."""
MOST_OPEN: Final = 6
"""Of them, open choices, the most frequent: no implementation is wrong there."""
CODES = (
    f"{ExitCode.OK} all stay in the allowed set, {ExitCode.FAIL} an implementation leaves it, "
    f"{ExitCode.INCONCLUSIVE} a question to the specification or an implementation that cannot be reached, "
    f"{ExitCode.ERROR} the oracles disagree or the harness failed, {ExitCode.USAGE} usage, "
    f"{ExitCode.INCOMPLETE} a role was compared by fewer than two"
)


@dataclass(slots=True)
class Example:
    """A disagreement with the smallest input known to show it.

    Attributes:
        times: on how many questions it showed.
        file: the case that was saved, None before.
    """

    disagreement: Disagreement
    role_input: Any
    times: int = 1
    file: Path | None = None


@dataclass(slots=True)
class RoleTally:
    """What became of one role.

    Attributes:
        source: its inputs.
        ours: labels of the reference itself.
        labels: who took part to the end.
        inputs: how many were put.
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
        places = {disagreement.place for disagreement in parted}
        voters = Counter(answer.place for answers in votes.values() for answer in answers)
        asked = {place for place, number in voters.items() if number > 1} | places
        self.inputs += 1
        self.questions += len(asked)
        self.agreed += len(asked - places)
        self.kinds.update(kind for kind, _ in {(disagreement.kind, disagreement.place) for disagreement in parted})
        for disagreement in parted:
            example = self.examples.get(disagreement.signature)
            if example is None:
                self.examples[disagreement.signature] = Example(disagreement, role_input)
                continue
            example.times += 1
            if self.source.size(role_input) < self.source.size(example.role_input):
                example.disagreement, example.role_input = disagreement, role_input

    def ranked(self) -> list[Example]:
        """Return the examples, the gravest and then the most frequent first."""
        grave = GRAVEST_FIRST.index
        return sorted(self.examples.values(), key=lambda example: (grave(example.disagreement.kind), -example.times))

    def drop_mixtures(self) -> None:
        """Leave out open choices of several entries, each of which has an example of its own; they stay counted."""
        registers = {signature: example.disagreement.register for signature, example in self.examples.items()}
        single = {entries for entries in registers.values() if len(entries) == 1}
        for signature, entries in registers.items():
            if len(entries) > 1 and all((entry,) in single for entry in entries):
                del self.examples[signature]

    def record(self) -> Json:
        """Return the counts."""
        return {
            "record": "role",
            "role": self.source.role,
            "took_part": list(self.labels),
            "unsupported": {label: clip(reason) for label, reason in self.unsupported.items()},
            "inputs": self.inputs,
            "questions": self.questions,
            "agreed": self.agreed,
            "kinds": {kind.value: self.kinds[kind] for kind in Kind},
        }

    def example_record(self, example: Example) -> Json:
        """Return a disagreement with its input; the same one always has the same id."""
        role, input_record = self.source.role, self.source.record(example.role_input)
        record = {"record": "disagreement", "role": role} | example.disagreement.record()
        digest = sha256(json.dumps([record, input_record], sort_keys=True).encode()).hexdigest()[:10]
        name = f"{role}-{example.disagreement.kind.value}-{digest}"
        return record | {"id": name, "times": example.times, "input": input_record}


def triangulate(sources: Iterable[Inputs[Any]], subjects: Sequence[Subject], plan: "Plan") -> Iterator[RoleTally]:
    """Put drawn inputs to all who take part in each role, and yield what came of it, role by role."""
    ours = frozenset(subject.label for subject in subjects if subject.is_reference)
    for source in sources:
        tally = RoleTally(source, ours)
        if len(taking_part(subjects, source.role)) >= 2:
            for role_input in drawn(source.inputs(), plan.inputs, plan.seed):
                tally.count(role_input, asked_of(subjects, source, role_input))
                plan.each()
                if len(taking_part(subjects, source.role)) < 2:
                    break  # one implementation alone cannot be compared
            _shrink(tally, subjects)
        tally.labels = tuple(subject.label for subject in taking_part(subjects, source.role))
        tally.unsupported = {
            subject.label: subject.lacks[source.role] for subject in subjects if source.role in subject.lacks
        }
        yield tally


def _shrink(tally: RoleTally, subjects: Sequence[Subject]) -> None:
    """Make the inputs small, those of the gravest disagreements first."""
    tally.drop_mixtures()
    ranked = tally.ranked()  # open choices last
    wrong = sum(example.disagreement.kind is not Kind.OPEN for example in ranked)
    for example in ranked[: min(wrong + MOST_OPEN, MOST_REDUCED)]:
        example.disagreement, example.role_input = smallest(
            example.disagreement, example.role_input, tally.source, subjects, tally.ours
        )


def exit_code(tallies: Collection[RoleTally], subjects: Sequence[Subject], required: Collection[str]) -> ExitCode:
    """Return the exit code; ``required`` are roles that the user asked for by name and that have to be compared."""
    kinds = {kind for tally in tallies for kind in tally.kinds}
    compared = {tally.source.role for tally in tallies if tally.questions}
    for kind in (Kind.ORACLES, Kind.IUT, Kind.REFERENCE_ALONE):
        if kind in kinds:
            return EXIT[kind]
    if any(subject.gone for subject in subjects):
        return ExitCode.INCONCLUSIVE
    return ExitCode.OK if compared and compared >= {*required} else ExitCode.INCOMPLETE


@dataclass(frozen=True, slots=True)
class Plan:
    """What to compare.

    Attributes:
        roles: those asked for by name; none for every role that two have.
        facts: the configuration of servers that cannot be given another.
        each: called after each input.
    """

    roles: Sequence[str]
    inputs: int
    seed: int
    profile: Profile
    facts: ServerFacts | None
    each: Callable[[], None] = lambda: None


def compared(subjects: Sequence[Subject], plan: Plan, folder: Path) -> tuple[list[RoleTally], ExitCode]:
    """Triangulate, each role written down as it ends, and each disagreement saved as a case."""
    sources = (INPUTS[role](plan.profile, plan.facts) for role in plan.roles or INPUTS)
    for old in (folder / FOLDER).glob("*.json"):
        old.unlink()
    tallies: list[RoleTally] = []
    with lines_written(folder / RESULTS, [_header(subjects, plan)]) as write:
        for tally in triangulate(sources, subjects, plan):
            tallies.append(tally)
            write(tally.record())
            for example in tally.ranked():
                write(record := tally.example_record(example))
                example.file = save(folder, record, subjects, plan.profile)
        code = exit_code(tallies, subjects, plan.roles)
        write(_footer(tallies, subjects, code))
    return tallies, code


def _header(subjects: Sequence[Subject], plan: Plan) -> Json:
    return {
        "record": "header",
        "schema": SCHEMA_VERSION,
        "harness": harness_name(),
        "specifications": {
            specification.id: specification.revision for specification in load_catalogue().specifications
        },
        "profile": plan.profile.value,
        "seed": plan.seed,
        "inputs": plan.inputs,
        "implementations": [subject.record() for subject in subjects],
    }


def _footer(tallies: Sequence[RoleTally], subjects: Sequence[Subject], code: ExitCode) -> Json:
    """Return the last record; a file without it is of a triangulation that did not end."""
    kinds: Counter[Kind] = sum((tally.kinds for tally in tallies), Counter())
    return {
        "record": "footer",
        "exit_code": code,
        "kinds": {kind.value: kinds[kind] for kind in Kind},
        "gone": {subject.label: clip(subject.gone) for subject in subjects if subject.gone},
    }
