"""Table ``matrix``: cells of each kind played, written down as they come, and held against what is known.

All that came of it stands in one document, ``matrix.json``, from which pages are made.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain, product
from typing import Any, Final

from mqconform.harness.explore.matrix import delivery_cells, discovery_cells, routing_cells
from mqconform.harness.explore.matrix import matrix_cell as cells
from mqconform.harness.explore.matrix import matrix_file as files
from mqconform.harness.explore.matrix.discovery_sides import NetworkMaker
from mqconform.harness.explore.matrix.matrix_cell import ROLES, SIDES, Cell, Result
from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.iut.protocol import harness_name
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Verdict

CODES: Final = {Verdict.ERROR: ExitCode.ERROR, Verdict.FAIL: ExitCode.FAIL, Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE}
OUTCOMES = ("pass", "known", "fail", "inconclusive", "error", "unsupported", "not-applicable")
DOCUMENT: Final = "matrix.json"
CONTRACT: Final = "introduction"
"""What the scenario is called in which an implementation says who it is."""
Implementations = Mapping[str, files.Implementation]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a whole matrix.

    Attributes:
        results: of all cells, in the order of the file.
        problems: what is wrong with known deviations.
        seconds: how long it took.
    """

    header: Mapping[str, Any]
    implementations: Implementations
    results: tuple[Result, ...]
    deviations: tuple[files.Deviation, ...]
    problems: tuple[files.Problem, ...]
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
        return [result for result in self.results if result.excuse == cells.NOT_APPLICABLE and not result.excused]

    def totals(self) -> dict[str, dict[str, int]]:
        """Return how many cells of each kind came to what."""
        counts = {kind: Counter[str]() for kind in cells.KINDS}
        for result in self.results:
            counts[result.cell.kind]["known" if result.tolerated else result.outcome] += 1
        return {
            kind: {name: count[name] for name in OUTCOMES if count[name]} for kind, count in counts.items() if count
        }

    def record(self) -> dict[str, Any]:
        """Return the document."""
        return {
            **{name: value for name, value in self.header.items() if name != "record"},
            "seconds": round(self.seconds, 1),
            "exit_code": self.exit_code,
            "totals": self.totals(),
            "grids": [self._grid(kind) for kind in self.totals()],
            "cells": [result.record() for result in self.results],
            "deviations": [deviation.record(self.results) for deviation in self.deviations],
            "problems": [problem._asdict() for problem in self.problems],
        }

    def _grid(self, kind: str) -> dict[str, Any]:
        """Return who stands where in the table of a kind."""
        pairs = [result.cell.pair for result in self.results if result.cell.kind == kind]
        rows, columns = (
            [name for name in self.implementations if name in of_side] for of_side in zip(*pairs, strict=True)
        )
        return {"kind": kind, "sides": list(SIDES[kind]), "rows": rows, "columns": columns}


def _header(matrix: files.MatrixFile, settings: files.Settings) -> dict[str, Any]:
    return {
        "record": "header",
        "schema": 1,
        "harness": harness_name(),
        "file": str(matrix.path),
        "file_digest": matrix.digest,
        "seed": settings.seed,
        "profile": settings.profile.value,
        "implementations": [implementation.record() for implementation in matrix.implementations.values()],
    }


def _planned(by_name: Implementations, kind: str, names: Collection[str]) -> Iterator[Cell]:
    """Yield the cells of a kind; implementations that play neither side, and never said they would, have none."""
    rows, columns = ([name for name in names if by_name[name].meets(role)] for role in ROLES[kind])
    for pair in product(rows, columns):
        yield Cell(kind, tuple(zip(SIDES[kind], pair, strict=True)))
    able = [name for name in rows if kind == cells.ROUTING and by_name[name].obstacle(ROLES[kind][0]) is None]
    if len(able) > 2:
        yield Cell(kind, tuple((name, name) for name in able))


