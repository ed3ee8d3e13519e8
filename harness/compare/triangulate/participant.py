"""One of the implementations: reached, reset for each input, and started again when it breaks."""

from dataclasses import dataclass, field
from typing import Any

from mqconform.harness.compare.triangulate.subjects import Subject
from mqconform.harness.compare.triangulate.votes import Answer, Vote
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutErrorAnswer, IutFault, IutProblem, Unsupported
from mqconform.harness.iut.protocol import CheckedIut

MOST_RESTARTS = 20
GOES_ON = "whether it goes on"
CONTRACT = "the implementation goes on and answers"


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
