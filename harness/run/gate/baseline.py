"""The baseline: failures that are expected, each with who answers for it and until when.

A YAML file that people write. What is wrong with it is told by line; comments stay when a run updates it.
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.document_text import BadText, refuse_deep_nesting
from mqconform.harness.records.schema_text import complaint, validator

LISTS = ("expected", "flaky")
MAX_SIZE = 1024 * 1024
_DAY = re.compile(r"\s*(?:- )?(?P<name>since|expires):\s*(?P<day>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})\s*(?:#.*)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One case that is allowed to fail.

    Attributes:
        flaky: whether it may pass as well.
        verdict: what is expected, ``fail`` or ``inconclusive``; empty for a flake, which may be either.
        runs: how many runs were counted for a flake, ``failures`` in how many of them it failed.
        line: where it stands.
    """

    case: str
    iut: str
    error: re.Pattern[str]
    expires: date
    line: int
    flaky: bool = False
    verdict: str = ""
    runs: int = 0
    failures: int = 0

    def is_about(self, name: str) -> bool:
        """Tell whether it is about an implementation of this name."""
        return fnmatchcase(name, self.iut)


@dataclass(frozen=True)
class Baseline:
    """A baseline file as it was read.

    Attributes:
        document: what YAML made of it, comments included; updates are made there.
    """

    path: Path
    entries: tuple[Entry, ...]
    document: CommentedMap = field(compare=False)

    def text(self) -> str:
        """Return the document as YAML."""
        out = io.StringIO()
        _yaml().dump(self.document, out)
        return out.getvalue()


def read_baseline(path: Path) -> Baseline:
    """Return the baseline in a file.

    Raises:
        ConfigurationError: naming file, line, field and remedy.
    """
    try:
        with path.open("rb") as file:
            text = file.read(MAX_SIZE + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"--expected-failures {path}: cannot be read: {error}") from error
    if len(text) > MAX_SIZE:
        raise ConfigurationError(f"--expected-failures {path}: is longer than {MAX_SIZE} octets")
    return baseline_of(path, text)


def baseline_of(path: Path, text: str) -> Baseline:
    """Return the baseline in a text; ``path`` is what messages call it.

    Raises:
        ConfigurationError: naming file, line, field and remedy.
    """
    try:
        refuse_deep_nesting(text)
        document = _yaml().load(text)
    except BadText as bad:
        raise ConfigurationError(f"{path}:{bad.fault.line}: {bad.fault.text}") from bad
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigurationError(f"{path}:{line}: is not YAML: {error.problem or error.context}") from error
    except (YAMLError, RecursionError, ValueError) as error:
        _refuse_days_that_do_not_exist(path, text)
        raise ConfigurationError(f"{path}: is not YAML: {str(error)[:200]}") from error
    if not isinstance(document, CommentedMap):
        raise ConfigurationError(f"{path}:1: is no mapping; begin with `version: 1` and `expected:`")
    _check(path, document)
    return Baseline(path, tuple(_entries(path, document)), document)


def write_baseline(baseline: Baseline) -> None:
    """Write a baseline to its file, whole or not at all.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    beside = baseline.path.with_name(f"{baseline.path.name}.new")
    try:
        beside.write_text(baseline.text(), encoding="utf-8")
        beside.replace(baseline.path)
    except OSError as error:
        raise ConfigurationError(f"--baseline-update: {baseline.path}: {error.strerror or error}") from error


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 10_000  # lines stay as their author broke them
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _refuse_days_that_do_not_exist(path: Path, text: str) -> None:
    """Name the line of a day that made the reader of YAML give up; it does not."""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _DAY.fullmatch(line):
            try:
                date.fromisoformat(found["day"])
            except ValueError as error:
                raise ConfigurationError(f"{path}:{number}: {found['name']}: is {found['day']}: {error}") from error


def _check(path: Path, document: CommentedMap) -> None:
    """Refuse what the schema does not allow, list by list and entry by entry so that the line is known."""
    judge = validator("baseline")
    assert judge
    whole = _plain(document)
    for name in LISTS:
        entries = whole.get(name)
        for number, entry in enumerate(entries if isinstance(entries, list) else []):
            shape = validator("baseline", name)
            assert shape
            if wrong := complaint(shape, entry, ""):
                raise ConfigurationError(f"{path}:{line_of(document[name], number)}: {name}[{number}]: {wrong}")
    if wrong := complaint(judge, whole, ""):
        raise ConfigurationError(f"{path}:1: {wrong}")


def _entries(path: Path, document: CommentedMap) -> Iterator[Entry]:
    seen: dict[tuple[str, str], int] = {}
    for name in LISTS:
        for number, entry in enumerate(document.get(name) or ()):
            line = line_of(document[name], number)
            made = _entry(f"{path}:{line}", _plain(entry), line, flaky=name == "flaky")
            first = seen.setdefault((made.case, made.iut), line)
            if first != line:
                raise ConfigurationError(f"{path}:{line}: the case stands in line {first} already; keep one of the two")
            yield made


def _entry(where: str, entry: Mapping[str, Any], line: int, *, flaky: bool) -> Entry:
    try:
        pattern = re.compile(entry["error"])
    except re.error as error:
        raise ConfigurationError(f"{where}: error: is no regular expression: {error}") from error
    dates = []
    for name in ("since", "expires"):
        try:
            dates.append(date.fromisoformat(entry[name]))
        except ValueError as error:
            raise ConfigurationError(f"{where}: {name}: is {entry[name]}: {error}; write a day that exists") from error
    if dates[1] < dates[0]:
        raise ConfigurationError(f"{where}: expires: lies before since; change one of the two")
    if entry.get("failures", 0) > entry.get("runs", 0):
        raise ConfigurationError(f"{where}: failures: are more than runs; change one of the two")
    case = "/".join(part for part in (entry["scenario"], entry.get("example", "")) if part)
    counts = {name: entry.get(name, 0) for name in ("runs", "failures")}
    return Entry(case, entry["iut"], pattern, dates[1], line, flaky, entry.get("verdict", ""), **counts)


def line_of(entries: Any, number: int) -> int:
    """Return the line of an entry, from 1."""
    position = getattr(entries, "lc", None)
    try:
        return int(position.item(number)[0]) + 1 if position else 1
    except (KeyError, TypeError):
        return 1


def _plain(value: Any) -> Any:
    """Return YAML as JSON has it: a day is text."""
    match value:
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case list():
            return [_plain(one) for one in value]
        case datetime() | date():
            return value.isoformat()
        case _:
            return value