def _left_out(by_name: Implementations, cell: Cell, no_networks: str) -> Result | None:
    """Return the result of a cell that cannot be played."""
    if no_networks and cell.kind == cells.DISCOVERY:
        return Result(cell, excuse=cells.NOT_APPLICABLE, reason=f"no networks can be made here: {no_networks}")
    for number, (side, name) in enumerate(cell.sides):
        implementation, role = by_name[name], ROLES[cell.kind][min(number, 1)]
        obstacle = implementation.obstacle(role)
        if obstacle and implementation.at_fault and not implementation.command(role):
            finding = cells.Finding(CONTRACT, side, "", Verdict.FAIL, implementation.problem)
            return Result(cell, (cells.Played(CONTRACT, Verdict.FAIL, implementation.problem),), (finding,))
        if obstacle:
            excuse, reason, excused = obstacle
            return Result(cell, excuse=excuse, reason=reason, excused=excused)
    return None


def run_matrix(  # noqa: PLR0913 - what is played, how, and who is told
    matrix: files.MatrixFile,
    settings: files.Settings,
    kinds: Collection[str] = (),
    names: Collection[str] = (),
    *,
    networks: NetworkMaker,
    today: date,
    resume: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Outcome:
    """Play the cells of a matrix, each kind by itself: real time is judged best where nothing else goes on.

    Args:
        matrix: who meets whom.
        settings: how.
        kinds: of cells; empty for all.
        names: of implementations; empty for all.
        networks: makes the networks on which discovery is played.
        today: the day on which known deviations expire.
        resume: go on where an earlier run of the same matrix was ended.
        progress: gets how many cells are done, and of how many.

    Raises:
        ConfigurationError: something that was given cannot be used; the message names it and the remedy.
    """
    began, by_name, deviations = time.monotonic(), matrix.implementations, matrix.deviations
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        list(pool.map(lambda implementation: implementation.introduce(settings.deadline), by_name.values()))
    if unknown := sorted({*names} - by_name.keys()):
        there = ", ".join(by_name)
        raise ConfigurationError(f"--only {', '.join(unknown)}: no such implementation; there are {there}")
    kinds = [kind for kind in cells.KINDS if not kinds or kind in kinds]
    no_networks = networks.obstacle() if cells.DISCOVERY in kinds else ""
    asked = [name for name in by_name if not names or name in names]
    planned = [cell for kind in kinds for cell in _planned(by_name, kind, asked)]
    left_out = {cell: result for cell in planned if (result := _left_out(by_name, cell, no_networks))}
    planned.sort(key=left_out.__contains__)
    with cells.cells_written(settings.out, header := _header(matrix, settings), resume=resume) as (write, earlier):
        results = {result.cell: files.with_known(result, deviations) for result in earlier}
        results = {cell: result for cell, result in results.items() if cell in planned and cell not in left_out}
        waiting = [cell for cell in planned if cell not in results and cell not in left_out]
        progress(len(results), len(planned))
        for result in chain(left_out.values(), _played(waiting, by_name, settings, networks)):
            results[result.cell] = files.with_known(result, deviations)
            write(results[result.cell].record())
            progress(len(results), len(planned))
        in_order, whole = tuple(map(results.__getitem__, planned)), not names and {*kinds} == {*cells.KINDS}
        problems = tuple(files.problems(deviations, in_order, today, whole=whole))
        outcome = Outcome(header, by_name, in_order, deviations, problems, time.monotonic() - began)
        write({"record": "footer", "exit_code": outcome.exit_code, "totals": outcome.totals()})
    path = settings.out / DOCUMENT
    try:
        path.write_text(json.dumps(outcome.record(), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}; name a folder that can be written with --out") from error
    return outcome


def _played(
    waiting: Collection[Cell], by_name: Implementations, settings: files.Settings, networks: NetworkMaker
) -> Iterator[Result]:
    plays: dict[str, Callable[..., Iterator[Result]]] = {
        cells.ROUTING: routing_cells.play_cells,
        cells.DELIVERY: delivery_cells.play_cells,
        cells.DISCOVERY: partial(discovery_cells.play_cells, networks=networks),
    }
    for kind, play in plays.items():
        if of_kind := [cell for cell in waiting if cell.kind == kind]:
            yield from play(of_kind, by_name, settings)
