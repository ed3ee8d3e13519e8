"""``mqconform matrix``: implementations against each other."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import click

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.adapters.networks.shared import SharedNetworks
from mqconform.harness.cli import options as shared
from mqconform.harness.cli.console import SafeConsole, counting
from mqconform.harness.cli.echo import echo, unwritable_shown
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.cli.source_options import source_options
from mqconform.harness.explore.matrix.discovery_sides import NetworkMaker
from mqconform.harness.explore.matrix.matrix_cell import KINDS
from mqconform.harness.explore.matrix.matrix_file import Settings, read_matrix
from mqconform.harness.explore.matrix.matrix_run import DOCUMENT, run_matrix
from mqconform.harness.explore.matrix.matrix_terminal import print_matrix
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.run_file import run_directory
from mqconform.harness.tools.enterprise.source import SourceOptions

NETWORKS = NetworkMaker(obstacle=why_no_namespaces, make=SharedNetworks)
WIDTH = 160
"""Columns of the output if the terminal does not say: enough for a dozen implementations beside each other."""


@click.command("matrix")
@click.argument("file", type=FilePath(dir_okay=False))
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Play only these: discovery, routing or delivery; repeatable.",
)
@click.option("--only", metavar="NAME,...", help="Only pairs of these implementations.")
@shared.out_option("mqconform-matrix", "Folder of records, captures, time lines and the HTML page.")
@click.option("-n", "workers", type=click.IntRange(1, 64), help="Cells at a time; one for each processor unless given.")
@shared.seed_option("The same seed plays the same.")
@shared.profile_option
@shared.deadline_option
@shared.allow_commands_option
@click.option("--resume", is_flag=True, help="Continue an interrupted matrix; cells in --out are kept.")
@click.option("--json", "as_json", is_flag=True, help="Print matrix.json instead of tables.")
@source_options
def command(  # noqa: PLR0913 - one parameter for each option
    *,
    file: Path,
    kinds: tuple[str, ...],
    only: str | None,
    out: Path,
    workers: int | None,
    seed: int,
    profile: str,
    deadline: float,
    options: SourceOptions,
    resume: bool,
    as_json: bool,
) -> None:
    """Run the implementations of FILE pairwise, and report for each pair whether it works and which side is at fault.

    Discovery clients search for the servers of others, messages walk through enterprises of several routers, senders
    deliver through a network that fails. The commands in FILE are shown, and started if you allow it.

    Exit code 0 all work together; 1 deviations; 2 inconclusive; 4 usage; 5 not all could be played; 7 the list of
    known deviations is out of date.
    """
    matrix = read_matrix(file)
    settings = Settings(out, matrix.tried, seed, workers or os.cpu_count() or 1, deadline, Profile.of(profile), options)
    names = tuple(name.strip() for name in only.split(",") if name.strip()) if only else ()
    playing = (implementation for name, implementation in matrix.implementations.items() if not names or name in names)
    shared.require_consent(file, (words for implementation in playing for words in implementation.commands()))
    chosen_kinds = tuple(kind for kind in KINDS if not kinds or kind in kinds)
    with run_directory(out, clear=False), counting("cells") as counter:
        today = datetime.now(UTC).date()
        outcome = run_matrix(
            matrix,
            settings,
            chosen_kinds,
            names,
            networks=NETWORKS,
            today=today,
            resume=resume,
            progress=counter.so_far,
        )
        page = _page(out)
    if as_json:
        echo(json.dumps(outcome.record()))
    else:
        console = SafeConsole(highlight=False)
        print_matrix(outcome, console if console.is_terminal else SafeConsole(highlight=False, width=WIDTH))
        echo(f"results in {out / DOCUMENT}; open {page}")
    raise click.exceptions.Exit(outcome.exit_code)


def _page(out: Path) -> Path:
    """Write the HTML page and return it."""
    # here and not above: jinja2 takes a tenth of a second to load, which a matrix file with a fault need not wait for
    from mqconform.reports.html.interop import write_matrix  # noqa: PLC0415

    with unwritable_shown():
        return write_matrix(out / DOCUMENT, out)
