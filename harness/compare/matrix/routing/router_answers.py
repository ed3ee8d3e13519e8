"""What each implementation answers as each queue manager: asked once, walked in every cell."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.compare.matrix.implementation import Implementation
from mqconform.harness.compare.matrix.routing.enterprises import Enterprise
from mqconform.harness.iut.interface import ConfigurationError, IutErrorAnswer, IutFault, IutProblem
from mqconform.harness.iut.protocol import CheckedIut

MOST_FAULTS: Final = 3
"""An implementation that breaks its contract so often is asked no more."""
MOST_HOPS: Final = 200
"""Of one answer; no list of an enterprise is as long."""

Question = tuple[str, str, str]
"""Name of the enterprise, identifiers of source and destination."""


@dataclass(slots=True)
class Answers:
    """All answers of one implementation.

    Attributes:
        hops: None where there was no route.
        faults: how the implementation broke its contract, by question.
        unreachable: why it could not be asked at all, empty where it could.
    """

    hops: dict[Question, tuple[str, ...] | None] = field(default_factory=dict)
    faults: dict[Question, str] = field(default_factory=dict)
    unreachable: str = ""


@dataclass(slots=True)
class Asking:
    """One implementation being asked, its connection made anew after each fault."""

    implementation: Implementation
    deadline: float
    answers: Answers = field(default_factory=Answers)
    _iut: CheckedIut | None = None
    _local: tuple[str, str] = ("", "")

    def ask_all(self, enterprises: Sequence[Enterprise]) -> Answers:
        """Ask as every queue manager of each enterprise for the way to every destination."""
        try:
            for enterprise in enterprises:
                for source in enterprise.machines:
                    for destination in enterprise.destinations:
                        if source != destination:
                            self._ask(enterprise, source, destination)
        except ConfigurationError as problem:
            self.answers.unreachable = str(problem)
        finally:
            self._close()
        return self.answers

    def _ask(self, enterprise: Enterprise, source: str, destination: str) -> None:
        question = (enterprise.name, source, destination)
        if len(self.answers.faults) >= MOST_FAULTS:
            return
        try:
            self.answers.hops[question] = self._hops(enterprise, source, destination)
        except ConfigurationError:
            raise
        except IutProblem as problem:
            self.answers.faults[question] = str(problem)
            self._close()

    def _hops(self, enterprise: Enterprise, source: str, destination: str) -> tuple[str, ...] | None:
        iut = self._become(enterprise, source)
        try:
            found = iut.call("router.get_next_hops", {"source": source, "destination": destination})["next_hops"]
        except IutErrorAnswer:
            return None  # every error in answer to this question means that there is no route
        if len(found) > MOST_HOPS:
            raise IutFault("oversize", f"router.get_next_hops: {len(found)} hops; an answer has {MOST_HOPS} at most")
        return tuple(one.lower() for one in found if one is not None)

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
