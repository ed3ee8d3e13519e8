"""Defects in features: a scenario dropped, an assertion deleted."""

import re
from collections.abc import Iterator

from mqconform.harness.compare.mutation.seeded.code_defects import Defect

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
            around, name = range(number + 1, end + 1), line.partition(":")[2].strip()
            yield Defect("drop scenario", file, around, around, name, "", _text(lines[:start] + lines[end:]))
            yield from _without_each_and(file, lines, around, name)


def _extent(lines: list[str], head: int) -> tuple[int, int]:
    """Return where a scenario's tags begin and where the next thing does."""
    start = head
    while start and _TAG.match(lines[start - 1]):
        start -= 1
    end = next((at for at in range(head + 1, len(lines)) if _END.match(lines[at])), len(lines))
    return start, end


def _without_each_and(file: str, lines: list[str], around: range, name: str) -> Iterator[Defect]:
    asserting = False
    for line in around:
        text = lines[line - 1]
        asserting = asserting or bool(_THEN.match(text))
        if asserting and _AND.match(text):
            left = _text(lines[: line - 1] + lines[line:])
            yield Defect("delete assertion", file, range(line, line + 1), around, name, text.strip(), left)


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
