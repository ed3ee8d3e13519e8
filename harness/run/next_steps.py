"""Next steps after a run that is not green: commands, ready to be copied."""

from collections.abc import Iterator
from shlex import quote

from rich.text import Text

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.bundles.writing import FOLDER, folder_name
from mqconform.harness.run.plan import Outcome
from mqconform.harness.run.violation_text import failed_on, simplest_case

RED = (ExitCode.FAIL, ExitCode.INCONCLUSIVE, ExitCode.INCOMPLETE)
SITE = "mqconform-report"


def next_steps(outcome: Outcome) -> Iterator[Text]:
    """Yield the next commands, each with its purpose; nothing after a green run."""
    if outcome.exit_code not in RED:
        return
    yield Text("\nnext:")
    for purpose, command in _steps(outcome):
        yield Text.assemble((f"  {purpose:<22}", "dim"), command)


def _steps(outcome: Outcome) -> Iterator[tuple[str, str]]:
    if not outcome.cases:
        yield "try the connection", f"mqconform smoke --iut {quote(outcome.plan.iut)}"
        return
    violated = [finding.requirement.id for finding in outcome.findings if finding.standing is Standing.VIOLATED]
    if violated:
        named = [each.requirement for each in outcome.diagnosis if each.requirement in violated]
        first = (*named, *violated)[0]
        yield "what is required", f"mqconform explain {first}"
        if case := _failed_case(outcome, first):
            folder = outcome.plan.out / FOLDER / folder_name(case)
            yield "run that case again", f"mqconform replay {quote(str(folder))}"
    elif left_open := [case.left_open for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE]:
        entry = left_open[0].judgement.reading.partition("/")[0]
        yield "what is undecided", f"mqconform explain {entry or left_open[0].requirement}"
    yield "report as a site", f"mqconform report {quote(str(outcome.results))} --out {SITE}"


def _failed_case(outcome: Outcome, requirement: str) -> str:
    """Return the simplest case that fails a requirement, empty if the run left no bundle of it."""
    failing = [case for case in outcome.cases if any(failed_on(witness, requirement) for witness in case.witnesses)]
    return simplest_case(failing).id if outcome.plan.bundles and failing else ""
