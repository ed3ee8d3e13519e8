"""All scenarios of queue managers played to one in this process, without pytest around each: half a second."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pytest_bdd.parser import FeatureParser, Scenario

from mqconform.harness.iut.interface import AdapterOptions, Json, Unsupported
from mqconform.harness.iut.protocol import check_params, check_result
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqso.queue_manager_checks import WRONG_SENTENCE
from mqconform.harness.judge.mqso.scenes import begun
from mqconform.harness.judge.session import JudgingPlan
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.steps import Step, steps_of

MODULES = ROLES[RoleName.QUEUE_MANAGER].step_modules


@dataclass(slots=True)
class Play:
    """What came of all scenarios: verdicts by requirement, and the scenarios whose steps raised something."""

    plan: JudgingPlan
    iut: Any
    verdicts: dict[Verdict, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(set)))
    problems: dict[str, Exception] = field(default_factory=dict)
    case: Any = None
    readings: ReadingLog = field(default_factory=ReadingLog)

    @property
    def judge(self) -> Judge:
        return Judge(load_register(), self.plan.profile, self.readings)

    @property
    def violated(self) -> set[str]:
        return set(self.verdicts[Verdict.FAIL])

    def witness(self, case: Any, requirements: Any, judgement: Judgement, traffic: object = None) -> None:  # noqa: ARG002
        if WRONG_SENTENCE in judgement.observed:
            self.problems[case.id] = AssertionError(f"the step says {judgement.expected!r}: {judgement.observed}")
        for requirement in requirements:
            self.verdicts[judgement.verdict][requirement].add(case.id)


class Called:
    """Calls the operations of a queue manager as methods."""

    def __init__(self, part: ReferenceQueueManager, clock: str) -> None:
        self.part, self.description = part, SimpleNamespace(capabilities=frozenset({clock}))

    def call(self, method: str, params: Json) -> Json:
        check_params(method, params)
        return check_result(method, getattr(self.part, method.removeprefix("queue_manager."))(**params) or {})


def played(
    part: ReferenceQueueManager, only: str = "", clock: str = "virtual-clock", *, second_opinion: bool = False
) -> Play:
    plan = JudgingPlan("ref:", AdapterOptions(), Profile.DEFAULT, 0, second_opinion=second_opinion)
    play = Play(plan, Called(part, clock))
    for case, scenario in cases():
        if only not in case.id:
            continue
        part.reset()
        try:
            _walk(play, case, scenario)
        except Unsupported:
            continue
        except Exception as problem:  # noqa: BLE001 - whatever a step raises is what a test asks for
            play.problems[case.id] = problem
        finally:
            play.readings.recent()  # counts the case, as a run does at the end of each
    return play


def _walk(play: Play, case: Any, scenario: Scenario) -> None:
    fixture = {"queue_manager": begun(play, case, play.judge)}
    for step in scenario.steps:
        definition, arguments = meaning(step.type, step.name)
        rows = [] if step.datatable is None else [[cell.value for cell in row.cells] for row in step.datatable.rows]
        definition.function(**fixture, **arguments, **({"datatable": rows} if rows else {}))


@cache
def definitions() -> tuple[Step, ...]:
    for module in MODULES:
        import_module(module)
    return steps_of(MODULES)


@cache
def meaning(kind: str, words: str) -> tuple[Step, Mapping[str, Any]]:
    definition = next(step for step in definitions() if step.fits(kind, words))
    return definition, definition.arguments(words)


@cache
def cases() -> list[tuple[Any, Scenario]]:
    return [*_cases()]


def _cases() -> Iterator[tuple[Any, Scenario]]:
    for path in sorted((Path(str(files("mqconform.features"))) / "mqso").glob("*.feature")):
        if path.stem.startswith("generated_histories"):
            continue  # these are searched in the tests of their own
        feature = FeatureParser(str(path.parent), path.name).parse()
        for template in feature.scenarios.values():
            for row in [row for examples in template.examples for row in examples.as_contexts()] or [{}]:
                tags = {*template.tags, *feature.tags}
                if "needs:several-machines" in tags:
                    continue  # these have a scene of their own
                requirements = tuple(sorted(tag.removeprefix("req:") for tag in tags if tag.startswith("req:")))
                name = f"{path.stem}: {template.name} {row.get('case', '')}"
                yield SimpleNamespace(id=name, requirements=requirements), template.render(row)
