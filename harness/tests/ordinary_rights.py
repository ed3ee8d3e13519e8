"""Root as any other user: without the capabilities by which modes of files mean nothing to it."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

VERSION = 0x20080522
"""Of the header of capget(2), with two words of each set."""
OVERRIDES = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


@contextmanager
def ordinary_rights() -> Iterator[None]:
    """Let modes of files count for this thread, and for those that it starts meanwhile."""
    if not sys.platform.startswith("linux"):
        pytest.skip("capabilities are Linux's")
    library = ctypes.CDLL(None, use_errno=True)
    header, sets = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    assert library.capget(header, sets) == 0
    effective = sets[0]
    sets[0] = effective & ~OVERRIDES
    assert library.capset(header, sets) == 0
    try:
        yield
    finally:
        sets[0] = effective
        assert library.capset(header, sets) == 0
