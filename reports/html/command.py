"""The site behind ``mqconform report``: its pages, and the PDF if one is wanted."""

from collections.abc import Callable, Sequence
from pathlib import Path

from mqconform.reports.html.audits import audits_page
from mqconform.reports.html.comparisons import comparison_page
from mqconform.reports.html.migrations import migration_page
from mqconform.reports.html.mutants import killers
from mqconform.reports.html.pdf import write_pdf
from mqconform.reports.html.site import Extra, write_site
from mqconform.reports.html.trends import first_bad, trends_page


def write(  # noqa: PLR0913 - one parameter for each option of the command
    results: Sequence[Path],
    out: Path,
    *,
    compare: tuple[Path, Path] | None = None,
    migrate: tuple[Path, Path] | None = None,
    trend: Path | None = None,
    audits: Sequence[Path] = (),
    mutants: Path | None = None,
    pdf: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write the site of some runs, and its PDF if one is wanted; return the first page.

    Args:
        results: result files, or directories of runs.
        out: folder of the site.
        compare: the older and the newer run of a comparison.
        migrate: runs of the implementation that is left, and of the one that takes its place.
        trend: what ``mqconform history trend --format json`` wrote.
        audits: ``--out`` folders of audits.
        mutants: the kill matrix of ``mqconform mutants``.
        pdf: file to print the report to.
        progress: told after each page how many there are and will be.

    Raises:
        ValueError: something that was handed in cannot be used, or nothing can print; the message says what and why.
        OSError: the site cannot be written.
    """
    extras: list[Extra] = []
    if compare:
        extras.append(comparison_page(*compare))
    if migrate:
        extras.append(migration_page(*migrate))
    if trend:
        extras.append(trends_page(trend))
    if audits:
        extras.append(audits_page(audits))
    about = {"since": first_bad(trend) if trend else {}, "mutants": killers(mutants) if mutants else {}}
    first = write_site(results, out, extras, progress, about)
    if pdf:
        write_pdf(out / "print.html", pdf)
    return first
