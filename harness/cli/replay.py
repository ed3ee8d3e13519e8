"""``mqconform replay``: failed cases again, from their bundles."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

import click
from rich.text import Text

from mqconform.harness.cli.console import SafeConsole
from mqconform.harness.cli.options import connection_options, require_consent
from mqconform.harness.cli.parameters import FILE, FilePath, UsualFirst, option
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.printable import visible
from mqconform.harness.run.bundles.manifest import read_manifest
from mqconform.harness.run.replay import EXIT, commands_in, options_for, replay

CODES = (
    f"{ExitCode.OK} fixed, {ExitCode.FAIL} still fails, {ExitCode.INCONCLUSIVE} cannot run, "
    f"{ExitCode.ERROR} harness error, {ExitCode.USAGE} no bundle or wrong usage"
)


@click.command(cls=UsualFirst, epilog=f"Exit codes: {CODES}; of several bundles, 3 before 1 before 2 before 0.")
@click.argument("bundles", metavar="BUNDLE...", nargs=-1, required=True, type=FilePath())
@connection_options()
@option("--out", "Keep the results of the replay in this directory.", FILE)
def command(*, bundles: tuple[Path, ...], iut: str | None, options: AdapterOptions, out: Path | None) -> ExitCode:
    """Run failed cases again and report whether each still fails, is fixed, or cannot run.

    BUNDLE is a folder that a run has left below bundles/. It names the implementation that failed; the commands in it
    are shown, and started if you allow it. --iut names another one.
    """
    manifests = [(path, read_manifest(path)) for path in bundles]
    for path, manifest in manifests:
        require_consent(path, commands_in(manifest, iut, options))
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
