"""``mqconform replay``: failed cases again, from their bundles."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from rich.text import Text

from mqconform.adapters.datagrams.clients import TARGET as CLIENT_TARGET
from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.options import connection_options, options_from, require_consent
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.iut.connect import commands_of
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.bundles.manifest import Manifest, read_manifest
from mqconform.harness.run.replay import Answer, options_for, replay

EXIT = {
    Answer.ERROR: ExitCode.ERROR,
    Answer.STILL_FAILS: ExitCode.FAIL,
    Answer.CANNOT_RUN: ExitCode.INCONCLUSIVE,
    Answer.FIXED: ExitCode.OK,
}
"""The exit code of each answer, the worst first."""
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
) -> ExitCode:
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
        target, reached = options_for(manifest, iut, options)
        console.print(Text.assemble((visible(manifest.case), "bold"), f"  on {visible(target)}"), soft_wrap=True)
        with ExitStack() as temporary:
            folder = out / path.name if out else Path(temporary.enter_context(tempfile.TemporaryDirectory()))
            replayed = replay(manifest, path if path.is_dir() else path.parent, folder, target, reached)
        for line in replayed.lines():
            console.print(line, soft_wrap=True)
        answers.add(replayed.answer)
    return next(code for answer, code in EXIT.items() if answer in answers)


def _commands_of(manifest: Manifest, iut: str | None, options: AdapterOptions) -> Iterator[str]:
    """Yield what a replay starts that is named by the bundle and not on the command line."""
    target, _ = options_for(manifest, iut, options)
    client = manifest.options.client if target == CLIENT_TARGET and options.client is None else None
    return commands_of("" if iut else target, client)
