"""Judgements on a whole run of a discovery client: whether some permitted combination of readings explains it.

Where none does, the requirements that the closest hypothesis shows violated are violated. Where one does, the readings
that the client cannot but follow have the verdict of the register. A place where every reading is left open in a
profile says nothing about the client; which reading it follows is noted all the same.
"""

import re
from collections.abc import Iterator
from typing import Final

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.verdict import Verdict, worst
from mqconform.harness.witness import Judgement
from mqconform.reference.allowed import Reading
from mqconform.reference.mqsd.client import Contradiction, Expectation, Explanation, Hypothesis
from mqconform.reference.mqsd.client.explain.open_readings import Choices

Weighed = tuple[tuple[str, ...], Judgement]
"""A judgement, and the requirements that it bears on."""

_WHOLE_EFFECT: Final = re.compile(r"effect \d+")
EXPECTED: Final = "one permitted combination of readings explains everything that the client did"


def judge_run(
    judge: Judge, explanation: Explanation, timeline: str, tagged: tuple[str, ...], *, at_the_end: bool = False
) -> Iterator[Weighed]:
    """Yield the judgements on a run.

    Args:
        judge: weighs readings, and notes which were followed.
        explanation: after the last observation.
        timeline: what happened, as evidence.
        tagged: requirements of the scenario.
        at_the_end: whether a contradiction came with the last thing that happened, which is what a scenario is about.
    """
    if explanation.contradiction:
        earlier = explanation.applied if at_the_end else frozenset()
        yield _contradicted(judge, explanation.contradiction, timeline, tagged, earlier)
        return
    settled = _settled(explanation)
    for reading, situation in settled:
        if not _decides_nothing(judge, reading):
            yield from _followed(judge, reading, situation, timeline, tagged)
        judge.readings.record(reading.register, reading.name, situation)
    doubtful = [one for one in _doubts(judge, explanation) if one not in dict(settled)]
    for reading in doubtful:
        verdict = judge.register.verdict_of(reading.register, reading.name, judge.profile)
        yield _bearing(judge, reading, tagged), Judgement(verdict, EXPECTED, timeline, reading=f"{reading}")
    burdened = {one for reading in _doubts(judge, explanation) for one in _bearing(judge, reading, tagged)}
    free = tuple(one for one in tagged if one not in burdened)
    if free:
        yield free, judge.says(True, EXPECTED, timeline)


def _contradicted(
    judge: Judge, contradiction: Contradiction, timeline: str, tagged: tuple[str, ...], earlier: frozenset[str]
) -> Weighed:
    """Return the judgement; ``earlier`` are rules that went before and may be what was broken."""
    differences = contradiction.closest[0].differences
    violated = tuple(dict.fromkeys(one for difference in differences for one in difference.requirements))
    closest = "\nor: ".join(map(str, contradiction.closest))
    bears = tuple(one for one in tagged if one in violated)
    if not bears and any(_WHOLE_EFFECT.fullmatch(one.what) for one in differences):
        bears = tuple(one for one in tagged if one in earlier)
    convicted = bears or _blamed(contradiction.closest[0], violated)[:1] or tagged
    return convicted, judge.says(False, f"{EXPECTED}; at its last line: {closest}", timeline)


def _blamed(closest: Expectation, violated: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requirements that a difference is about, where none of them is the scenario's.

    An element of the state is spoken of by many rules: it is the one that went before that was broken.
    """
    if closest.differences[0].what.startswith("effect "):
        return violated
    return tuple(one for one in violated if one in closest.requirements) or closest.requirements[-1:] or violated


def _followed(
    judge: Judge, reading: Reading, situation: str, timeline: str, tagged: tuple[str, ...]
) -> Iterator[Weighed]:
    """Yield the verdict on a reading that was followed, unless it is right and nothing that is judged here."""
    judgement = judge.reading(reading.register, reading.name, EXPECTED, timeline, situation=situation)
    concerns = judge.register[reading.register].requirements
    if judgement.verdict is not Verdict.PASS or any(one in concerns for one in tagged):
        yield _bearing(judge, reading, tagged), judgement


def _bearing(judge: Judge, reading: Reading, tagged: tuple[str, ...]) -> tuple[str, ...]:
    concerns = judge.register[reading.register].requirements
    return tuple(one for one in tagged if one in concerns) or concerns[:1]


def _settled(explanation: Explanation) -> list[tuple[Reading, str]]:
    """Return the readings that no other is left beside, with the situation of each."""
    found: dict[tuple[Reading, str], None] = {}
    for place, choices in explanation.followed().items():
        readings = {choice.reading for choice in choices}
        if len(readings) == 1:
            # A client may take exception to one irregularity and not to another: each is a situation of its own.
            found[(readings.pop(), place.partition(": ")[2])] = None
    return sorted(found)


def _doubts(judge: Judge, explanation: Explanation) -> list[Reading]:
    """Return the readings short of a pass that even the best hypothesis needs."""
    return min((_short_of_pass(judge, one) for one in explanation.hypotheses), key=lambda one: _weight(judge, one))


def _weight(judge: Judge, readings: list[Reading]) -> tuple[Verdict, int]:
    verdicts = (judge.register.verdict_of(one.register, one.name, judge.profile) for one in readings)
    return worst(verdicts), len(readings)


def _short_of_pass(judge: Judge, hypothesis: Hypothesis) -> list[Reading]:
    needed = (_best(judge, choices) for _, choices in hypothesis.combinations.narrowed)
    found = {
        one
        for one in needed
        if judge.register.verdict_of(one.register, one.name, judge.profile) is not Verdict.PASS
        and not _decides_nothing(judge, one)
    }
    return sorted(found)


def _best(judge: Judge, choices: Choices) -> Reading:
    readings = (choice.reading for choice in choices)
    return min(readings, key=lambda one: (judge.register.verdict_of(one.register, one.name, judge.profile), one))


def _decides_nothing(judge: Judge, reading: Reading) -> bool:
    """Return whether every reading for the same situation is inconclusive in this profile."""
    entry = judge.register[reading.register]
    here = entry.reading(reading.name)
    alike = (one for one in entry.readings if one.situation == here.situation)
    return all(one.verdicts[judge.profile] is Verdict.INCONCLUSIVE for one in alike)
