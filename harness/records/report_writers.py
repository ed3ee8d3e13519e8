"""Other formats of a result file, through the entry point group ``mqconform.reports``.

A writer is a function of a result file and a target path; it sees nothing of the run but the file.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from mqconform.harness.records.plug_ins import PlugInGroup
from mqconform.harness.records.problem import ConfigurationError

REPORTS = PlugInGroup("mqconform.reports", "report format")
Writer = Callable[[Path, Path], None]
AnyWriter = TypeVar("AnyWriter", bound=Writer)
FILE_NAME = "file_name"
"""Attribute of a writer: what its report is called beside the results."""


class WantedReport(NamedTuple):
    """A format and where it goes."""

    format: str
    writer: Writer
    path: Path | None
    """None for a file beside the results."""
    file_name: str
    """What that file is called."""


def named(file_name: str) -> Callable[[AnyWriter], AnyWriter]:
    """Return a decorator that says what the report of a writer is called beside the results."""

    def add(writer: AnyWriter) -> AnyWriter:
        setattr(writer, FILE_NAME, file_name)
        return writer

    return add


def checked_reports(asked: tuple[str, ...]) -> tuple[WantedReport, ...]:
    """Return the wanted reports; before the run, so that a typing error costs no run.

    Raises:
        ConfigurationError: there is no such format, its plug-in cannot be used, or the folder of the path does not
            exist.
    """
    return tuple(map(_checked, asked))


def write_reports(results: Path, reports: tuple[WantedReport, ...]) -> tuple[Path, ...]:
    """Write each report from the result file and return where they are.

    Raises:
        ConfigurationError: a path cannot be written.
    """
    written = []
    for report in reports:
        path = report.path or results.parent / report.file_name
        written.append(path)
        try:
            report.writer(results, path)
        except OSError as error:
            raise ConfigurationError(
                f"--report {report.format}={path}: {error.strerror or error}; the results are in {results}"
            ) from error
    return tuple(written)


def _checked(asked: str) -> WantedReport:
    name, _, path = asked.partition("=")
    writer = REPORTS.load(name)
    if writer is None:
        raise ConfigurationError(f"--report {asked}: no such format; the formats are {', '.join(REPORTS.names())}")
    target = Path(path) if path else None
    if target and not Path(os.path.realpath(target)).parent.is_dir():
        raise ConfigurationError(f"--report {asked}: there is no folder {target.parent}; make it first")
    return WantedReport(name, writer, target, _file_name(name, writer))


def _file_name(report_format: str, writer: Writer) -> str:
    """Return what a writer calls its report, ``FORMAT.txt`` where it does not say."""
    file_name = getattr(writer, FILE_NAME, f"{report_format}.txt")
    if not isinstance(file_name, str) or Path(file_name).name != file_name:
        raise ConfigurationError(
            f"--report {report_format}: its writer has the {FILE_NAME} {file_name!r}; its author must give it the "
            "name of a file without a folder"
        )
    return file_name
