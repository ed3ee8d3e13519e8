"""The shuffled reference differs from the plain one in many answers and in no verdict."""

from mqconform.harness.compare.mutation.shuffling import differences
from mqconform.harness.compare.mutation.trial import Conviction, Trial


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
