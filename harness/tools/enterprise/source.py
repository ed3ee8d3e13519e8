"""Where an enterprise comes from: a file, or a directory named by ``ldap:``, ``ldaps:`` or ``ldif:``.

Readers of directories register in the entry point group ``mqconform.directories``; files beside them hold a password,
or the gates of each site.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from mqconform.harness.iut.directory_interface import DirectoryAccess, DirectoryReading, DirectorySearch
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.document_text import BadText
from mqconform.harness.records.plug_ins import PlugInGroup
from mqconform.harness.records.printable import visible
from mqconform.harness.records.text_file import read_text
from mqconform.harness.tools.enterprise.file import MAX_SIZE, SUFFIXES, EnterpriseFile, Format, parsed, read_enterprise
from mqconform.reference.directory import Directory, document_from_directory
from mqconform.reference.directory.findings import Severity
from mqconform.reference.directory.ldap_findings import Code, DirectoryFinding
from mqconform.reference.directory.ldap_gates import GatePolicy, Gates, UnknownGate
from mqconform.reference.directory.ldap_mapping import ImportedDirectory, import_directory
from mqconform.reference.directory.ldap_schema import QUEUE_CLASSES, ROUTING_CLASSES, SITE, ObjectClass, Place

READERS: Final = PlugInGroup("mqconform.directories", "directory reader")
SCHEMES: Final = ("ldap", "ldaps", "ldif")
"""Schemes of our own readers: a message names them even where the installation has lost them."""
EXPORT: Final = "ldif:"
"""How the name of a file begins that was exported of a directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOptions:
    """How an enterprise is read.

    Attributes:
        max_size: octets that are read at most.
        access: how a directory is reached.
        gates: how the gates of sites are found in a directory.
        literal: whether one bad object of a directory spoils all of its class.
        queues: whether public queues, distribution lists and aliases are read as well.
    """

    max_size: int = MAX_SIZE
    access: DirectoryAccess = field(default_factory=DirectoryAccess)
    gates: Gates = field(default_factory=Gates)
    literal: bool = False
    queues: bool = False


@dataclass(frozen=True)
class ImportedSource:
    """A directory that was read.

    Attributes:
        name: what the user called it.
        reading: what the reader gave.
        imported: what it means.
        gates: how gates were found.
        literal: whether it was read to the letter.
    """

    name: str
    reading: DirectoryReading
    imported: ImportedDirectory
    gates: Gates
    literal: bool

    @property
    def findings(self) -> tuple[DirectoryFinding, ...]:
        """What is worth saying about it, errors first, and last what was left out."""
        left_out = [DirectoryFinding(Code.INCOMPLETE, Severity.WARNING, "", text) for text in self.reading.left_out]
        return (*self.imported.findings, *left_out)

    @property
    def document(self) -> dict[str, Any]:
        """The enterprise document."""
        return document_from_directory(self.imported.directory)


def is_source(name: str) -> bool:
    """Return whether a name is that of a directory and not of a file."""
    scheme, colon, _ = name.partition(":")
    return bool(colon) and (scheme in SCHEMES or scheme in READERS.names())


def enterprise_version(argument: str, options: SourceOptions) -> tuple[datetime | None, Directory]:
    """Return the directory in ``SOURCE`` or ``SOURCE@TIME``, with the time; one without a zone is UTC.

    Raises:
        ConfigurationError: the time is none, or the source cannot be read.
    """
    file, at, time = argument.rpartition("@")
    if not at or "/" in time:
        return None, open_enterprise(argument, options).directory
    try:
        valid_from = datetime.fromisoformat(time)
    except ValueError as error:
        raise ConfigurationError(
            f"--directory {argument}: {time} is not a time; write FILE@2026-01-31T12:00:00Z, or ./FILE@ if FILE has @"
        ) from error
    if valid_from.tzinfo is None:
        valid_from = valid_from.replace(tzinfo=UTC)
    return valid_from, open_enterprise(file, options).directory


