"""A whole run: connect, run the selected scenarios, write down what was established, and say how to exit."""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.resources import files
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.drivers.discovery_client.recordings import live_clients
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, IutDescription, IutFault, Unreachable
from mqconform.harness.iut.patience import Patience
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.iut.roles import ROLES, step_modules
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.run_file import CAPTURES, PARTS, RESULTS, ResultWriter, run_directory, write_environment
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.bundles import writing as bundles
from mqconform.harness.run.decision import settle, stops_at
from mqconform.harness.run.diagnosis import CaseFailures, diagnose, failures_of, with_standings
from mqconform.harness.run.header_and_footer import footer, header
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.plugin import RunPlugin
from mqconform.harness.run.preflight import first_exchange, silence_text, with_hidden_order
from mqconform.harness.run.resume import Kept, read_kept, require_same, restore
from mqconform.harness.run.session import Session
from mqconform.harness.run.standings import findings
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.naming import feature_name
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.tagged_scenarios import Tagged, tagged_scenarios

__all__ = ["Outcome", "Plan", "execute"]

UNKNOWN_IUT = IutDescription(name="", version="")
"""One that did not introduce itself; reports name its target."""
PLAYED_TIMEOUT = 2.0
"""Seconds to wait for a known fault to answer over loopback: several are played, and some are silent by nature."""
NEW_VALUES = 50_000
"""Made before cycles are looked for: models make many small values without cycles, and looking took time."""


def execute(plan: Plan, progress: Callable[[Case], None] = lambda _: None) -> Outcome:
    """Run the plan; results are on disk immediately.

    Raises:
        ConfigurationError: the plan cannot work.
        OutputLost: results could not be written any more.
    """
    with run_directory(plan.out, clear=not plan.resume) as directory:
        earlier = read_kept(directory) if plan.resume else Kept()
        iut = _connected(plan)
        description = UNKNOWN_IUT if isinstance(iut, IutFault | Unreachable) else iut.description
        if earlier.cases:
            _require_the_same_run(plan, earlier, iut)
        else:
            bundles.clear(directory)
            for name in (CAPTURES, PARTS):
                shutil.rmtree(directory / name, ignore_errors=True)
        write_environment(directory, sys.argv, source=plan.source)
        with ResultWriter(directory / RESULTS, earlier.size if earlier.cases else 0) as writer:
            if not earlier.cases:
                writer.write(header(plan, description))
            if isinstance(iut, IutFault | Unreachable):
                return _could_not_start(plan, writer, iut)
            return _judge(plan, writer, iut, progress, earlier)


@contextmanager
def remembered_interrupts() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether SIGINT came; the exception is raised as usual.

    Where SIGINT has another handler, which then knows what to do, or in another thread, it always tells False.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    came = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _connected(plan: Plan) -> CheckedIut | IutFault | Unreachable:
    try:
        return connect(plan.iut, replace(plan.options, evidence=plan.out))
    except (IutFault, Unreachable) as problem:
        return problem


def _require_the_same_run(plan: Plan, earlier: Kept, iut: CheckedIut | IutFault | Unreachable) -> None:
    """Refuse to touch what is kept unless the run can go on."""
    if isinstance(iut, IutFault | Unreachable):
        raise iut
    try:
        require_same(earlier, header(plan, iut.description))
    except ConfigurationError:
        iut.close()
        raise


def _judge(
    plan: Plan, writer: ResultWriter, iut: CheckedIut, progress: Callable[[Case], None], earlier: Kept
) -> Outcome:
    register = load_register()
    run = Session(
        iut=iut,
        reconnect=lambda: run.overheard(connect(plan.iut, plan.options)),
        profile=plan.profile,
        seed=plan.seed,
        options=plan.options,
        catalogue=load_catalogue(),
        register=register,
        writer=writer,
        readings=ReadingLog(register),
        second_opinion=plan.second_opinion,
        thorough=plan.thorough,
        patience=Patience(plan.give_up_after, plan.until),
        after_case=bundles.Bundler(plan.out, plan.iut, plan.features).after if plan.bundles else None,
    )
    run.live = live_clients(iut, plan.options, lambda: connect(plan.iut, plan.options))
    run.iut = run.overheard(iut)
    restore(run, earlier)
    description = iut.description
    try:
        tell = getattr(progress, "tell", None)
        doubtful = first_exchange(iut, tell) if tell else ()
        plugin = RunPlugin(run, plan.selection, progress, plan.shard, partial(stops_at, plan, description.name))
        plugin.requested = plan.requested
        code = _run_pytest(plan, plugin, description.roles)
        if writer.lost:
            raise writer.lost
        if code == pytest.ExitCode.INTERRUPTED:  # by the user; pytest has taken the exception for itself
            raise KeyboardInterrupt
        outcome = Outcome(plan, description, run.cases, planned=plugin.planned, doubtful_facts=doubtful)
        if not plan.shard:  # a part of a run establishes nothing of a requirement
            conclude(outcome, with_hidden_order(findings(run, plan.selection), plan.options.facts))
        _sum_up(outcome, run, code)
    finally:
        run.iut.close()
    for finding in outcome.findings:
        writer.write(finding.record())
    writer.write(footer(outcome))
    return outcome


