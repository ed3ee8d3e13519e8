"""The whole history of a discovery client: whether some permitted combination of readings explains it (MS-MQSD 3.1).

Where none does, the requirements that the closest hypothesis shows violated are violated. Where one does, the readings
that the client cannot but follow have the verdict of the register. A place where every reading is left open in a
profile says nothing about the client; which reading it follows is noted all the same.
"""

import re
from collections.abc import Iterator
from typing import Final

from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.verdict import Verdict, worst
from mqconform.harness.records.witness import Judgement
from mqconform.reference.allowed import Reading
from mqconform.reference.mqsd.client import Contradiction, Expectation, Explanation, Hypothesis
from mqconform.reference.mqsd.client.explain.hypothesis import Choices

Weighed = tuple[tuple[str, ...], Judgement]
"""A judgement, and the requirements that it bears on."""
_FIELD: Final = re.compile(r"effect \d+, ")
_WHOLE_EFFECT: Final = re.compile(r"effect \d+")
EXPECTED: Final = "one permitted combination of readings explains every action of the client"


def judge_run(
    judge: Judge,
    explanation: Explanation,
    timeline: str,
    tagged: tuple[str, ...],
    *,
    convicted: tuple[str, ...] = (),
) -> Iterator[Weighed]:
    """Yield the judgements on a run.

    Args:
        judge: weighs readings, and notes which were followed.
        explanation: after the last observation.
        timeline: what happened, as evidence.
        tagged: requirements of the scenario.
        convicted: the requirements that were broken where that is known; else the first contradiction decides.
    """
    if explanation.contradiction:
        closest = "\nor: ".join(map(str, explanation.contradiction.closest))
        names = convicted or first_sentence(explanation.contradiction, tagged)
        yield names, judge.says(False, f"{EXPECTED}; permitted at the last line: {closest}", timeline)
        return
    settled = _settled(explanation)
    for reading, situation in settled:
        if not _decides_nothing(judge, reading):
            yield from _followed(judge, reading, situation, timeline, tagged)
        judge.readings.record(reading.register, reading.name, situation)
    doubts = _doubts(judge, explanation)
    for reading in doubts:
        if reading not in dict(settled):
            doubtful = Judgement(_verdict(judge, reading), EXPECTED, timeline, reading=f"{reading}")
            yield _bearing(judge, reading, tagged), doubtful
    burdened = {name for reading in doubts for name in _bearing(judge, reading, tagged)}
    unburdened = tuple(name for name in tagged if name not in burdened)
    if unburdened:
        yield unburdened, judge.says(True, EXPECTED, timeline)


def first_sentence(
    contradiction: Contradiction, tagged: tuple[str, ...], earlier: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return the requirement of the first observation that is contradicted.

    Args:
        contradiction: of the run.
        tagged: requirements of the scenario, which go before others.
        earlier: rules that went before and may be what was broken.
    """
    closest = contradiction.closest[0]
    fields = [difference for difference in closest.differences if _FIELD.match(difference.what)]
    differences = fields or closest.differences
    violated = tuple(dict.fromkeys(name for difference in differences for name in difference.requirements))
    if fields:
        # Each field of a request names its own sentences.
        return tuple(name for name in tagged if name in violated) or violated[:1]
    bears = tuple(name for name in tagged if name in violated)
    if not bears and any(_WHOLE_EFFECT.fullmatch(difference.what) for difference in closest.differences):
        bears = tuple(name for name in tagged if name in earlier)
    return bears[:1] or _blamed(closest, violated)[:1] or tagged[:1]


def _blamed(closest: Expectation, violated: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that a difference is about, where none of them is the scenario's.

    An element of the state is spoken of by many rules: it is the one that went before that was broken.
    """
    if closest.differences[0].what.startswith("effect "):
        return violated
    return tuple(name for name in violated if name in closest.requirements) or closest.requirements[-1:] or violated


def _followed(
    judge: Judge, reading: Reading, situation: str, timeline: str, tagged: tuple[str, ...]
) -> Iterator[Weighed]:
    """Yield the verdict on a reading that was followed, unless it is right and nothing that is judged here."""
    judgement = judge.reading(reading.register, reading.name, EXPECTED, timeline, situation=situation)
    concerns = judge.register[reading.register].requirements
    if judgement.verdict is not Verdict.PASS or any(name in concerns for name in tagged):
        yield _bearing(judge, reading, tagged), judgement


def _bearing(judge: Judge, reading: Reading, tagged: tuple[str, ...]) -> tuple[str, ...]:
    concerns = judge.register[reading.register].requirements
    return tuple(name for name in tagged if name in concerns) or concerns[:1]


def _settled(explanation: Explanation) -> list[tuple[Reading, str]]:
    """Return the readings that no other is left beside, with the situation of each."""
    settled: dict[tuple[Reading, str], None] = {}
    for place, choices in explanation.followed().items():
        readings = {choice.reading for choice in choices}
        if len(readings) == 1:
            # A client may take exception to one irregularity and not to another: each is a situation of its own.
            settled[(readings.pop(), place.partition(": ")[2])] = None
    return sorted(settled)


def _doubts(judge: Judge, explanation: Explanation) -> list[Reading]:
    """Return the readings short of a pass that even the best hypothesis needs."""
    doubts = (_short_of_pass(judge, hypothesis) for hypothesis in explanation.hypotheses)
    return min(doubts, key=lambda readings: (worst(_verdict(judge, reading) for reading in readings), len(readings)))


def _short_of_pass(judge: Judge, hypothesis: Hypothesis) -> list[Reading]:
    needed = (_best(judge, choices) for _, choices in hypothesis.combinations.narrowed)
    doubts = {
        reading
        for reading in needed
        if _verdict(judge, reading) is not Verdict.PASS and not _decides_nothing(judge, reading)
    }
    return sorted(doubts)


def _best(judge: Judge, choices: Choices) -> Reading:
    readings = (choice.reading for choice in choices)
    return min(readings, key=lambda reading: (_verdict(judge, reading), reading))


def _verdict(judge: Judge, reading: Reading) -> Verdict:
    return judge.register.verdict_of(reading.register, reading.name, judge.profile)


def _decides_nothing(judge: Judge, reading: Reading) -> bool:
    """Return whether every reading for the same situation is inconclusive in this profile."""
    entry = judge.register[reading.register]
    here = entry.reading(reading.name)
    alike = (reading for reading in entry.readings if reading.situation == here.situation)
    return all(reading.verdicts[judge.profile] is Verdict.INCONCLUSIVE for reading in alike)
