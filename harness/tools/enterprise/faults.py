"""What is wrong with an enterprise file, and the error that says so."""

from collections.abc import Sequence
from dataclasses import dataclass

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import visible

MAX_REPORTED = 10
"""Faults that one error message names; of more, the number is given."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that keeps an enterprise file from being read."""

    text: str
    """What is wrong and what to do about it."""
    path: str = ""
    """Place in the document, such as ``routing_links[3].cost``; empty for the file as a whole."""
    line: int | None = None
    """Line of the file, counted from 1; None where a line means nothing."""

    def __str__(self) -> str:
        """Return path and text."""
        return f"{self.path}: {self.text}" if self.path else self.text


class BadText(Exception):
    """A text is no document in its format; the one fault says where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class UnreadableEnterprise(ConfigurationError):
    """An enterprise file that cannot be read; exit code 4.

    Attributes:
        file: its name as given.
        faults: everything found wrong, in the order of the document.
    """

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        super().__init__(self._message())

    def _message(self) -> str:
        shown = [_line(self.file, fault) for fault in self.faults[:MAX_REPORTED]]
        more = len(self.faults) - MAX_REPORTED
        return "\n".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def _line(file: str, fault: Fault) -> str:
    where = visible(file) if fault.line is None else f"{visible(file)}:{fault.line}"
    return f"{where}: {visible(str(fault))}"
