"""Inputs drawn by Hypothesis, and the smallest of them that still shows a disagreement.

What is smaller, the inputs of a role say; what is alike, the disagreement itself.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from mqconform.harness.explore.inputs.role_inputs import Inputs
from mqconform.harness.explore.subjects import Subject, asked_of
from mqconform.harness.explore.votes import Disagreement, Kind, Vote, disagreements
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.search import BY_SEED_ALONE

ATTEMPTS: Final = {Kind.ORACLES: 250, Kind.IUT: 250, Kind.REFERENCE_ALONE: 250, Kind.OPEN: 30}
"""How often a smaller input is tried, by what it is to show."""
ATTEMPTS_WITH_A_CRASH: Final = 4
"""The same where each attempt may cost a deadline and a new start."""


def drawn(strategy: st.SearchStrategy[Any], count: int, seed: int) -> list[Any]:
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


def smallest(
    disagreement: Disagreement,
    role_input: Any,
    inputs: Inputs[Any],
    subjects: Sequence[Subject],
    ours: Collection[str],
) -> tuple[Disagreement, Any]:
    """Return a disagreement with the smallest input that shows it; who does not matter to it is asked at the end alone.

    Args:
        disagreement: what the input shows.
        role_input: the input.
        inputs: those of the role.
        subjects: all who were asked.
        ours: labels of the reference itself.
    """
    labels = disagreement.needed
    concerned = [subject for subject in subjects if subject.label in labels]

    def shown(candidate: Any, asked: Sequence[Subject]) -> Disagreement | None:
        now = disagreements(asked_of(asked, inputs, candidate), ours)
        return next((other for other in now if other.signature == disagreement.signature), None)

    crashes = any(answer.vote is Vote.FAULT for answer in disagreement.answers.values())
    attempts = ATTEMPTS_WITH_A_CRASH if crashes else ATTEMPTS[disagreement.kind]
    small = reduced(role_input, inputs.smaller, lambda candidate: shown(candidate, concerned) is not None, attempts)
    again = shown(small, subjects)
    return (disagreement, role_input) if again is None else (again, small)
