"""Why a job of Spark failed, in one line instead of two stack traces."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from mqconform.reports.pipeline.problems import LONGEST, UnusableInput, unreadable

JOB_FAILURES: Final = (PySparkException, Py4JJavaError)
"""What a failed job raises, depending on where it failed."""

OF_FILES: Final = re.compile(r"Encountered error while reading file (?:file:/*(?=/))?(.+?)\.\s+([^\n]*?)\s*SQLSTATE")
"""How Spark names a file that it could not read, and what column of it was at fault, if it knows."""
OF_WRITERS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""What no reader is refused for."""


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


def _system_error(error: Exception, out: str) -> OSError | None:
    """Return what the system refused to a task that reads or writes, None where the job failed for another reason.

    Spark's writers say it in Java's words: an error that names the folder of the output is one of the output.
    """
    cause = root_cause(error)
    if match := re.search(r"(?:Error|Exception): \[Errno (\d+)\] (.*)", cause):
        return OSError(int(match[1]), match[2])
    number = next((number for number in OF_WRITERS if os.strerror(number) in cause), None)
    if number is not None:
        return OSError(number, os.strerror(number))
    return OSError(cause) if out in cause else None


@contextmanager
def refusals(what: str, out: str) -> Iterator[None]:
    """Turn a failed job into what the system refused of the output, or into the refusal of the input, which is named.

    Raises:
        OSError: a task could not read or write.
        UnusableInput: the job failed for another reason.
    """
    try:
        yield
    except JOB_FAILURES as error:
        if (refused := _system_error(error, out)) is not None:
            raise refused from error
        cause = root_cause(error)
        _, ours, text = cause.partition(f"{UnusableInput.__name__}: ")
        if ours and what in text:
            raise UnusableInput(text) from error
        if match := OF_FILES.search(str(error)):
            raise unreadable(unquote(match[1]), match[2] or cause) from error
        raise UnusableInput(f"{what}: {text or cause}") from error
    except UnusableInput as error:
        if what in str(error) or out in str(error):
            raise
        raise UnusableInput(f"{what}: {error}") from error
