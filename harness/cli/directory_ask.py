"""``mqconform directory ask``: a router that reads a directory by itself, judged while the directory changes."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from mqconform.harness.cli.enterprise_options import say, write_out
from mqconform.harness.cli.numbers import A_DAY, Number
from mqconform.harness.cli.options import FORMS, deadline_option, profile_option
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.facts import load_router_facts
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Unsupported
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.real_directory import Answer, RouterOnDirectory, Versions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.tools.enterprise.changes import change_lines
from mqconform.harness.tools.enterprise.machine_names import find_machine
from mqconform.harness.tools.enterprise.source import SourceOptions, is_source, versions_of
from mqconform.reference.directory.changes import directory_changes

MOST_SHOWN: Final = 20
"""Answers that a text names of those that did not pass; of more, the number is given."""


@click.command("ask")
@click.option("--iut", required=True, metavar="KIND:ID", help=f"The router under test: {FORMS}.")
@click.option("--facts", required=True, type=FilePath(), help="TOML: which directory it reads.")
@click.option("--questions", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Asked in a round.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=1, show_default=True, help="Rounds of questions.")
@click.option("--every", type=Number(min=0, max=A_DAY), default=60.0, show_default=True, help="Seconds between rounds.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed asks the same.")
@click.option("--out", type=FilePath(), help="NDJSON file to write, a line for each answer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@profile_option
@deadline_option
@source_options
def command(  # noqa: PLR0913, PLR0917 - one parameter for each option
    iut: str,
    facts: Path,
    questions: int,
    rounds: int,
    every: float,
    seed: int,
    out: Path | None,
    profile: str,
    deadline: float,
    options: SourceOptions,
    *,
    as_json: bool,
) -> ExitCode:
    """Ask a router that reads a directory by itself for next hops, and judge what it answers.

    The facts file names the directory; the harness reads it too, before and after each round. A change of the
    directory meanwhile makes the test harder: a router that is initialised has to see the change, one that runs on may
    go by its table until its timer fires.

    Exit code 0: every answer is allowed; 1: some are not; 2: none is forbidden, some are inconclusive; 4: the directory
    cannot be read.
    """
    router_facts = load_router_facts(facts)
    if not is_source(router_facts.directory_server):
        raise ConfigurationError(
            f"{facts}: router.directory_server: is no directory; write ldaps://HOST or ldap://HOST"
        )
    look = _looking(router_facts.directory_server, options)
    directory = next(iter(look().values()))
    machines = [find_machine(directory, name) for name in router_facts.machines]
    judge = Judge(load_register(), Profile.of(profile), ReadingLog())
    router = connect(iut, AdapterOptions(deadline=deadline))
    answers: list[Answer] = []
    try:
        with suppress(Unsupported):  # then it is pointed there by its own configuration
            router.call("router.use_directory_server", {"server": router_facts.directory_server})
        asking = RouterOnDirectory(router, judge, look, time.monotonic, machines, questions, seed)
        for number in range(rounds):
            if number:
                time.sleep(every)
            before = asking.versions
            answers += (played := asking.round())
            if not as_json:
                say(_round_lines(number + 1, played, before, asking.versions))
    finally:  # what was answered is kept, whatever ends the rounds
        if out is not None:
            write_out("".join(json.dumps(answer.record()) + "\n" for answer in answers), out)
        router.close()
    if as_json:
        say([json.dumps(_record(router_facts.directory_server, options, answers))])
    return _exit_code(answers)


def _looking(source: str, options: SourceOptions) -> Callable[[], Versions]:
    def look() -> Versions:
        return versions_of(source, options)

    return look


def _round_lines(number: int, answers: Sequence[Answer], before: Versions, after: Versions) -> Iterator[str]:
    if before:
        old, new = next(iter(before.values())), next(iter(after.values()))
        if old != new:
            yield from change_lines(directory_changes(old, new))
    wrong = [answer for answer in answers if answer.judgement.verdict is not Verdict.PASS]
    counted = ", ".join(f"{count} {verdict}" for verdict, count in _counts(answers).items())
    yield f"round {number}: {len(answers)} answers: {counted}"
    for answer in wrong[:MOST_SHOWN]:
        judged = answer.judgement
        ends = f"{answer.source} to {answer.destination}, {answer.phase}"
        yield f"  {judged.verdict.word}: {ends}: {visible(judged.observed)}; allowed: {visible(judged.expected)}"
    if len(wrong) > MOST_SHOWN:
        yield f"  and {len(wrong) - MOST_SHOWN} more; --out has all"


def _counts(answers: Sequence[Answer]) -> Mapping[str, int]:
    return Counter(answer.judgement.verdict.word for answer in answers)


def _record(source: str, options: SourceOptions, answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "directory_server": source,
        "gates": options.gates.policy.value,
        "answers": len(answers),
        "verdicts": dict(_counts(answers)),
        "not_passed": [answer.record() for answer in answers if answer.judgement.verdict is not Verdict.PASS],
    }


def _exit_code(answers: Sequence[Answer]) -> ExitCode:
    verdicts = {answer.judgement.verdict for answer in answers}
    if Verdict.FAIL in verdicts:
        return ExitCode.FAIL
    return ExitCode.INCONCLUSIVE if Verdict.INCONCLUSIVE in verdicts else ExitCode.OK
