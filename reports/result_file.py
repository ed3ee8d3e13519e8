"""A result file read back: whole, or as far as a run got before it was killed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.schema import SCHEMA_VERSION, Case, Finding, Footer, Header, Record, Witness

RESULTS = "results.ndjson"
MAX_LINE = 16 * 1024 * 1024
"""Longest line that is read, in octets; texts and datagrams of a record are far shorter."""
SHOWN = 120
"""Characters of a wrong value that a message repeats."""

BUILDERS: Mapping[str, Callable[[Any], Record]] = {
    "header": Header.of,
    "witness": Witness.of,
    "case": Case.of,
    "requirement": Finding.of,
    "footer": Footer.of,
}


class ResultFault(ValueError):
    """A result file cannot be used; the message names file, line, field and remedy."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """Everything that a result file holds.

    Attributes:
        cases: in the order in which they ended.
        witnesses: in the order in which they were made, those of unfinished cases included.
        findings: requirement by requirement; none where the run did not end.
        footer: None where the run did not end.
        torn: whether the file ends within a line, which is left out here.
    """

    path: Path
    header: Header
    cases: tuple[Case, ...]
    witnesses: tuple[Witness, ...]
    findings: tuple[Finding, ...]
    footer: Footer | None
    torn: bool

    @property
    def ended(self) -> bool:
        """Whether the run came to its end."""
        return self.footer is not None

    def witnesses_by_case(self) -> dict[str, tuple[Witness, ...]]:
        """Return the witnesses of each case that has any, by case id."""
        found: dict[str, list[Witness]] = {}
        for one in self.witnesses:
            found.setdefault(one.case, []).append(one)
        return {case: tuple(seen) for case, seen in found.items()}

    def unfinished(self) -> tuple[str, ...]:
        """Return the ids of cases that made assertions and did not come to an end."""
        over = {case.id for case in self.cases}
        return tuple(case for case in self.witnesses_by_case() if case not in over)

    def remarks(self) -> Iterator[str]:
        """Yield what a reader of any report has to know about the file itself."""
        if self.torn:
            yield f"{self.path}: the last line was cut off and is left out"
        if not self.ended:
            yield f"{self.path}: the run did not end; what follows is what it had established until then"


def read_result_file(path: Path) -> ResultFile:
    """Read a result file, or the one in a directory that ``mqconform run --out`` wrote.

    Raises:
        ResultFault: it cannot be read, or a line other than the last is no record.
    """
    file = path / RESULTS if path.is_dir() else path
    records: list[Record] = []
    torn = False
    for number, line in _lines(file):
        if _cut_off(line):
            torn = True
            break
        records.append(_record(f"{file}:{number}", line))
        _check_order(f"{file}:{number}", records)
    if not records:
        raise ResultFault(f"{file}: holds no whole record; the run ended before it began, run it again")
    return _assembled(file, records, torn=torn)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise ResultFault(f"{file}:{number}: is longer than {MAX_LINE} octets; this is no result file")
                yield number, line
    except OSError as error:
        raise ResultFault(
            f"{file}: {error.strerror or error}; name a result file or the --out directory of a run"
        ) from error


def _cut_off(line: bytes) -> bool:
    """Tell whether a line was cut off: the beginning of an object is never an object."""
    if line.endswith(b"\n"):
        return False
    try:
        return not isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return True


def _record(where: str, line: bytes) -> Record:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        # ValueError: also of octets that are no UTF-8 and of numbers with thousands of digits
        raise ResultFault(f"{where}: is not JSON ({str(error)[:SHOWN]}); {_REMEDY}") from error
    kind = record.get("record") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in BUILDERS:
        raise ResultFault(f"{where}: record: is {_shown(kind)}; expected {', '.join(BUILDERS)}; {_REMEDY}")
    if kind == "header" and record.get("schema") != SCHEMA_VERSION:
        written = _shown(record.get("schema"))
        raise ResultFault(f"{where}: schema: is {written}, not {SCHEMA_VERSION}; read it with the mqconform it is of")
    _check_shape(where, kind, record)
    return BUILDERS[kind](record)


_REMEDY = "name the results.ndjson that `mqconform run` wrote"


def _check_shape(where: str, kind: str, record: Mapping[str, Any]) -> None:
    judge = _validator(kind)
    if judge.is_valid(record):
        return
    error = best_match(judge.iter_errors(record))
    assert error is not None, "an invalid record has an error"
    field = error.json_path.removeprefix("$").removeprefix(".") or kind
    raise ResultFault(f"{where}: {visible(field)}: {shortened(visible(error.message), SHOWN)}; {_REMEDY}, unchanged")


@cache
def _validator(kind: str) -> Draft202012Validator:
    text = files("mqconform.features").joinpath("schemas", "results.schema.json").read_text("utf-8")
    definitions = json.loads(text)["$defs"]
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": definitions})


def _check_order(where: str, records: list[Record]) -> None:
    first = len(records) == 1
    if isinstance(records[-1], Header) is not first:
        what = "the first record is no header" if first else "a second header"
        raise ResultFault(f"{where}: {what}; give one file for each run, unchanged")
    if not first and isinstance(records[-2], Footer):
        raise ResultFault(f"{where}: a record after the footer; give one file for each run, unchanged")


def _assembled(file: Path, records: list[Record], *, torn: bool) -> ResultFile:
    header, last = records[0], records[-1]
    assert isinstance(header, Header), "the order was checked"
    return ResultFile(
        path=file,
        header=header,
        cases=tuple(one for one in records if isinstance(one, Case)),
        witnesses=tuple(one for one in records if isinstance(one, Witness)),
        findings=tuple(one for one in records if isinstance(one, Finding)),
        footer=last if isinstance(last, Footer) else None,
        torn=torn,
    )


def _shown(value: object) -> str:
    return ascii(value)[:SHOWN] if not isinstance(value, int) or value.bit_length() < 64 else "a huge number"
