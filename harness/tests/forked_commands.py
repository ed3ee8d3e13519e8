"""Commands in processes of their own, for tests that kill, stop or signal them.

They are forked from one that has the program loaded: a tenth of what a fresh interpreter costs. All of them have the
hash seed, the environment and the implementations of that one, which the first of a test run begins.
"""

import os
import signal
import sys
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Self

from mqconform.harness.cli import main

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["mqconform.harness.explore.mutation.warm"])  # as whoever tries mutants has it


class ForkedCommand:
    """A command of mqconform that runs; as a context it is waited for, as a ``subprocess.Popen`` is.

    Args:
        arguments: The words behind ``mqconform``.
        errors: The file for its standard error; what it prints goes nowhere.
    """

    def __init__(self, *arguments: str, errors: Path = Path(os.devnull)) -> None:
        self._process = FORKS.Process(target=_perform, args=(arguments, errors))
        self._process.start()

    @property
    def pid(self) -> int:
        """The id of the process."""
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, the negative number of the signal that ended it, or None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float = 240.0) -> int:
        """Return the exit code when there is one, at most so many seconds from now."""
        self._process.join(timeout)
        code = self.poll()
        assert code is not None, f"the command still runs after {timeout} s"
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind:
            self.send_signal(signal.SIGKILL)
        self.wait()


def _perform(arguments: tuple[str, ...], errors: Path) -> None:
    for descriptor, file in ((1, Path(os.devnull)), (2, errors)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), descriptor)
    sys.argv[1:] = arguments
    main()
