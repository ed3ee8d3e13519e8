"""A real server in a folder of its own, held by a keeper."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from brokers.broker import Failure
from brokers.link import Link

T = TypeVar("T")
SECONDS_TO_START = 90


class Server:
    """Starts, stops and kills the programs of one server."""

    def __init__(self, name: str) -> None:
        # A session of its own: what kills the wrapper's group leaves the keeper to clean up.
        self._keeper = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, str(Path(__file__).with_name("keeper.py")), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        self.folder = Path(str(self._answer()["folder"]))
        self.link = Link()
        self.running = False

    def start(self, programs: list[list[str]], environment: dict[str, str], connect: Callable[[], T]) -> T:
        """Start the programs and return a connection as soon as there is one.

        Args:
            programs: command lines; the last is that of the server proper.
            environment: variables besides those of every program.
            connect: connects, or raises whatever the client library raises.
        """
        inherited = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "LC_ALL", "TMPDIR"}}
        self._order(do="start", programs=programs, environment=inherited | environment)
        until = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                connection = connect()
            except Exception as error:  # each client library has errors of its own
                if time.monotonic() > until or not self._order(do="look")["alive"]:
                    raise Failure(f"the server does not start: {error}; it said {self._output()}") from error
                time.sleep(0.1)
            else:
                self.running = True
                return connection

    def stop(self) -> None:
        """End the server in order."""
        self.running = False
        self._order(do="stop")

    def crash(self) -> None:
        """Kill the server."""
        self.running = False
        self._order(do="crash")

    def remove(self) -> None:
        """Kill the server and remove its folder."""
        self.running = False
        if self._keeper.stdin is not None:
            self._keeper.stdin.close()
        self._keeper.wait()

    def _order(self, **order: object) -> dict[str, object]:
        assert self._keeper.stdin is not None
        self._keeper.stdin.write(json.dumps(order) + "\n")
        self._keeper.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, object]:
        assert self._keeper.stdout is not None
        line = self._keeper.stdout.readline()
        if not line:
            raise Failure("the keeper of the server is gone")
        answer: dict[str, object] = json.loads(line)
        return answer

    def _output(self) -> str:
        output = self.folder / "output"
        return output.read_text(errors="replace")[-500:] if output.exists() else "nothing"


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback interface that are free now, below those that the kernel gives to clients."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.randrange(15_000, 32_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            ports += [port] if port not in ports else []
    return ports
