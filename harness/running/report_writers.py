"""Other formats of a result file, through the entry point group ``mqconform.reports``.

A writer is a function of a result file and a target path; it sees nothing of the run but the file.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from mqconform.harness.iut import ConfigurationError

GROUP = "mqconform.reports"
Writer = Callable[[Path, Path], None]


class WantedReport(NamedTuple):
    """A format and where it goes; without a path it goes beside the results under a name of its own."""

    format: str
    writer: Writer
    path: Path | None


def checked_reports(asked: tuple[str, ...]) -> tuple[WantedReport, ...]:
    """Return the wanted reports; before the run, so that a typing error costs no run.

    Raises:
        ConfigurationError: there is no such format, or the folder of the path does not exist.
    """
    return tuple(_checked(one) for one in asked)


def write_reports(results: Path, wanted: tuple[WantedReport, ...]) -> None:
    """Write each report from the result file.

    Raises:
        ConfigurationError: a path cannot be written.
    """
    for one in wanted:
        path = one.path or results.parent / FILES.get(one.format, f"{one.format}.txt")
        try:
            one.writer(results, path)
        except OSError as error:
            raise ConfigurationError(
                f"--report {one.format}={path}: {error.strerror or error}; the results are in {results}"
            ) from error


FILES = {
    "junit": "junit.xml",
    "ctrf": "ctrf.json",
    "sarif": "results.sarif",
    "cucumber": "cucumber.ndjson",
    "allure": "allure-results",
    "github-summary": "summary.md",
    "github-annotations": "annotations.txt",
    "badge": "badge.json",
}
"""What the formats of this package are called beside the results."""


def _checked(asked: str) -> WantedReport:
    name, _, path = asked.partition("=")
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        raise ConfigurationError(f"--report {asked}: no such format; the formats are {', '.join(sorted(known))}")
    target = Path(path) if path else None
    if target and not target.resolve().parent.is_dir():
        raise ConfigurationError(f"--report {asked}: there is no folder {target.parent}; make it first")
    return WantedReport(name, known[name].load(), target)
