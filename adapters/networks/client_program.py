"""A discovery client that is a program: a command with placeholders, run on the client's computer, and what it shows.

``ProgramClient`` is the client (see ``LiveClient``), ``Program`` one run of a command.
"""

import json
import os
import selectors
import time
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Interface
from typing import Protocol

from mqconform.adapters.networks.capture import CaptureIncomplete
from mqconform.adapters.networks.client import ClientNetworks
from mqconform.adapters.networks.namespaces import Namespace
from mqconform.adapters.programs.child_process import ChildProcess
from mqconform.adapters.programs.line_channel import Speaker
from mqconform.harness.iut import interface

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
SECOND = 1_000_000_000


class Computers(Protocol):
    """Where the computers of clients come from, and how a program is started on one."""

    name: str
    """What is run there."""
    target: str
    """As the user named it."""

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

    target = "udp:discovery-client"

    def __init__(self, name: str) -> None:
        self.name = name

    def computer(self) -> Namespace:
        """Return a new namespace."""
        return Namespace()

    def start(self, computer: Namespace, words: list[str]) -> Speaker:
        """Start a program of this machine in a namespace."""
        try:
            return computer.run(lambda: ChildProcess(words))
        except interface.ConfigurationError as error:
            raise interface.ConfigurationError(f"start: {str(error).removeprefix('stdio:')}") from error


class Program:
    """One run of a command on a computer.

    Attributes:
        ended: when it ended, None while it runs; nanoseconds of ``time.monotonic_ns``.
        octets_written: octets that it has written to its standard output.
    """

    def __init__(self, host: Namespace, words: list[str], computers: Computers | None = None) -> None:
        self._child = (computers or ThisMachine(words[0])).start(host, words)
        os.set_blocking(self._child.stdout.fileno(), False)
        self.name = words[0]
        self.ended: int | None = None
        self.octets_written = 0
        self._output, self._last_output_at = bytearray(), 0
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
                self.octets_written += len(chunk)
                self._output += chunk
                del self._output[:-MAX_LINE]
                self._last_output_at = time.monotonic_ns() if chunk.strip() else self._last_output_at
        if over and self.ended is None:
            self.ended = time.monotonic_ns()

    def status(self) -> str:
        """Say how it ended."""
        return self._child.status()

    def stderr(self) -> str:
        """Return the end of what it wrote to standard error."""
        return self._child.stderr()

    def result(self, outcome: str) -> tuple[int, interface.Json, interface.Json | None] | None:
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
        report = self._last_line()
        state = {name: report[name] for name in STATE if name in report}
        return self._last_output_at, {"complete": {"result": report["result"]}}, state

    def end(self) -> None:
        """End it with all that it has started."""
        self._child.end(gently=False)

    def _last_line(self) -> interface.Json:
        lines = [line for line in self._output.split(b"\n") if line.strip()]
        try:
            report = json.loads(lines[-1]) if lines else None
        except (ValueError, RecursionError):
            report = None
        if not isinstance(report, dict) or report.get("result") not in RESULTS:
            line = lines[-1].decode("utf-8", "replace") if lines else ""
            raise self._fault(
                f"ended with {self.status()} and the line {interface.excerpt(line)}; "
                'expected a JSON object with "result": "success" or "failure"'
            )
        return report

    def _fault(self, problem: str) -> interface.IutFault:
        stderr = self.stderr()
        return interface.IutFault(
            "exited", f"{self.name} {problem}" + (f"; standard error: {stderr[-500:]}" if stderr else "")
        )


