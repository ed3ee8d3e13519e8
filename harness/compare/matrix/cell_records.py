"""``cells.ndjson``: one line for each cell as soon as it is known, so that a killed matrix keeps what it had."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TextIO

from mqconform.harness.compare.matrix.matrix_cell import Cell, Finding, Played, Result
from mqconform.harness.iut.interface import ConfigurationError, Json
from mqconform.harness.records.verdict import Verdict

NAME: Final = "cells.ndjson"
SAME: Final = ("record", "schema", "harness", "file_digest", "seed", "profile")
"""What has to be the same of two headers for the cells below to be of the same matrix."""


class CellWriter:
    """Writes records; open until its ``with`` statement ends.

    Args of the constructor:
        out: folder of the results.
        header: the first record.
        resume: whether cells that are there already, below the same header, stay.

    Attributes:
        earlier: the results that were there already.

    Raises, when made:
        ConfigurationError: the file cannot be written, or is of another matrix.
    """

    def __init__(self, out: Path, header: Mapping[str, Any], *, resume: bool = False) -> None:
        path = out / NAME
        self.earlier = tuple(_earlier(path, header)) if resume else ()
        try:
            out.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("w", encoding="utf-8")
        except OSError as error:
            raise ConfigurationError(
                f"--out {out}: {error.strerror or error}; name a folder that can be written"
            ) from error
        self.write(header)
        for one in self.earlier:
            self.write(one.record())

    def write(self, record: Mapping[str, Any]) -> None:
        """Write one record and hand it to the kernel, where a kill does not reach it."""
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def _earlier(path: Path, header: Mapping[str, Any]) -> Iterator[Result]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigurationError(f"--resume: {path}: {error.strerror}; leave it out to begin anew") from error
    records = [record for record in map(_parsed, lines) if record is not None]
    first = records[0] if records else {}
    if any(first.get(name) != header[name] for name in SAME):
        raise ConfigurationError(f"--resume: {path}: is of another matrix; leave it out to begin anew")
    for record in records[1:]:
        if record.get("record") == "cell":
            yield result_from(record)


def _parsed(line: str) -> Json | None:
    """Return a record, None for a line that a kill cut off."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def result_from(record: Json) -> Result:
    """Return the result that a record of ours tells of."""
    findings = tuple(Finding(**{**one, "verdict": Verdict.of(one["verdict"])}) for one in record["findings"])
    played = tuple(Played(**{**one, "verdict": Verdict.of(one["verdict"])}) for one in record["scenarios"])
    judged = record["outcome"] in {verdict.word for verdict in Verdict}
    return Result(
        cell=Cell(record["kind"], tuple(record["sides"].items())),
        scenarios=played,
        findings=findings,
        evidence=tuple(record["evidence"]),
        excuse="" if judged else record["outcome"],
        reason=record["reason"],
        excused=record["excused"],
    )
