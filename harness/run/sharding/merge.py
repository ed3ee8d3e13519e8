"""One result out of the parts of a run: the octets that the run would have written as a whole."""

import shutil
from collections.abc import Callable
from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.case import Case
from mqconform.harness.records.iut_description import description_of
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.results import Header
from mqconform.harness.records.run_file import (
    ENVIRONMENT,
    LOCK,
    OWN_FILES,
    RESULTS,
    ResultWriter,
    read_environment,
    run_directory,
    write_environment,
)
from mqconform.harness.records.shard_file import CaseRecords, ShardFile, read_shard
from mqconform.harness.run.causes import with_causes
from mqconform.harness.run.decision import settle
from mqconform.harness.run.header_and_footer import footer
from mqconform.harness.run.last_failed import LAST_FAILED, write_last_failed
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.recorded import Established
from mqconform.harness.run.sharding.completeness import whole_run
from mqconform.harness.run.sharding.giving_up import given_up_as_a_whole
from mqconform.harness.run.standings import findings
from mqconform.harness.suite.ambiguity import ReadingLog
from mqconform.harness.suite.selection import Selection

Prepare = Callable[[Plan], Plan]


def merge(folders: list[Path], out: Path, command: list[str], prepare: Prepare = lambda plan: plan) -> Outcome:
    """Merge the parts in some folders into ``out``; ``prepare`` adds to the plan what a gate needs.

    Raises:
        ConfigurationError: the parts do not make one run, or ``out`` cannot be written.
    """
    with run_directory(out):
        return merge_into(folders, out, command, prepare)


def merge_into(folders: list[Path], out: Path, command: list[str], prepare: Prepare) -> Outcome:
    """Merge into a folder that is claimed already; see ``merge``."""
    parts = sorted(map(read_shard, folders), key=lambda part: part.shard.index)
    cases = list(given_up_as_a_whole(whole_run(parts), Profile.of(parts[0].header.profile)))
    header = parts[0].header
    plan = prepare(plan_of(header, out))
    outcome = _summed_up(plan, header, cases)
    write_environment(out, command, [read_environment(part.folder) for part in parts])
    with ResultWriter(out / RESULTS) as writer:
        writer.write(header)
        for records in cases:
            for witness in records.witnesses:
                writer.write(witness)
            writer.write(records.case.without_part())
        for finding in outcome.findings:
            writer.write(finding.record())
        writer.write(footer(outcome))
    _bring_evidence(parts, out)
    write_last_failed(out, outcome.cases)
    return outcome


def plan_of(header: Header, out: Path) -> Plan:
    """Return the plan that a header tells of."""
    return Plan(
        iut=header.iut.target,
        options=AdapterOptions(),
        profile=Profile.of(header.profile),
        seed=header.seed,
        selection=Selection(header.selection.requirements, header.selection.expression),
        out=out,
        build=header.iut.build,
        declaration=header.declaration,
    )


def _summed_up(plan: Plan, header: Header, records: list[CaseRecords]) -> Outcome:
    description = description_of(header.iut)
    cases = [Case.of(case_records.case, case_records.witnesses) for case_records in records]
    outcome = Outcome(plan, description, cases, planned=len(cases))
    outcome.findings = with_causes(findings(Established(cases, description.roles, plan.profile), plan.selection))
    log = ReadingLog()
    for case in cases:
        log.add(case.followed)
    settle(outcome, log)
    return outcome


def _bring_evidence(parts: list[ShardFile], out: Path) -> None:
    """Copy what else the parts left: saved cases, bundles."""
    for part in parts:
        for entry in part.folder.iterdir():
            if entry.is_dir():
                shutil.copytree(entry, out / entry.name, dirs_exist_ok=True)
            elif entry.name not in {*OWN_FILES, RESULTS, ENVIRONMENT, LOCK, LAST_FAILED}:
                shutil.copy2(entry, out / entry.name)
