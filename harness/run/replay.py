"""Runs a bundle again: does the case still fail, is it fixed, or can it not be run?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from rich.text import Text

from mqconform.harness.iut.connect import commands_of
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError
from mqconform.harness.iut.roles import ROLES, step_modules
from mqconform.harness.records.case import Case
from mqconform.harness.records.evidence_text import timeline_lines
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import quoted_lines, visible
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.bundles.manifest import Manifest
from mqconform.harness.run.bundles.writing import violated_by
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.added_features import checked_features
from mqconform.harness.suite.naming import feature_name
from mqconform.harness.suite.selection import Selection


class Answer(StrEnum):
    """What a replay says."""

    STILL_FAILS = "still fails"
    FIXED = "fixed"
    CANNOT_RUN = "cannot run"
    ERROR = "error of the harness"


CLIENT = "udp:discovery-client"
"""The implementation that the commands of a client's facts start."""
EXIT = {
    Answer.ERROR: ExitCode.ERROR,
    Answer.STILL_FAILS: ExitCode.FAIL,
    Answer.CANNOT_RUN: ExitCode.INCONCLUSIVE,
    Answer.FIXED: ExitCode.OK,
}
"""The exit code of each answer, the worst first."""
STYLE = {
    Answer.FIXED: "bold green",
    Answer.STILL_FAILS: "bold red",
    Answer.CANNOT_RUN: "bold yellow",
    Answer.ERROR: "bold magenta",
}
MOST_TEXT = 700


@dataclass(frozen=True, slots=True)
class Replayed:
    """Result of a replay.

    Attributes:
        reason: why it cannot be run, or how it fails otherwise than before.
        cases: the case, and the shrunk input where the bundle has some.
    """

    answer: Answer
    reason: str
    outcome: Outcome
    cases: tuple[Case, ...] = field(default=())

    def lines(self) -> Iterator[Text]:
        """Yield the answer for a terminal, and what fails: all text of the implementation visible and cut."""
        reason = f": {quoted_lines(self.reason)[:MOST_TEXT]}" if self.reason else ""
        yield Text.assemble((self.answer.value.upper(), STYLE[self.answer]), reason)
        for case in self.cases if self.answer is Answer.STILL_FAILS else ():
            for judged, requirement in ((witness.judgement, witness.requirement) for witness in case.witnesses):
                if judged.verdict is Verdict.FAIL:
                    yield Text(f"  {requirement}  {visible(case.id)}")
                    yield Text(f"    expected  {quoted_lines(judged.expected, '    ')[:MOST_TEXT]}")
                    yield Text(f"    observed  {quoted_lines(judged.observed, '    ')[:MOST_TEXT]}")
            yield from (Text(f"    {line}") for line in timeline_lines(case.timeline))


def replay(manifest: Manifest, folder: Path, out: Path, iut: str, options: AdapterOptions) -> Replayed:
    """Run the case of a bundle again, and the shrunk input that it found.

    Args:
        manifest: of the bundle in ``folder``.
        folder: where the bundle's own features are.
        out: where results go.
        iut: KIND:ID of the implementation, that of the bundle or another.
        options: how it is reached.

    Raises:
        ConfigurationError: the implementation or a feature of the bundle cannot be used.
    """
    features = checked_features(tuple(folder / name for name in manifest.features), step_modules(ROLES))
    cases = (manifest.case, *(feature_name(name) for name in manifest.counterexamples))
    plan = Plan(
        iut=iut,
        options=options,
        profile=Profile.of(manifest.profile),
        seed=manifest.seed,
        selection=Selection(cases=cases),
        out=out,
        features=features,
        second_opinion=manifest.second_opinion,
        thorough=manifest.thorough,
        bundles=True,
    )
    outcome = execute(plan)
    return meaning_of(manifest, outcome)


def meaning_of(manifest: Manifest, outcome: Outcome) -> Replayed:
    """Return what the outcome of a replay means."""
    cases = tuple(outcome.cases)
    if outcome.problem:
        return Replayed(Answer.CANNOT_RUN, outcome.problem, outcome, cases)
    if broken := [case for case in cases if case.error]:
        return Replayed(Answer.ERROR, broken[0].error, outcome, cases)
    if failed := [case for case in cases if case.verdict is Verdict.FAIL]:
        return Replayed(Answer.STILL_FAILS, _otherwise(manifest, failed), outcome, cases)
    own = next((case for case in cases if case.id == manifest.case), None)
    if own is None:
        missing = f"this version has no case {manifest.case}; the bundle is of {manifest.harness}"
        return Replayed(Answer.CANNOT_RUN, missing, outcome, cases)
    if own.verdict is Verdict.PASS:
        return Replayed(Answer.FIXED, "", outcome, cases)
    return Replayed(Answer.CANNOT_RUN, _undecided(own), outcome, cases)


def options_for(manifest: Manifest, iut: str | None, options: AdapterOptions) -> tuple[str, AdapterOptions]:
    """Return how to reach the implementation: what the command line says, else what the bundle says.

    Raises:
        ConfigurationError: facts are given for the bundle's own implementation, which has its own.
    """
    if iut is None:
        if options.facts is not None or options.client is not None:
            raise ConfigurationError("--facts needs --iut; the bundle has its own facts")
        return manifest.iut, manifest.options
    return iut, replace(
        manifest.options,
        deadline=options.deadline,
        reply_timeout=options.reply_timeout,
        facts=options.facts or manifest.options.facts,
        client=options.client or manifest.options.client,
    )


def commands_in(manifest: Manifest, iut: str | None, options: AdapterOptions) -> Iterator[str]:
    """Yield what a replay starts that is named by the bundle and not on the command line."""
    target, _ = options_for(manifest, iut, options)
    client = manifest.options.client if target == CLIENT and options.client is None else None
    return commands_of("" if iut else target, client)


def _otherwise(manifest: Manifest, failed: Sequence[Case]) -> str:
    now = {requirement for case in failed for requirement in violated_by(case)}
    if now.intersection(manifest.violated):
        return ""
    return f"differently than before: it finds {', '.join(sorted(now))} violated, not {', '.join(manifest.violated)}"


def _undecided(case: Case) -> str:
    if case.excused:
        return f"{case.excused}: {case.reason}"
    if case.verdict is Verdict.INCONCLUSIVE:
        witness = case.left_open
        return f"inconclusive: {witness.judgement.observed}"
    return "no check ran"
