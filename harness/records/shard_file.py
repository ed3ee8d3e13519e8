"""The result file of one part of a run, held to what a merge needs of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.run_file import read_results
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.records.shard import Shard

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseRecords:
    """The records that one case left, as they stand in the file, the case itself last."""

    case: Record
    witnesses: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class ShardFile:
    """One part of a run that came to its end.

    Attributes:
        header: without the part that it is.
        planned: number of cases of the whole run.
    """

    folder: Path
    shard: Shard
    header: Record
    cases: tuple[CaseRecords, ...]
    planned: int


def read_shard(folder: Path) -> ShardFile:
    """Return the part of a run that a folder holds.

    Raises:
        ConfigurationError: there is none, it is of a whole run, it did not end, or it is damaged; with the remedy.
    """
    records = read_results(folder)
    check_shapes(folder, records)
    kinds = [one["record"] for one in records]
    if kinds[:1] != ["header"] or "shard" not in records[0]:
        raise ConfigurationError(f"{folder}: is no part of a run; merge takes what `run --shard I/N --out DIR` wrote")
    shard = Shard(**records[0]["shard"])
    if kinds[-1] != "footer":
        raise ConfigurationError(f"{folder}: shard {shard} did not end; run it again with --shard {shard}")
    if problem := records[-1].get("problem"):
        raise ConfigurationError(f"{folder}: shard {shard} judged nothing: {problem}; run it again")
    header = {key: value for key, value in records[0].items() if key != "shard"}
    return ShardFile(folder, shard, header, _cases(folder, records[1:-1]), records[-1].get("planned", 0))


def check_shapes(folder: Path, records: Sequence[Any]) -> None:
    """Refuse lines of a result file that are no records.

    Raises:
        ConfigurationError: naming file, line and field.
    """
    for number, record in enumerate(records, start=1):
        kind = record.get("record") if isinstance(record, dict) else None
        judge = validator("results", kind) if isinstance(kind, str) else None
        wrong = complaint(judge, record, "") if judge else "record: is no kind of record"
        if wrong:
            raise ConfigurationError(f"{folder}: line {number}: {wrong}; give results as `mqconform run` wrote them")


def _cases(folder: Path, records: list[dict[str, Any]]) -> tuple[CaseRecords, ...]:
    """Return each case with the witnesses that stand before it."""
    found: list[CaseRecords] = []
    waiting: list[Record] = []
    for record in records:
        if record["record"] == "witness":
            waiting.append(record)
            continue
        if record["record"] != "case" or any(one["case"] != record["id"] for one in waiting):
            raise ConfigurationError(f"{folder}: a {record['record']} record stands where none can; run it again")
        found.append(CaseRecords(record, tuple(waiting)))
        waiting = []
    return tuple(found)
