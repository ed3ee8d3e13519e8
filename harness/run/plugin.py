"""The pytest plugin that turns scenarios into cases, steps into witnesses, and exceptions into excuses or faults.

The command line hands an instance to pytest. Another project's pytest loads no steps: it has ``pytest_options``.
pytest-bdd reads and collects the features. It does not carry out the steps: for each of them it asks all fixtures of
pytest whether one is a definition of the sentence, which took a quarter of a run.
"""

import traceback
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from time import monotonic

import pytest
from pytest_bdd.exceptions import StepDefinitionNotFoundError
from pytest_bdd.parser import Scenario, ScenarioTemplate
from pytest_bdd.parser import Step as Sentence
from pytest_bdd.scenario import scenario_wrapper_template_registry
from pytest_bdd.utils import registry_get_safe

from mqconform.harness.iut.drivers.discovery_client.recordings import REAL, record_cases
from mqconform.harness.iut.interface import (
    ForeignResponder,
    IutErrorAnswer,
    IutFault,
    NotApplicable,
    Silent,
    Unreachable,
    Unsupported,
)
from mqconform.harness.iut.reference_iut import discovery_client
from mqconform.harness.judge.marks import is_from_seed
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.problem import OutputLost
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.run.decision import stops_at
from mqconform.harness.run.plan import Plan
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.naming import case_id, feature_name, scenario_fingerprint, slug, tags_of, values_of
from mqconform.harness.suite.selection import Excuse, clock_excuse, excuse
from mqconform.harness.suite.steps import Step, step_for

__all__ = ["RunPlugin", "scenario_of"]


class RunPlugin:
    """Runs the selected scenarios of one session."""

    planned = 0
    """Number of cases of the whole run, known once they are collected."""
    interrupted: Callable[[], bool] = staticmethod(lambda: False)
    """Whether the user stops the run, asked after each case."""

    def __init__(self, session: Session, plan: Plan, progress: Callable[[Case], None]) -> None:
        """Make the plug-in of one run."""
        self._session = session
        self._plan = plan
        self._progress = progress
        self._planned: dict[str, Case] = {}
        self._current: Case | None = None

    @pytest.fixture(name="run")
    def run_fixture(self) -> Session:
        """Return the session that the steps work in."""
        return self._session

    @pytest.fixture(name="case")
    def case_fixture(self, request: pytest.FixtureRequest) -> Case:
        """Return the case that runs now."""
        return self._planned[request.node.nodeid]

    def pytest_configure(self, config: pytest.Config) -> None:
        """Disable tracebacks, which are slow, and unused here."""
        config.option.tbstyle = "no"

    @pytest.hookimpl(tryfirst=True)
    def pytest_bdd_apply_tag(self, tag: str, function: Callable[..., object]) -> bool:
        """Keep tags out of pytest's marks: they are data and read from the feature."""
        del tag, function
        return True

    def pytest_pycollect_makeitem(self, obj: object) -> list[pytest.Item] | None:
        """Make no items of scenarios that are not asked for: all items of the suite cost more than a few cases."""
        template = registry_get_safe(scenario_wrapper_template_registry, obj)
        if template is None:
            return None
        scenario = case_id(template, {})
        selected = self._plan.selection.wants_scenario(scenario, values_of(tags_of(template), "req"))
        return None if selected and self._plan.selection.wants_some_case_of(scenario) else []

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Plan a case for each scenario and let ``-k`` match its id."""
        template, row = scenario_of(item)
        tags = tags_of(template)
        case = Case(
            id=case_id(template, row),
            feature=feature_name(template.feature.filename),
            scenario=template.name,
            row=slug(row.get("case", "")),
            requirements=values_of(tags, "req"),
            tags=tags,
        )
        self._planned[item.nodeid] = case
        item.extra_keyword_matches.add(case.id)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep what is asked for, can be judged and is of this part; write down why the rest is not."""
        judgeable: list[pytest.Item] = []
        done = {case.id for case in self._session.cases}  # by an earlier part of a run that goes on
        for item in items:
            case = self._planned[item.nodeid]
            if not self._plan.selection.wants_case(case.id):  # of scenarios that are not asked for there are no items
                continue
            case.text = scenario_fingerprint(*scenario_of(item))  # of all that are collected, it would take long
            reason = self._excuse(case)
            if reason is None:
                judgeable.append(item)
            elif self._is_here(case) and case.id not in done:
                self._finish_excused(case, reason)
        planned = [(item, self._planned[item.nodeid]) for item in judgeable]
        here = [
            item
            for item, case in planned
            if (self._is_here(case) or self._plan.requested is not None) and case.id not in done
        ]
        config.hook.pytest_deselected(items=[*set(items).difference(here)])
        items[:] = here

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Run one case from its first step to its record in the result file."""
        case = self._planned[item.nodeid]
        self._current = case
        self._session.conversation.clear()
        discovery_client.case_in_hand = case.id
        self._session.patience.began, case.began = monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds")
        result = yield
        discovery_client.case_in_hand = ""
        self._current = None
        self._session.finish(case)
        self._progress(case)
        if self.interrupted():
            raise KeyboardInterrupt
        if self._session.writer.lost:
            pytest.exit(str(self._session.writer.lost))
        if stops_at(self._plan, self._session.iut.description.name, case):
            item.session.shouldfail = f"{case.id} failed; the run stops at the first failure"
        return result

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool | None:
        """Keep pytest from a traceback for what ``execute`` says in a sentence."""
        return True if isinstance(excinfo.value, OutputLost) else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Let clients that wait by the real clock do so at the same time; then play what is requested, or all."""
        if self._session.live:
            steps = {self._planned[item.nodeid].id: givens_and_whens(item) for item in session.items}
            progress = getattr(self._progress, "clients", None)
            self._session.recordings = record_cases(self._session.live, steps, progress)
        if self._plan.requested is None:
            return None
        items = {self._planned[item.nodeid].id: item for item in session.items}
        for case in self._plan.requested:
            if item := items.get(case):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            else:  # excused before it began
                self._progress(next(excused for excused in self._session.cases if excused.id == case))
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Carry out the scenario that a test is, which ends the call: pytest-bdd has nothing left to do."""
        template, row = scenario_of(pyfuncitem)
        scenario = template.render(row) if row else template  # to render one copies its tables
        carry_out(scenario, self._step_begins, pyfuncitem._request)  # noqa: SLF001 - pytest has no other way to fixtures
        return True

    def _step_begins(self, sentence: Sentence, step: Step) -> None:
        """Remember the step and its check, so that witnesses can name them."""
        if self._current:
            self._current.step, self._current.check = f"{sentence.keyword} {sentence.name}", step.check
            self._current.generated |= is_from_seed(step.function)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Turn what a step raised into a verdict, an excuse, or an error of the harness."""
        report = yield
        if call.excinfo is not None:
            note_problem(self._session, self._planned[item.nodeid], call.excinfo.value)
        return report

    def _is_here(self, case: Case) -> bool:
        """Give a case its place in the whole run, and tell whether it is of this part."""
        self.planned += 1
        shard = self._plan.shard
        if shard is None:
            return True
        case.position = self.planned
        if self._plan.requested is not None:  # the number of parts is still open
            return shard.index == 1
        return shard.holds(case.position)

    def _excuse(self, case: Case) -> Excuse | None:
        run = self._session
        excused = excuse(case.tags, case.requirements, run.iut.description, run.plan.profile, load_catalogue())
        return excused or clock_excuse(case.tags, real_clock=run.live is not None or run.plan.options.clock == REAL)

    def _finish_excused(self, case: Case, excused: Excuse) -> None:
        case.excused, case.reason = excused
        self._session.finish(case)


