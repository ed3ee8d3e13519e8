"""A Docker engine for tests: the user's own where one answers, else one in namespaces of its own.

The latter ends with the test run, also where that is killed; nothing outside its namespaces and its folder is touched.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from docker import DockerClient
from docker.errors import DockerException

PR_SET_PDEATHSIG = 1
START_SECONDS, STOP_SECONDS = 60.0, 60.0
USUAL = "unix:///var/run/docker.sock"


@contextmanager
def any_engine() -> Iterator[str]:
    """Return what DOCKER_HOST has to be; raise RuntimeError where there is no engine and none can be started."""
    address = os.environ.get("DOCKER_HOST") or USUAL
    if answers(address):
        yield address
        return
    with own_engine() as started:
        yield started


def answers(address: str) -> bool:
    """Tell whether an engine answers there."""
    with suppress(DockerException, OSError):
        return bool(DockerClient(base_url=address, timeout=20).ping())
    return False


@contextmanager
def own_engine() -> Iterator[str]:
    """Start an engine, return its address, and end it; raise RuntimeError where that does not work."""
    absent = [name for name in ("dockerd", "containerd", "unshare", "ip") if shutil.which(name) is None]
    if absent:
        raise RuntimeError(f"no Docker engine answers, and none is started without {', '.join(absent)}")
    if os.geteuid() != 0:
        raise RuntimeError("no Docker engine answers, and only root starts one")
    folder = Path(tempfile.mkdtemp(prefix="mqconform-engine-"))  # sockets take short paths alone
    address = f"unix://{folder}/docker.sock"
    places = ["--data-root", folder / "data", "--exec-root", folder / "exec", "--pidfile", folder / "dockerd.pid"]
    script = 'ip link set lo up && exec dockerd "$@"'
    library = ctypes.CDLL(None)
    with (folder / "log").open("wb") as log:
        engine = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", script, "sh", *places, "-H", address],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0),  # noqa: PLW1509 - short
        )
    try:
        pause = Event()
        for _ in range(int(START_SECONDS / 0.1)):
            if answers(address):
                break
            if engine.poll() is not None or pause.wait(0.1):
                break
        else:
            engine.terminate()
        if engine.poll() is not None:
            words = (folder / "log").read_text("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"no Docker engine answers, and the one that was started did not work: {words[-1:]}")
        yield address
    finally:
        engine.terminate()
        engine.wait(STOP_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)


def network_of(address: str) -> str:
    """Return the file that stands for the network of an engine: where the ports that it publishes are."""
    pidfile = Path(address.removeprefix("unix://")).with_name("dockerd.pid")  # of an engine of ours
    return f"/proc/{pidfile.read_text('ascii').strip() if pidfile.exists() else 'self'}/ns/net"
