"""The sample IUTs of examples/iut: each built once for a whole test run, and then held to what a vendor would run.

A test of a sample is three lines: `build` it, and `judge_by_calls`, `judge_by_datagrams` or `judge_by_broadcast`.
"""

import io
import json
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.run_file import RESULTS

EXAMPLES = Path(__file__).parents[2] / "examples"
FACTS = EXAMPLES / "facts.toml"
PYTHON = f"stdio:{shlex.join([sys.executable, str(EXAMPLES / 'iut' / 'python')])}"
"""The sample in Python as a target, without a build."""
TOOLS = {
    "go": ("make", "go"),
    "javascript": ("make", "node"),
    "python": ("make",),
}
"""The programs without which a sample is not built."""
CONFIGURED = (
    ("--enterprise", "e6eaba61-d1c6-11db-baac-0003ff4e2d22"),
    ("--site", "e6eaba60-d1c6-11db-baac-0003ff4e2d22"),
    ("--connected-network", "e6eaba62-d1c6-11db-baac-0003ff4e2d22"),
    ("--directory-server", "nt4pec"),
)
"""What FACTS says, as a sample's server is told."""
OF_ONE_MACHINE = (
    "ipx", "ipx-client", "several-machines", "security", "remote-read", "offline", "directory", "provisioning",
    "routing", "multicast", "connector", "supporting-server",
)  # fmt: skip
"""What a sample may do without: there is no machine left to try IPX on, and its queue manager knows one machine."""
CONFORMING = {"verified", "unobservable", "unsupported", "not-applicable"}
"""The standings that requirements may have where nothing is violated and nothing left open."""
ROLES = frozenset(
    {"router", "discovery_server", "discovery_client", "ordered_receiver", "ordered_sender", "transaction"}
)
"""What the samples declare at least; those in JavaScript and Python are queue managers of one machine as well."""
WAITING = "wait-on-the-first-network or version-is-zero or turn-at-once or after-15-seconds or last-wait-ends/one"
"""Cases of clients with the real clock that take half a minute at most; all of them wait together."""
why_not = cache(why_no_namespaces)


@dataclass(frozen=True)
class Judged:
    """What `mqconform run` made of a sample."""

    exit_code: int
    text: str
    records: list[dict[str, Any]]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.records if one["record"] == kind]

    def requirements(self, standing: str) -> set[str]:
        return {one["id"] for one in self.of("requirement") if one["standing"] == standing}


def build(language: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program of a sample, made by its Makefile unless another worker of this test run has made it.

    Args:
        language: The folder of the sample.
        tmp_path_factory: Where the test run keeps its files.
    """
    missing = [tool for tool in TOOLS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"the sample IUT in {language} is not built: no {' and no '.join(missing)} on PATH")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    name = f"sample-{language}"
    with FileLock(shared / f"{name}.lock"):
        made = shared / name
        if not (made / "complete").exists():
            _make(language, made)
    return made / "mqsample"


def _make(language: str, made: Path) -> None:
    folder = EXAMPLES / "iut" / language
    command = ["make", "-C", str(folder), f"BUILD={made}", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    if done.returncode or not (made / "mqsample").exists():
        pytest.fail(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}", pytrace=False)
    (made / "complete").touch()


def with_a_fault(folder: Path, file: str, text: str, instead: str) -> list[str]:
    """Copy the sample in Python, change it in one place, and return the command that starts it.

    Args:
        folder: Where the copy goes.
        file: The module, from the package on.
        text: What stands in it exactly once.
        instead: What the copy has there.
    """
    copy = folder / "sample"
    shutil.copytree(EXAMPLES / "iut" / "python", copy, ignore=shutil.ignore_patterns("__pycache__", "build"))
    source = (copy / "mqsample" / file).read_text("utf-8")
    assert source.count(text) == 1, f"{file} has {text!r} {source.count(text)} times"
    (copy / "mqsample" / file).write_text(source.replace(text, instead), "utf-8")
    return [sys.executable, str(copy)]


def judge(out: Path, *options: str) -> Judged:
    """Run `mqconform run` with these options and read what it left in `out`."""
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        code = run_command(["run", "--out", str(out), *options])
    return Judged(code, text.getvalue(), read_results(out) if (out / RESULTS).exists() else [])


def judge_by_calls(program: Path, out: Path, roles: frozenset[str] = ROLES) -> Judged:
    """Hold a sample to the suite over its standard input and output: nothing left open in the roles it has."""
    done = judge(out, "--iut", f"stdio:{shlex.quote(str(program))}")
    _assert_conforms(done)
    assert set(done.of("header")[0]["iut"]["roles"]) == roles
    unsupported = [one for one in done.of("case") if one.get("excused") == "unsupported"]
    assert {one["reason"] for one in unsupported} <= excuses_of_calls()
    standings = {one["standing"] for one in done.of("requirement")}
    assert standings <= CONFORMING, done.text
    return done


def judge_by_datagrams(program: Path, out: Path) -> Judged:
    """Hold the sample's UDP server to the suite with nothing but the facts; it has to end well on SIGTERM."""
    with served([str(program)]) as where:
        done = judge(out, "--iut", f"udp:{where}", "--facts", str(FACTS))
    _assert_conforms(done)
    assert len(done.requirements("verified")) >= 60, done.text
    assert not done.requirements("unverified"), done.text
    return done


def excuses_of_calls() -> set[str]:
    """Why a case may be unsupported over calls: capabilities that are missing, and what a network alone shows."""
    not_seen = "not seen by this harness: a called client lists its packets instead of sending them"
    missing = (some for number in range(1, 5) for some in combinations(sorted(OF_ONE_MACHINE), number))
    return {f"the implementation does not offer {', '.join(some)}" for some in missing} | {not_seen}


@contextmanager
def served(program: Sequence[str], *, ends_well: bool = True) -> Iterator[str]:
    """Run the sample's UDP server, configured as examples/facts.toml has it, and yield HOST:PORT."""
    command = [*program, "discovery-server", "--host", "127.0.0.1", "--port", "0"]
    command += [word for option in CONFIGURED for word in option]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            line = server.stdout.readline().strip()
            assert line.startswith("listening on 127.0.0.1:"), line
            yield line.removeprefix("listening on ")
        finally:
            server.send_signal(signal.SIGTERM)
            code = server.wait(30)
        assert code == 0 or not ends_well


def judge_by_broadcast(program: Path, out: Path) -> Judged:
    """Hold the sample's client to a few cases on networks made for it, with real broadcasts and the real clock."""
    if reason := why_not():
        pytest.skip(f"clients with real broadcast not judged, no namespaces here: {reason}")
    facts = out.with_name("client-facts.toml")
    start = [str(program), "discovery-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}"]
    text = f'[discovery_client]\nstart = {json.dumps(start)}\nnetwork = ["--network", "{{address}}/{{prefix}}"]\n'
    facts.write_text(text + 'outcome = "json"\n', "utf-8")
    options = ["--iut", "udp:discovery-client", "--facts", str(facts), "--req", "MQSD", "-k", WAITING]
    done = judge(out, *options)
    loaded = {one["case"] for one in done.of("witness") if "overloaded" in one["observed"]}
    found = {one["id"]: one["verdict"] for one in done.of("case") if "excused" not in one}
    assert found, done.text
    assert {verdict for case, verdict in found.items() if case not in loaded} <= {"pass"}, done.text
    assert not done.requirements("violated"), done.text
    return done


def _assert_conforms(done: Judged) -> None:
    assert done.exit_code == 0, done.text
    assert "CONFORMS" in done.text, done.text
    assert not done.requirements("violated"), done.text
