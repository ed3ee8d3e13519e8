"""One result out of the parts of a run: their cases in the order of the whole run, and the findings of all of them.

A part is a result file whose header names its shard and whose cases have their places in the whole run. Nothing is
judged here.
"""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, excerpt
from mqconform.harness.records import results, run_file
from mqconform.harness.records.case import Case
from mqconform.harness.records.iut_description import description_of
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import read_records
from mqconform.harness.records.results import Footer, Header, document_of
from mqconform.harness.records.shard import Shard
from mqconform.harness.run.execution import conclude
from mqconform.harness.run.header_and_footer import write_end
from mqconform.harness.run.last_failed import LAST_FAILED, write_last_failed
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.selection import Selection

Prepare = Callable[[Plan], Plan]


class Part(NamedTuple):
    """One finished part of a run; its header does not name the shard."""

    folder: Path
    shard: Shard
    header: Header
    planned: int
    cases: list[tuple[results.Case, tuple[results.Witness, ...]]]


def merge(
    folders: list[Path], out: Path, command: list[str], prepare: Prepare = lambda plan: plan, *, stopped: bool = False
) -> Outcome:
    """Merge the parts in some folders into ``out``; ``prepare`` adds to the plan what a gate needs.

    Parts that were ``stopped``, at a failure in one of them, may lack cases, and need not be all parts.

    Raises:
        ConfigurationError: the parts do not make one run, or ``out`` cannot be written.
    """
    with run_file.run_directory(out):
        return merge_into(folders, out, command, prepare, stopped=stopped)


def merge_into(
    folders: list[Path], out: Path, command: list[str], prepare: Prepare, *, stopped: bool = False
) -> Outcome:
    """Merge into a folder that is claimed already; see ``merge``."""
    parts = sorted(map(read_part, folders), key=lambda part: part.shard.index)
    check_whole(parts, stopped=stopped)
    header = parts[0].header
    records = sorted((case for part in parts for case in part.cases), key=lambda case: case[0].position)
    cases = [Case.of(*case) for case in records]
    outcome = Outcome(prepare(plan_of(header, out)), description_of(header.iut), cases, planned=len(cases))
    conclude(outcome)
    run_file.write_environment(out, command, [run_file.read_environment(part.folder) for part in parts])
    with run_file.ResultWriter(out / run_file.RESULTS) as writer:
        writer.write(header)
        for case, witnesses in records:
            for witness in witnesses:
                writer.write(witness)
            writer.write(case.without_part())
        write_end(writer, outcome)
    _bring_evidence(parts, out)
    write_last_failed(out, outcome.cases)
    return outcome


def read_part(folder: Path) -> Part:
    """Return the part of a run that a folder holds.

    Raises:
        ConfigurationError: there is none, it is of a whole run, it did not end, or it is damaged; with the remedy.
    """
    records, _ = read_records(folder)
    header, end = (records[0], records[-1]) if records else (None, None)
    if not isinstance(header, Header) or header.shard is None:
        raise ConfigurationError(
            f"{folder}: is not part of a run; merge takes the folders of `run --shard I/N --out DIR`"
        )
    if not isinstance(end, Footer):
        raise ConfigurationError(
            f"{folder}: shard {header.shard} did not end; run it again with --shard {header.shard}"
        )
    if end.problem:
        raise ConfigurationError(f"{folder}: shard {header.shard} judged nothing: {end.problem}; run it again")
    cases: list[tuple[results.Case, tuple[results.Witness, ...]]] = []
    witnesses: list[results.Witness] = []
    for record in records[1:-1]:
        if isinstance(record, results.Case) and all(witness.case == record.id for witness in witnesses):
            cases.append((record, tuple(witnesses)))
            witnesses = []
        elif isinstance(record, results.Witness):
            witnesses.append(record)
        else:
            kind = record.__struct_config__.tag
            raise ConfigurationError(f"{folder}: a {kind} record stands where none can; run it again")
    return Part(folder, header.shard, replace(header, shard=None), end.planned, cases)


def check_whole(parts: list[Part], *, stopped: bool) -> None:
    """Refuse parts that do not make one run, each case once, or at most once if they were stopped.

    Raises:
        ConfigurationError: naming the part and what to do.
    """
    first, *others = parts
    for other in others:
        if differing := _differing(first, other):
            raise ConfigurationError(
                f"{other.folder}: belongs to another run than {first.folder}: {differing}; merge the shards of one run"
            )
        if [part.shard.index for part in parts].count(other.shard.index) > 1:
            raise ConfigurationError(f"{other.folder}: shard {other.shard} is given more than once; give it once")
    indices = {part.shard.index for part in parts}
    absent = [f"{index}/{first.shard.of}" for index in range(1, first.shard.of + 1) if index not in indices]
    if absent and not stopped:
        raise ConfigurationError(f"merge: shard {', '.join(absent[:5])} is missing; run it and name its folder too")
    positions = Counter(case.position for part in parts for case, _ in part.cases)
    missing = first.planned - len(positions)
    if missing and not stopped:
        raise ConfigurationError(f"merge: {abs(missing)} of {first.planned} cases are missing; run their shards again")
    if twice := next((case.id for part in parts for case, _ in part.cases if positions[case.position] > 1), ""):
        raise ConfigurationError(f"merge: case {twice} is listed twice; run its shard again")


def _differing(part: Part, other: Part) -> str:
    """Return in what two parts are of different runs, empty where they are of one."""
    mine, its = document_of(part.header), document_of(other.header)
    for key in sorted({*mine, *its}):
        if mine.get(key) != its.get(key):
            return f"{key} is {excerpt(its.get(key))}, not {excerpt(mine.get(key))}"
    if other.shard.of != part.shard.of:
        return f"{other.shard} is not a shard of {part.shard.of}"
    if other.planned != part.planned:
        return f"its run has {other.planned} cases, not {part.planned}; were --features or -k the same?"
    return ""


def plan_of(header: Header, out: Path) -> Plan:
    """Return the plan of a header."""
    return Plan(
        iut=header.iut.target,
        options=AdapterOptions(),
        profile=Profile.of(header.profile),
        seed=header.seed,
        thorough=header.thorough,
        selection=Selection(header.selection.requirements, header.selection.expression),
        out=out,
        build=header.iut.build,
        declaration=header.declaration,
        diagnosis=True,
    )


def _bring_evidence(parts: list[Part], out: Path) -> None:
    for part in parts:
        for entry in part.folder.iterdir():
            if entry.is_dir():
                shutil.copytree(entry, out / entry.name, dirs_exist_ok=True)
            elif entry.name not in {
                *run_file.OWN_FILES,
                run_file.RESULTS,
                run_file.ENVIRONMENT,
                run_file.LOCK,
                LAST_FAILED,
            }:
                shutil.copy2(entry, out / entry.name)
