"""The programs of a client under test: commands with placeholders, run on the client's computer, and what they show."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from mqconform.adapters.networks.namespaces import Namespace
from mqconform.adapters.programs.child_process import ChildProcess
from mqconform.adapters.programs.line_channel import Speaker
from mqconform.harness.iut.interface import ConfigurationError, IutFault, Json, excerpt

NETWORKS = "{networks}"
MAX_LINE = 1024 * 1024
CHUNK = 65_536
MOST_CHUNKS = 32
"""Taken in at one look; more than a pipe holds, so that nothing is left of a program that has ended."""
RESULTS = ("success", "failure")
STATUSES = {"exit status 0": "success", "exit status 1": "failure"}
STATE = (
    "directory_servers",
    "connected_networks",
    "valid_last_successful_network_address",
    "last_successful_network_address",
)


def command(
    words: Sequence[str], network: Sequence[str], said: Mapping[str, str], networks: Sequence[Json]
) -> list[str]:
    """Return a command with its placeholders filled in.

    Args:
        words: of the facts file.
        network: arguments that stand for each network.
        said: what the other placeholders stand for.
        networks: for each network what its own placeholders stand for.
    """
    filled: list[str] = []
    for word in words:
        if word == NETWORKS:
            filled += [_filled(one, {**said, **each}) for each in networks for one in network]
        else:
            filled.append(_filled(word, said))
    return filled


def _filled(word: str, said: Mapping[str, Any]) -> str:
    """Replace what is a placeholder of ours and leave other braces alone."""
    for name, value in said.items():
        word = word.replace(f"{{{name}}}", str(value))
    return word


class Computers(Protocol):
    """Where the computers of clients come from, and how a program is started on one."""

    name: str
    """What is run there."""

    def computer(self) -> Namespace:
        """Return a new computer without networks.

        Raises:
            NamespacesUnavailable: there are none here.
        """

    def start(self, computer: Namespace, words: list[str]) -> Speaker:
        """Start a command there.

        Raises:
            ConfigurationError: it cannot be started.
        """


class ThisMachine:
    """Network namespaces of this machine, with its programs; see ``Computers``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def computer(self) -> Namespace:
        """Return a new namespace."""
        return Namespace()

    def start(self, computer: Namespace, words: list[str]) -> Speaker:
        """Start a program of this machine in a namespace."""
        try:
            return computer.run(lambda: ChildProcess(words))
        except ConfigurationError as error:
            raise ConfigurationError(f"discovery_client: {str(error).removeprefix('stdio:')}") from error


class Program:
    """One run of a command on a computer.

    Attributes:
        ended: when it ended, None while it runs; nanoseconds of ``time.monotonic_ns``.
        said: octets that it has written to its standard output.
    """

    def __init__(self, host: Namespace, words: list[str], computers: "Computers | None" = None) -> None:
        self._child = (computers or ThisMachine(words[0])).start(host, words)
        os.set_blocking(self._child.stdout.fileno(), False)
        self.name = words[0]
        self.ended: int | None = None
        self.said = 0
        self._line = b""
        self._rest = b""
        self._line_at = 0
        self._talks = True

    def descriptors(self) -> list[int]:
        """Return what becomes readable when it says something or ends."""
        if self.ended is not None:
            return []
        return [self._child.exit_notice, *([self._child.stdout.fileno()] if self._talks else [])]

    def look(self) -> None:
        """Take in what it has said, and whether it has ended."""
        over = self._child.wait(0)
        with suppress(BlockingIOError):
            for _ in range(MOST_CHUNKS):  # one that talks without end shall not keep anybody here
                if not self._talks or (chunk := self._child.stdout.read(CHUNK)) is None:
                    break
                self._talks = bool(chunk)
                self.said += len(chunk)
                self._hear(chunk)
        if over and self.ended is None:
            self.ended = time.monotonic_ns()

    def status(self) -> str:
        """Say how it ended."""
        return self._child.status()

    def stderr(self) -> str:
        """Return the end of what it wrote to standard error."""
        return self._child.stderr()

    def result(self, outcome: str) -> tuple[int, Json, Json | None] | None:
        """Return when the search was over, its completion, and the state shown with it, once the program has ended.

        Raises:
            IutFault: it ended as no search ends.
        """
        if self.ended is None or outcome == "none":
            return None
        if outcome == "exit-status":
            result = STATUSES.get(self.status())
            if result is None:
                raise self._fault(f"ended with {self.status()}; expected 0 for success or 1 for failure")
            return self.ended, {"complete": {"result": result}}, None
        said = self._last_line()
        shown = {name: said[name] for name in STATE if name in said}
        return self._line_at, {"complete": {"result": said["result"]}}, shown

    def end(self) -> None:
        """End it with all that it has started."""
        self._child.end(gently=False)

    def _hear(self, chunk: bytes) -> None:
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._rest = self._rest[-MAX_LINE:]
        told = [one for one in lines if one.strip()]
        if told:
            self._line, self._line_at = told[-1][:MAX_LINE], time.monotonic_ns()

    def _last_line(self) -> Json:
        line = self._rest if self._rest.strip() else self._line
        self._line_at = self._line_at or self.ended or 0
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or said.get("result") not in RESULTS:
            raise self._fault(
                f"ended with {self.status()} and the line {excerpt(line.decode('utf-8', 'replace'))}; "
                'expected a JSON object with "result": "success" or "failure"'
            )
        return said

    def _fault(self, told: str) -> IutFault:
        stderr = self.stderr()
        return IutFault("exited", f"{self.name} {told}" + (f"; standard error: {stderr[-500:]}" if stderr else ""))
