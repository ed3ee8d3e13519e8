"""The result file of one part of a run, held to what a merge needs of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.result_file import read_records
from mqconform.harness.records.results import AnyRecord, Case, Footer, Header, Witness
from mqconform.harness.records.shard import Shard


@dataclass(frozen=True, slots=True)
class CaseRecords:
    """The records that one case left, as they stand in the file, the case itself last."""

    case: Case
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True, slots=True)
class ShardFile:
    """One part of a run that came to its end.

    Attributes:
        header: without the part that it is.
        planned: number of cases of the whole run.
    """

    folder: Path
    shard: Shard
    header: Header
    cases: tuple[CaseRecords, ...]
    planned: int


def read_shard(folder: Path) -> ShardFile:
    """Return the part of a run that a folder holds.

    Raises:
        ConfigurationError: there is none, it is of a whole run, it did not end, or it is damaged; with the remedy.
    """
    records, _ = read_records(folder)
    header, footer = (records[0], records[-1]) if records else (None, None)
    if not isinstance(header, Header) or header.shard is None:
        raise ConfigurationError(f"{folder}: is no part of a run; merge takes what `run --shard I/N --out DIR` wrote")
    shard = header.shard
    if not isinstance(footer, Footer):
        raise ConfigurationError(f"{folder}: shard {shard} did not end; run it again with --shard {shard}")
    if footer.problem:
        raise ConfigurationError(f"{folder}: shard {shard} judged nothing: {footer.problem}; run it again")
    return ShardFile(folder, shard, replace(header, shard=None), _cases(folder, records[1:-1]), footer.planned)


def _cases(folder: Path, records: Iterable[AnyRecord]) -> tuple[CaseRecords, ...]:
    """Return each case with the witnesses that stand before it."""
    cases: list[CaseRecords] = []
    waiting: list[Witness] = []
    for record in records:
        if isinstance(record, Witness):
            waiting.append(record)
            continue
        if not isinstance(record, Case) or any(witness.case != record.id for witness in waiting):
            kind = record.__struct_config__.tag
            raise ConfigurationError(f"{folder}: a {kind} record stands where none can; run it again")
        cases.append(CaseRecords(record, tuple(waiting)))
        waiting = []
    return tuple(cases)
