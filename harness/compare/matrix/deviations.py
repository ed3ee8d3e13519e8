"""Known deviations: what goes wrong between two implementations, with who answers for it and until when."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from mqconform.harness.compare.matrix.matrix_cell import Finding, Result
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.verdict import Verdict

WRONG = (Verdict.INCONCLUSIVE, Verdict.FAIL)


@dataclass(frozen=True, slots=True)
class Deviation:
    """One entry of the file.

    Attributes:
        number: its place in the file, counted from 0.
        pair: names of both sides, ``*`` for any part of one.
        verdict: ``fail`` or ``inconclusive``.
        error: what the text of a finding has to match.
    """

    number: int
    kind: str
    pair: tuple[str, str]
    scenario: str
    verdict: str
    error: re.Pattern[str]
    reason: str
    issue: str
    owner: str
    since: date
    expires: date

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"deviations[{self.number}] ({self.kind} of {' and '.join(self.pair)})"

    def is_about(self, result: Result) -> bool:
        """Whether it speaks of a cell."""
        both = zip(result.cell.pair, self.pair, strict=True)
        return result.cell.kind == self.kind and all(fnmatchcase(name, pattern) for name, pattern in both)

    def covers(self, finding: Finding) -> bool:
        """Whether a finding of a cell that it speaks of is the known one."""
        here = fnmatchcase(finding.scenario, self.scenario) if self.scenario else True
        return here and finding.verdict.word == self.verdict and bool(self.error.search(finding.text))


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry: ``passed``, ``differs``, ``unmatched`` or ``expired``."""

    deviation: Deviation
    kind: str
    told: str

    def record(self) -> dict[str, object]:
        """Return it as the schema has it."""
        return {"deviation": self.deviation.number, "kind": self.kind, "says": f"{self.deviation.name}: {self.told}"}


def deviations_of(path: Path, tables: Sequence[Mapping[str, Any]]) -> tuple[Deviation, ...]:
    """Return the entries of a file that has passed its schema.

    Raises:
        ConfigurationError: naming file, field and remedy.
    """
    return tuple(_deviation(f"{path}: deviations[{number}]", number, one) for number, one in enumerate(tables))


def _deviation(where: str, number: int, table: Mapping[str, Any]) -> Deviation:
    try:
        pattern = re.compile(table["error"])
    except re.error as error:
        raise ConfigurationError(f"{where}.error: is no regular expression: {error}") from error
    days = {}
    for name in ("since", "expires"):
        try:
            days[name] = date.fromisoformat(table[name])
        except ValueError as error:
            raise ConfigurationError(f"{where}.{name}: is {table[name]}: {error}; write a day that exists") from error
    if days["expires"] < days["since"]:
        raise ConfigurationError(f"{where}.expires: lies before since; change one of the two")
    one, other = table["pair"]
    told = {name: table[name] for name in ("kind", "verdict", "reason", "issue", "owner")}
    return Deviation(
        number,
        pair=(one, other),
        scenario=table.get("scenario", ""),
        error=pattern,
        since=days["since"],
        expires=days["expires"],
        **told,
    )


def with_known(result: Result, deviations: Sequence[Deviation]) -> Result:
    """Return a result that says which of its findings were known; tolerated if all of them were."""
    about = [one for one in deviations if one.is_about(result)]
    wrong = [one for one in result.findings if one.verdict in WRONG]
    covering = {one.number: [finding for finding in wrong if one.covers(finding)] for one in about}
    left = [finding for finding in wrong if not any(finding in found for found in covering.values())]
    known = tuple(number for number, found in covering.items() if found)
    return replace(result, known=known, tolerated=bool(wrong) and not left and result.verdict in WRONG)


def problems(deviations: Sequence[Deviation], results: Sequence[Result], today: date) -> Iterator[Problem]:
    """Yield what is wrong with the entries, held against cells that were to be played.

    A cell that was left out on purpose, or that could not be played, says nothing about an entry.
    """
    for one in deviations:
        if one.expires < today:
            yield Problem(one, "expired", f"expired on {one.expires}; correct it, or give a new day and a reason")
        played = [result for result in results if one.is_about(result) and not result.excuse]
        if played and not any(one.number in result.known for result in played):
            passed = max(result.verdict for result in played) <= Verdict.PASS
            told = "no longer occurs; remove it" if passed else "is not what goes wrong there; correct it"
            yield Problem(one, "passed" if passed else "differs", told)


def matching_nothing(deviations: Sequence[Deviation], results: Sequence[Result]) -> Iterator[Problem]:
    """Yield the entries that speak of no cell of a whole matrix."""
    for one in deviations:
        if not any(one.is_about(result) for result in results):
            yield Problem(one, "unmatched", "is about no cell of this matrix; correct kind and pair")
