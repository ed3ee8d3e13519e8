"""Whether some parts make one whole run: none missing, none twice, none of another run."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from mqconform.harness.iut.interface import ConfigurationError, excerpt
from mqconform.harness.records.results import document_of
from mqconform.harness.records.shard_file import CaseRecords, ShardFile

SHOWN = 5


def whole_run(parts: list[ShardFile]) -> list[CaseRecords]:
    """Return the cases of all parts in the order of the whole run.

    Raises:
        ConfigurationError: the parts do not make one run; the message names the part and what to do.
    """
    if not parts:
        raise ConfigurationError("merge: nothing to merge; name the folders of all shards")
    _check_one_run(parts)
    _check_parts(parts)
    cases = [case for part in parts for case in part.cases]
    cases.sort(key=lambda records: records.case.position)
    _check_positions(parts[0].planned, cases)
    return cases


def _check_one_run(parts: list[ShardFile]) -> None:
    first, *others = parts
    for other in others:
        differing = next(differences(document_of(first.header), document_of(other.header)), None)
        if other.shard.of != first.shard.of:
            differing = f"{other.shard} is not a shard of {first.shard.of}"
        elif other.planned != first.planned:
            differing = f"its run has {other.planned} cases, not {first.planned}; were --features or -k the same?"
        if differing:
            raise ConfigurationError(
                f"{other.folder}: is of another run than {first.folder}: {differing}; merge the shards of one run"
            )


def differences(header: Mapping[str, Any], other: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield what differs between two headers, field by field."""
    for key in sorted({*header, *other}):
        mine, its = header.get(key), other.get(key)
        if isinstance(mine, dict) and isinstance(its, dict):
            yield from differences(mine, its, f"{path}{key}.")
        elif mine != its:
            yield f"{path}{key} is {excerpt(its)}, not {excerpt(mine)}"


def _check_parts(parts: list[ShardFile]) -> None:
    of = parts[0].shard.of
    counted = Counter(part.shard.index for part in parts)
    for part in parts:
        if counted[part.shard.index] > 1:
            raise ConfigurationError(f"{part.folder}: shard {part.shard} is given more than once; give it once")
    missing = [f"{index}/{of}" for index in range(1, of + 1) if index not in counted]
    if missing:
        named = ", ".join(missing[:SHOWN]) + (" ..." if len(missing) > SHOWN else "")
        raise ConfigurationError(f"merge: shard {named} is missing; run it with --shard and name its folder too")


def _check_positions(planned: int, cases: list[CaseRecords]) -> None:
    """Refuse a set of cases that is not the whole run, each once."""
    positions = Counter(records.case.position for records in cases)
    absent = [position for position in range(1, planned + 1) if position not in positions]
    if absent:
        raise ConfigurationError(f"merge: {len(absent)} of {planned} cases are missing; run their shards again")
    twice = next((records.case.id for records in cases if positions[records.case.position] > 1), "")
    if twice or len(positions) != planned:
        raise ConfigurationError(f"merge: case {twice or 'of no place'} is there twice; run its shard again")