class ProgramClient:
    """One client; see ``LiveClient``.

    Args of the constructor:
        facts: how it is made to search.
        configuration: parameters of ``discovery_client.configure``.
        host: the client's computer.
        each: for each network what stands for it to a client: ``network``, ``address``, ``prefix``, ``interface``.
        computers: how programs are started there.
        networks: those whose servers the harness plays, closed with the client; None where others play them.
        capture: name of the file with what passes on them, empty without one.
        most_said: octets that it may write to its standard output in one search, None for any number.
    """

    def __init__(  # noqa: PLR0913 - what runs, on what, and where
        self,
        facts: interface.ClientFacts,
        configuration: interface.Json,
        host: Namespace,
        each: Sequence[interface.Json],
        computers: Computers,
        *,
        networks: ClientNetworks | None = None,
        capture: str = "",
        most_said: int | None = None,
    ) -> None:
        self.networks, self.capture = networks, capture
        self._facts, self._most_said = facts, most_said
        self._host, self._each, self._computers = host, each, computers
        self._identity = {name: configuration[name] for name in ("enterprise", "site")}
        self._running: list[Program] = []
        self._pending: list[interface.LiveEffect] = []
        self._started = False
        self._service: Program | None = None
        try:
            if facts.service:
                self._service = self._run(facts.service)
        except BaseException:
            self.close()
            raise

    @property
    def over(self) -> bool:
        """Whether the one program that searches has ended; a service never has."""
        return self._started and not self._running and not self._pending and self._service is None

    @property
    def foreign(self) -> tuple[str, ...]:
        """Strangers on its networks."""
        return self.networks.foreign if self.networks else ()

    def start(self) -> None:
        """Run the command that makes it search."""
        if self._started and self._service is None:
            raise interface.NotApplicable("the client searches once and ends: it has no service that remembers")
        self._started = True
        self._running.append(self._run(self._facts.start))

    def bring(self, network: str, datagram: bytes, sender: str) -> int:
        """Send it a datagram.

        Raises:
            NotApplicable: its computer is not on that network.
        """
        if self.networks is None or network not in self.networks.sockets:
            raise interface.NotApplicable(f"the client cannot be reached on {network}: its computer is not there")
        return self.networks.send(network, datagram, sender)

    def change_networks(self, networks: list[interface.Json]) -> None:
        """Refuse: its computer cannot be moved."""
        del networks
        raise interface.NotApplicable("the networks of the client's computer stay as they are")

    def state(self) -> None:
        """Return nothing: it is not asked."""

    def next(self, until: int) -> interface.LiveEffect | None:
        """Return what it does next; see ``LiveClient.next``."""
        while True:
            self._take_all()
            if self._pending:
                return self._pending.pop(0)
            left = until - time.monotonic_ns()
            if left <= 0 or self.over:
                return None
            with selectors.DefaultSelector() as selector:
                opened = self.networks.sockets.values() if self.networks else ()
                programs = (*self._running, *([self._service] if self._service else []))
                descriptors = (descriptor for program in programs for descriptor in program.descriptors())
                for readable in (*opened, *descriptors):
                    selector.register(readable, selectors.EVENT_READ)
                selector.select(left / SECOND)

    def close(self) -> None:
        """End its programs and take its networks down."""
        for program in (*self._running, *([self._service] if self._service else [])):
            program.end()
        self._running = []
        try:
            if self.networks:
                self.networks.close()
        except CaptureIncomplete as problem:
            self.capture += f" (not all is in it: {problem})"

    def _run(self, words: tuple[str, ...]) -> Program:
        networks = {"{networks}": (self._facts.network, self._each)}
        return Program(self._host, interface.filled_in(words, self._identity, networks), self._computers)

    def _take_all(self) -> None:
        for network in self.networks.sockets if self.networks else ():
            while self.networks and (request := self.networks.take(network)):
                sent = {"send": {"network": network, "datagram": request.octets.hex()}}
                self._pending.append(interface.LiveEffect(request.at, sent))
        for program in tuple(self._running):
            program.look()
            if self._most_said is not None and program.octets_written > self._most_said:
                message = f"the client wrote more than {self._most_said} octets to its standard output"
                raise interface.IutFault("oversize", message)
            if program.ended is not None:
                self._end_of(program)
        if self._service:
            self._service.look()
            if self._service.ended is not None:
                raise interface.IutFault("exited", f"the service {self._service.name} ended: {self._service.status()}")
        self._pending.sort(key=lambda effect: effect.at)

    def _end_of(self, program: Program) -> None:
        self._running.remove(program)
        try:
            result = program.result(self._facts.outcome)
        finally:
            program.end()
        if result:
            at, complete, state = result
            self._pending.append(interface.LiveEffect(at, complete, self._state(state)))

    def _state(self, state: interface.Json | None) -> interface.Json | None:
        if state and isinstance(address := state.get("last_successful_network_address"), str):
            return state | {"last_successful_network_address": self._network_of(address) or address}
        return state

    def _network_of(self, address: str) -> str | None:
        for network in self._each:
            try:
                subnet = IPv4Interface(f"{address.partition('/')[0]}/{network['prefix']}").network
            except ValueError:
                return None
            if subnet == IPv4Interface(f"{network['address']}/{network['prefix']}").network:
                return str(network["network"])
        return None
