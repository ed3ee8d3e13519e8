"""The site behind ``mqconform report``: its pages, and the PDF if one is wanted, printed by a browser."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from mqconform.reports.html.audits import audits_page
from mqconform.reports.html.comparisons import comparison_page, migration_page
from mqconform.reports.html.register import killers
from mqconform.reports.html.site import Extra, write_site
from mqconform.reports.html.trends import first_bad, trends_page

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PATIENCE: Final = 120
"""Seconds after which a browser that has not printed is given up."""
QUIET: Final = (
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
)


class NoBrowser(ValueError):
    """Nothing here can print a page, or what is here could not."""


def write_pdf(page: Path, target: Path) -> None:
    """Print a page of the site to ``target``.

    Raises:
        NoBrowser: there is no browser, or it made no PDF.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise NoBrowser(f"no browser on PATH to print {target} with; install one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *QUIET, *_sandbox(), f"--user-data-dir={profile}", f"--print-to-pdf={target.resolve()}"]
        try:
            done = subprocess.run(  # noqa: S603 - the browser that PATH names, on a page of ours
                [*command, page.resolve().as_uri()], capture_output=True, text=True, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoBrowser(f"{browser} could not print {target}: {error}") from error
    if done.returncode or not target.is_file():
        raise NoBrowser(f"{browser} could not print {target}: {done.stderr.strip()[-300:]}")


def _sandbox() -> tuple[str, ...]:
    """Return what a browser needs that is started by root, as in containers: its sandbox refuses to run there."""
    return ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()


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
