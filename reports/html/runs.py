"""The runs that a site is about: each a result file with what lies beside it in its folder."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from mqconform.harness.records.diagnosis_text import Likeness, likenesses
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.results import Case, Finding, Witness
from mqconform.harness.records.scope import UNSEEN, word_of
from mqconform.harness.records.verdict import Standing
from mqconform.reports.formats.case_outcome import Outcome, all_cases, outcome
from mqconform.reports.formats.expected_failures import expected_failures, known_violations

LARGEST_SIDE_FILE: Final = 4 * 1024 * 1024
"""Octets of a file beside the results that are read; those that a run writes are far smaller."""
BUILT_IN: Final = ("ref", "mutant")
STANDINGS: Final = (
    "violated",
    "affected",
    "error",
    "inconclusive",
    "unverified",
    "verified",
    "unsupported",
    "not-applicable",
    "unobservable",
)
"""Standings of a requirement, the worst first."""


@dataclass(frozen=True)
class Run:
    """A run as the site shows it.

    Attributes:
        label: how pages call it; no two runs of a site have the same.
        environment: what ``environment.json`` says, empty without one.
        bundles: case id -> folder of its failure bundle.
    """

    label: str
    file: ResultFile
    environment: Mapping[str, Any]
    bundles: Mapping[str, Path]

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Cases by id, unfinished ones included."""
        return {case.id: case for case in all_cases(self.file)}

    @cached_property
    def findings(self) -> Mapping[str, Finding]:
        """Findings by requirement id."""
        return {finding.id: finding for finding in self.file.findings}

    @cached_property
    def witnesses(self) -> Mapping[str, tuple[Witness, ...]]:
        """Witnesses by case id."""
        return self.file.witnesses_by_case()

    @cached_property
    def witnesses_by_requirement(self) -> Mapping[str, tuple[Witness, ...]]:
        """Witnesses by requirement id."""
        by_requirement: dict[str, list[Witness]] = {}
        for witness in self.file.witnesses:
            by_requirement.setdefault(witness.requirement, []).append(witness)
        return {requirement: tuple(witnesses) for requirement, witnesses in by_requirement.items()}

    def standing(self, requirement: str) -> str:
        """Return the standing of a requirement, empty where the run says nothing of it."""
        finding = self.findings.get(requirement)
        return finding.standing if finding else ""

    @cached_property
    def expected(self) -> Mapping[str, str]:
        """What the baseline calls each case that failed as it says, by case id."""
        return expected_failures(self.file)

    @cached_property
    def known(self) -> frozenset[str]:
        """The requirements that fail in cases alone whose failure the baseline expects."""
        return known_violations(self.file)

    def outcome(self, case: str) -> Outcome | None:
        """Return what a case came to, None where the run does not have it."""
        record = self.cases.get(case)
        return outcome(record) if record else None

    @cached_property
    def outcomes(self) -> Counter[Outcome]:
        """How many cases came to what."""
        return Counter(outcome(case) for case in self.cases.values())

    @property
    def apply(self) -> int:
        """How many cases apply to the implementation: all but those that are excused."""
        return len(self.cases) - self.outcomes["unsupported"] - self.outcomes["not-applicable"]

    @cached_property
    def standings(self) -> Counter[str]:
        """How many requirements have which standing."""
        return Counter(finding.standing for finding in self.file.findings)

    @cached_property
    def unseen(self) -> int:
        """How many of the unsupported requirements the harness itself has no means to judge."""
        words = (word_of(Standing(finding.standing), finding.reason) for finding in self.file.findings)
        return sum(word == UNSEEN for word in words)

    @property
    def tally(self) -> dict[str, int]:
        """Numbers of requirements for the table of all runs, by column."""
        counts = {name: self.standings[name] for name in ("violated", "inconclusive", "verified", "unsupported")}
        return counts | {"unsupported": counts["unsupported"] - self.unseen, "not seen by the harness": self.unseen}

    @property
    def likenesses(self) -> tuple[Likeness, ...]:
        """The known faults that it behaves like."""
        return tuple(likenesses(self.file.footer.diagnosis if self.file.footer else (), self.outcomes["fail"]))

    @property
    def started(self) -> str:
        """When the run began, as ISO 8601 text; empty if it was not recorded."""
        started = self.environment.get("started", "")
        return started if isinstance(started, str) else ""


def read_runs(paths: Iterable[Path]) -> tuple[Run, ...]:
    """Read the runs of a site in the order given.

    Raises:
        ResultFault: a result file cannot be used.
    """
    files = [read_result_file(path) for path in paths]
    labels = Counter[str]()
    runs = []
    for file in files:
        name = _label(file)
        labels[name] += 1
        label = name if labels[name] == 1 else f"{name} #{labels[name]}"
        folder = file.path.parent
        runs.append(Run(label, file, _side_file(folder / "environment.json"), _bundles(folder)))
    return tuple(runs)


def _label(file: ResultFile) -> str:
    iut = file.header.iut
    name = " ".join(part for part in (iut.vendor, iut.name, iut.version) if part) or iut.target
    own = iut.kind not in BUILT_IN  # whose build is a fingerprint that tells a reader nothing
    return f"{name}, build {iut.build}" if iut.build and own else name


def _side_file(file: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file beside the results; nothing depends on it, so a broken one counts as none."""
    try:
        if file.stat().st_size > LARGEST_SIDE_FILE:
            return {}
        document = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _bundles(folder: Path) -> Mapping[str, Path]:
    bundles = {}
    for bundle in sorted((folder / "bundles").glob("*/bundle.json")):
        case = _side_file(bundle).get("case")
        if isinstance(case, str):
            bundles[case] = bundle.parent
    return bundles
