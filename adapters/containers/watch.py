"""A small process that outlives its harness, to remove what that was killed over.

It is told on its standard input what its harness makes (``+KIND NAME``) and removes (``-KIND NAME``), a line each.
When the input ends, whatever has not been taken back is removed: at once after an exit, a ``kill -9`` included. What
even this process does not live to do, the next run does (``docker_reaper``).
"""

import subprocess
import sys
from contextlib import suppress
from threading import Event, Lock

CONTAINER, NETWORK = "container", "network"
TRIES, EACH_SECONDS = 40, 0.25
"""How long a name is looked for that the engine does not have: it may be making it still."""


class Watch:
    """The harness's end."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def made(self, kind: str, name: str) -> None:
        """Tell, before the engine is asked for it, what is to be removed should this process die."""
        self._tell(f"+{kind} {name}\n")

    def removed(self, kind: str, name: str) -> None:
        """Tell that something is gone."""
        self._tell(f"-{kind} {name}\n")

    def _tell(self, line: str) -> None:
        with self._lock, suppress(OSError):  # without a watch, the next run cleans up
            if self._process is None or self._process.poll() is not None:
                self._process = _started()
            if self._process.stdin is not None:
                self._process.stdin.write(line.encode())


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "mqconform.adapters.containers.watch"]
    return subprocess.Popen(  # noqa: S603 - this very module
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
        cwd="/",
    )


def forsaken(lines: list[str]) -> list[tuple[str, str]]:
    """Return kinds and names that were made and not removed, the latest first: containers go before their network."""
    left: dict[tuple[str, str], None] = {}
    for line in lines:
        kind, _, name = line[1:].strip().partition(" ")
        if line.startswith("+"):
            left[kind, name] = None
        else:
            left.pop((kind, name), None)
    return [*reversed(left)]


def main() -> None:
    """Wait for the end of the harness and clean up."""
    left = forsaken(sys.stdin.read().splitlines())
    if left:
        from mqconform.adapters.containers.engine import engine  # noqa: PLC0415 - most of the time nothing is left

        api = engine().api
        for kind, name in left:
            _remove(api, kind, name)


def _remove(api: object, kind: str, name: str) -> None:
    from docker.errors import DockerException, NotFound  # noqa: PLC0415
    from requests.exceptions import RequestException  # noqa: PLC0415

    pause = Event()
    for _ in range(TRIES):
        with suppress(DockerException, RequestException):
            try:
                if kind == CONTAINER:
                    api.remove_container(name, force=True, v=True)  # type: ignore[attr-defined]
                else:
                    api.remove_network(name)  # type: ignore[attr-defined]
            except NotFound:
                pass
            else:
                return
        pause.wait(EACH_SECONDS)


if __name__ == "__main__":
    main()
