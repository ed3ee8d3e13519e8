"""Strict JSON and YAML: every key once, bounded depth, no tag, alias of scalars alone, and the line of each place.

``json`` parses JSON, for it is fast. YAML is built here from the events of libyaml, which reads ten times faster than
loaders that keep positions; JSON is read that way as well once something is wrong with it, for the place. Scalars are
those of YAML 1.2, so that a site may be called NO.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NoReturn, TypeAlias

import yaml

MAX_DIGITS: Final = 40
"""Longest number that is read, in characters; costs have six."""

MAX_DEPTH: Final = 32
"""Deepest nesting that is read; an enterprise document has four levels."""

_TOO_DEEP: Final = f"is nested too deeply; keep to {MAX_DEPTH} levels"

MAX_STEP: Final = 60
"""Longest key that a path repeats, in characters."""

Steps: TypeAlias = tuple[str | int, ...]
"""Keys and list indices that lead from the document to a value; empty for the document itself."""

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_FRACTION: Final = re.compile(r"[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?", re.ASCII)
_NO_NUMBER: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)
_NO_JSON_NUMBER: Final = re.compile(r"-?Infinity|NaN", re.ASCII)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_PLAIN_SCALARS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that keeps a document from being read."""

    text: str
    """What is wrong and what to do about it."""
    path: str = ""
    """Place in the document, such as ``routing_links[3].cost``; empty for the file as a whole."""
    line: int | None = None
    """Line of the file, counted from 1; None where a line means nothing."""

    def __str__(self) -> str:
        """Return path and text."""
        return f"{self.path}: {self.text}" if self.path else self.text


class BadText(Exception):
    """A text is not a document in its format; the one fault says where and why."""

    def __init__(self, text: str, path: str = "", line: int | None = None) -> None:
        self.fault = Fault(text, path, line)
        super().__init__(str(self.fault))


def parse_json(text: str) -> object:
    """Return the document that a JSON text holds.

    Raises:
        BadText: it is none, has a key twice, a number that is none, or half of a surrogate pair.
    """
    try:
        document: object = json.loads(text, object_pairs_hook=_mapping, parse_constant=_strange, parse_int=_integer)
    except _Strange as error:
        _Reader(_without_surrogates(text), json=True).document()
        raise BadText("has a duplicate key or an invalid number; correct it") from error
    except json.JSONDecodeError as error:
        raise _syntax_fault(text, error) from error
    except RecursionError as error:
        raise BadText(_TOO_DEEP) from error
    if _ESCAPED_SURROGATE.search(text):
        _refuse_surrogates(document)
    return document


class _Strange(Exception):
    """A JSON text holds what ``json`` takes and an enterprise must not have; its place is still to be found."""


def _strange(_: str) -> NoReturn:
    raise _Strange


def _integer(digits: str) -> int:
    return int(digits) if len(digits) <= MAX_DIGITS else _strange(digits)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    return mapping if len(mapping) == len(pairs) else _strange("")


def parse_yaml(text: str, most_values: int) -> object:
    """Return the document that a YAML text holds.

    Args:
        text: the whole file.
        most_values: number of keys and list entries beyond which it is refused.

    Raises:
        BadText: it is not valid YAML, or holds what data does not need: an alias of a list, a tag, a second document.
    """
    places = count()

    def limit(_: Steps, line: int) -> None:
        if next(places) > most_values:
            raise BadText(f"holds more than {most_values} values; see --max-size", line=line)

    return _Reader(text, limit).document()


def lines_of(text: str, paths: Iterable[str]) -> Mapping[str, int]:
    """Return the line of each path in a JSON or YAML text; for a missing key, the line of its parent."""
    unique_paths = set(paths)
    sought = {holder for path in unique_paths for holder in _holders(path)}
    lines: dict[str, int] = {}

    def note(steps: Steps, line: int) -> None:
        path = path_text(steps)
        if path in sought:
            lines.setdefault(path, line)
            if len(lines) == len(sought):
                raise BadText("all places are known")

    if unique_paths:
        with suppress(BadText):  # a fault of the text was reported before, or does not concern a JSON reader
            _Reader(_without_surrogates(text), note).document()
    return {path: next((lines[holder] for holder in _holders(path) if holder in lines), 1) for path in unique_paths}


