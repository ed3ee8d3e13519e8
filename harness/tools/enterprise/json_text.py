"""Strict JSON: every key once, no NaN, no unpaired surrogate, and the place of what is wrong.

The standard library parses; what it lets through, or refuses without a place, is found here.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from mqconform.harness.tools.enterprise.faults import BadText, Fault
from mqconform.harness.tools.enterprise.places import Position, path_text, values

MAX_DIGITS: Final = 40
"""Longest number that is read, in characters; costs have six."""

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class _Refused:
    """Stands in a parsed document for a number that is refused, until its place is known."""

    def __init__(self, literal: str) -> None:
        self.literal = literal


class _Duplicated(dict[str, Any]):
    """An object that has a key twice."""

    key: str


def parse_json(text: str) -> object:
    """Return the document that a JSON text holds.

    Raises:
        BadText: it is none, has a key twice, a number that is none, or half of a surrogate pair.
    """
    refused: list[object] = []

    def refuse(literal: str) -> object:
        refused.append(_Refused(literal[:MAX_DIGITS]))
        return refused[-1]

    def integer(digits: str) -> object:
        return int(digits) if len(digits) <= MAX_DIGITS else refuse(digits)

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(pairs)
        if len(held) == len(pairs):
            return held
        duplicated = _duplicated(pairs)
        refused.append(duplicated)
        return duplicated

    try:
        document = json.loads(text, object_pairs_hook=mapping, parse_constant=refuse, parse_int=integer)
    except json.JSONDecodeError as error:
        raise BadText(_syntax_fault(text, error)) from error
    except RecursionError as error:
        raise BadText(Fault("is nested too deeply; an enterprise document has four levels")) from error
    if refused or _ESCAPED_SURROGATE.search(text):
        _check_values(document)
    return document


def json_positions(text: str) -> Iterator[Position]:
    """Yield each key and each list entry of a JSON text with its line, after the document itself."""
    line, counted = 1, 0
    steps: list[str | int] = []
    for offset in _entries(text, len(text), steps):
        line += text.count("\n", counted, offset)
        counted = offset
        yield tuple(steps), line


def _entries(text: str, end: int, steps: list[str | int]) -> Iterator[int]:
    """Yield the offset of each key and list entry before ``end``; ``steps`` always leads to where the scan is."""
    key_due = False
    for token in _TOKEN.finditer(text, 0, end):
        first = token[0][0]
        if first in "]}":
            del steps[-1:]
            key_due = False
        elif first == ",":
            key_due = bool(steps) and isinstance(steps[-1], str)
            if steps:
                steps[-1] = steps[-1] + 1 if isinstance(steps[-1], int) else ""
        elif first == '"' and key_due:
            steps[-1], key_due = _unquoted(token[0]), False
            yield token.start()
        elif first != ":":
            if not steps or isinstance(steps[-1], int):
                yield token.start()
            if first in "[{":
                steps.append(0 if first == "[" else "")
                key_due = first == "{"


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token.strip('"')


def _duplicated(pairs: list[tuple[str, Any]]) -> _Duplicated:
    held = _Duplicated(pairs)
    held.key = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return held


def _check_values(document: object) -> None:
    """Raise BadText for the first value that JSON has and an enterprise document must not have."""
    for steps, value in values(document):
        if isinstance(value, _Refused):
            text = f"{value.literal} is no number that is read; write an integer of at most six digits"
            raise BadText(Fault(text, path_text(steps)))
        if isinstance(value, _Duplicated):
            text = "is written twice in one object; keep one of the two"
            raise BadText(Fault(text, path_text((*steps, value.key))))
        if any(_SURROGATE.search(each) for each in (value, *steps[-1:]) if isinstance(each, str)):
            raise BadText(Fault("holds half of a surrogate pair, which is no character; correct it", path_text(steps)))


def _syntax_fault(text: str, error: json.JSONDecodeError) -> Fault:
    steps: list[str | int] = []
    for _ in _entries(text, error.pos, steps):
        pass
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        wrong = "the JSON text ends too early; the file may be truncated"
    else:
        wrong = f"is no JSON: {error.msg} (column {error.colno}); correct the text there"
    return Fault(wrong, path_text(step for step in steps if step != ""), error.lineno)
