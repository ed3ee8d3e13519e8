"""A run whose cases another project's pytest asks for, one by one, over standard streams.

The answers are JSON lines that begin with ``MARK``: first the cases that can be judged, then each that was asked for as
it is over. Questions are lines as well: first the cases that will be asked for, null for all, then an id for each.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.discovery_client.recordings import REAL
from mqconform.harness.iut.interface import IutDescription
from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.printable import quoted_lines
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.run_file import PARTS, RESULTS
from mqconform.harness.records.shard import shard_of
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.bundles.writing import FOLDER, folder_name
from mqconform.harness.run.decision import is_expected
from mqconform.harness.run.execution import execute
from mqconform.harness.run.last_failed import any_of
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.playing import scenarios_for
from mqconform.harness.run.pytest_items import MARK
from mqconform.harness.run.sharding.merge import merge
from mqconform.harness.run.violation_text import violation_lines
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import read_suite_index
from mqconform.harness.suite.selection import clock_excuse, excuse

MERGED: Final = "merge "
"""Begins the question for the results of some parts, whose numbers follow."""


def run_for_pytest(plan: Plan, part: str) -> Outcome:
    """Judge what is asked for, as part I/N of a run in several processes, or merge the results of all parts."""
    if part.startswith(MERGED):
        folders = [plan.out / PARTS / number for number in part.removeprefix(MERGED).split()]
        folders = [folder for folder in folders if (folder / RESULTS).is_file()]
        if not folders:
            raise ConfigurationError("no worker of pytest has left results")
        outcome = merge(folders, plan.out, sys.argv, lambda _: plan, stopped=True)
        shutil.rmtree(plan.out / PARTS)
        return outcome
    questions, answers = open(os.dup(0), encoding="utf-8"), open(os.dup(1), "w", encoding="utf-8")  # noqa: SIM115, PTH123 - pytest will take the others

    def answer(document: dict[str, Any]) -> None:
        with suppress(BrokenPipeError):  # a worker that was killed; what it had played counts
            answers.write(f"{MARK}{json.dumps(document)}\n")
            answers.flush()

    iut = connect(plan.iut, plan.options)
    description = iut.description
    iut.close()
    answer({"cases": [*_offered(plan, description)]})
    chosen = json.loads(questions.readline())
    if chosen is not None:
        plan = replace(plan, selection=replace(plan.selection, expression=any_of(chosen), cases=tuple(chosen)))
    whole, shard = plan, shard_of(part)
    if shard.of > 1:
        plan = replace(plan, shard=shard, out=plan.out / PARTS / str(shard.index), baseline=None, earlier=None)
    requested = iter(lambda: questions.readline().strip(), "")
    return execute(replace(plan, requested=requested), lambda case: answer(_answer_of(whole, description, case)))


def _offered(plan: Plan, iut: IutDescription) -> Iterator[dict[str, Any]]:
    """Yield the cases that are asked for and can be judged, with what they are marked by."""
    catalogue = load_catalogue()
    files = {s.file for s in scenarios_for(plan.selection) if not s.roles or iut.roles.intersection(s.roles)}
    for scenario in read_suite_index((*files, *plan.features)).scenarios:
        tags = (*(f"role:{role}" for role in scenario.roles), *(f"needs:{need}" for need in scenario.needs))
        if not plan.selection.wants_scenario(scenario.id, scenario.requirements) or (
            excuse(tags, scenario.requirements, iut, plan.profile, catalogue)
            or clock_excuse(tags, real_clock=plan.options.clock == REAL)
        ):
            continue
        marks = {requirement: catalogue[requirement].summary for requirement in scenario.requirements}
        for case in scenario.cases:
            yield {"id": case.id, "marks": marks, "line": scenario.line}


def _answer_of(plan: Plan, iut: IutDescription, case: Case) -> dict[str, Any]:
    """Return what a case came to in the words of pytest, and why it did not pass in some ten lines."""
    text = "\n".join(_reasons(plan, case))
    if case.excused:
        return {"case": case.id, "came_to": "skipped", "text": f"{case.excused}: {case.reason}"}
    if case.verdict is Verdict.PASS:
        return {"case": case.id, "came_to": "passed", "text": ""}
    return {"case": case.id, "came_to": "xfailed" if is_expected(plan, iut.name, case) else "failed", "text": text}


def _reasons(plan: Plan, case: Case) -> Iterator[str]:
    if case.error:
        yield f"ERROR of the harness, please report it: {quoted_lines(case.error)}"
    elif case.verdict is Verdict.INCONCLUSIVE:
        yield f"INCONCLUSIVE {case.left_open.requirement}: {quoted_lines(case.left_open.judgement.observed)}"
    elif case.verdict is Verdict.NONE:
        yield "NOT JUDGED: no assertion was executed"
    elif case.verdict is Verdict.FAIL:
        failed = [w.requirement for w in case.witnesses if w.judgement.verdict is Verdict.FAIL]
        violated = [Finding(load_catalogue()[id_], Standing.VIOLATED, "", 1) for id_ in dict.fromkeys(failed)]
        yield from (line.plain.lstrip("\n") for line in violation_lines(violated[0], violated[1:], [case]))
        if plan.bundles:
            yield f"  again     mqconform replay {plan.out / FOLDER / folder_name(case.id)}"
