"""Judgements on a history of deliveries: what one end violates in it (page, section 2)."""

from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.harness.eod.schedule import written
from mqconform.harness.eod.search import Trouble
from mqconform.harness.eod.timeline import timeline_lines
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import MAX_TEXT, Judgement
from mqconform.reference.eod.findings import RULES

EXPECTED: Final = "every message delivered once and in order, by the rules of both ends"
ROOM: Final = MAX_TEXT - 200
"""Characters for schedule and time line in a witness."""


def violations(judge: Judge, role: str, trouble: Trouble) -> Iterator[tuple[str, Judgement]]:
    """Yield each requirement that is violated, with a judgement that tells the whole story.

    The other end is the reference, so that what the history blames on nobody is the fault of this end.
    """
    found = dict.fromkeys(one.requirement for one in trouble.violations if one.role in ("", role))
    says = {one.requirement: RULES[one.finding].says for one in trouble.violations}
    for requirement in found:
        yield requirement, judge.says(False, EXPECTED, f"{says[requirement]}\n{story(trouble)}")


def story(trouble: Trouble) -> str:
    """Return schedule and time line; what is far from the first thing that is wrong is left out if it is too long."""
    steps = len(trouble.schedule)
    head = f"fault schedule, {steps} step{'s' * (steps != 1)}: {written(trouble.schedule)}"
    lines = [*timeline_lines(trouble.history, trouble.violations)]
    return "\n".join([head, *_shortened(lines, ROOM - len(head))])


def _shortened(lines: Sequence[str], room: int) -> Sequence[str]:
    """Drop lines from the end down to the first that is wrong, then from the beginning, until the rest fits."""
    wrong = next((place for place, one in enumerate(lines) if "!!" in one), len(lines) - 1)
    first, last = 0, len(lines)
    while last > wrong + 1 and _length(lines[first:last]) > room:
        last -= 1
    while first < wrong and _length(lines[first:last]) > room:
        first += 1
    return [*["..."] * (first > 0), *lines[first:last], *["..."] * (last < len(lines))]


def _length(lines: Sequence[str]) -> int:
    return sum(len(one) + 1 for one in lines)
