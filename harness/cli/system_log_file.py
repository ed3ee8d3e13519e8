"""The option ``--log`` of ``mqconform simulate --system``: what happened in each schedule, as JSON Lines."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reference.mqso.system_log import rows_of

Record = Callable[[Sequence[object]], None]
"""Takes a history."""


@contextmanager
def system_log(path: Path | None) -> Iterator[Record]:
    """Give what writes histories to a file, numbered from 1, in the form of ``audit deliveries --system``.

    Args:
        path: the file, None to write nothing.

    Raises:
        ConfigurationError: the file cannot be written.
    """
    if path is None:
        yield lambda _: None
        return
    numbers = count(1)

    def record(history: Sequence[object]) -> None:
        rows = rows_of(history, str(next(numbers)))
        lines = [json.dumps({name: cell for name, cell in row.items() if cell is not None}) for row in rows]
        with _refusals(path):
            file.writelines(f"{line}\n" for line in lines)
            file.flush()

    with _refusals(path):
        file = path.open("w", encoding="utf-8")
    with file:
        yield record


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise ConfigurationError(
            f"--log {path}: cannot be written ({fault.strerror}); name a file in a folder of yours"
        ) from fault
