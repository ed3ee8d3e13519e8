"""Asking a process of its own, which ends with its answer, for whatever reason it has to be one."""

from collections.abc import Callable
from multiprocessing.context import BaseContext
from typing import Any


def answer_of(
    context: BaseContext, work: Callable[..., None], arguments: tuple[Any, ...], who: str, limit: float
) -> Any:
    """Return what a process sends through the pipe that it is given before the arguments.

    Args:
        context: how the process is started.
        work: what it does.
        arguments: of it, after the pipe.
        who: it is, in words.
        limit: seconds that it has.

    Raises:
        RuntimeError: it said nothing in time, or died.
    """
    ours, theirs = context.Pipe(duplex=False)
    process: Any = context.Process(target=work, args=(theirs, *arguments))  # type: ignore[attr-defined]  # all have it
    process.start()
    theirs.close()
    try:
        if ours.poll(limit):
            return ours.recv()
        raise RuntimeError(f"{who} said nothing within {limit:.0f} s")
    except EOFError as error:
        raise RuntimeError(f"{who} died; what it printed says of what") from error
    finally:
        process.kill()
        process.join()
        ours.close()
