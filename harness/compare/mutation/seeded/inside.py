"""Loads a copy of the package in a process of its own, quickly: what belongs to others is loaded there already.

Nothing but plain values passes in and out, as the classes of the copy are other ones than those of the package.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module, invalidate_caches
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from mqconform.harness.compare.mutation.seeded.apart import answer_of

Part: TypeAlias = tuple[str, tuple[str, ...]]
"""A mutant and the scenarios to try it on."""
Round: TypeAlias = tuple[tuple[str, ...], Sequence[Part]]
"""Scenarios to run on the reference alone, and the mutants, whose scenarios run on the reference as well."""

LIMIT = 1800.0
"""Seconds after which a copy is given up: far more than its rounds take on a busy machine."""


def complaint_of(copy: Path, rounds: Sequence[Round]) -> str:
    """Return what the checks of a copy complain of first; nothing where they do not.

    Args:
        copy: what belongs on the path.
        rounds: parts of the farm, the cheapest first; the lint is asked after the first of them.

    Raises:
        RuntimeError: the copy could not be asked, which says nothing of its checks.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["mqconform.harness.compare.mutation.warm"])
    return str(answer_of(context, _enter, (str(copy), rounds), f"the process in {copy}", LIMIT))


def _enter(pipe: Connection, copy: str, rounds: Sequence[Round]) -> None:
    """Forget the package that this process has loaded, load the copy, and send what its own checks complain of."""
    sys.dont_write_bytecode = True
    for name in [name for name, module in sys.modules.items() if _is_ours(name, module)]:
        del sys.modules[name]
    sys.path.insert(0, copy)
    invalidate_caches()
    trying = import_module("mqconform.harness.compare.mutation.seeded.trying")
    assert Path(str(trying.__file__)).is_relative_to(copy), "the package was loaded and not its copy"
    pipe.send(trying.complaint(rounds))
    pipe.close()
    os._exit(0)  # a thread that hangs in an implementation must not keep the process


def _is_ours(name: str, module: ModuleType) -> bool:
    """Tell whether a module is of the package; pytest gives the collected suite a name of its own choice."""
    here = Path(__file__).parents[3]
    return name.partition(".")[0] == "mqconform" or Path(getattr(module, "__file__", None) or "/").is_relative_to(here)
