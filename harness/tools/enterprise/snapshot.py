"""Snapshots of a directory: the enterprise document, all else that was read, when and of which server."""

import json
from typing import Any, Final

from mqconform.harness.tools.enterprise.file import SNAPSHOT, SNAPSHOT_DOCUMENT
from mqconform.harness.tools.enterprise.source import ImportedSource
from mqconform.reference.directory.ldap_objects import object_records

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