def conclude(outcome: Outcome, established: Iterable[Finding]) -> None:
    """Give the outcome its findings, and say what a red run behaves like."""
    judged = [case for case in outcome.cases if not case.crashed]
    plays = outcome.plan.diagnosis and monotonic() < outcome.plan.until
    outcome.diagnosis = diagnose(judged, partial(_play, outcome.plan) if plays else None)
    outcome.findings = with_standings(established, outcome.cases, outcome.diagnosis)


def _play(plan: Plan, fault: str, cases: Sequence[str]) -> dict[str, CaseFailures]:
    """Run cases on a known fault, with the virtual clock, and return what failed in each."""
    with TemporaryDirectory() as folder:
        options = AdapterOptions(deadline=inf, reply_timeout=min(plan.options.reply_timeout, PLAYED_TIMEOUT))
        selection = Selection(cases=tuple(cases))
        outcome = execute(
            Plan(
                f"mutant:{fault}",
                options,
                plan.profile,
                plan.seed,
                selection,
                Path(folder),
                plan.features,
                thorough=plan.thorough,
            )
        )
    return {case.id: failures_of(case) for case in outcome.cases if not case.excused}


def _run_pytest(plan: Plan, plugin: RunPlugin, roles: frozenset[str]) -> int:
    """Run the suite in this process, away from the configuration of wherever the user stands."""
    suite = files("mqconform.harness.suite") / "collected"
    scenarios = scenarios_for(plan.selection)
    features = [*dict.fromkeys(str(scenario.file) for scenario in scenarios)]
    _forget_other_features(str(suite), features, plan)
    arguments = [str(suite), f"--rootdir={suite}", "-c", str(suite / "suite.ini"), "-p", "no:cacheprovider"]
    arguments += ["-p", "no:terminal", "-p", "pytest_bdd.plugin"]
    if plan.selection.expression:
        arguments += ["-k", plan.selection.expression]
    judged = frozenset(role for scenario in scenarios for role in scenario.roles if role in roles)
    with ExitStack() as restore:
        restore.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(NEW_VALUES)
        _set_environment(restore, "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        _set_environment(restore, "PYTEST_ADDOPTS", "")
        _set_environment(restore, "MQCONFORM_SUITE", os.pathsep.join(features))
        _set_environment(restore, "MQCONFORM_FEATURES", os.pathsep.join(str(path) for path in plan.features))
        plugin.interrupted = restore.enter_context(remembered_interrupts())
        # As modules: for each name after -p pytest looks through all distributions that are installed.
        steps = map(import_module, step_modules(ROLES if plan.features else judged))  # added scenarios may name no role
        return int(pytest.main(arguments, plugins=[plugin, *steps]))


def scenarios_for(selection: Selection) -> list[Tagged]:
    """Return the scenarios that may be asked for: to parse the features of all takes longer than a few cases."""
    return [
        scenario
        for scenario in tagged_scenarios()
        if selection.wants_scenario(scenario.name, scenario.requirements)
        and selection.wants_some_case_in(feature_name(str(scenario.file)))
    ]


def _forget_other_features(suite: str, features: list[str], plan: Plan) -> None:
    """Have features collected anew where an earlier run of this process had others."""
    for name, module in [*sys.modules.items()]:
        if str(getattr(module, "__file__", None) or "").startswith(suite) and (
            plan.features or module.added or module.of_suite != features
        ):
            del sys.modules[name]


def _set_environment(restore: ExitStack, name: str, value: str) -> None:
    before = os.environ.get(name)
    os.environ[name] = value
    restore.callback(lambda: os.environ.pop(name, None) if before is None else os.environ.__setitem__(name, before))


def _sum_up(outcome: Outcome, run: Session, pytest_code: int) -> None:
    settle(outcome, run.readings)
    if any(case.id == run.patience.dead_since and case.verdict is Verdict.INCONCLUSIVE for case in run.cases):
        outcome.problem = silence_text(outcome.plan.iut)
    broken = pytest_code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    if broken:
        outcome.problem = f"the test runner ended with code {pytest_code}"
        outcome.exit_code = ExitCode.ERROR


def _could_not_start(plan: Plan, writer: ResultWriter, problem: IutFault | Unreachable) -> Outcome:
    """Record a run without cases, inconclusive: nothing was judged, so that no requirement is violated."""
    explanation = f"{getattr(problem, 'kind', 'unreachable')}: {problem}"
    if isinstance(problem, IutFault):
        explanation += "\nIt does not speak the protocol, so nothing was judged; see docs/iut-protocol.md."
    outcome = Outcome(plan, UNKNOWN_IUT, problem=explanation)
    outcome.exit_code = ExitCode.INCONCLUSIVE
    writer.write(footer(outcome))
    return outcome
