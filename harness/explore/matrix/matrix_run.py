"""A whole matrix: cells of each kind played, written down as they come, and held against what is known.

All that came of it stands in one document, ``matrix.json``, from which pages are made.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from mqconform.harness.explore.matrix import delivery_cells
from mqconform.harness.explore.matrix.discovery import discovery_cells
from mqconform.harness.explore.matrix.discovery.computers import NetworkMaker
from mqconform.harness.explore.matrix.matrix_cell import (
    DELIVERY,
    DISCOVERY,
    KINDS,
    NOT_APPLICABLE,
    ROUTING,
    SIDES,
    TOGETHER,
    Cell,
    Result,
    cells_written,
)
from mqconform.harness.explore.matrix.matrix_file import (
    Deviation,
    MatrixFile,
    Problem,
    Settings,
    matching_nothing,
    problems,
    with_known,
)
from mqconform.harness.explore.matrix.matrix_plan import Implementation, Participants, Wanted, introduced, planned
from mqconform.harness.explore.matrix.routing import routing_cells
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Verdict

SCHEMA = 1
CODES: Final = {
    Verdict.ERROR: ExitCode.ERROR,
    Verdict.FAIL: ExitCode.FAIL,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
}
OUTCOMES = ("pass", "known", "fail", "inconclusive", "error", "unsupported", "not-applicable")
DEVIATION: Final = ("number", "kind", "scenario", "reason", "issue", "owner")
DOCUMENT: Final = "matrix.json"


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
        worst = max((result.verdict for result in self.results if not result.tolerated), default=Verdict.NONE)
        if worst in CODES:
            return CODES[worst]
        if self.lost or all(result.excuse for result in self.results):
            return ExitCode.INCOMPLETE
        return ExitCode.BASELINE if self.problems else ExitCode.OK

    @property
    def lost(self) -> list[Result]:
        """The cells that were to be played and could not be."""
        return [result for result in self.results if result.excuse == NOT_APPLICABLE and not result.excused]

    def totals(self) -> dict[str, dict[str, int]]:
        """Return how many cells of each kind came to what."""
        counts = {
            kind: Counter(_outcome(result) for result in self.results if result.cell.kind == kind) for kind in KINDS
        }
        return {
            kind: {name: count[name] for name in OUTCOMES if count[name]} for kind, count in counts.items() if count
        }

    def record(self) -> dict[str, Any]:
        """Return the document."""
        occurred = {number for result in self.results for number in result.known_deviations}
        return {
            **{name: value for name, value in self.header.items() if name != "record"},
            "seconds": round(self.seconds, 1),
            "exit_code": self.exit_code,
            "totals": self.totals(),
            "grids": [_grid(kind, self.results, [*self.participants.by_name]) for kind in self.totals()],
            "cells": [result.record() for result in self.results],
            "deviations": [
                _deviation(deviation, occurred=deviation.number in occurred) for deviation in self.deviations
            ],
            "problems": [problem.record() for problem in self.problems],
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
    implementation, introduction = participants.by_name[name], participants.introductions[name]
    commands = [role for role in ("discovery_client", "discovery_server") if implementation.has_command(role)]
    return {
        "name": name,
        "target": implementation.target,
        "title": introduction.name,
        "version": introduction.version,
        "roles": sorted({*introduction.roles, *commands}),
        "problem": introduction.problem,
    }


def _outcome(result: Result) -> str:
    return "known" if result.tolerated else result.outcome


def _grid(kind: str, results: Sequence[Result], names: Sequence[str]) -> dict[str, Any]:
    """Return who stands where in the table of a kind."""
    pairs = [result.cell.pair for result in results if result.cell.kind == kind]
    single = [pair for pair in pairs if pair != (TOGETHER, TOGETHER)]
    rows, columns = ({pair[side] for pair in single} for side in (0, 1))
    return {
        "kind": kind,
        "sides": list(SIDES[kind]),
        "rows": [name for name in names if name in rows],
        "columns": [name for name in names if name in columns],
    }


def _deviation(deviation: Deviation, *, occurred: bool) -> dict[str, Any]:
    fields = {name: getattr(deviation, name) for name in DEVIATION}
    return fields | {"pair": list(deviation.pair), "expires": deviation.expires.isoformat(), "occurred": occurred}


Play = Callable[[Sequence[Cell], dict[str, Implementation], Settings], Iterator[Result]]
Progress = Callable[[int, int], None]


def run_matrix(  # noqa: PLR0913 - what is played, how, and who is told
    matrix: MatrixFile,
    settings: Settings,
    selection: Wanted,
    *,
    networks: NetworkMaker,
    today: date,
    resume: bool = False,
    progress: Progress = lambda _done, _all: None,
) -> Outcome:
    """Play the cells of a matrix.

    Args:
        matrix: who meets whom.
        settings: how.
        selection: a part of it, or all.
        networks: makes the networks on which discovery is played.
        today: the day on which known deviations expire.
        resume: go on where an earlier run of the same matrix was ended.
        progress: told how many cells are done, and of how many.

    Raises:
        ConfigurationError: something that was given cannot be used; the message names it and the remedy.
    """
    began = time.monotonic()
    participants = introduced(matrix.implementations, settings.deadline, settings.workers)
    cells, left_out = planned(participants, selection, networks.obstacle)
    header = header_of(participants, str(matrix.path), matrix.digest, settings.seed, settings.profile.value)
    deviations = matrix.deviations
    with cells_written(settings.out, header, resume=resume) as (write, earlier):
        ids = {cell.id for cell in cells}
        results = [with_known(result, deviations) for result in earlier if result.cell.id in ids]
        done = {result.cell.id for result in results}
        for result in left_out:
            results.append(with_known(result, deviations))
            write(results[-1].record())
        count = len(cells) + len(left_out)
        progress(len(results), count)
        for kind, play in _players(networks).items():
            left = [cell for cell in cells if cell.kind == kind and cell.id not in done]
            for result in play(left, dict(matrix.implementations), settings) if left else ():
                results.append(with_known(result, deviations))
                write(results[-1].record())
                progress(len(results), count)
        order = {cell.id: place for place, cell in enumerate((*cells, *(each.cell for each in left_out)))}
        in_order = tuple(sorted(results, key=lambda result: order[result.cell.id]))
        wrong = [*problems(deviations, in_order, today)]
        if not selection.names and set(selection.kinds) == set(KINDS):
            wrong += matching_nothing(deviations, in_order)
        outcome = Outcome(header, participants, in_order, deviations, tuple(wrong), time.monotonic() - began)
        write({"record": "footer", "exit_code": outcome.exit_code, "totals": outcome.totals()})
    _write_document(settings.out, outcome)
    return outcome


def _players(networks: NetworkMaker) -> dict[str, Play]:
    """Return what plays each kind of cells; each by itself, as real time is judged best where nothing else goes on."""
    return {
        ROUTING: routing_cells.play_cells,
        DELIVERY: delivery_cells.play_cells,
        DISCOVERY: partial(discovery_cells.play_cells, networks=networks),
    }


def _write_document(out: Path, outcome: Outcome) -> None:
    path = out / DOCUMENT
    try:
        path.write_text(json.dumps(outcome.record(), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}; name a folder that can be written with --out") from error
