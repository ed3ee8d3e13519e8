"""``mqconform matrix``: implementations against each other."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.adapters.networks.shared import SharedNetworks
from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, counting
from mqconform.harness.cli.echo import echo, unwritable_shown
from mqconform.harness.cli.parameters import FilePath, flag, json_option, option
from mqconform.harness.cli.source_options import SourceCommand, source_options
from mqconform.harness.explore.matrix.discovery_sides import NetworkMaker
from mqconform.harness.explore.matrix.matrix_cell import KINDS
from mqconform.harness.explore.matrix.matrix_file import Settings, read_matrix
from mqconform.harness.explore.matrix.matrix_run import DOCUMENT, run_matrix
from mqconform.harness.explore.matrix.matrix_terminal import lines
from mqconform.harness.explore.terminal import print_lines
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.run_file import run_directory
from mqconform.harness.tools.enterprise.source import SourceOptions

NETWORKS = NetworkMaker(obstacle=why_no_namespaces, make=SharedNetworks)
WIDTH = 160
"""Columns of the output if the terminal does not say: enough for a dozen implementations beside each other."""


@click.command("matrix", cls=SourceCommand, rare="profile resume")
@click.argument("file", type=FilePath(dir_okay=False))
@option("--kind kinds", "Play only these: discovery, routing or delivery; repeatable.", [*KINDS], multiple=True)
@option("--only", "Only pairs of these implementations.", metavar="NAME,...", default="", show_default=False)
@shared.out_option("mqconform-matrix", "Folder of records, captures, time lines and the HTML page.")
@option("-n workers", "Cells at a time; one for each processor unless given.", click.IntRange(1, 64))
@shared.seed_option("The same seed plays the same.")
@shared.profile_option
@shared.deadline_option
@shared.allow_commands_option
@flag("--resume", "Continue an interrupted matrix; cells in --out are kept.")
@json_option("Print matrix.json instead of tables.")
@source_options
def command(  # noqa: PLR0913 - what the settings of a matrix do not take as it is
    *,
    file: Path,
    kinds: tuple[str, ...],
    only: str,
    out: Path,
    workers: int | None,
    options: SourceOptions,
    resume: bool,
    as_json: bool,
    **how: Any,
) -> ExitCode:
    """Run the implementations of FILE pairwise, and report for each pair whether it works and which side is at fault.

    The commands in FILE are shown, and started if you allow it.

    Exit code 0 all work together; 1 deviations; 2 inconclusive; 4 usage; 5 not all could be played; 7 the list of
    known deviations is out of date.
    """
    matrix = read_matrix(file)
    settings = Settings(out, matrix.tried, workers=workers or os.cpu_count() or 1, source=options, **how)
    names = [*filter(None, map(str.strip, only.split(",")))]
    shared.require_consent(file, matrix.commands(names))
    with run_directory(out, clear=False), counting("cells") as counter:
        played: dict[str, Any] = {"networks": NETWORKS, "today": datetime.now(UTC).date(), "progress": counter.so_far}
        outcome = run_matrix(matrix, settings, kinds, names, resume=resume, **played)
        # here and not above: jinja2 takes a tenth of a second to load, which a file with a fault need not wait for
        from mqconform.reports.html.interop import write_matrix  # noqa: PLC0415

        with unwritable_shown():
            page = write_matrix(out / DOCUMENT, out)
    if as_json:
        echo(json.dumps(outcome.record()))
    else:
        console = SafeConsole(highlight=False)
        print_lines(lines(outcome), console if console.is_terminal else SafeConsole(highlight=False, width=WIDTH))
        echo(f"results in {out / DOCUMENT}; open {page}")
    return outcome.exit_code
