"""A whole matrix: cells of each kind played, written down as they come, and held against what is known."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from mqconform.harness.compare.matrix.cell_records import CellWriter
from mqconform.harness.compare.matrix.delivery import delivery_cells
from mqconform.harness.compare.matrix.deviations import matching_nothing, problems, with_known
from mqconform.harness.compare.matrix.discovery import discovery_cells
from mqconform.harness.compare.matrix.discovery.computers import NetworkMaker
from mqconform.harness.compare.matrix.implementation import Implementation
from mqconform.harness.compare.matrix.matrix_cell import DELIVERY, DISCOVERY, KINDS, ROUTING, Cell, Result
from mqconform.harness.compare.matrix.matrix_document import Outcome, header_of
from mqconform.harness.compare.matrix.matrix_file import MatrixFile, Settings
from mqconform.harness.compare.matrix.matrix_plan import Wanted, introduced, planned
from mqconform.harness.compare.matrix.routing import routing_cells
from mqconform.harness.iut.interface import ConfigurationError

Play = Callable[[Sequence[Cell], dict[str, Implementation], Settings], Iterator[Result]]
DOCUMENT: Final = "matrix.json"
Progress = Callable[[int, int], None]


def run_matrix(  # noqa: PLR0913 - what is played, how, and who is told
    matrix: MatrixFile,
    settings: Settings,
    wanted: Wanted,
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
        wanted: a part of it, or all.
        networks: makes the networks on which discovery is played.
        today: the day on which known deviations expire.
        resume: go on where an earlier run of the same matrix was ended.
        progress: told how many cells are done, and of how many.

    Raises:
        ConfigurationError: something that was given cannot be used; the message names it and the remedy.
    """
    began = time.monotonic()
    participants = introduced(matrix.implementations, settings.deadline, settings.workers)
    plan = planned(participants, wanted, networks.obstacle)
    header = header_of(participants, str(matrix.path), matrix.digest, settings.seed, settings.profile.value)
    known = matrix.deviations
    with CellWriter(settings.out, header, resume=resume) as writer:
        ids = {one.id for one in plan.cells}
        results = [with_known(one, known) for one in writer.earlier if one.cell.id in ids]
        done = {one.cell.id for one in results}
        for result in plan.left_out:
            results.append(with_known(result, known))
            writer.write(results[-1].record())
        count = len(plan.cells) + len(plan.left_out)
        progress(len(results), count)
        for kind, play in _players(networks).items():
            cells = [one for one in plan.cells if one.kind == kind and one.id not in done]
            for result in play(cells, dict(matrix.implementations), settings) if cells else ():
                results.append(with_known(result, known))
                writer.write(results[-1].record())
                progress(len(results), count)
        order = {one.id: place for place, one in enumerate((*plan.cells, *(each.cell for each in plan.left_out)))}
        in_order = tuple(sorted(results, key=lambda one: order[one.cell.id]))
        wrong = [*problems(known, in_order, today)]
        if not wanted.names and set(wanted.kinds) == set(KINDS):
            wrong += matching_nothing(known, in_order)
        outcome = Outcome(header, participants, in_order, known, tuple(wrong), time.monotonic() - began)
        writer.write({"record": "footer", "exit_code": outcome.exit_code, "totals": outcome.totals()})
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
