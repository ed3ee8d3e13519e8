"""Files of JSON lines: the first says what they are of, and each stands on disk as soon as it is known.

A kill cuts short the last line at most, which a reader leaves out.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mqconform.harness.iut.interface import ConfigurationError, Json


@contextmanager
def lines_written(path: Path, records: Iterable[Mapping[str, Any]]) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Replace a file by one with these records, whole or not at all, and give what adds another.

    Raises:
        ConfigurationError: it cannot be written.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text("".join(map(_line, records)), encoding="utf-8")
        beside.replace(path)
        file = path.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise ConfigurationError(
            f"--out {path.parent}: {error.strerror or error}; name a folder that can be written"
        ) from error
    with file:
        yield lambda record: file.writelines((_line(record),))


def records_in(path: Path) -> Iterator[tuple[int, Json]]:
    """Yield the objects of a file with the numbers of their lines; what is cut short or no object is left out.

    Raises:
        OSError: it cannot be read.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield number, record


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record) + "\n"
