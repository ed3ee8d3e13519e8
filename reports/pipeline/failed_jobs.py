"""Why a job of Spark failed, in one line instead of two stack traces."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from mqconform.reports.pipeline.problems import UnusableInput

JOB_FAILURES: Final = (PySparkException, Py4JJavaError)
"""What a failed job raises, depending on where it failed."""

LONGEST: Final = 300


def root_cause(error: Exception) -> str:
    """Return what lies at the bottom of a failed job: the last line of Python's own trace, else Java's first cause."""
    cause: Any = getattr(error, "java_exception", None)
    text = str(error)
    while cause is not None:
        text = str(cause.getMessage() or cause.toString())
        cause = cause.getCause()
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    raised = [number for number, line in enumerate(lines) if line.startswith("Traceback (most recent")]
    if not raised:
        return lines[0][:LONGEST]
    own = [line for line in lines[raised[-1] + 1 :] if not line.startswith(("File ", "at "))]
    return (own[-1] if own else lines[-1])[:LONGEST]


def system_error(error: Exception) -> OSError | None:
    """Return what the system refused to a task, None where the job failed for another reason."""
    cause = root_cause(error)
    match = re.search(r"(?:Error|Exception): \[Errno (\d+)\] (.*)", cause)
    return OSError(int(match[1]), match[2]) if match else None


@contextmanager
def refusals(what: str) -> Iterator[None]:
    """Turn a failed job into what the system refused, or into the refusal of an input.

    Raises:
        OSError: a task could not read or write.
        UnusableInput: the job failed for another reason.
    """
    try:
        yield
    except JOB_FAILURES as error:
        if (refused := system_error(error)) is not None:
            raise refused from error
        cause = root_cause(error)
        _, ours, text = cause.partition(f"{UnusableInput.__name__}: ")
        raise UnusableInput(text if ours else f"{what}: {cause}") from error
