"""Keep scapy quiet where it is used here, and only there."""

import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

SCAPY_LOGGERS = ("scapy", "scapy.runtime", "scapy.loading", "scapy.interactive")


@contextmanager
def scapy_log_silenced() -> Iterator[None]:
    """Drop what scapy logs in this thread; levels, handlers and other threads stay as they are."""
    own_thread = threading.get_ident()

    def from_elsewhere(record: logging.LogRecord) -> bool:
        return record.thread != own_thread

    loggers = [logging.getLogger(name) for name in SCAPY_LOGGERS]
    for logger in loggers:
        logger.addFilter(from_elsewhere)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(from_elsewhere)


@contextmanager
def scapy_import_silenced() -> Iterator[None]:
    """Drop also the Python warnings that importing scapy gives on machines without routes or libpcap."""
    with warnings.catch_warnings(), scapy_log_silenced():
        warnings.simplefilter("ignore")
        yield
