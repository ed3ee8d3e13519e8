"""What judges need of the run that they work in, which ``Session`` is, and what the scenes of scenarios share."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import ParamSpec, Protocol, cast

from mqconform.harness.iut.conversation import Conversation
from mqconform.harness.iut.drivers.discovery_client.recordings import Recordings
from mqconform.harness.iut.interface import AdapterOptions, Iut
from mqconform.harness.iut.patience import Patience
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.counterexamples import save_steps
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bearing
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import ResultWriter
from mqconform.harness.records.witness import Judgement, Traffic
from mqconform.harness.suite.ambiguity import ReadingLog, Register
from mqconform.harness.suite.steps import then

P = ParamSpec("P")


class JudgedRun(Protocol):
    """One run against one IUT."""

    iut: Iut
    profile: Profile
    seed: int
    options: AdapterOptions
    register: Register
    readings: ReadingLog
    writer: ResultWriter
    second_opinion: bool
    thorough: int
    """How many times as many generated inputs are tried as by default."""
    recordings: Recordings | None
    conversation: Conversation
    patience: Patience
    request_ids: dict[bytes, str]
    """RequestIDs that the implementation has sent since it was started, with the case in which it did."""

    def witness(
        self, case: Case, requirements: Iterable[str], judgement: Judgement, traffic: Traffic | None = None
    ) -> None:
        """Record one judgement for each of the requirements that it bears on."""

    def overheard(self, iut: CheckedIut) -> CheckedIut:
        """Return an IUT whose conversation is recorded as evidence."""

    def lose_iut(self, case: Case) -> None:
        """Replace an IUT that crashed or hung by a fresh one."""


class JudgedScene:
    """What the scenes of scenarios have in common; each has these fields, and more."""

    __slots__ = ()
    run: JudgedRun
    case: Case
    judge: Judge

    def witness(self, judgement: Judgement, check: Callable[..., object] | None = None) -> None:
        """Record a judgement for the requirements of the scenario, or those of them that a check bears on."""
        self.run.witness(self.case, bearing(check, self.case.requirements), judgement)

    def save_case(self, steps: Sequence[str], *, tags: str, requirement: str, title: str) -> Path:
        """Save a counterexample beside the results; see ``save_steps``."""
        folder, seed = self.run.writer.path.parent, self.run.seed
        path = save_steps(folder, steps, tags=tags, requirement=requirement, title=title, seed=seed)
        self.case.saved.append(path)
        return path


class SearchingScene(JudgedScene):
    """A scene in which a search is made.

    Attributes:
        trouble: what it found violated, with what shows it.
    """

    __slots__ = ()
    trouble: tuple[str, Judgement] | None

    def witness_search(self, passed: Callable[[], Judgement]) -> None:
        """Record what a search came to: what it found violated, or else what ``passed`` says."""
        if self.trouble is None:
            self.witness(passed())
            return
        requirement, judgement = self.trouble
        self.run.witness(self.case, (requirement,), judgement)


def fresh_judge(run: JudgedRun) -> Judge:
    """Return the judge of a scenario that begins, with an implementation as freshly started."""
    run.patience.check_alive()
    run.iut.call("reset", {})
    return Judge(run.register, run.profile, run.readings)


def then_judged(sentence: str) -> Callable[[Callable[P, Judgement]], Callable[P, Judgement]]:
    """Make a check that takes a scene a step, which records for the scene what the check says."""

    def entered(check: Callable[P, Judgement]) -> Callable[P, Judgement]:
        scene = next(iter(signature(check).parameters))

        @wraps(check)
        def step(*args: P.args, **kwargs: P.kwargs) -> None:
            judged = cast("JudgedScene", kwargs[scene])
            judged.witness(check(*args, **kwargs), check)

        then(sentence)(step)
        return check

    return entered
