"""A result file read back: whole, or as far as a run got before it was killed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mqconform.harness.records import results
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.run_file import RESULTS

MAX_LINE = 16 * 1024 * 1024
"""Longest line that is read, in octets; texts and datagrams of a record are far shorter."""
REMEDY = "name the results.ndjson that `mqconform run` wrote, unchanged"


class ResultFault(ConfigurationError, ValueError):
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
    header: results.Header
    cases: tuple[results.Case, ...]
    witnesses: tuple[results.Witness, ...]
    findings: tuple[results.Finding, ...]
    footer: results.Footer | None
    torn: bool

    @property
    def ended(self) -> bool:
        """Whether the run ended."""
        return self.footer is not None

    def witnesses_by_case(self) -> dict[str, tuple[results.Witness, ...]]:
        """Return the witnesses of each case that has any, by case id."""
        by_case: dict[str, list[results.Witness]] = {}
        for witness in self.witnesses:
            by_case.setdefault(witness.case, []).append(witness)
        return {case: tuple(witnesses) for case, witnesses in by_case.items()}

    def unfinished(self) -> tuple[str, ...]:
        """Return the ids of cases that made assertions and did not come to an end."""
        over = {case.id for case in self.cases}
        return tuple(case for case in self.witnesses_by_case() if case not in over)

    def remarks(self) -> Iterator[str]:
        """Yield what a reader of any report has to know about the file itself."""
        if self.torn:
            yield f"{self.path}: the last line is incomplete and was skipped"
        if not self.ended:
            yield f"{self.path}: the run did not end; these are its results so far"


def read_result_file(path: Path) -> ResultFile:
    """Read a result file, or the one in a directory that ``mqconform run --out`` wrote.

    Raises:
        ResultFault: it cannot be read, or a line other than the last is not a record.
    """
    file = path / RESULTS if path.is_dir() else path
    records, torn = read_records(file)
    if not records:
        raise ResultFault(
            f"{file}: holds no complete record: it is not a result file, or the run was stopped at once; run it again"
        )
    return _assembled(file, records, torn=torn)


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return the records of a result file, or of the directory that holds one, as JSON objects.

    Raises:
        ResultFault: as of ``read_result_file``.
    """
    return [results.document_of(record) for record in read_records(path)[0]]


def read_records(path: Path) -> tuple[list[results.AnyRecord], bool]:
    """Return the records of a result file in order, and whether its last line was cut off, which is left out.

    Raises:
        ResultFault: as of ``read_result_file``.
    """
    file = path / RESULTS if path.is_dir() else path
    records: list[results.AnyRecord] = []
    for number, line in _lines(file):
        if _cut_off(line):
            return records, True
        records.append(_record(f"{file}:{number}", line))
        _check_order(f"{file}:{number}", records)
    return records, False


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with file.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise ResultFault(f"{file}:{number}: is longer than {MAX_LINE} octets; this is not a result file")
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


def _record(where: str, line: bytes) -> results.AnyRecord:
    try:
        return results.read_record(line)
    except results.NoRecord as error:
        other = str(error).startswith("schema: ")
        raise ResultFault(f"{where}: {error}; {'read it with the mqconform it is of' if other else REMEDY}") from error


def _check_order(where: str, records: list[results.AnyRecord]) -> None:
    first = len(records) == 1
    if isinstance(records[-1], results.Header) is not first:
        what = "the first record is not a header" if first else "a second header"
        raise ResultFault(f"{where}: {what}; give one file for each run, unchanged")
    if not first and isinstance(records[-2], results.Footer):
        raise ResultFault(f"{where}: a record after the footer; give one file for each run, unchanged")


def _assembled(file: Path, records: list[results.AnyRecord], *, torn: bool) -> ResultFile:
    header, last = records[0], records[-1]
    assert isinstance(header, results.Header), "the order was checked"
    return ResultFile(
        path=file,
        header=header,
        cases=tuple(record for record in records if isinstance(record, results.Case)),
        witnesses=tuple(record for record in records if isinstance(record, results.Witness)),
        findings=tuple(record for record in records if isinstance(record, results.Finding)),
        footer=last if isinstance(last, results.Footer) else None,
        torn=torn,
    )
