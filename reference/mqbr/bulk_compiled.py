"""How the bulk oracle's loops become machine code: the one place that knows of numba.

Importing this module needs the optional packages of the extra ``bulk``.
"""

import hashlib
import inspect
import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

try:
    import numba
    import numpy as np
    from numba.extending import register_jitable
    from numpy.typing import NDArray
except ImportError as absent:
    raise ImportError(
        f"the bulk routing oracle needs {absent.name}; run in a checkout of mqconform: pip install '.[bulk]'",
        name=absent.name,
    ) from absent

F = TypeVar("F", bound=Callable[..., object])

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Octets = NDArray[np.uint8]
Masks = NDArray[np.uint64]
Flags = NDArray[np.bool_]


def compiled(function: F) -> F:
    """Return the function as machine code, built at its first call and kept on disk where that can be written.

    What is kept counts for one state of the sources: see ``revision_of``.

    The compiled function releases the interpreter lock. On an installation without any writable place for the
    compiled form it is built anew in each process.
    """
    return _compiled(function, {"nogil": True})


def compiled_reader(function: F) -> F:
    """Return machine code as ``compiled`` does, for a function that neither makes arrays nor takes parts of them.

    Arrays that it hands on are not counted as references, which costs more than the work where tuples of many arrays
    pass through small functions.
    """
    return _compiled(function, {"nogil": True, "_nrt": False})


def compiled_part(function: F) -> F:
    """Return machine code as ``compiled_reader`` does, which becomes a part of each loop that calls it.

    A row of decisions is judged in 55 ns so; in 275 ns where tuples of many arrays are passed from call to call.
    """
    return _compiled(function, {"nogil": True, "_nrt": False, "forceinline": True})


def call_from_loops(*modules: ModuleType) -> None:
    """Let compiled loops call the functions of some modules, each compiled as it stands plain."""
    for module in modules:
        for function in vars(module).values():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                register_jitable(_nrt=False)(function)


def _compiled(function: F, options: dict[str, Any]) -> F:
    name = function.__qualname__
    function.__qualname__ = f"{name}-{revision_of(function.__module__)}"  # by which numba names its files
    try:
        return cast("F", numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no cache locator available: every candidate directory is read-only
        return cast("F", numba.njit(**options)(function))
    finally:
        function.__qualname__ = name


@cache
def revision_of(module: str) -> str:
    """Return a fingerprint of what machine code of a module may have built in from others.

    numba looks at the file of a compiled function alone. Here count the sources of all modules of this package that the
    module reaches by what it imports, and their numbers, of which some are read from facts of a specification.
    """
    package, reached, digest = __name__.partition(".")[0] + ".", [module], hashlib.sha256()
    for name in reached:
        for key, value in sorted(vars(sys.modules[name]).items()):
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(home, str) and home.startswith(package) and home not in reached:
                reached.append(home)
            if isinstance(value, int | float | np.generic):
                digest.update(f"{key}={value!r};".encode())
        digest.update(inspect.getsource(sys.modules[name]).encode())
    return digest.hexdigest()[:16]
