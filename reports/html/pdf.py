"""The report as PDF, printed by a browser of this machine."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

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