def path_text(steps: Iterable[str | int]) -> str:
    """Return steps as the reference writes them, such as ``routing_links[3].cost``; empty for the document."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{step[:MAX_STEP]}" if path else step[:MAX_STEP]
    return path


def _holders(path: str) -> Iterator[str]:
    """Yield a path and all its parents, the empty path of the document last."""
    while path:
        yield path
        path = path[: path.rfind("[")] if path.endswith("]") else path[: max(path.rfind("."), 0)]
    yield ""


class _Reader:
    """Builds a document from the events of the parser; ``on_place`` hears of each key and list entry."""

    def __init__(self, text: str, on_place: Callable[[Steps, int], None] | None = None, *, json: bool = False) -> None:
        self._text = text
        self._on_place = on_place
        self._json = json
        self._scalars: dict[str | None, object] = {}
        self.steps: Steps = ()
        """The way to what is being read, or to what holds what comes next."""

    def document(self) -> object:
        """Read the whole text.

        Raises:
            BadText: it is not a document.
        """
        try:
            return self._whole()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            reason = "; ".join(part for part in (error.context, error.problem) if part)
            line = mark.line + 1 if mark else None
            if "nesting" in reason:  # newer ones of libyaml have a limit of their own
                raise BadText(_TOO_DEEP, line=line) from error
            raise BadText(
                f"is not valid YAML: {reason}; correct the text there", path_text(self.steps), line
            ) from error
        except yaml.reader.ReaderError as error:
            line = self._text.count("\n", 0, error.position) + 1
            raise BadText("holds a character that YAML forbids; write it as an escape", line=line) from error

    def _whole(self) -> object:
        self._events = (
            event
            for event in yaml.parse(self._text, Loader=_LOADER)
            if isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent | yaml.DocumentStartEvent)
        )
        if next(self._events, None) is None:
            raise BadText("is empty; it must contain a document")
        document = self._value(next(self._events), ())
        for event in self._events:
            raise BadText("holds a second YAML document; keep one per file", line=_line(event))
        return document

    def _value(self, event: Any, steps: Steps, key: yaml.Event | None = None) -> object:
        if self._on_place:
            self._on_place(steps, _line(key or event))
        scalar = isinstance(event, yaml.ScalarEvent)
        if isinstance(event, yaml.AliasEvent) and event.anchor in self._scalars:
            return self._scalars[event.anchor]
        if isinstance(event, yaml.AliasEvent) or (event.anchor is not None and not scalar):
            self._refuse(event, "uses an anchor or alias, which are not read; write the value out")
        if event.tag not in {None, "!"}:
            tag = str(event.tag)[:MAX_DIGITS]
            self._refuse(event, f"has the tag {tag}, and tags are not read; leave it out")
        if scalar:
            value = self._scalars[event.anchor] = self._scalar(event)
            self.steps = steps[:-1]
            return value
        if len(steps) == MAX_DEPTH:
            self._refuse(event, _TOO_DEEP)
        collection = self._entries(steps) if isinstance(event, yaml.SequenceStartEvent) else self._mapping(steps)
        self.steps = steps
        return collection

    def _entries(self, steps: Steps) -> list[object]:
        entries: list[object] = []
        while True:
            self.steps = (*steps, len(entries))
            event = next(self._events)
            if isinstance(event, yaml.SequenceEndEvent):
                return entries
            entries.append(self._value(event, self.steps))

    def _mapping(self, steps: Steps) -> dict[str, object]:
        mapping: dict[str, object] = {}
        while not isinstance(key := next(self._events), yaml.MappingEndEvent):
            self.steps = steps
            if not isinstance(key, yaml.ScalarEvent):
                self._refuse(key, "has a key that is no text; write the keys of the format")
            self.steps = (*steps, key.value)
            if key.value in mapping:
                kind = "object" if self._json else "mapping"
                self._refuse(key, f"is written twice in one {kind}; keep one of the two")
            mapping[key.value] = self._value(next(self._events), self.steps, key)
        return mapping

    def _scalar(self, event: yaml.ScalarEvent) -> object:
        """Return the value of a scalar: text in quotes is text, other text may be a number, a truth value or null."""
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in _PLAIN_SCALARS:
            return _PLAIN_SCALARS[text]
        forbidden = _NO_JSON_NUMBER if self._json else _NO_NUMBER
        if forbidden.fullmatch(text) or (len(text) > MAX_DIGITS and _INTEGER.fullmatch(text)):
            short = text[:MAX_DIGITS]
            self._refuse(event, f"{short} is not a number that is read; write an integer of at most six digits")
        if _INTEGER.fullmatch(text):
            return int(text)
        return float(text) if _FRACTION.fullmatch(text) else text

    def _refuse(self, event: yaml.Event, text: str) -> NoReturn:
        raise BadText(text, path_text(self.steps), _line(event))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _without_surrogates(text: str) -> str:
    """Return a text without escapes that JSON has and YAML has not; it is read for the places in it."""
    return _ESCAPED_SURROGATE.sub(r"\\uFFFD", text)


def _refuse_surrogates(document: object) -> None:
    waiting: list[tuple[Steps, object]] = [((), document)]
    while waiting:
        steps, value = waiting.pop()
        if any(_SURROGATE.search(each) for each in (value, *steps[-1:]) if isinstance(each, str)):
            path = _SURROGATE.sub("\ufffd", path_text(steps))  # the path is written out, perhaps as UTF-8
            raise BadText("holds half of a surrogate pair, which is not a character; correct it", path)
        if isinstance(value, dict | list):
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*steps, step), child) for step, child in entries]


def _syntax_fault(text: str, error: json.JSONDecodeError) -> BadText:
    reader = _Reader(_without_surrogates(text[: error.pos]))
    with suppress(BadText):  # what was read before the fault leads to its place
        reader.document()
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        wrong = "the JSON text ends too early; the file may be truncated"
    else:
        wrong = f"is not valid JSON: {error.msg} (column {error.colno}); correct the text there"
    return BadText(wrong, path_text(reader.steps), error.lineno)
