"""Judgements on routing answers: the reference model says what is allowed, the register weighs the readings."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement
from mqconform.reference.allowed import Allowed, Standing
from mqconform.reference.mqbr.decision import NextHopsDecision
from mqconform.reference.mqbr.judgement import Judgement as ModelJudgement
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops import NextHops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

Naming = Callable[[str], str]
"""Replaces the GUIDs in a text by names."""
NO_ROUTE_TEXT = "no route"


def judge_answer(judge: Judge, decision: NextHopsDecision, observed: Sequence[str] | None, naming: Naming) -> Judgement:
    """Judge one answer to GetNextHops (3.1.5.1); None is a failed routing attempt."""
    model = judge_next_hops(decision, observed)
    expected = expected_text(decision.allowed, naming)
    return weigh(judge, model, expected, f"{naming(hops_text(observed))} ({naming(model.explanation)})")


def weigh(judge: Judge, model: ModelJudgement[Any], expected: str, observed: str) -> Judgement:
    """Turn what the model says into a verdict of the profile; of several readings the worst counts."""
    best = model.matched
    if best is None and model.outcome is Outcome.NOT_ALLOWED:
        return judge.says(False, expected, observed)
    if best is None or (best.standing > Standing.UNDECIDED and model.outcome is Outcome.UNDECIDED):
        return judge.undecided(expected, observed)
    weighed = [judge.reading(one.register, one.name, expected, observed) for one in sorted(best.readings)]
    return max(weighed, key=lambda one: one.verdict, default=judge.says(True, expected, observed))


def text_level(allowed: Allowed[NextHops]) -> tuple[frozenset[frozenset[str]], frozenset[frozenset[str]]]:
    """Return the outcomes that the text gives by itself, and those with all that the register permits; as sets."""
    return _as_sets(allowed.outcomes(Standing.TEXT)), _as_sets(allowed.outcomes(Standing.PERMITTED))


def expected_text(allowed: Allowed[NextHops], naming: Naming) -> str:
    """Return the allowed outcomes in words, by name."""
    outcomes = sorted({naming(hops_text(one)) for one in allowed.outcomes(Standing.PERMITTED)})
    return " or ".join(outcomes) or "left open by the text"


def hops_text(hops: Sequence[str] | None) -> str:
    """Return an answer in words."""
    return ", ".join(hops) if hops else NO_ROUTE_TEXT


def _as_sets(outcomes: Iterable[NextHops]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(one) for one in outcomes)
