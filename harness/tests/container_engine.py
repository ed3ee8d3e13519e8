"""A Docker engine for tests: the user's own where one answers, else one of this test run in namespaces of its own.

There is one for all workers of a test run. A guardian process starts it and outlives every worker: it ends the engine
with all that the engine has started as soon as the test run is over, however that ended.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from threading import Event

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
START_SECONDS, STOP_SECONDS = 60.0, 20.0
PAUSE = Event()
"""Is never set: what is waited for shows elsewhere."""


def address_of_an_engine(shared: Path) -> str:
    """Return what DOCKER_HOST has to be; raise RuntimeError where there is no engine and none can be started.

    Args:
        shared: a folder that all workers of the test run have.
    """
    from filelock import FileLock  # the guardian below has no use for it

    if os.environ.get("DOCKER_HOST") or Path("/var/run/docker.sock").exists():
        address = os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
        if answers(address):
            return address
    known = shared / "engine.json"
    with FileLock(shared / "engine.lock"):
        if not known.exists():
            folder = Path(tempfile.mkdtemp(prefix="mqconform-engine-"))  # sockets take short paths alone
            problem = start_engine(folder)
            known.write_text(json.dumps({"address": f"unix://{folder}/docker.sock", "problem": problem}), "utf-8")
        found = json.loads(known.read_text("utf-8"))
    if found["problem"]:
        raise RuntimeError(found["problem"])
    return str(found["address"])


def answers(address: str) -> bool:
    """Tell whether an engine answers there."""
    from docker import DockerClient
    from docker.errors import DockerException

    with suppress(DockerException, OSError):
        return bool(DockerClient(base_url=address, timeout=20).ping())
    return False


def start_engine(folder: Path) -> str:
    """Start an engine and return why that did not work, empty where it did."""
    absent = [name for name in ("dockerd", "containerd", "unshare", "ip") if shutil.which(name) is None]
    if absent:
        return f"no Docker engine answers, and none is started without {', '.join(absent)}; install docker.io"
    if os.geteuid() != 0:
        return "no Docker engine answers, and only root starts one"
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    with (folder / "guardian.log").open("wb") as log:
        guardian = subprocess.Popen(
            [sys.executable, __file__, str(run), str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    for _ in range(int(START_SECONDS / 0.1)):
        if guardian.poll() is not None:
            break
        if (folder / "docker.sock").exists() and answers(f"unix://{folder}/docker.sock"):
            return ""
        PAUSE.wait(0.1)
    said = (folder / "guardian.log").read_text("utf-8", "replace").strip().splitlines()
    guardian.terminate()
    return f"no Docker engine answers, and the one that was started did not work: {said[-1] if said else 'no word'}"


def guard(run: int, folder: Path) -> None:
    """Run an engine while a process lives, then end all of it and remove what it kept."""
    library = ctypes.CDLL(None)
    library.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # whom the engine leaves behind becomes a child of ours
    watched = os.pidfd_open(run)
    script = 'ip link set lo up && exec "$@"'
    engine = subprocess.Popen(
        ["unshare", "--net", "--mount", "sh", "-c", script, "sh", *_command(folder)],
        preexec_fn=lambda: library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0),  # noqa: PLW1509 - this process has no threads
    )
    over = os.pidfd_open(engine.pid)
    with suppress(KeyboardInterrupt):
        select.select([watched, over], [], [])
    engine.terminate()
    with suppress(subprocess.TimeoutExpired):
        engine.wait(STOP_SECONDS)
    while children := _children():
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
    shutil.rmtree(folder, ignore_errors=True)


def _command(folder: Path) -> list[str]:
    places = ["--data-root", "data", "--exec-root", "exec", "--pidfile", "dockerd.pid"]
    paths = [word if word.startswith("--") else str(folder / word) for word in places]
    return ["dockerd", *paths, "-H", f"unix://{folder}/docker.sock"]


def _children() -> list[int]:
    """Return the children of this process, orphans of the engine among them."""
    return [int(one) for one in Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()]


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    guard(int(sys.argv[1]), Path(sys.argv[2]))
