"""``mqconform report``: the HTML site of some runs, and the other formats of their result files."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import echo, refusals_shown, unwritable_shown
from mqconform.harness.cli.parameters import FilePath
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.report_writers import checked_reports, write_reports

RESULTS = "results.ndjson"


@click.command("report", epilog="Exit codes: 0 written, 4 usage.")
@click.argument("results", type=FilePath(), nargs=-1, required=True)
@click.option("--out", type=FilePath(file_okay=False), help="Folder of the HTML site.")
@click.option(
    "--compare",
    type=FilePath(),
    nargs=2,
    metavar="OLD NEW",
    help="Add a page with each change between two runs and its cause.",
)
@click.option(
    "--migrate",
    type=FilePath(),
    nargs=2,
    metavar="FROM TO",
    help="Add a page with the guarantees that an application keeps when it moves from one to the other.",
)
@click.option(
    "--trend", type=FilePath(dir_okay=False), help="Add trends: the output of `mqconform history trend --format json`."
)
@click.option(
    "--audit",
    "audits",
    type=FilePath(),
    multiple=True,
    help="Add an audit: the --out folder of `mqconform audit`; repeatable.",
)
@click.option(
    "--mutants",
    type=FilePath(dir_okay=False),
    help="Add to each requirement the mutants that violate it: the kill matrix of `mqconform mutants`.",
)
@click.option("--pdf", type=FilePath(dir_okay=False), help="Print the report there, with a browser.")
@click.option(
    "--report",
    "formats",
    multiple=True,
    metavar="FORMAT[=PATH]",
    help="Write another format of the result file; of one run only.",
)
def command(
    results: tuple[Path, ...], out: Path | None, pdf: Path | None, formats: tuple[str, ...], **pages: Any
) -> None:
    """Make a static site of RESULTS, result files or the --out directories of runs; it needs no server."""
    if not (out or pdf or formats):
        raise ConfigurationError("nothing to write: give --out DIR for the site, --pdf FILE, or --report FORMAT")
    if pdf and not pdf.absolute().parent.is_dir():
        raise ConfigurationError(f"--pdf {pdf}: there is no folder {pdf.parent}; make it first")
    if formats:
        _other_formats(results, formats)
    if out:
        first = _site(results, out, pdf=pdf, **pages)
        echo(f"open {first}" + (f"; the PDF is {pdf}" if pdf else ""))
    elif pdf:
        with TemporaryDirectory() as folder:
            _site(results, Path(folder) / "site", pdf=pdf, **pages)
        echo(f"the PDF is {pdf}")


def _other_formats(results: tuple[Path, ...], formats: tuple[str, ...]) -> None:
    if len(results) > 1:
        raise ConfigurationError("--report takes one run: give one RESULTS, or leave --report out")
    (path,) = results
    file = path / RESULTS if path.is_dir() else path
    with refusals_shown(ValueError), unwritable_shown():
        write_reports(file, checked_reports(formats))


def _site(results: tuple[Path, ...], out: Path, **wishes: Any) -> Path:
    try:
        # here and not above: jinja2 takes a tenth of a second to load, and --report alone needs none of it
        from mqconform.reports.html.command import write  # noqa: PLC0415
    except ImportError as absent:
        raise ConfigurationError(f"the site needs {absent.name}; reinstall mqconform") from absent
    with refusals_shown(ValueError), unwritable_shown(), counting("pages") as counter:
        return write(results, out, progress=counter.so_far, **wishes)
