"""``mqconform replay``: failed cases again, from their bundles."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from mqconform.adapters.datagrams.clients import TARGET as CLIENT_TARGET
from mqconform.harness.cli.consent import commands_of_client, commands_of_target, require_consent
from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.options import connection_options, options_from
from mqconform.harness.cli.paths import FilePath
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import quoted_lines, visible
from mqconform.harness.records.timeline_text import timeline_lines
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.bundles.manifest import Manifest, read_manifest
from mqconform.harness.run.replay import Answer, Replayed, options_for, replay

EXIT = {
    Answer.FIXED: ExitCode.OK,
    Answer.STILL_FAILS: ExitCode.FAIL,
    Answer.CANNOT_RUN: ExitCode.INCONCLUSIVE,
    Answer.ERROR: ExitCode.ERROR,
}
STYLE = {
    Answer.FIXED: "bold green",
    Answer.STILL_FAILS: "bold red",
    Answer.CANNOT_RUN: "bold yellow",
    Answer.ERROR: "bold magenta",
}
WORST = (Answer.ERROR, Answer.STILL_FAILS, Answer.CANNOT_RUN, Answer.FIXED)
SHOWN = 700
CODES = (
    f"{ExitCode.OK} fixed, {ExitCode.FAIL} still fails, {ExitCode.INCONCLUSIVE} cannot run, "
    f"{ExitCode.ERROR} harness error, {ExitCode.USAGE} no bundle or wrong usage"
)


@click.command(epilog=f"Exit codes: {CODES}; of several bundles, 3 before 1 before 2 before 0.")
@click.argument("bundles", metavar="BUNDLE...", nargs=-1, required=True, type=FilePath())
@connection_options(default=None, required=False)
@click.option("--out", type=FilePath(), help="Keep the results of the replay in this directory.")
def command(  # noqa: PLR0913, PLR0917 - one parameter for each documented option
    bundles: tuple[Path, ...],
    iut: str | None,
    facts: Path | None,
    deadline: float,
    reply_timeout: float,
    out: Path | None,
) -> None:
    """Run failed cases again and report whether each still fails, is fixed, or cannot run.

    BUNDLE is a folder that a run has left below bundles/. It names the implementation that failed; the commands in it
    are shown, and started if you allow it. --iut names another one.
    """
    manifests = [(path, read_manifest(path)) for path in bundles]
    options = options_from(facts, deadline, reply_timeout)
    for path, manifest in manifests:
        require_consent(path, _commands_of(manifest, iut, options))
    console = SafeConsole(highlight=False, emoji=False, markup=False)
    answers = set()
    for path, manifest in manifests:
        with ExitStack() as temporary:
            target = out / path.name if out else Path(temporary.enter_context(tempfile.TemporaryDirectory()))
            replayed = _replayed(path, manifest, target, iut, options, console)
        answers.add(replayed.answer)
    worst = next(answer for answer in WORST if answer in answers)
    raise click.exceptions.Exit(EXIT[worst])


def _commands_of(manifest: Manifest, iut: str | None, options: AdapterOptions) -> Iterator[str]:
    """Yield what a replay starts that is named by the bundle and not on the command line."""
    target, _ = options_for(manifest, iut, options)
    if iut is None:
        yield from commands_of_target(target)
    if target == CLIENT_TARGET and options.client is None:
        yield from commands_of_client(manifest.options.client)


def _replayed(  # noqa: PLR0913, PLR0917 - a bundle and what the command line says
    path: Path, manifest: Manifest, out: Path, iut: str | None, options: AdapterOptions, console: Console
) -> Replayed:
    target, reached = options_for(manifest, iut, options)
    console.print(Text.assemble((visible(manifest.case), "bold"), f"  on {visible(target)}"), soft_wrap=True)
    folder = path if path.is_dir() else path.parent
    replayed = replay(manifest, folder, out, target, reached)
    reason = f": {quoted_lines(replayed.reason)[:SHOWN]}" if replayed.reason else ""
    console.print(Text.assemble((replayed.answer.value.upper(), STYLE[replayed.answer]), reason), soft_wrap=True)
    if replayed.answer is Answer.STILL_FAILS:
        for case in replayed.cases:
            _print_failures(case, console)
    return replayed


def _print_failures(case: Case, console: Console) -> None:
    for witness in case.witnesses:
        if witness.judgement.verdict is Verdict.FAIL:
            judged = witness.judgement
            console.print(f"  {witness.requirement}  {visible(case.id)}", soft_wrap=True)
            console.print(f"    expected  {quoted_lines(judged.expected, '    ')[:SHOWN]}", soft_wrap=True)
            console.print(f"    observed  {quoted_lines(judged.observed, '    ')[:SHOWN]}", soft_wrap=True)
    for line in timeline_lines(case.timeline):
        console.print(f"    {line}", soft_wrap=True)
