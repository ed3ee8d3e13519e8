"""Changes of an enterprise in words, and what a snapshot has beyond its enterprise document."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.reference.directory.changes import Change, Kind, directory_changes, object_changes
from mqconform.reference.directory.check import check_directory

SCHEMA: Final = "directory_snapshot"
MOST_SHOWN: Final = 200
"""Changes that a text names; of more, the number is given."""
LONGEST: Final = 200
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
            yield f"{called}: {'; '.join(f'{name} {_shown(old)} -> {_shown(new)}' for name, old, new in change.fields)}"
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


def _shown(value: object) -> str:
    if value is None or value == []:
        return "none"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return visible(shortened(text, LONGEST))
