"""``matrix.json``: all that came of a matrix in one document, from which pages are made."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mqconform.harness.compare.matrix.deviations import Deviation, Problem
from mqconform.harness.compare.matrix.implementation import Participants
from mqconform.harness.compare.matrix.matrix_cell import KINDS, NOT_APPLICABLE, SIDES, TOGETHER, Result
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Verdict

SCHEMA = 1
OUTCOMES = ("pass", "known", "fail", "inconclusive", "error", "unsupported", "not-applicable")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a whole matrix.

    Attributes:
        results: of all cells, in the order of the file.
        problems: what is wrong with known deviations.
        seconds: how long it took.
    """

    header: Mapping[str, Any]
    participants: Participants
    results: tuple[Result, ...]
    deviations: tuple[Deviation, ...]
    problems: tuple[Problem, ...]
    seconds: float

    @property
    def exit_code(self) -> ExitCode:
        """What it comes to: the codes of ``mqconform run``."""
        worst = max((one.verdict for one in self.results if not one.tolerated), default=Verdict.NONE)
        if worst is Verdict.ERROR:
            return ExitCode.ERROR
        if worst is Verdict.FAIL:
            return ExitCode.FAIL
        if worst is Verdict.INCONCLUSIVE:
            return ExitCode.INCONCLUSIVE
        if self.lost or all(one.excuse for one in self.results):
            return ExitCode.INCOMPLETE
        return ExitCode.BASELINE if self.problems else ExitCode.OK

    @property
    def lost(self) -> list[Result]:
        """The cells that were to be played and could not be."""
        return [one for one in self.results if one.excuse == NOT_APPLICABLE and not one.excused]

    def totals(self) -> dict[str, dict[str, int]]:
        """Return how many cells of each kind came to what."""
        counts = {kind: Counter(_outcome(one) for one in self.results if one.cell.kind == kind) for kind in KINDS}
        return {
            kind: {name: count[name] for name in OUTCOMES if count[name]} for kind, count in counts.items() if count
        }

    def record(self) -> dict[str, Any]:
        """Return the document."""
        occurred = {number for one in self.results for number in one.known}
        return {
            **{name: value for name, value in self.header.items() if name != "record"},
            "seconds": round(self.seconds, 1),
            "exit_code": self.exit_code,
            "totals": self.totals(),
            "grids": [_grid(kind, self.results, [*self.participants.by_name]) for kind in self.totals()],
            "cells": [one.record() for one in self.results],
            "deviations": [_deviation(one, occurred=one.number in occurred) for one in self.deviations],
            "problems": [one.record() for one in self.problems],
        }


def header_of(participants: Participants, file: str, digest: str, seed: int, profile: str) -> dict[str, Any]:
    """Return the first record of a matrix."""
    return {
        "record": "header",
        "schema": SCHEMA,
        "harness": harness_name(),
        "file": file,
        "file_digest": digest,
        "seed": seed,
        "profile": profile,
        "implementations": [_implementation(participants, name) for name in participants.by_name],
    }


def _implementation(participants: Participants, name: str) -> dict[str, Any]:
    one, known = participants.by_name[name], participants.known[name]
    commands = [role for role in ("discovery_client", "discovery_server") if one.has_command(role)]
    return {
        "name": name,
        "target": one.target,
        "title": known.name,
        "version": known.version,
        "roles": sorted({*known.roles, *commands}),
        "problem": known.problem,
    }


def _outcome(result: Result) -> str:
    return "known" if result.tolerated else result.outcome


def _grid(kind: str, results: Sequence[Result], names: Sequence[str]) -> dict[str, Any]:
    """Return who stands where in the table of a kind."""
    pairs = [one.cell.pair for one in results if one.cell.kind == kind]
    single = [pair for pair in pairs if pair != (TOGETHER, TOGETHER)]
    rows, columns = ({pair[side] for pair in single} for side in (0, 1))
    return {
        "kind": kind,
        "sides": list(SIDES[kind]),
        "rows": [name for name in names if name in rows],
        "columns": [name for name in names if name in columns],
    }


def _deviation(one: Deviation, *, occurred: bool) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": one.kind,
        "pair": list(one.pair),
        "scenario": one.scenario,
        "reason": one.reason,
        "issue": one.issue,
        "owner": one.owner,
        "expires": one.expires.isoformat(),
        "occurred": occurred,
    }
