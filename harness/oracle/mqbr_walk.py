"""Judgements on the way of a message: each hop by itself, and that it gets there (MS-MQBR 3.1.3.1, 3.1.5)."""

from collections.abc import Sequence

from mqconform.harness.mqbr.walk import End
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.verdict import Verdict
from mqconform.harness.witness import Judgement


def judge_walk(judge: Judge, way: str, end: End, hops: Sequence[Judgement]) -> Judgement:
    """Return the worst of the hops; allowed hops that do not lead to the destination are none either.

    In an enterprise with positive costs whose directory stands still, allowed hops come closer to the destination
    one by one (BR-50): a message that circles, or is under way too long, was misled.
    """
    worst = max(hops, key=lambda one: one.verdict, default=judge.says(True, "", ""))
    if worst.verdict > Verdict.PASS:
        return Judgement(worst.verdict, worst.expected, f"{way}; {worst.observed}", reading=worst.reading)
    expected = "the message arrives, each hop an allowed one"
    match end:
        case End.ARRIVED:
            return judge.says(True, expected, way)
        case End.STUCK:
            return judge.undecided(expected, way)  # nobody was to route it: every hop, this one too, is allowed
        case End.LOOP | End.TOO_LONG | End.ASTRAY:
            return judge.says(False, expected, way)
