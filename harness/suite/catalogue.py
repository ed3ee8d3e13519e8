"""The requirement catalogue: every requirement of every specification, by id.

Its files lie in ``features/requirements``; steps, verdicts and reports take the id of a requirement
from here, so that an id that is not catalogued is reported at once.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, cast, get_args

from mqconform.harness.records.problem import PackageFault
from mqconform.harness.records.requirement import (
    Anchor,
    Counted,
    Exclusion,
    Judged,
    Kind,
    Level,
    Requirement,
    RoleName,
    Specification,
)

_ID = re.compile(r"^([A-Z][A-Z0-9]*)-([0-9A-Za-z.]+)-B?\d{2,3}$")
_DIGEST = re.compile(r"^sha256:[0-9a-f]{64}$")
_REQUIRED = frozenset({"id", "section", "level", "kind", "roles", "summary", "source", "judged"})
_OPTIONAL = frozenset({"keywords", "reason", "occurrences", "wordings"})
_CITING = _REQUIRED - {"source"} | {"cited"}
_EXCLUSION = frozenset({"section", "source", "keywords", "reason"})
_HEAD = frozenset({"id", "title", "revision"})

Table = Mapping[str, Any]


class CatalogueFault(PackageFault):
    """A catalogue file of the project itself is wrong; the message names file, entry, field and remedy."""


class _Entry:
    """One table of a catalogue file, read field by field."""

    def __init__(self, where: str, table: object) -> None:
        if not isinstance(table, dict):
            raise CatalogueFault(f"{where}: not a table; write it under its own heading")
        self.where = where
        self.table = cast("Table", table)

    def fault(self, name: str, problem: str, remedy: str) -> CatalogueFault:
        return CatalogueFault(f"{self.where}: field {name}: {problem}; {remedy}")

    def check_fields(self, required: frozenset[str], optional: frozenset[str]) -> None:
        for name in sorted(required - self.table.keys()):
            raise self.fault(name, "missing", "add it")
        for name in sorted(self.table.keys() - required - optional):
            raise self.fault(name, "unknown", f"known are {', '.join(sorted(required | optional))}")

    def text(self, name: str) -> str:
        value = self.table.get(name, "")
        if not isinstance(value, str) or (name in self.table and not value.strip()):
            raise self.fault(name, f"{value!r} is not text", "write a non-empty string")
        return value

    def one_of(self, name: str, permitted: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in permitted:
            raise self.fault(name, f"{value!r} is unknown", f"write one of {', '.join(permitted)}")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        values = self.table.get(name, [])
        if not isinstance(values, list) or not all(type(value) is int and value > 0 for value in values):
            raise self.fault(name, f"{values!r} is not a list of whole numbers from 1", "write for example [1, 2]")
        return tuple(values)

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.table.get(name)
        if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
            raise self.fault(name, f"{values!r} is not a list of strings", "write at least one string in brackets")
        return tuple(values)


def read_specification(name: str, text: str) -> Specification | None:
    """Return the catalogue in the TOML ``text`` of file ``name``, None where it has no [spec] table.

    Raises:
        CatalogueFault: naming the file, the entry, the field and the remedy.
    """
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise CatalogueFault(f"{name}: no TOML: {fault}; correct the line it names") from fault
    if "spec" not in whole:
        return None
    head = _Entry(f"{name}: [spec]", whole["spec"])
    head.check_fields(_HEAD, frozenset({"headings", "counted", "normative"}))
    spec = head.text("id")
    counted = cast("Counted", head.one_of("counted", get_args(Counted)) if "counted" in head.table else "words")
    made = Specification(
        id=spec,
        title=head.text("title"),
        revision=head.text("revision"),
        requirements=tuple(_requirement(name, spec, table) for table in whole.get("requirement", [])),
        exclusions=tuple(_exclusion(name, table, counted) for table in whole.get("exclusion", [])),
        headings=head.texts("headings") if "headings" in head.table else (),
        counted=counted,
    )
    return replace(made, normative=head.texts("normative")) if "normative" in head.table else made


def _requirement(name: str, spec: str, table: object) -> Requirement:
    label = table.get("id", "without id") if isinstance(table, dict) else table
    entry = _Entry(f"{name}: requirement {label}", table)
    citing = "cited" in entry.table
    entry.check_fields(_CITING if citing else _REQUIRED, frozenset({"reason"}) if citing else _OPTIONAL)
    _agree_on_id(entry, spec)
    judged = cast("Judged", entry.one_of("judged", get_args(Judged)))
    if judged in ("no", "unseen") and "reason" not in entry.table:
        raise entry.fault("reason", "missing", 'say why it cannot be observed, or set judged to "wire" or "api"')
    return Requirement(
        id=entry.text("id"),
        section=entry.text("section"),
        level=cast("Level", entry.one_of("level", get_args(Level))),
        kind=cast("Kind", entry.one_of("kind", get_args(Kind))),
        roles=_roles(entry),
        summary=entry.text("summary"),
        anchors=() if citing else _anchors(entry, entry.texts("source"), entry.numbers("occurrences")),
        keywords=entry.numbers("keywords"),
        judged=judged,
        reason=entry.text("reason"),
        wordings=_wordings(entry),
        cited=entry.text("cited"),
    )


def _agree_on_id(entry: _Entry, spec: str) -> None:
    match = _ID.match(entry.text("id"))
    section = entry.text("section")
    if match is None or match[1] != spec or match[2] != section:
        raise entry.fault(
            "id",
            f"{entry.text('id')!r} does not fit",
            f"write {spec}-{section}-01 or, for a branch, {spec}-{section}-B01",
        )


def _roles(entry: _Entry) -> frozenset[RoleName]:
    role_names = tuple(RoleName)
    roles = entry.texts("roles")
    for role in roles:
        if role not in role_names:
            raise entry.fault("roles", f"{role!r} is unknown", f"write some of {', '.join(role_names)}")
    return frozenset(map(RoleName, roles))


def _anchors(entry: _Entry, digests: tuple[str, ...], occurrences: tuple[int, ...]) -> tuple[Anchor, ...]:
    if occurrences and len(occurrences) != len(digests):
        raise entry.fault("occurrences", "not as long as source", "give one number for each source, or leave it out")
    for digest in digests:
        if not _DIGEST.match(digest):
            raise entry.fault("source", f"{digest!r} is not a hash", "let `mqconform spec anchor` write it")
    numbers = occurrences or (1,) * len(digests)
    return tuple(Anchor(digest, nth) for digest, nth in zip(digests, numbers, strict=True))


def _wordings(entry: _Entry) -> dict[str, tuple[Anchor, ...]]:
    written = entry.table.get("wordings", {})
    if not isinstance(written, dict):
        raise entry.fault("wordings", "no table", 'write { "13.0" = ["sha256:..."] }')
    inner = _Entry(f"{entry.where}: wordings", written)
    return {revision: _anchors(inner, inner.texts(revision), ()) for revision in written}


def _exclusion(name: str, table: object, counted: Counted) -> Exclusion:
    label = table.get("source", "without source") if isinstance(table, dict) else table
    entry = _Entry(f"{name}: exclusion {label}", table)
    required = _EXCLUSION - {"keywords"} if counted == "statements" else _EXCLUSION
    entry.check_fields(required, frozenset({"occurrence"}))
    occurrence = entry.table.get("occurrence", 1)
    if type(occurrence) is not int or occurrence < 1:
        raise entry.fault("occurrence", f"{occurrence!r} is not a whole number from 1", "write 1 for the first")
    (anchor,) = _anchors(entry, (entry.text("source"),), (occurrence,))
    return Exclusion(entry.text("section"), anchor, entry.numbers("keywords"), entry.text("reason"))


__all__ = [
    "Anchor",
    "Catalogue",
    "CatalogueFault",
    "Exclusion",
    "Requirement",
    "RoleName",
    "Specification",
    "load_catalogue",
    "read_catalogue",
]


@dataclass(frozen=True)
class Catalogue(Mapping[str, Requirement]):
    """All specifications, and their requirements by id in catalogue order."""

    specifications: tuple[Specification, ...]
    _by_id: Mapping[str, Requirement]

    def __getitem__(self, requirement: str) -> Requirement:
        """Return the requirement of that id.

        Raises:
            KeyError: naming the id and what to do, if no catalogue file has it.
        """
        try:
            return self._by_id[requirement]
        except KeyError:
            raise KeyError(f"no catalogue file has a requirement {requirement}; see `mqconform list`") from None

    def __iter__(self) -> Iterator[str]:
        """Yield the ids, file by file in text order."""
        return iter(self._by_id)

    def __len__(self) -> int:
        """Return the number of requirements."""
        return len(self._by_id)

    def specification(self, spec: str) -> Specification | None:
        """Return the specification of that id, None where there is no catalogue of it."""
        return next((specification for specification in self.specifications if specification.id == spec), None)


@cache
def load_catalogue() -> Catalogue:
    """Return the catalogue that the package ships.

    Raises:
        CatalogueFault: naming file, entry, field and remedy.
    """
    return read_catalogue(files("mqconform.features").joinpath("requirements"))


def read_catalogue(folder: Traversable) -> Catalogue:
    """Return the catalogue in the TOML files of ``folder`` that have a [spec] table.

    Raises:
        CatalogueFault: naming file, entry, field and remedy.
    """
    candidates = (
        read_specification(file.name, file.read_text(encoding="utf-8"))
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".toml")
    )
    specifications = tuple(specification for specification in candidates if specification is not None)
    _refuse_twins("specification", Counter(specification.id for specification in specifications))
    requirements = [requirement for specification in specifications for requirement in specification.requirements]
    _refuse_twins("requirement", Counter(requirement.id for requirement in requirements))
    return Catalogue(specifications, MappingProxyType({requirement.id: requirement for requirement in requirements}))


def _refuse_twins(what: str, ids: Counter[str]) -> None:
    twins = sorted(name for name, times in ids.items() if times > 1)
    if twins:
        raise CatalogueFault(f"{what} {', '.join(twins)}: field id: used more than once; give each its own number")
