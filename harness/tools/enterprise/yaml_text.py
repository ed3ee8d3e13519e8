"""Strict YAML, the part of it that data needs: mappings, lists and scalars, every key once, no alias and no tag.

The library's parser yields events, from which the document is built here without recursion. Scalars are read as YAML
1.2 reads them, so that a site may be called NO; what the library writes is read back as it was.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml

from mqconform.harness.tools.enterprise.faults import BadText, Fault
from mqconform.harness.tools.enterprise.json_text import MAX_DIGITS
from mqconform.harness.tools.enterprise.places import Position, Steps, path_text

MAX_DEPTH: Final = 32
"""Deepest nesting that is read; an enterprise document has four levels."""

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)", re.ASCII)
_FRACTION: Final = re.compile(r"[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?", re.ASCII)
_NO_NUMBER: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", re.ASCII)
_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


def parse_yaml(text: str, most_values: int) -> object:
    """Return the document that a YAML text holds.

    Args:
        text: the whole file.
        most_values: number of keys and list entries beyond which it is refused.

    Raises:
        BadText: it is no YAML, or holds what data does not need: an alias, a tag, a second document.
    """
    builder = _Builder(text)
    for number, line in enumerate(builder.lines()):
        if number > most_values:
            raise BadText(Fault(f"holds more than {most_values} values; see --max-size", line=line))
    return builder.document


def yaml_positions(text: str) -> Iterator[Position]:
    """Yield each key and each list entry of a YAML text with its line, after the document itself."""
    builder = _Builder(text)
    return ((builder.steps(), line) for line in builder.lines())


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    held: dict[str, Any] | list[Any]
    at: str | int
    """The current key or index."""
    value_due: bool = False
    """Whether a key has come and its value has not."""


class _Builder:
    """Builds the document from the events of the parser."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._documents = 0
        self.document: object = None

    def steps(self) -> Steps:
        """Return the way to the value that is being read."""
        return tuple(one.at for one in self._open if one.at != "")

    def lines(self) -> Iterator[int]:
        """Read the text; yield the line of each key and list entry once ``steps`` leads there."""
        try:
            for event in yaml.parse(self._text, Loader=_LOADER):
                if isinstance(event, yaml.NodeEvent):
                    line = _line(event)
                    if self._enter(event, line):
                        yield line
                    self._take(event, line)
                elif isinstance(event, yaml.CollectionEndEvent):
                    self._put(self._open.pop().held)
                elif isinstance(event, yaml.DocumentStartEvent):
                    self._count_document(_line(event))
        except yaml.MarkedYAMLError as error:
            raise BadText(self._syntax_fault(error)) from error
        except yaml.reader.ReaderError as error:
            line = self._text.count("\n", 0, error.position) + 1
            raise BadText(Fault("holds a character that YAML forbids; write it as an escape", line=line)) from error
        if not self._documents:
            raise BadText(Fault("is empty; an enterprise document has to be in it"))

    def _enter(self, event: yaml.NodeEvent, line: int) -> bool:
        """Move to the place where an event belongs; return whether that begins there."""
        top = self._open[-1] if self._open else None
        if top is None:
            return True
        if isinstance(top.at, int):
            top.at += 1
            return True
        if top.value_due:
            return False
        if not isinstance(event, yaml.ScalarEvent):
            raise self._bad("has a key that is no text; write the keys of the format", line)
        top.at = event.value
        if top.at in top.held:
            raise self._bad("is written twice in one mapping; keep one of the two", line)
        return True

    def _take(self, event: yaml.NodeEvent, line: int) -> None:
        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise self._bad("uses an anchor or alias, which are not read; write the value out", line)
        tag = event.tag if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) else None
        if tag not in {None, "!"}:
            raise self._bad(f"has the tag {str(tag)[:MAX_DIGITS]}, and tags are not read; leave it out", line)
        top = self._open[-1] if self._open else None
        if isinstance(event, yaml.ScalarEvent):
            if top and isinstance(top.at, str) and not top.value_due:
                top.value_due = True
            else:
                self._put(self._scalar(event, line))
        elif len(self._open) == MAX_DEPTH:
            raise self._bad("is nested too deeply; an enterprise document has four levels", line)
        else:
            mapping = isinstance(event, yaml.MappingStartEvent)
            self._open.append(_Open({}, "") if mapping else _Open([], -1))

    def _put(self, value: object) -> None:
        if not self._open:
            self.document = value
            return
        top = self._open[-1]
        if isinstance(top.held, list):
            top.held.append(value)
        else:
            top.held[str(top.at)] = value
            top.value_due = False

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> object:
        """Return the value of a scalar: text in quotes is text, other text may be a number, a truth value or null."""
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _NO_NUMBER.fullmatch(text) or (len(text) > MAX_DIGITS and _INTEGER.fullmatch(text)):
            short = text[:MAX_DIGITS]
            raise self._bad(f"{short} is no number that is read; write an integer of at most six digits", line)
        if _INTEGER.fullmatch(text):
            return int(text)
        return float(text) if _FRACTION.fullmatch(text) else text

    def _count_document(self, line: int) -> None:
        self._documents += 1
        if self._documents > 1:
            raise BadText(Fault("holds a second YAML document; keep one per file", line=line))

    def _bad(self, text: str, line: int) -> BadText:
        return BadText(Fault(text, path_text(self.steps()), line))

    def _syntax_fault(self, error: yaml.MarkedYAMLError) -> Fault:
        mark = error.problem_mark or error.context_mark
        reason = "; ".join(part for part in (error.context, error.problem) if part)
        text = f"is no YAML: {reason}; correct the text there"
        return Fault(text, path_text(self.steps()), mark.line + 1 if mark else None)


def _line(event: yaml.Event) -> int:
    """Return the line that an event begins on, counted from 1."""
    return event.start_mark.line + 1 if event.start_mark else 1
