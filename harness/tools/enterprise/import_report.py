"""What an import of a directory comes to: the enterprise file, and the report for people and programs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mqconform.harness.records.printable import one_line, visible
from mqconform.harness.tools.enterprise.changes import change_lines
from mqconform.harness.tools.enterprise.file import EnterpriseFile, Format
from mqconform.harness.tools.enterprise.findings import counted_text
from mqconform.harness.tools.enterprise.snapshot import source_record
from mqconform.harness.tools.enterprise.source import ImportedSource
from mqconform.harness.tools.enterprise.writing import written
from mqconform.reference.directory.changes import Change
from mqconform.reference.directory.findings import Severity

MOST_SHOWN: Final = 100
"""Findings that a text names; of more, the number is given."""


def enterprise_text(imported: ImportedSource, form: Format) -> str:
    """Return the enterprise file; in YAML a comment says how gates were found. The same directory, the same octets."""
    text = written(imported.document, form)
    if form is Format.JSON:
        return text
    return (
        f"# Gates of sites by the policy {imported.gates.policy}: no attribute of a directory has them (BR-27).\n{text}"
    )


def imported_file(imported: ImportedSource, snapshot: dict[str, Any]) -> EnterpriseFile:
    """Return what was imported as an enterprise file that was read."""
    directory = imported.imported.directory
    return EnterpriseFile(imported.name, Format.JSON, "", imported.document, directory, snapshot)


def import_record(imported: ImportedSource, read_at: str, changes: Sequence[Change] | None) -> dict[str, Any]:
    """Return the report as JSON has it."""
    diff = {} if changes is None else {"changes": [change.record() for change in changes]}
    return diff | {
        "source": source_record(imported, read_at),
        "counts": _counts(imported),
        "findings": [finding.record() for finding in imported.findings],
    }


def _counts(imported: ImportedSource) -> dict[str, int]:
    directory = imported.imported.directory
    return {
        "sites": len(directory.sites),
        "foreign_sites": sum(site.foreign_site for site in directory.sites),
        "routing_links": len(directory.routing_links),
        "gates": len({gate for site in directory.sites for gate in site.site_gate_collection}),
        "queue_managers": len(directory.queue_managers),
        "routing_servers": sum(machine.routing_server for machine in directory.queue_managers),
    }


def import_lines(imported: ImportedSource, changes: Sequence[Change] | None) -> Iterator[str]:
    """Yield the report for a person."""
    if changes is not None:
        yield from change_lines(changes)
    for finding in imported.findings[:MOST_SHOWN]:
        yield f"{finding.code} {finding.severity}: {one_line(finding.name) or 'directory'}: {one_line(finding.text)}"
    if len(imported.findings) > MOST_SHOWN:
        yield f"and {len(imported.findings) - MOST_SHOWN} more findings; --json lists all"
    errors = sum(finding.severity is Severity.ERROR for finding in imported.findings)
    faults = f"{counted_text(errors, 'error')}, {counted_text(len(imported.findings) - errors, 'warning')}"
    counted = ", ".join(f"{number:,} {what.replace('_', ' ')}" for what, number in _counts(imported).items())
    yield f"{visible(imported.name)}: {counted}; {faults}"
    yield f"gates of sites by policy {imported.gates.policy}; `mqconform directory check` reports faults of routing"
