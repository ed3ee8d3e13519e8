"""A whole run: connect, run the selected scenarios, write down what was established, and say how to exit."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.ambiguity import ReadingLog, load_register
from mqconform.harness.catalogue import load_catalogue
from mqconform.harness.iut import AdapterOptions, Iut, IutDescription, IutFault, Unreachable
from mqconform.harness.plugin import STEP_MODULES, RunPlugin
from mqconform.harness.profile import Profile
from mqconform.harness.results import RESULTS, SCHEMA_VERSION, ResultWriter, run_directory, write_environment
from mqconform.harness.running.connect import connect
from mqconform.harness.running.coverage import Finding, findings
from mqconform.harness.running.selection import Selection
from mqconform.harness.running.session import Case, Session
from mqconform.harness.verdict import Standing, Verdict, worst

EXIT_OK, EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_ERROR, EXIT_NOTHING = 0, 1, 2, 3, 5


@dataclass(frozen=True, slots=True)
class Plan:
    """What the user asked for."""

    iut: str
    options: AdapterOptions
    profile: Profile
    seed: int
    selection: Selection
    out: Path
    features: tuple[Path, ...] = ()
    second_opinion: bool = False


@dataclass(slots=True)
class Outcome:
    """What a run came to.

    Attributes:
        problem: why nothing could be judged, where the connection failed.
        mixed: where the IUT followed two readings of one ambiguity.
    """

    plan: Plan
    description: IutDescription
    cases: list[Case] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    mixed: list[str] = field(default_factory=list)
    problem: str = ""
    exit_code: int = EXIT_ERROR

    @property
    def results(self) -> Path:
        """The result file."""
        return self.plan.out / RESULTS


def execute(plan: Plan, progress: Callable[[Case], None] = lambda _: None) -> Outcome:
    """Run the plan; everything earned is on disk when it returns, and as it goes on.

    Raises:
        ConfigurationError: the plan cannot work.
    """
    with run_directory(plan.out) as directory, ResultWriter(directory / RESULTS) as writer:
        write_environment(directory, sys.argv)
        try:
            iut = connect(plan.iut, plan.options)
        except (IutFault, Unreachable) as problem:
            return _could_not_start(plan, writer, problem)
        return _judge(plan, writer, iut, progress)


def _judge(plan: Plan, writer: ResultWriter, iut: Iut, progress: Callable[[Case], None]) -> Outcome:
    register = load_register()
    run = Session(
        iut=iut,
        reconnect=lambda: connect(plan.iut, plan.options),
        profile=plan.profile,
        seed=plan.seed,
        options=plan.options,
        catalogue=load_catalogue(),
        register=register,
        writer=writer,
        readings=ReadingLog(register),
        second_opinion=plan.second_opinion,
    )
    description = iut.description
    writer.write(header(plan, description))
    try:
        code = _run_pytest(plan, RunPlugin(run, plan.selection, progress))
        outcome = Outcome(plan, description, run.cases, list(findings(run, plan.selection)))
        _sum_up(outcome, run, code)
    finally:
        run.iut.close()
    for finding in outcome.findings:
        writer.write(finding.record())
    writer.write(footer(outcome))
    return outcome


def _run_pytest(plan: Plan, plugin: RunPlugin) -> int:
    """Run the suite in this process, away from the configuration of wherever the user stands."""
    suite = files("mqconform.harness") / "suite"
    for name in [name for name, module in sys.modules.items() if _lies_in(module, str(suite))]:
        del sys.modules[name]  # collected anew: an earlier run of this process may have had other features
    arguments = [str(suite), f"--rootdir={suite}", "-c", str(suite / "suite.ini"), "-p", "no:cacheprovider"]
    arguments += ["-p", "no:terminal", "-p", "pytest_bdd.plugin"]
    for module in STEP_MODULES:
        arguments += ["-p", module]
    if plan.selection.expression:
        arguments += ["-k", plan.selection.expression]
    with ExitStack() as restore:
        _set_environment(restore, "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        _set_environment(restore, "PYTEST_ADDOPTS", "")
        _set_environment(restore, "MQCONFORM_FEATURES", os.pathsep.join(str(path) for path in plan.features))
        return int(pytest.main(arguments, plugins=[plugin]))


def _lies_in(module: object, folder: str) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(folder)


def _set_environment(restore: ExitStack, name: str, value: str) -> None:
    before = os.environ.get(name)
    os.environ[name] = value
    restore.callback(lambda: os.environ.pop(name, None) if before is None else os.environ.__setitem__(name, before))


def _sum_up(outcome: Outcome, run: Session, pytest_code: int) -> None:
    followed = run.readings.followed()
    outcome.readings = sorted({f"{entry}/{reading}" for (entry, _), seen in followed.items() for reading in seen})
    outcome.mixed = [
        f"{one.ambiguity} ({one.situation or 'always'}): {', '.join(one.readings)}" for one in run.readings.mixed()
    ]
    outcome.exit_code = exit_code(outcome)
    broken = pytest_code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    if broken:
        outcome.problem = f"the test runner ended with code {pytest_code}"
        outcome.exit_code = EXIT_ERROR


def exit_code(outcome: Outcome) -> int:
    """Return the gate: the worst verdict decides, then whether anything was judged at all."""
    judged = [case for case in outcome.cases if not case.excused]
    verdict = worst(case.verdict for case in outcome.cases)
    if verdict is Verdict.ERROR:
        return EXIT_ERROR
    if verdict is Verdict.FAIL:
        return EXIT_FAIL
    if verdict is Verdict.INCONCLUSIVE or outcome.mixed:
        return EXIT_INCONCLUSIVE
    silent = any(not case.witnesses for case in judged)
    unverified = any(one.standing is Standing.UNVERIFIED for one in outcome.findings)
    filtered = bool(outcome.plan.selection.expression)
    if not judged or silent or (unverified and not filtered):
        return EXIT_NOTHING
    return EXIT_OK


def header(plan: Plan, description: IutDescription) -> dict[str, Any]:
    """Return the first record: what is judged, by what, and how."""
    catalogue = load_catalogue()
    return {
        "record": "header",
        "schema": SCHEMA_VERSION,
        "harness": f"mqconform {version('mqconform')}",
        "specifications": {one.id: one.revision for one in catalogue.specifications},
        "profile": plan.profile.value,
        "seed": plan.seed,
        "selection": {"requirements": list(plan.selection.requirements), "expression": plan.selection.expression},
        "iut": {
            "kind": plan.iut.partition(":")[0],
            "target": plan.iut,
            "name": description.name,
            "version": description.version,
            "vendor": description.vendor,
            "roles": sorted(description.roles),
            "capabilities": sorted(description.capabilities),
        },
    }


def footer(outcome: Outcome) -> dict[str, Any]:
    """Return the last record; a file without it is of a run that did not end."""
    verdicts = [case.excused or case.verdict.word for case in outcome.cases]
    standings = [finding.standing.value for finding in outcome.findings]
    line: dict[str, Any] = {
        "record": "footer",
        "exit_code": outcome.exit_code,
        "cases": {word: verdicts.count(word) for word in sorted(set(verdicts))},
        "requirements": {word: standings.count(word) for word in sorted(set(standings))},
        "readings": outcome.readings,
        "mixed_readings": outcome.mixed,
    }
    return line | ({"problem": outcome.problem} if outcome.problem else {})


def _could_not_start(plan: Plan, writer: ResultWriter, problem: IutFault | Unreachable) -> Outcome:
    """Write down that the IUT never got ready: its fault where it answered wrongly, nobody's where nothing came."""
    nobody = IutDescription(name="unknown", version="unknown")
    outcome = Outcome(plan, nobody, problem=f"{getattr(problem, 'kind', 'unreachable')}: {problem}")
    outcome.exit_code = EXIT_FAIL if isinstance(problem, IutFault) else EXIT_INCONCLUSIVE
    writer.write(header(plan, nobody))
    writer.write(footer(outcome))
    return outcome
