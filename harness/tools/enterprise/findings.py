"""What a check of an enterprise file finds, each with its line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.file import EnterpriseFile, UnreadableEnterprise
from mqconform.reference.directory import check_document
from mqconform.reference.directory.findings import Severity

MOST_SHOWN = 200
"""Findings that a text names; of more, the number is given."""


@dataclass(frozen=True, slots=True)
class Located:
    """One finding."""

    severity: Severity
    path: str
    """Place in the document, such as ``routing_links[3].cost``."""
    line: int | None
    text: str
    register: str
    """Entry of the ambiguity register that it bears on, empty without one."""

    def record(self) -> dict[str, Any]:
        """Return the finding as JSON has it."""
        register = {"register": self.register} if self.register else {}
        return {"severity": self.severity.value, "path": self.path, "line": self.line, "text": self.text} | register


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check.

    Attributes:
        file: name of the file as given.
        readable: whether it could be read; if not, the findings are what keeps it from being read.
        findings: errors first.
    """

    file: str
    readable: bool
    findings: tuple[Located, ...]

    def number(self, severity: Severity) -> int:
        """Return how many findings have a severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def record(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        return {
            "file": self.file,
            "readable": self.readable,
            "errors": self.number(Severity.ERROR),
            "warnings": self.number(Severity.WARNING),
            "findings": [finding.record() for finding in self.findings],
        }

    def lines(self) -> Iterator[str]:
        """Yield the report as text, made visible."""
        name = visible(self.file)
        for finding in self.findings[:MOST_SHOWN]:
            where = f"{name}:{finding.line}" if finding.line else name
            register = f" [{finding.register}]" if finding.register else ""
            place = visible(finding.path or "document")
            yield f"{where}: {finding.severity}: {place}: {visible(finding.text)}{register}"
        if len(self.findings) > MOST_SHOWN:
            yield f"and {len(self.findings) - MOST_SHOWN} more findings; --json lists all"
        errors, warnings = self.number(Severity.ERROR), self.number(Severity.WARNING)
        yield f"{name}: {counted_text(errors, 'error')}, {counted_text(warnings, 'warning')}"


def report_on(file: EnterpriseFile) -> Report:
    """Check a file that could be read."""
    findings = check_document(file.document)
    lines = file.lines(finding.path for finding in findings)
    located = (
        Located(
            finding.severity,
            finding.path,
            lines.get(finding.path),
            f"{file.name_of(finding.path)} {finding.text}".lstrip(),
            finding.register,
        )
        for finding in findings
    )
    return Report(file.name, readable=True, findings=tuple(located))


def report_on_unreadable(problem: UnreadableEnterprise) -> Report:
    """Return the report on a file that could not be read."""
    faults: Sequence[Located] = [
        Located(Severity.ERROR, fault.path, fault.line, fault.text, "") for fault in problem.faults
    ]
    return Report(problem.file, readable=False, findings=tuple(faults))


def counted_text(number: int, what: str) -> str:
    """Return ``2 errors``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
