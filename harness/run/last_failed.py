"""Which cases did not pass the last time, for ``--last-failed``: one id a line, in the folder of the results.

A case that was not judged again keeps its place, so that ``--last-failed -x`` can be repeated until nothing is left.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from mqconform.harness.records.case import Case
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.index import load_suite_index

LAST_FAILED: Final = "last-failed.txt"
LARGEST: Final = 1 << 20
"""Octets that such a file may have: the suite has some thousand cases."""


def read_last_failed(directory: Path) -> tuple[str, ...]:
    """Return the cases of the suite that did not pass in the last runs into a folder; none without a record.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    path = directory / LAST_FAILED
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LARGEST)
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(
            f"--last-failed: {path}: {reason}; remove the file, or run without the option"
        ) from error
    case_ids = {case.id for scenario in load_suite_index().scenarios for case in scenario.cases}
    return tuple(line for line in dict.fromkeys(text.splitlines()) if line in case_ids)


def only_last_failed(directory: Path, expression: str) -> str:
    """Return an expression for ``-k`` of the same cases, but those alone that did not pass; itself where none did.

    Raises:
        ConfigurationError: the record cannot be read.
    """
    failed = read_last_failed(directory)
    if not failed:
        return expression
    return f"({expression}) and {any_of(failed)}" if expression else any_of(failed)


def write_last_failed(directory: Path, cases: Iterable[Case]) -> None:
    """Add the cases that did not pass and remove those that did."""
    path = directory / LAST_FAILED
    judged = {case.id: case.verdict for case in cases if not case.excused}
    try:
        before = path.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        before = []
    failed = [case for case, verdict in judged.items() if verdict is not Verdict.PASS]
    still = [*failed, *(case for case in before if case not in judged)]
    if still:
        path.write_text("".join(f"{case}\n" for case in still), "utf-8")
    else:
        path.unlink(missing_ok=True)


def any_of(cases: Sequence[str]) -> str:
    """Return an expression for ``-k`` that matches each of some cases.

    It is a balanced tree: pytest compiles a chain of a thousand to more levels than Python has.
    """
    if len(cases) == 1:
        return cases[0]
    half = len(cases) // 2
    return f"({any_of(cases[:half])} or {any_of(cases[half:])})"