def givens_and_whens(item: pytest.Item) -> list[str]:
    """Return the steps of a collected item that bring its situation about."""
    template, row = scenario_of(item)
    return [step.name for step in template.render(row).steps if step.type != "then"]


def scenario_of(item: pytest.Item) -> tuple[ScenarioTemplate, dict[str, str]]:
    """Return the scenario that a collected item runs and its row of the Examples table."""
    function = item.function  # type: ignore[attr-defined]  # every item of the suite is a Function
    callspec = getattr(item, "callspec", None)
    row = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    return scenario_wrapper_template_registry[function], row


def note_problem(run: Session, case: Case, problem: BaseException) -> None:
    """Record on the case what a step raised."""
    match problem:
        case Unsupported():
            case.excused, case.reason = "unsupported", str(problem) or "the implementation has no such operation"
        case NotApplicable():
            case.excused, case.reason = "not-applicable", str(problem)
        case Unreachable() | ForeignResponder():
            if isinstance(problem, Silent):
                run.patience.wait_in_vain(case.id, run.plan.options.reply_timeout)
            _inconclusive(run, case, str(problem))
        case IutFault():
            if problem.kind == "deadline":
                run.patience.wait_in_vain(case.id)
            _fault(run, case, f"{problem.kind}: {problem}")
            if not (run.recordings and case.id in run.recordings.scripts):  # whose clients are over anyway
                run.lose_iut(case)
        case IutErrorAnswer():
            _fault(run, case, f"unexpected answer, {problem}")
        case _:
            case.error = "".join(traceback.format_exception_only(problem)).strip()
            case.trace = "".join(traceback.format_exception(problem)[-6:])


def _fault(run: Session, case: Case, observed: str) -> None:
    case.reason = observed
    evidence = run.iut.evidence()
    with_evidence = observed + "".join(f"\n{line}" for line in evidence[-3:])
    judgement = Judgement(Verdict.FAIL, "an answer by the IUT protocol", with_evidence)
    run.witness(case, case.requirements, judgement)


def _inconclusive(run: Session, case: Case, reason: str) -> None:
    case.reason = reason
    unanswered = Judgement(Verdict.INCONCLUSIVE, "an answer of the implementation under test", reason)
    run.witness(case, case.requirements, unanswered)


def carry_out(
    scenario: Scenario | ScenarioTemplate, begins: Callable[[Sentence, Step], None], fixtures: pytest.FixtureRequest
) -> None:
    """Call the functions of the steps with what their sentences and tables say, and the fixtures they ask for.

    Args:
        scenario: with the values of its row.
        begins: told of each step before it is carried out.
        fixtures: of the test that the scenario is.

    Raises:
        StepDefinitionNotFoundError: no step has this sentence.
    """
    for sentence in scenario.steps:
        step = step_for(sentence.type, sentence.name)
        if step is None:
            raise StepDefinitionNotFoundError(
                f'{scenario.feature.filename}, line {sentence.line_number}: no step says "{sentence}"; '
                "`docs/how-to/add-a-role.md` says where steps come from"
            )
        begins(sentence, step)
        arguments = step.arguments(sentence.name)
        if sentence.datatable is not None and "datatable" in step.takes:
            arguments["datatable"] = sentence.datatable.raw()
        for name in step.needs:
            if name not in arguments:
                arguments[name] = fixtures.getfixturevalue(name)
        step.function(**arguments)
