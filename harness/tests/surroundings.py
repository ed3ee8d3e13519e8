"""What every test run needs of its process, whatever shell or service began it; each conftest imports it."""

import os
import signal
import tempfile
from pathlib import Path


def pytest_configure() -> None:
    """Prepare this process for those that the tests start, which inherit all of it."""
    # Hundreds of programs read the same modules: let them keep what Python compiles.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("MQCONFORM_ALLOW_COMMANDS", "1")  # the files that tests name are the project's own
    # Hypothesis keeps tables of characters and constants, by default in a folder where the run was begun.
    kept = Path(tempfile.gettempdir()) / f"mqconform-tests-{os.getuid()}"
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(kept))
    # What a script begins in the background ignores Ctrl-C, and so would the children that tests interrupt.
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)
