"""``stdio:COMMAND``: an implementation that speaks JSON-RPC 2.0 on its standard input and output, line by line.

The command is split into words as a shell splits them, and no shell runs it. Any fault of the carrier ends the
process: what a stream that is out of step says next cannot be tied to a question any more.
"""

import re
import shlex
from typing import Final

from mqconform.adapters.programs.child_process import ChildProcess
from mqconform.adapters.programs.json_rpc import request_line, result_in
from mqconform.adapters.programs.line_channel import LineChannel, Speaker
from mqconform.harness.iut import interface

WINDOWS_PATH: Final = re.compile(r"""["']?(?:[A-Za-z]:\\|\\\\)""")
"""How a command begins whose backslashes divide folders: ``C:\\srv\\my.exe`` or ``\\\\host\\share``."""
CLOSE_SECONDS = 1.0
"""What ``shutdown`` may take at the end, where its answer is no longer awaited."""


def open_iut(target: str, options: interface.AdapterOptions) -> "StdioIut":
    """Start the command.

    Raises:
        ConfigurationError: it cannot be split into words or started.
    """
    try:
        argv = words_of(target)
    except ValueError as error:
        raise interface.ConfigurationError(f"stdio:{target}: {error}; quote the command as for a shell") from error
    if not argv:
        raise interface.ConfigurationError(
            "stdio: names no command; expected stdio:COMMAND, such as stdio:'./my-server --test'"
        )
    return StdioIut(ChildProcess(argv), f"stdio {argv[0]}", options.deadline)


def words_of(command: str) -> list[str]:
    """Return the words of a command, as a shell splits them; a command that begins with a drive keeps its backslashes.

    Raises:
        ValueError: a quotation has no end.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if WINDOWS_PATH.match(command):
        lexer.escape = ""
    return list(lexer)


class StdioIut:
    """A process behind the IUT interface.

    Args of the constructor:
        child: the process, which is ended with this.
        name: what it is called until it has introduced itself.
        deadline: seconds that a call may take.
        first: seconds that the first call may take, where that is more: it may have to get ready.
    """

    def __init__(self, child: Speaker, name: str, deadline: float, first: float = 0.0) -> None:
        self.description = interface.IutDescription(name=name, version="")
        self.facts: interface.ServerFacts | None = None
        self._deadline = deadline
        self._first = max(first, deadline)
        self._child = child
        self._channel = LineChannel(self._child)
        self._last_id = 0
        self._over = ""

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Perform one operation; see ``Iut.call``. The result is not yet held to the schema."""
        return self._ask(method, params, self._deadline if self._last_id else self._first)

    def evidence(self) -> tuple[str, ...]:
        """Return how the process stands and the end of its stderr."""
        stderr = self._child.stderr()
        status = f"process: {self._child.status()}" + (f"; connection over: {self._over}" if self._over else "")
        return (status, f"stderr: {stderr}") if stderr else (status,)

    def close(self) -> None:
        """Ask for ``shutdown``, then end the process and all it started; never raises."""
        if not self._over:
            try:
                self._ask("shutdown", {}, min(CLOSE_SECONDS, self._deadline))
                self._end("closed", gently=True)
            except interface.IutProblem as problem:
                self._end(str(problem), gently=True)

    def _ask(self, method: str, params: interface.Json, seconds: float) -> interface.Json:
        if self._over:
            raise interface.IutFault("exited", f"{method}: the IUT was ended before: {self._over}")
        self._last_id += 1
        try:
            line = self._channel.ask(request_line(self._last_id, method, params), seconds)
            result = result_in(line, self._last_id, method)
            if method == "shutdown":
                self._require_exit(seconds)
        except interface.IutFault as fault:
            message = str(fault) if str(fault).startswith(method) else f"{method}: {fault}"
            self._end(message, gently=method == "shutdown")
            raise interface.IutFault(fault.kind, message) from fault
        return result

    def _require_exit(self, seconds: float) -> None:
        """Hold the process to "then exit 0" of ``shutdown``."""
        if not self._child.wait(seconds):
            raise interface.IutFault(
                "deadline", f"shutdown: answered, but the process did not exit within {seconds:g} s"
            )
        if self._child.status() != "exit status 0":
            raise interface.IutFault(
                "exited", f"shutdown: answered, but then {self._child.status()}; expected exit status 0"
            )
        self._end("shutdown", gently=False)

    def _end(self, reason: str, *, gently: bool) -> None:
        if not self._over:
            self._over = reason
            self._channel.close()
            self._child.end(gently=gently)
