"""The shuffled reference differs from the plain one in many answers and in no verdict."""

import pytest
from long_tier import long

from mqconform.harness.compare.mutation.shuffling import Shuffling, differences, shuffle
from mqconform.harness.compare.mutation.trial import Conviction, Trial

SEEDS = 1
CASES = ("mqbr/3_1_5", "mqsd/3_1_7", "mqsd/3_2")
"""Where order and choice show most: `mqconform mutants shuffled` tries ten seeds, in all of the suite."""


@pytest.fixture(scope="module")
def shuffling() -> Shuffling:
    return shuffle(SEEDS, first=40, cases=CASES)


@long
def test_no_verdict_changes_with_the_seed(shuffling: Shuffling) -> None:
    assert shuffling.differences == ()


@long
def test_answers_do_change(shuffling: Shuffling) -> None:
    assert shuffling.altered > shuffling.cases // 4


def test_every_change_of_a_verdict_is_told() -> None:
    plain = Trial("plain", exit_code=0, verified=("MQBR-3.1.3.1-17",), assertions={"one": 2})
    conviction = Conviction("one", "MQBR-3.1.3.1-17", "next_hop_is")
    other = Trial("other", exit_code=1, convictions=(conviction,), assertions={"one": 1})
    assert [*differences(plain, other)] == [
        "MQBR-3.1.3.1-17 violated in one, `next_hop_is`",
        "MQBR-3.1.3.1-17 verified in one of the two",
        "one: 1 assertions, of the reference 2",
        "exit code 1 instead of 0",
    ]
    assert [*differences(plain, plain)] == []
