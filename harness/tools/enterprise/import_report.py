"""What an import of a directory comes to: enterprise file, snapshot, changes since another, for people and programs.

No reading: that is in ``source``.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import one_line, shortened, visible
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.tools.enterprise.file import SNAPSHOT, SNAPSHOT_DOCUMENT, EnterpriseFile, Format
from mqconform.harness.tools.enterprise.findings import counted_text
from mqconform.harness.tools.enterprise.source import ImportedSource
from mqconform.harness.tools.enterprise.writing import written
from mqconform.reference.directory.changes import Change, Kind, directory_changes, object_changes
from mqconform.reference.directory.check import check_directory
from mqconform.reference.directory.findings import Severity
from mqconform.reference.directory.ldap_entries import object_records

SCHEMA: Final = "directory_snapshot"
MOST_SHOWN: Final = 200
"""Changes that a text names; of more, the number is given."""
MOST_VALUE_TEXT: Final = 200
"""Longest value that a text shows, in characters."""


def changes_since(before: EnterpriseFile, after: EnterpriseFile) -> tuple[Change, ...]:
    """Return what changed: what routing sees, and, between snapshots, all else that was read.

    Raises:
        ConfigurationError: a snapshot is none; the message names the field.
    """
    changes = directory_changes(before.directory, after.directory)
    if before.snapshot is None or after.snapshot is None:
        return changes
    return (*changes, *object_changes(_objects(before), _objects(after)))


def change_lines(changes: Sequence[Change]) -> Iterator[str]:
    """Yield changes in words."""
    for change in changes[:MOST_SHOWN]:
        called = f"{change.what} {visible(change.name or change.identifier)}"
        if change.kind is Kind.CHANGED:
            fields = (f"{name} {_value_text(old)} -> {_value_text(new)}" for name, old, new in change.fields)
            yield f"{called}: {'; '.join(fields)}"
        else:
            yield f"{called}: {change.kind}"
    if len(changes) > MOST_SHOWN:
        yield f"and {len(changes) - MOST_SHOWN} more changes; --json lists all"
    if not changes:
        yield "nothing changed"


def new_problems(before: EnterpriseFile, after: EnterpriseFile) -> Iterator[str]:
    """Yield what ``check_directory`` says of the second version and not of the first; places in lists may move."""
    earlier_findings = {(finding.severity, finding.text) for finding in check_directory(before.directory)}
    findings = check_directory(after.directory)
    return (str(finding) for finding in findings if (finding.severity, finding.text) not in earlier_findings)


def _objects(file: EnterpriseFile) -> Sequence[dict[str, Any]]:
    judge = validator(SCHEMA)
    if judge and (wrong := complaint(judge, file.snapshot, "")):
        raise ConfigurationError(f"{visible(file.name)}: {wrong}; import the directory again")
    objects: Sequence[dict[str, Any]] = (file.snapshot or {}).get("objects", ())
    return objects


def _value_text(value: object) -> str:
    if value is None or value == []:
        return "none"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return visible(shortened(text, MOST_VALUE_TEXT))


VERSION: Final = 1


def snapshot_of(source: ImportedSource, read_at: str) -> dict[str, Any]:
    """Return the snapshot of a directory that was read at a time, which is text in ISO 8601 with Z."""
    return {
        SNAPSHOT: VERSION,
        "source": source_record(source, read_at),
        SNAPSHOT_DOCUMENT: source.document,
        "objects": object_records(source.imported.entries),
        "findings": [finding.record() for finding in source.findings],
    }


def source_record(source: ImportedSource, read_at: str) -> dict[str, Any]:
    """Return where an enterprise comes from."""
    return {
        "name": source.name,
        "server": source.reading.server,
        "highest_committed_usn": source.reading.highest_usn,
        "read_at": read_at,
        "gates": source.gates.policy.value,
        "literal": source.literal,
    }


def snapshot_text(snapshot: dict[str, Any]) -> str:
    """Return a snapshot as JSON, ASCII, with one object to a line, so that two can be compared line by line."""
    document = snapshot[SNAPSHOT_DOCUMENT]
    members = [f"  {json.dumps(key)}: {_value(value)}" for key, value in snapshot.items() if key != SNAPSHOT_DOCUMENT]
    inner = ",\n".join(f"    {json.dumps(key)}: {_value(value, '    ')}" for key, value in document.items())
    members.insert(2, f"  {json.dumps(SNAPSHOT_DOCUMENT)}: {{\n{inner}\n  }}")
    return "{\n" + ",\n".join(members) + "\n}\n"


def _value(value: object, indent: str = "  ") -> str:
    if isinstance(value, list) and value:
        entries = ",\n".join(f"{indent}  {json.dumps(member)}" for member in value)
        return f"[\n{entries}\n{indent}]"
    return json.dumps(value)


MOST_FINDINGS: Final = 100
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
    for finding in imported.findings[:MOST_FINDINGS]:
        yield f"{finding.code} {finding.severity}: {one_line(finding.name) or 'directory'}: {one_line(finding.text)}"
    if len(imported.findings) > MOST_FINDINGS:
        yield f"and {len(imported.findings) - MOST_FINDINGS} more findings; --json lists all"
    errors = sum(finding.severity is Severity.ERROR for finding in imported.findings)
    faults = f"{counted_text(errors, 'error')}, {counted_text(len(imported.findings) - errors, 'warning')}"
    counted = ", ".join(f"{number:,} {what.replace('_', ' ')}" for what, number in _counts(imported).items())
    yield f"{visible(imported.name)}: {counted}; {faults}"
    yield f"gates of sites by policy {imported.gates.policy}; `mqconform directory check` reports faults of routing"
