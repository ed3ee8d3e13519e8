"""Reading an enterprise file: octets, text, document, directory, with one clear error at whichever step it fails."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Final

from mqconform.harness.tools.enterprise.faults import MAX_REPORTED, BadText, Fault, UnreadableEnterprise
from mqconform.harness.tools.enterprise.json_text import json_positions, parse_json
from mqconform.harness.tools.enterprise.places import lines_of
from mqconform.harness.tools.enterprise.references import broken_guids, names_used, unknown_names
from mqconform.harness.tools.enterprise.source_text import source_text
from mqconform.harness.tools.enterprise.yaml_text import parse_yaml, yaml_positions
from mqconform.reference.directory import Directory, UnreadableDocument, directory_from_document

MAX_SIZE: Final = 64 * 1024 * 1024
"""Largest file that is read unless the caller says otherwise, in octets."""


MOST_FAULTS: Final = 1000
"""Faults of one kind after which nobody wants to know of more."""


class Format(StrEnum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"


OCTETS_PER_VALUE: Final = {Format.JSON: 16, Format.YAML: 32}
"""Octets of the permitted size for each permitted value: bounds what a file of nothing but small values takes."""

SUFFIXES: Final = {".json": Format.JSON, ".yaml": Format.YAML, ".yml": Format.YAML}


@dataclass(frozen=True)
class EnterpriseFile:
    """A file that was read, with what it holds."""

    name: str
    """The file's name as given, ``-`` for standard input."""
    format: Format
    text: str
    document: Mapping[str, Any]
    """The document as it is written, names and all."""
    directory: Directory
    """What the document describes."""

    def lines(self, paths: Iterable[str]) -> Mapping[str, int]:
        """Return the line of each path, such as ``routing_links[3].cost``; reads the text once more."""
        return lines_of(_positions(self.format, self.text), paths)


def read_enterprise(name: str, max_size: int = MAX_SIZE) -> EnterpriseFile:
    """Read an enterprise file, JSON or YAML.

    Args:
        name: the file; ``-`` for standard input.
        max_size: size in octets beyond which it is refused unread.

    Raises:
        UnreadableEnterprise: naming the file, and for each fault the path, the line and the remedy.
    """
    try:
        text = source_text(name, max_size)
    except BadText as bad:
        raise UnreadableEnterprise(name, [bad.fault]) from bad
    form = SUFFIXES.get(Path(name).suffix.lower()) or _format_of(text)
    try:
        document = parsed(text, form, max_size // OCTETS_PER_VALUE[form])
    except BadText as bad:
        raise UnreadableEnterprise(name, _with_lines([bad.fault], form, text)) from bad
    faults = _early_faults(document)
    if not faults:
        try:
            directory = directory_from_document(document)
        except UnreadableDocument as unreadable:
            faults = [Fault(problem.text, problem.path) for problem in unreadable.problems]
        else:
            assert isinstance(document, dict), "an enterprise document is an object"
            return EnterpriseFile(name, form, text, document, directory)
    raise UnreadableEnterprise(name, _with_lines(faults, form, text))


def _early_faults(document: object) -> list[Fault]:
    """Return what is wrong before anything is resolved: broken GUIDs, and unknown names if there are many."""
    names = list(names_used(document))
    broken = list(islice(broken_guids(names), MOST_FAULTS))
    if broken:
        return broken
    unknown = list(islice(unknown_names(document, names), MOST_FAULTS))
    return unknown if len(unknown) > MAX_REPORTED else []


def parsed(text: str, form: Format, most_values: int) -> object:
    """Return the document in a text.

    Raises:
        BadText: it holds none, or more than ``most_values`` values.
    """
    if not text.strip():
        raise BadText(Fault("is empty; an enterprise document has to be in it"))
    if form is Format.YAML:
        return parse_yaml(text, most_values)
    if sum(map(text.count, "[{,")) > most_values:
        raise BadText(Fault(f"holds more than {most_values} values; see --max-size"))
    return parse_json(text)


def _format_of(text: str) -> Format:
    """Return the format that the first character tells, for a file whose name does not."""
    return Format.JSON if text.lstrip()[:1] in {"{", "["} else Format.YAML


def _positions(form: Format, text: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    return json_positions(text) if form is Format.JSON else yaml_positions(text)


def _with_lines(faults: list[Fault], form: Format, text: str) -> list[Fault]:
    """Return the faults with the lines of those that a message shows."""
    shown = faults[:MAX_REPORTED]
    lines = lines_of(_positions(form, text), [fault.path for fault in shown if fault.path and fault.line is None])
    return [replace(one, line=lines.get(one.path, one.line)) for one in shown] + faults[MAX_REPORTED:]
