"""Reading an enterprise file: octets, text, document, directory, with one clear error at whichever step it fails."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.document_text import BadText, Fault, lines_of, parse_json, parse_yaml
from mqconform.harness.records.printable import visible
from mqconform.reference.directory import Directory, UnreadableDocument, directory_from_document

MAX_SIZE: Final = 64 * 1024 * 1024
"""Largest file that is read unless the caller says otherwise, in octets."""

MAX_REPORTED: Final = 10
"""Faults that one error message names; of more, the number is given."""

SNAPSHOT: Final = "directory_snapshot"
"""Key that tells a snapshot of a directory; the enterprise document is below ``SNAPSHOT_DOCUMENT`` there."""
SNAPSHOT_DOCUMENT: Final = "document"

STANDARD_INPUT: Final = "-"
"""Name that stands for the standard input."""


class Format(StrEnum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"


SOURCES: Final = "name a JSON or YAML file, ldif:FILE or ldap://HOST"
OCTETS_PER_VALUE: Final = {Format.JSON: 16, Format.YAML: 32}
"""Octets of the permitted size for each permitted value: bounds what a file of nothing but small values takes."""

SUFFIXES: Final = {".json": Format.JSON, ".yaml": Format.YAML, ".yml": Format.YAML}


_OBJECT: Final = re.compile(r"(sites|routing_links|queue_managers)\[(\d+)\]")


class UnreadableEnterprise(ConfigurationError):
    """An enterprise file that cannot be read; exit code 4.

    Attributes:
        file: its name as given.
        faults: everything found wrong, in the order of the document.
    """

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        lines = [_fault_text(file, fault) for fault in self.faults[:MAX_REPORTED]]
        more = len(faults) - MAX_REPORTED
        super().__init__("\n".join([*lines, *([f"and {more} more"] if more > 0 else [])]))


@dataclass(frozen=True)
class EnterpriseFile:
    """A file that was read, with what it holds."""

    name: str
    """The file's name as given, ``-`` for standard input."""
    format: Format
    text: str
    """What the file holds; empty where the enterprise was read from a directory."""
    document: Mapping[str, Any]
    """The document as it is written, names and all."""
    directory: Directory
    """What the document describes."""
    snapshot: Mapping[str, Any] | None = None
    """The snapshot that the document is a part of, None where it is the whole of the file."""
    notes: tuple[tuple[str, str], ...] = ()
    """What the import of a directory found, each with the identifier of the object that it is about."""

    def lines(self, paths: Iterable[str]) -> Mapping[str, int]:
        """Return the line of each path, such as ``routing_links[3].cost``, if there are lines; reads the text again."""
        if not self.text:
            return {}
        within = {_within(SNAPSHOT_DOCUMENT if self.snapshot else "", path): path for path in paths}
        return {within[path]: line for path, line in lines_of(self.text, within).items()}

    def name_of(self, path: str) -> str:
        """Return what the object is called that a path leads to where there are no lines, else nothing."""
        match = None if self.text else _OBJECT.match(path)
        if match is None:
            return ""
        entry = self.document[match[1]][int(match[2])]
        return str(entry.get("name") or entry["id"])


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A file that was read, and what is written in it, whatever that is."""

    name: str
    format: Format
    text: str
    document: object

    def unreadable(self, unreadable: UnreadableDocument, inside: str = "") -> UnreadableEnterprise:
        """Return the error about a document that cannot be understood, with lines; paths begin at ``inside``."""
        faults = [Fault(problem.text, _within(inside, problem.path)) for problem in unreadable.problems]
        return UnreadableEnterprise(self.name, _with_lines(faults, self.text))


def read_document(name: str, max_size: int = MAX_SIZE) -> WrittenDocument:
    """Read a file, JSON or YAML.

    Args:
        name: the file; ``-`` for standard input.
        max_size: size in octets beyond which it is refused.

    Raises:
        UnreadableEnterprise: naming the file, and for each fault the path, the line and the remedy.
    """
    try:
        text = source_text(name, max_size)
    except BadText as bad:
        raise UnreadableEnterprise(name, [bad.fault]) from bad
    form = SUFFIXES.get(Path(name).suffix.lower()) or (Format.JSON if text.lstrip()[:1] in {"{", "["} else Format.YAML)
    try:
        return WrittenDocument(name, form, text, parsed(text, form, max_size // OCTETS_PER_VALUE[form]))
    except BadText as bad:
        raise UnreadableEnterprise(name, _with_lines([bad.fault], text)) from bad


def read_enterprise(name: str, max_size: int = MAX_SIZE) -> EnterpriseFile:
    """Read an enterprise file, or the enterprise in a snapshot of a directory; see ``read_document``.

    Raises:
        UnreadableEnterprise: naming the file, and for each fault the path, the line and the remedy.
    """
    return enterprise_in(read_document(name, max_size))


def enterprise_in(written: WrittenDocument) -> EnterpriseFile:
    """Return the enterprise in a file that was read.

    Raises:
        UnreadableEnterprise: there is none; see ``read_enterprise``.
    """
    document = written.document
    snapshot = document if isinstance(document, Mapping) and SNAPSHOT in document else None
    if snapshot is not None:
        document = snapshot.get(SNAPSHOT_DOCUMENT)
    try:
        directory = directory_from_document(document)
    except UnreadableDocument as unreadable:
        raise written.unreadable(unreadable, SNAPSHOT_DOCUMENT if snapshot else "") from unreadable
    assert isinstance(document, dict), "an enterprise document is an object"
    return EnterpriseFile(written.name, written.format, written.text, document, directory, snapshot)


def _within(inside: str, path: str) -> str:
    """Return where a place is in the file, of a document that is below ``inside`` there."""
    return f"{inside}.{path}" if inside and path else inside or path


def parsed(text: str, form: Format, most_values: int) -> object:
    """Return the document in a text.

    Raises:
        BadText: it holds none, or more than ``most_values`` values.
    """
    if not text.strip():
        raise BadText("is empty; it must contain a document")
    if form is Format.YAML:
        return parse_yaml(text, most_values)
    if sum(map(text.count, "[{,")) > most_values:
        raise BadText(f"holds more than {most_values} values; see --max-size")
    return parse_json(text)


def _with_lines(faults: list[Fault], text: str) -> list[Fault]:
    reported = faults[:MAX_REPORTED]
    lines = lines_of(text, [fault.path for fault in reported if fault.path and fault.line is None])
    return [replace(fault, line=lines.get(fault.path, fault.line)) for fault in reported] + faults[MAX_REPORTED:]


def source_text(name: str, max_size: int) -> str:
    """Return the text of a file or of the standard input.

    Args:
        name: the file; ``-`` for standard input.
        max_size: size in octets beyond which it is refused.

    Raises:
        BadText: it cannot be read, is too large, or is not UTF-8.
    """
    octets = _octets(name, max_size)
    if len(octets) > max_size:
        raise BadText(f"is larger than {max_size} octets; if it is an enterprise, permit more by --max-size")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise BadText(f"octet {error.start} is not UTF-8; save the file as UTF-8", line=line) from error


def _octets(name: str, max_size: int) -> bytes:
    """Return the octets of a file, one more than permitted where there are more."""
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.buffer.read(max_size + 1)
        with Path(name).open("rb") as file:
            return file.read(max_size + 1)
    except OSError as error:
        raise BadText(f"cannot be read: {error.strerror or error}; {SOURCES}") from error
    except ValueError as error:
        raise BadText(f"is not a file name: {error}; {SOURCES}") from error


def _fault_text(file: str, fault: Fault) -> str:
    where = visible(file) if fault.line is None else f"{visible(file)}:{fault.line}"
    return f"{where}: {visible(str(fault))}"
