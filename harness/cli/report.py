"""``mqconform report``: the HTML site of some runs, and the other formats of their result files."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from mqconform.harness.cli.console import counting
from mqconform.harness.cli.echo import echo, refusals_shown, unwritable_shown
from mqconform.harness.cli.parameters import FILE, FilePath, UsualFirst, option
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.report_writers import checked_reports, write_reports

RESULTS = "results.ndjson"


@click.command("report", cls=UsualFirst, rare="migrate trend audits mutants", epilog="Exit codes: 0 written, 4 usage.")
@click.argument("results", type=FilePath(), nargs=-1, required=True)
@option("--out", "Folder of the HTML site.", FilePath(file_okay=False))
@option("--compare", "Add a page with each change between two runs and its cause.", FILE, nargs=2, metavar="OLD NEW")
@option("--migrate", "Add a page with the guarantees that such a move keeps.", FILE, nargs=2, metavar="FROM TO")
@option("--trend", "Add trends: the output of `mqconform history trend --format json`.", FilePath(dir_okay=False))
@option("--audit audits", "Add an audit: the --out folder of `mqconform audit`; repeatable.", FILE, multiple=True)
@option("--mutants", "Add mutants that violate requirements: from `mqconform mutants`.", FilePath(dir_okay=False))
@option("--pdf", "Print the report there, with a browser.", FilePath(dir_okay=False))
@option("--report formats", "Write another format of one result file.", multiple=True, metavar="FORMAT[=PATH]")
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
    # here and not above: jinja2 takes a tenth of a second to load, and --report alone needs none of it
    from mqconform.reports.html.command import write  # noqa: PLC0415

    with refusals_shown(ValueError), unwritable_shown(), counting("pages") as counter:
        return write(results, out, progress=counter.so_far, **wishes)
