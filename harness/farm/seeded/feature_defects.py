"""Defects in features: a scenario dropped, an assertion deleted."""

import re
from collections.abc import Iterator

from mqconform.harness.farm.seeded.code_defects import Defect

_SCENARIO = re.compile(r"\s*Scenario( Outline)?:")
_TAG = re.compile(r"\s*@")
_END = re.compile(r"\s*(@|Scenario|Rule:|Feature:|Background:)")
_THEN = re.compile(r"\s*Then ")
_AND = re.compile(r"\s*(And|But) ")


def feature_defects(file: str, text: str) -> Iterator[Defect]:
    """Yield the feature without each of its scenarios, and without each assertion that follows another."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if _SCENARIO.match(line):
            start, end = _extent(lines, number)
            yield Defect("drop scenario", file, number + 1, "\n".join(lines[:start] + lines[end:]) + "\n")
            yield from _without_each_and(file, lines, number, end)


def _extent(lines: list[str], head: int) -> tuple[int, int]:
    """Return where a scenario's tags begin and where the next thing does."""
    start = head
    while start and _TAG.match(lines[start - 1]):
        start -= 1
    end = next((at for at in range(head + 1, len(lines)) if _END.match(lines[at])), len(lines))
    return start, end


def _without_each_and(file: str, lines: list[str], start: int, end: int) -> Iterator[Defect]:
    asserting = False
    for number in range(start, end):
        asserting = asserting or bool(_THEN.match(lines[number]))
        if asserting and _AND.match(lines[number]):
            yield Defect("delete assertion", file, number + 1, "\n".join(lines[:number] + lines[number + 1 :]) + "\n")
