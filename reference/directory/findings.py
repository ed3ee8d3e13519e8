"""What a check of an enterprise finds."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """The directory contradicts itself or a precondition: routing cannot be judged there."""
    WARNING = "warning"
    """Routing can be judged; its outcome rests on a reading, or is hardly intended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth saying about an enterprise."""

    severity: Severity
    path: str
    """Where in the enterprise document, such as ``routing_links[3].cost``."""
    text: str
    """What is found there, and what to do about it where that is not plain."""
    register: str = ""
    """Entry of the ambiguity register that it bears on, such as ``BR-40``; empty without one."""

    def __str__(self) -> str:
        """Return severity, path and text in one line."""
        return f"{self.severity}: {self.path or 'document'}: {self.text}"


def error(path: str, text: str, register: str = "") -> Finding:
    """Return a finding of severity error."""
    return Finding(Severity.ERROR, path, text, register)


def warning(path: str, text: str, register: str = "") -> Finding:
    """Return a finding of severity warning."""
    return Finding(Severity.WARNING, path, text, register)
