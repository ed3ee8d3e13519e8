"""What a room refuses of the user's files, as the error that ends a command with exit code 4."""

from collections.abc import Iterator
from contextlib import contextmanager

from mqconform.harness.iut.interface import ConfigurationError


@contextmanager
def refusals_shown(*kinds: type[Exception]) -> Iterator[None]:
    """Turn exceptions of some kinds, whose text names file and remedy, into usage errors."""
    try:
        yield
    except kinds as refused:
        raise ConfigurationError(str(refused)) from refused


@contextmanager
def unwritable_shown() -> Iterator[None]:
    """Say what a folder of reports cannot be written for."""
    try:
        yield
    except OSError as error:
        name = error.filename or "--out"
        raise ConfigurationError(f"{name}: {error.strerror}; name a folder that can be written") from error
