"""A whole matrix: cells of each kind played, written down as they come, and held against what is known."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from mqconform.harness.iut import ConfigurationError
from mqconform.harness.matrix.cell import DELIVERY, DISCOVERY, ROUTING, Cell, Result
from mqconform.harness.matrix.delivery import cells as delivery_cells
from mqconform.harness.matrix.deviations import matching_nothing, problems, with_known
from mqconform.harness.matrix.discovery import cells as discovery_cells
from mqconform.harness.matrix.document import Outcome, header_of
from mqconform.harness.matrix.file import MatrixFile
from mqconform.harness.matrix.implementation import Implementation
from mqconform.harness.matrix.planning import Wanted, introduced, planned
from mqconform.harness.matrix.records import CellWriter
from mqconform.harness.matrix.routing import cells as routing_cells
from mqconform.harness.matrix.settings import Settings

Play = Callable[[Sequence[Cell], dict[str, Implementation], Settings], Iterator[Result]]
PLAYERS: Final[dict[str, Play]] = {
    ROUTING: routing_cells.play_cells,
    DELIVERY: delivery_cells.play_cells,
    DISCOVERY: discovery_cells.play_cells,
}
"""Each kind by itself: real time is judged best where nothing else goes on."""
DOCUMENT: Final = "matrix.json"
Progress = Callable[[int, int], None]


def run_matrix(  # noqa: PLR0913 - what is played, how, and who is told
    matrix: MatrixFile,
    settings: Settings,
    wanted: Wanted,
    *,
    today: date,
    resume: bool = False,
    progress: Progress = lambda _done, _all: None,
) -> Outcome:
    """Play the cells of a matrix.

    Args:
        matrix: who meets whom.
        settings: how.
        wanted: a part of it, or all.
        today: the day on which known deviations expire.
        resume: go on where an earlier run of the same matrix was ended.
        progress: told how many cells are done, and of how many.

    Raises:
        ConfigurationError: something that was given cannot be used; the message names it and the remedy.
    """
    began = time.monotonic()
    participants = introduced(matrix.implementations, settings.deadline, settings.workers)
    plan = planned(participants, wanted)
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
        for kind, play in PLAYERS.items():
            cells = [one for one in plan.cells if one.kind == kind and one.id not in done]
            for result in play(cells, dict(matrix.implementations), settings) if cells else ():
                results.append(with_known(result, known))
                writer.write(results[-1].record())
                progress(len(results), count)
        order = {one.id: place for place, one in enumerate((*plan.cells, *(each.cell for each in plan.left_out)))}
        in_order = tuple(sorted(results, key=lambda one: order[one.cell.id]))
        wrong = [*problems(known, in_order, today)]
        if not wanted.names and set(wanted.kinds) == set(PLAYERS):
            wrong += matching_nothing(known, in_order)
        outcome = Outcome(header, participants, in_order, known, tuple(wrong), time.monotonic() - began)
        writer.write({"record": "footer", "exit_code": outcome.exit_code, "totals": outcome.totals()})
    _write_document(settings.out, outcome)
    return outcome


def _write_document(out: Path, outcome: Outcome) -> None:
    path = out / DOCUMENT
    try:
        path.write_text(json.dumps(outcome.record(), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}; name a folder that can be written with --out") from error
