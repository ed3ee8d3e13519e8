"""What this machine has of what mqconform can use: each thing is tried, none is taken for granted."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from mqconform.harness.iut.connect import ADAPTERS, adapter
from mqconform.harness.iut.interface import AdapterOptions, DatagramCarrier
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.server_configurations import EXAMPLE
from mqconform.harness.iut.smoke_calls import FENCE
from mqconform.harness.records.printable import visible
from mqconform.harness.records.report_writers import REPORTS
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.spec.document import read_document

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


OLDEST_PYTHON = (3, 11)
LOOPBACK_SECONDS = 2.0
MOST_ANSWER_TEXT = 300
"""Characters that one check has to say."""


@dataclass(frozen=True, slots=True)
class Check:
    """Whether one thing is there.

    Attributes:
        found: what is there, or why it is not.
        needed_for: what works only with it.
        core: whether no run works without it.
        remedy: what to do where it is missing.
    """

    name: str
    ok: bool
    found: str
    needed_for: str
    core: bool
    remedy: str

    def record(self) -> dict[str, Any]:
        """Return the check as JSON has it."""
        line = {"check": self.name, "ok": self.ok, "found": self.found, "needed_for": self.needed_for}
        return {**line, "core": self.core} | ({} if self.ok else {"remedy": self.remedy})

    def text(self) -> str:
        """Return the check as text, with what to do where something is missing."""
        if self.ok:
            return f"ok       {self.name}: {self.found}"
        return f"missing  {self.name}: {self.found}\n         needed for {self.needed_for}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Probe:
    """How to find out whether one thing is there: ``look`` returns what it found or raises."""

    name: str
    look: Callable[[], str]
    needed_for: str
    remedy: str
    core: bool = False

    def check(self) -> Check:
        """Look; whatever goes wrong is the answer."""
        try:
            answer, ok = self.look(), True
        except Exception as error:  # noqa: BLE001 - a thing that fails in any way is one that cannot be used
            answer, ok = str(error) or type(error).__name__, False
        return Check(self.name, ok, visible(answer)[:MOST_ANSWER_TEXT], self.needed_for, self.core, self.remedy)


def examine(specifications: tuple[Path, ...] = ()) -> Iterator[Check]:
    """Yield the checks one by one, those that every run needs first."""
    for probe in (*CORE, *OPTIONAL):
        yield probe.check()
    yield Probe(
        "specification texts",
        lambda: copies(specifications),
        "spec check, spec diff",
        "give copies with --spec FILE; Microsoft publishes them as Open Specifications",
    ).check()


def python() -> str:
    """Return the version of this Python."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise Missing(f"Python {platform.python_version()}")
    return f"{platform.python_implementation()} {platform.python_version()}"


def packages(extra: str = "") -> str:
    """Return what is installed of what mqconform, or one of its extras, asks for."""
    requirements = [Requirement(line) for line in requires("mqconform") or ()]
    asked = [
        requirement
        for requirement in requirements
        if _applies(requirement, extra) and (not extra or not _applies(requirement, ""))
    ]
    wrong = [problem for requirement in asked if (problem := _problem(requirement))]
    if wrong:
        raise Missing("; ".join(wrong))
    return ", ".join(f"{requirement.name} {version(requirement.name)}" for requirement in asked)


def plug_ins() -> str:
    """Return the adapters and report formats that can be loaded."""
    if not ADAPTERS.names():
        raise Missing(f"nothing is registered in {ADAPTERS.group}")
    problems = [problem for group in (ADAPTERS, REPORTS) for problem in group.problems()]
    if problems:
        raise Missing("; ".join(problems))
    return ", ".join(
        f"{group.group.rpartition('.')[2]} {name}" for group in (ADAPTERS, REPORTS) for name in group.names()
    )


def published_data() -> str:
    """Return how much there is to judge by."""
    catalogue, register, suite = load_catalogue(), load_register(), load_suite_index()
    if not catalogue or not suite.scenarios:
        raise Missing(f"{len(catalogue)} requirements, {len(suite.scenarios)} scenarios")
    return f"{len(catalogue)} requirements, {len(register)} register entries, {len(suite.scenarios)} scenarios"


def loopback_udp() -> str:
    """Return that a discovery server on a UDP port of this machine was reached."""
    server = ReferenceDiscoveryServer()
    server.configure(**EXAMPLE.params())
    try:
        port = server.listen("127.0.0.1", 0)["port"]
        client = adapter("udp")(f"127.0.0.1:{port}", AdapterOptions(reply_timeout=LOOPBACK_SECONDS, facts=EXAMPLE))
        assert isinstance(client, DatagramCarrier)
        try:
            answered = client.exchange((), FENCE).alive
        finally:
            client.close()
    finally:
        server.close()
    if not answered:
        raise Missing("a datagram to 127.0.0.1 was not answered")
    return "a datagram to 127.0.0.1 was answered"


def copies(specifications: tuple[Path, ...]) -> str:
    """Return which revisions the user's copies are, against those that are catalogued."""
    if not specifications:
        raise Missing("none given")
    revisions = []
    for path in specifications:
        document = read_document(path, load_catalogue().specifications)
        catalogued = load_catalogue().specification(document.id)
        if catalogued is None:
            raise Missing(f"{path}: MS-{document.id} is not catalogued")
        if catalogued.headings:
            revisions.append(f"the page on {document.id} ({catalogued.revision})")
            continue
        revisions.append(f"MS-{document.id} {document.revision} (catalogued is {catalogued.revision})")
    return ", ".join(revisions)


def _applies(requirement: Requirement, extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _problem(requirement: Requirement) -> str:
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return f"{requirement} is not installed"
    return (
        "" if installed in requirement.specifier else f"{requirement.name} is {installed}, not {requirement.specifier}"
    )


CHECKOUT = "run in a checkout of mqconform: pip install"
"""Where pip finds this project: the name on the package index is not ours."""
REINSTALL = f"{CHECKOUT} --force-reinstall ."
NAMESPACES = "run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
CORE = (
    Probe("Python", python, "everything", "install Python 3.11 or later", core=True),
    Probe("packages", packages, "everything", f"{CHECKOUT} --upgrade .", core=True),
    Probe("adapters", plug_ins, "reaching implementations", REINSTALL, core=True),
    Probe("requirements and features", published_data, "judging", REINSTALL, core=True),
    Probe("UDP on loopback", loopback_udp, "udp:, serve, scenarios over UDP", "bring the interface lo up", core=True),
)
OPTIONAL = (
    Probe("fast routing oracle", lambda: packages("bulk"), "bulk decisions, directory diff", f"{CHECKOUT} '.[bulk]'"),
    Probe(
        "second routing oracle", lambda: packages("second-opinion"), "two oracles", f"{CHECKOUT} '.[second-opinion]'"
    ),
    Probe("scapy", lambda: packages("captures"), "udp:discovery-client, capture files", f"{CHECKOUT} '.[captures]'"),
    Probe("network namespaces", namespaces, "isolated networks: broadcasts, foreign responders", NAMESPACES),
    Probe("Docker engine", docker_engine, "image:", "start an engine, or set DOCKER_HOST"),
    Probe("Java", java, "Spark", "install a Java runtime of version 17 or later, or set JAVA_HOME"),
    Probe("Spark", lambda: packages("spark"), "audit, history, vectors", f"{CHECKOUT} '.[spark]'"),
    Probe("Chromium", chromium, "report --pdf", "install chromium"),
    Probe("tshark", tshark, "comparison with another dissector", "install tshark, version 4 or later"),
)
