"""The baseline: failures that are expected, each with who answers for it and until when.

A YAML file that people write. What is wrong with it is told by line; ruamel.yaml keeps its comments when a run updates
it. Runs without a baseline do not wait for either reader of YAML.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.pattern import Pattern
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.text_file import read_text, replace_file

LISTS = ("expected", "flaky")
Lines = Mapping[tuple[str, int], int]
"""Line of each entry, by its list and its number in that."""
MAX_SIZE = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One case that is allowed to fail.

    Attributes:
        flaky: whether it may pass as well.
        verdict: what is expected, ``fail`` or ``inconclusive``; empty for a flake, which may be either.
        runs: how many runs were counted for a flake, ``failures`` in how many of them it failed.
        line: where it stands.
        place: its list and its number in that, from 0.
    """

    case: str
    iut: str
    error: Pattern
    expires: date
    line: int
    place: tuple[str, int]
    flaky: bool = False
    verdict: str = ""
    runs: int = 0
    failures: int = 0

    def is_about(self, name: str) -> bool:
        """Tell whether it is about an implementation of this name."""
        return fnmatchcase(name, self.iut)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline file as it was read."""

    path: Path
    text: str
    entries: tuple[Entry, ...]

    def document(self) -> Any:
        """Return what a run may change, comments included; ``text_of`` writes it.

        Raises:
            ConfigurationError: it holds what ruamel.yaml takes for a date or number, and is none.
        """
        from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - see above

        try:
            return _yaml().load(self.text)
        except (YAMLError, ValueError) as error:
            raise ConfigurationError(f"--baseline-update: {self.path}: {error}; put the value in quotes") from error


def text_of(document: Any) -> str:
    """Return a changed document as YAML."""
    out = io.StringIO()
    _yaml().dump(document, out)
    return out.getvalue()


def read_baseline(path: Path) -> Baseline:
    """Return the baseline in a file.

    Raises:
        ConfigurationError: naming file, line, field and remedy.
    """
    return baseline_of(path, read_text(path, MAX_SIZE, "a baseline"))


def baseline_of(path: Path, text: str) -> Baseline:
    """Return the baseline in a text; ``path`` is what messages call it.

    Raises:
        ConfigurationError: naming file, line, field and remedy.
    """
    from mqconform.harness.records.document_text import BadText, lines_of, parse_yaml  # noqa: PLC0415 - see above

    try:
        document = parse_yaml(text, len(text))
    except BadText as bad:
        raise ConfigurationError(f"{path}:{bad.fault.line or 1}: {bad.fault}") from bad
    if not isinstance(document, dict):
        raise ConfigurationError(f"{path}:1: is not a mapping; begin with `version: 1` and `expected:`")
    places = [(name, number) for name in LISTS for number, _ in enumerate(_listed(document, name))]
    line_numbers = lines_of(text, (f"{name}[{number}]" for name, number in places))
    lines = {(name, number): line_numbers[f"{name}[{number}]"] for name, number in places}
    _check(path, document, lines)
    return Baseline(path, text, tuple(_entries(path, document, lines)))


def write_baseline(baseline: Baseline) -> None:
    """Write a baseline to its file, whole or not at all.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    try:
        replace_file(baseline.path, baseline.text.encode("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"--baseline-update: {baseline.path}: {error.strerror or error}") from error


def _yaml() -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - see above

    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 10_000  # lines stay as their author broke them
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _listed(document: Mapping[str, Any], name: str) -> list[Any]:
    entries = document.get(name)
    return entries if isinstance(entries, list) else []


def _check(path: Path, document: Mapping[str, Any], lines: Lines) -> None:
    """Refuse what the schema does not allow, entry by entry so that the line is known."""
    judge = validator("baseline")
    assert judge
    for (name, number), line in lines.items():
        shape = validator("baseline", name)
        assert shape
        if wrong := complaint(shape, document[name][number], ""):
            raise ConfigurationError(f"{path}:{line}: {name}[{number}]: {wrong}")
    if wrong := complaint(judge, document, ""):
        raise ConfigurationError(f"{path}:1: {wrong}")


def _entries(path: Path, document: Mapping[str, Any], lines: Lines) -> Iterator[Entry]:
    first_lines: dict[tuple[str, str], int] = {}
    for place, line in lines.items():
        made = _entry(f"{path}:{line}", document[place[0]][place[1]], line, place)
        first = first_lines.setdefault((made.case, made.iut), line)
        if first != line:
            raise ConfigurationError(f"{path}:{line}: the case stands in line {first} already; keep one of the two")
        yield made


def pattern_and_expiry(where: str, entry: Mapping[str, Any]) -> tuple[Pattern, date]:
    """Return what a known failure has to match, and until when it is known.

    Raises:
        ConfigurationError: naming the field, which follows on ``where``, and the remedy.
    """
    try:
        pattern = Pattern(entry["error"])
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}error: {error}") from error
    dates = []
    for name in ("since", "expires"):
        try:
            dates.append(date.fromisoformat(entry[name]))
        except ValueError as error:
            raise ConfigurationError(f"{where}{name}: is {entry[name]}: {error}; write an existing date") from error
    if dates[1] < dates[0]:
        raise ConfigurationError(f"{where}expires: is before since; change one of them")
    return pattern, dates[1]


def _entry(where: str, entry: Mapping[str, Any], line: int, place: tuple[str, int]) -> Entry:
    pattern, expires = pattern_and_expiry(f"{where}: ", entry)
    if entry.get("failures", 0) > entry.get("runs", 0):
        raise ConfigurationError(f"{where}: failures: exceed runs; change one of them")
    case = "/".join(part for part in (entry["scenario"], entry.get("example", "")) if part)
    counts = {name: entry.get(name, 0) for name in ("runs", "failures")}
    return Entry(
        case, entry["iut"], pattern, expires, line, place, place[0] == "flaky", entry.get("verdict", ""), **counts
    )
