"""Histories drawn by chance: the text's own are allowed, and no fault hides behind what the text leaves open."""

from collections.abc import Iterable

import pytest
from long_tier import LONG
from mqso_histories import MODEL, history_of
from mqso_seeds import DRAWN, seeds_for

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.explanation import explain
from mqconform.reference.mqso.faults.fault import Fault


@pytest.mark.parametrize("seed", [0, 1, 2, 3, *(pytest.param(seed, marks=LONG) for seed in range(4, 60))])
def test_what_the_text_allows_is_explained(seed: int) -> None:
    explanation = explain(history_of(MODEL, seed))
    assert explanation.worlds, explanation.contradiction


def told_apart(fault: Fault, seeds: Iterable[int]) -> int | None:
    """Return the first seed by which a fault is told from what the text and the register allow, None without."""
    for seed in seeds:
        explanation = explain(history_of(fault.model, seed))
        if explanation.standing is None or explanation.standing > Standing.PERMITTED:
            return seed
    return None


@pytest.mark.parametrize("fault", DRAWN, ids=lambda fault: fault.name)
def test_each_fault_is_told_apart(fault: Fault) -> None:
    assert told_apart(fault, seeds_for(fault.name)) is not None
