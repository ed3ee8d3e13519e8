"""Programs of this machine that some commands use; each is started, harmlessly, to see whether it works."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

SECONDS = 10.0
"""What one program may take to say its version."""
OLDEST_JAVA = 17
OLDEST_TSHARK = 4
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SDK_PROBE = "import docker; print(docker.from_env(timeout=5).version()['Version'])"
DOCKER_REMEDY = "run in a checkout of mqconform: pip install '.[docker]'"


class Missing(Exception):
    """Something is not there or does not work, for the reason given."""


def said_by(command: Sequence[str]) -> str:
    """Run a program without input and return what it printed, to whichever stream.

    Raises:
        Missing: it is not there, takes too long, or fails; with its own first words.
    """
    program = command[0]
    try:
        ended = subprocess.run(  # noqa: S603 - fixed arguments
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{program} said nothing for {SECONDS:g} seconds") from None
    except OSError as error:
        raise Missing(f"{program}: {error.strerror or error}") from error
    output = (ended.stdout + ended.stderr).decode("utf-8", "replace").strip()
    if ended.returncode:
        raise Missing(f"{program}: {output.splitlines()[-1] if output else f'exit status {ended.returncode}'}")
    return output


def first_line(text: str) -> str:
    """Return the first line of a text, empty of an empty one."""
    return text.partition("\n")[0].strip()


def namespaces() -> str:
    """Return how network namespaces can be made here: as root, or in a user namespace without root."""
    if shutil.which("ip") is None and find_spec("pyroute2") is None:
        raise Missing("neither the command ip nor pyroute2 is available to set up a network")
    if os.geteuid() == 0:
        said_by(("unshare", "--net", "true"))
        return "as root"
    try:
        said_by(("unshare", "--user", "--map-root-user", "--net", "true"))
    except Missing as problem:
        raise Missing(f"not root, and no user namespaces: {problem}") from problem
    return "in a user namespace, without root"


def docker_engine() -> str:
    """Return the version of the Docker engine, asked by the Python SDK, which image: needs, or else by the command."""
    if find_spec("docker"):
        version = said_by((sys.executable, "-P", "-c", SDK_PROBE))
    elif shutil.which("docker"):
        version = said_by(("docker", "version", "--format", "{{.Server.Version}}"))
        raise Missing(f"engine {first_line(version)} answers, but not to us; {DOCKER_REMEDY}")
    else:
        raise Missing(f"neither the Python SDK nor the command docker is installed; {DOCKER_REMEDY}")
    host = os.environ.get("DOCKER_HOST")
    return f"engine {first_line(version)}" + (f" at {host}" if host else "")


def java() -> str:
    """Return the version of Java, from JAVA_HOME where that is set."""
    home = os.environ.get("JAVA_HOME")
    output = said_by((str(Path(home) / "bin" / "java") if home else "java", "-version"))
    return at_least(OLDEST_JAVA, r'version "(\d+)', output)


def chromium() -> str:
    """Return the version of the first browser of the Chromium family."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return first_line(said_by((path, "--version")))
    raise Missing(f"none of {', '.join(BROWSERS)} is there")


def tshark() -> str:
    """Return the version of tshark."""
    return at_least(OLDEST_TSHARK, r"TShark[^\d]*(\d+)\.", said_by(("tshark", "--version")))


def at_least(oldest: int, pattern: str, output: str) -> str:
    """Return the line that names the version.

    Raises:
        Missing: it names none, or one before ``oldest``.
    """
    for line in output.splitlines():
        if match := re.search(pattern, line):
            if int(match[1]) < oldest:
                raise Missing(f"{line.strip()}; version {oldest} or later is needed")
            return line.strip()
    raise Missing(f"it names no version but prints: {first_line(output)}")
