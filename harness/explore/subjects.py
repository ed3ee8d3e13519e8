"""Subjects: implementations as a table asks them, by any adapter, begun afresh for each input.

Nothing is judged here: that a subject broke the contract of its carrier is an answer like any other.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from string import ascii_uppercase as LABELS  # noqa: N812 - a constant
from typing import Any, Final

from mqconform.harness.explore.inputs.role_inputs import Inputs
from mqconform.harness.explore.votes import Answer, Vote
from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.protocol import CheckedIut

MOST_RESTARTS: Final = 20
GOES_ON: Final = "whether it goes on"
CONTRACT: Final = "the implementation keeps answering"


@dataclass(slots=True)
class Subject:
    """An implementation by the name that it has in a table.

    Attributes:
        label: short name, such as ``A``.
        target: ``KIND:ID``.
        lacks: role -> why it takes no part in it.
        gone: why it is asked nothing any more, empty while it is.
    """

    label: str
    target: str
    options: interface.AdapterOptions
    iut: CheckedIut = field(init=False)
    lacks: dict[str, str] = field(default_factory=dict)
    gone: str = ""
    _restarts: int = 0

    def __post_init__(self) -> None:
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
        declared = self.iut.description
        if role not in declared.roles:
            self.lacks.setdefault(role, f"declares no role {role}")
        if role == "discovery_client" and "virtual-clock" not in declared.capabilities:
            self.lacks.setdefault(role, "does not offer virtual-clock")
        return not self.gone and role not in self.lacks

    def answers(self, inputs: Inputs[Any], role_input: Any) -> list[Answer] | None:
        """Return its answers to an input, None where it does not offer what that takes.

        A subject that breaks the contract of its carrier is started again; that it broke it is an answer.
        """
        try:
            if self.iut.facts is None:
                self.iut.call("reset", {})
            return inputs.play(self.iut, role_input)
        except interface.Unsupported as absent:
            self.lacks[inputs.role] = str(absent) or "an operation that the inputs need is not offered"
            return None
        except interface.IutFault as fault:
            says = f"{fault.kind}: {fault}"
        except interface.IutErrorAnswer as answered:
            says = f"unexpected answer, {answered}"
        except interface.IutProblem as problem:
            self.gone = str(problem)
            return None
        self._start_again()
        return [Answer(GOES_ON, says, Vote.FAULT, CONTRACT)]

    def record(self) -> interface.Json:
        """Return who it is, as JSON."""
        description = self.iut.description
        own = {name: getattr(description, name) for name in ("name", "version", "vendor")}
        has = {"roles": sorted(description.roles), "capabilities": sorted(description.capabilities)}
        return {"label": self.label, "target": self.target} | own | has

    def close(self) -> None:
        """End it."""
        self.iut.close()

    def _start_again(self) -> None:
        self.iut.close()
        self._restarts += 1
        if self._restarts > MOST_RESTARTS:
            self.gone = f"it broke down more than {MOST_RESTARTS} times"
            return
        try:
            self.iut = connect(self.target, self.options)
        except interface.IutProblem as problem:
            self.gone = f"it could not be started again: {problem}"


def all_reached(targets: Sequence[str], options: interface.AdapterOptions, reached: ExitStack) -> list[Subject]:
    """Return the implementations that targets name, labelled in order; ``reached`` ends them.

    Raises:
        ConfigurationError, IutProblem: one cannot be reached, or there are too many.
    """
    if len(targets) > len(LABELS):
        raise interface.ConfigurationError(f"--iut: {len(targets)} are too many; {len(LABELS)} can be compared at once")
    subjects = []
    for label, target in zip(LABELS, targets, strict=False):
        try:
            subjects.append(Subject(label, target, options))
        except interface.IutFault as fault:
            raise interface.IutFault(fault.kind, f"{label}, {target}: {fault}") from fault
        reached.callback(subjects[-1].close)
    return subjects


def taking_part(subjects: Iterable[Subject], role: str) -> list[Subject]:
    """Return the subjects that can be asked in a role."""
    return [subject for subject in subjects if subject.takes_part(role)]


def asked_of(subjects: Sequence[Subject], inputs: Inputs[Any], role_input: Any) -> dict[str, list[Answer]]:
    """Return the answers of all subjects to an input, by label."""
    votes = {}
    for subject in taking_part(subjects, inputs.role):
        try:
            answers = subject.answers(inputs, role_input)
        except Exception as defect:
            defect.add_note(f"{inputs.role}, asking {subject.label}: {json.dumps(inputs.record(role_input))}")
            raise
        if answers is not None:
            votes[subject.label] = answers
    return votes