def open_enterprise(name: str, options: SourceOptions | None = None) -> EnterpriseFile:
    """Read an enterprise from wherever it is.

    Args:
        name: a file, ``-`` for standard input, or a directory such as ``ldaps://dc1.example.net``.
        options: how to read it.

    Raises:
        UnreadableEnterprise: a file cannot be read.
        ConfigurationError: a directory cannot be read.
    """
    options = options or SourceOptions()
    if not is_source(name):
        return read_enterprise(name, options.max_size)
    source = read_source(name, options)
    imported = source.imported
    identifiers = {entry.name: str(entry.guid) for entry in imported.entries.by_key.values()}
    notes = tuple((identifiers.get(of.name, ""), f"{of.name}: {of.text} [{of.code}]") for of in source.findings)
    return EnterpriseFile(name, Format.YAML, "", source.document, imported.directory, notes=notes)


def read_source(name: str, options: SourceOptions) -> ImportedSource:
    """Read a directory.

    Raises:
        ConfigurationError: it cannot be read, holds no site, or the list of gates does not fit it.
    """
    scheme, _, target = name.partition(":")
    reader: Callable[[str, DirectoryAccess], DirectoryReading] | None = READERS.load(scheme)
    if reader is None:
        raise ConfigurationError(f"{scheme}: no reader is installed; install mqconform again")
    classes = (*ROUTING_CLASSES, *(QUEUE_CLASSES if options.queues else ()))
    access = replace(options.access, searches=tuple(map(_search, classes)), most_octets=options.max_size)
    reading = reader(target, access)
    try:
        imported = import_directory(reading.entries, options.gates, literal=options.literal)
    except UnknownGate as unknown:
        raise ConfigurationError(f"--gates: {unknown}") from unknown
    if not any(entry.guid for entry in imported.entries.of(SITE)):
        raise ConfigurationError(
            f"{visible(name)}: no site can be read there; bind as a user of the domain, or export CN=Sites of the "
            "configuration partition with all attributes"
        )
    return ImportedSource(name, reading, imported, options.gates, options.literal)


def _search(kind: ObjectClass) -> DirectorySearch:
    container = "" if kind.place is Place.DOMAINS else kind.place.value
    return DirectorySearch(kind.name, container, tuple(kind.attributes))


MAX_PASSWORD: Final = 4096
MAX_GATES: Final = 4 * 1024 * 1024
GATES_FILE: Final = "file:"


def password_in(file: Path | None) -> str:
    """Return the password in a file, without the line break at its end.

    Raises:
        ConfigurationError: it cannot be read, or is empty; the message does not show what is in it.
    """
    if file is None:
        return ""
    lines = read_text(file, MAX_PASSWORD, "a file with a password").splitlines()
    if len(lines) != 1 or not lines[0]:
        raise ConfigurationError(f"--password-file {file}: has {len(lines)} lines; it must hold the password alone")
    return lines[0]


def gates_by(policy: str) -> Gates:
    """Return how the gates of sites are found; see ``--gates``.

    Raises:
        ConfigurationError: there is no such policy, or its file cannot be used.
    """
    if policy.startswith(GATES_FILE):
        return Gates(GatePolicy.FILE, _listed_gates(Path(policy.removeprefix(GATES_FILE))))
    if policy not in {GatePolicy.LINKS, GatePolicy.LINKS_AND_MEMBERS}:
        raise ConfigurationError(f"--gates {policy!r}: use links-and-members, links or file:FILE")
    return Gates(GatePolicy(policy))


def _listed_gates(file: Path) -> Mapping[str, Sequence[str]]:
    """Return the gates of each site that a file lists.

    Raises:
        ConfigurationError: it is no JSON or YAML object of lists of names.
    """
    text = read_text(file, MAX_GATES, "a list of gates")
    try:
        document = parsed(text, SUFFIXES.get(file.suffix.lower(), Format.YAML), MAX_GATES)
    except BadText as bad:
        raise ConfigurationError(f"--gates {file}: {bad.fault}") from bad
    if not isinstance(document, dict):
        raise ConfigurationError(f"--gates {file}: must be an object, such as {{Oslo: [gate-1, gate-2]}}")
    for site, named in document.items():
        if not isinstance(site, str) or not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise ConfigurationError(f"--gates {file}: {site!r:.60}: must be a list of names of queue managers")
    return document
