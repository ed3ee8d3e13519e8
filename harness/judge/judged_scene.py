"""What the scenes of scenarios share: the run and the case that they work in."""

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import ParamSpec, cast

from mqconform.harness.judge.counterexamples import save_steps
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.marks import bearing
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then

P = ParamSpec("P")


class JudgedScene:
    """What the scenes of scenarios have in common; each has these fields, and more."""

    __slots__ = ()
    run: Session
    case: Case
    judge: Judge

    def witness(self, judgement: Judgement, check: Callable[..., object] | None = None) -> None:
        """Record a judgement for the requirements of the scenario, or those of them that a check bears on."""
        self.run.witness(self.case, bearing(check, self.case.requirements), judgement)

    def save_case(self, steps: Sequence[str], *, tags: str, requirement: str, title: str) -> Path:
        """Save a counterexample beside the results; see ``save_steps``."""
        folder, seed = self.run.writer.path.parent, self.run.plan.seed
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


def fresh_judge(run: Session) -> Judge:
    """Return the judge of a scenario that begins, with an implementation as freshly started."""
    run.patience.check_alive()
    run.iut.call("reset", {})
    return run.judge


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
