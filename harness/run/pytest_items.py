"""Cases as items of another project's pytest: a process of ours plays each when pytest comes to it.

The process is ``mqconform run``, see ``for_pytest``: no step, hook or setting of ours meets those of the project.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple

import pytest

PROGRAM: Final = (sys.executable, "-P", "-c", "from mqconform.harness.cli import main; main()")
MARK: Final = "\x1emqconform "
"""Begins each line of the process that is an answer; what an implementation prints has no such lines."""
NO_VERDICT: Final = (3, 4)
"""Exit codes of a run that could not judge."""
PLUGIN_NAME: Final = "mqconform-cases"
MOST_WORKERS: Final = 10_000
"""Workers that one session may have."""


class Verdict(NamedTuple):
    """What became of one requirement: its standing, such as ``verified``, and why, with the octets."""

    standing: str
    text: str

    @property
    def verified(self) -> bool:
        """Whether checks passed that are known to catch violations, and none failed."""
        return self.standing == "verified"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.standing}>"  # pytest prints it behind the message


class CaseItem(pytest.Item):
    """One case, marked with its requirements."""

    def __init__(self, case: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        for mark, says in case["marks"].items():
            _cases_of(self.config).describe(mark, says)
            self.add_marker(mark)
        self.add_marker("mqconform")
        self.extra_keyword_matches.add(case["id"])

    def runtest(self) -> None:
        """Have the case played."""
        came_to, text = _cases_of(self.config).play(self.case["id"])
        match came_to:
            case "skipped":
                pytest.skip(text)
            case "xfailed":
                pytest.xfail(text)
            case "failed":
                pytest.fail(text, pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where the scenario stands, and the headline of a failure."""
        return self.path, self.case["line"] - 1, self.name


class FeatureFile(pytest.File):
    """A feature file of the suite that the command line names."""

    def collect(self) -> Iterator[CaseItem]:
        """Yield the cases of the file that can be judged."""
        feature = f"{self.path.parent.name}/{self.path.stem}/"
        for case in _cases_of(self.config).offered:
            if case["id"].startswith(feature):
                yield CaseItem.from_parent(self, name=case["id"].removeprefix(feature), case=case)


class Cases:
    """The process that plays, and the hooks that pytest calls as it collects and ends."""

    def __init__(self, config: pytest.Config, iut: str, folder: Path, worker: str) -> None:
        self._config, self._folder, self._worker = config, folder, worker
        self.parts: list[str] = []
        """Names of the workers of pytest-xdist that may have left results."""
        self._command = [*PROGRAM, "run", "--iut", iut, *config.getini("mqconform_args")]
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - as long as this lasts
        self._chosen: list[str] | None = []
        self._begun, self._printed = False, ""
        self._described: set[str] = set()

    @cached_property
    def offered(self) -> list[dict[str, Any]]:
        """The cases that are asked for and can be judged; the first look starts the process.

        Raises:
            UsageError: it could not be started, for the reason it gives.
        """
        # Of how many is open: pytest-xdist replaces a worker that is killed by one with the next number.
        self._process = self._start(f"{_number(self._worker)}/{MOST_WORKERS}" if self._worker else "1/1")
        return list(self._answer()["cases"])

    def describe(self, mark: str, says: str) -> None:
        """Tell pytest of a mark, once."""
        if mark not in self._described:
            self._described.add(mark)
            self._config.addinivalue_line("markers", f"{mark}: {says}")

    def play(self, case: str) -> tuple[str, str]:
        """Return what a case came to, in the words of pytest, and why."""
        try:
            self._begin()
            self._say(case)
            answer = self._answer()
        except pytest.UsageError as broken:
            return "failed", str(broken)
        return answer["came_to"], answer["text"]

    def verdict(self, requirement: str, out: Path) -> Verdict:
        """Play the cases of one requirement in a process of its own and return the verdict on it."""
        results = out / "results.ndjson"
        command = [*self._command, "--no-probe", "--req", requirement, "--out", str(out)]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode in NO_VERDICT or not results.exists():
            pytest.fail(f"mqconform: {done.stdout}{done.stderr}".strip(), pytrace=False)
        records = map(json.loads, results.read_text("utf-8").splitlines())
        standings = {record["id"]: record["standing"] for record in records if record["record"] == "requirement"}
        standing = standings.get(requirement, "not judged")
        return Verdict(standing, f"{requirement} is {standing}\n{done.stdout}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the cases before others select among all items, unless feature files were named."""
        if not self._config.option.mqconform or any(isinstance(item, CaseItem) for item in items):
            return
        named, cases = self._config.option.mqconform_ids, list[pytest.Item]()
        for case in self.offered:
            node = f"mqconform::{case['id']}"
            if not named or any(f"{node}/".startswith(f"{name}/") for name in named):
                cases.append(CaseItem.from_parent(session, name=case["id"], nodeid=node, case=case))
        items.extend(cases)
        # pytest counts what is collected by such reports: without one it prints "collected 0 items"
        session.ihook.pytest_collectreport(report=pytest.CollectReport("mqconform", "passed", None, [*cases]))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Remember which cases are to be played."""
        mine = [item.case["id"] for item in session.items if isinstance(item, CaseItem)]
        self._chosen = None if self._process and len(mine) == len(self.offered) else mine

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the run, whose verdict counts as well: not everything that a run misses is a failed case."""
        if self.parts:
            self._begun, self._process = True, self._start(f"merge {' '.join(map(_number, self.parts))}")
        if self._process is None:
            return
        code = self._end(self._process)
        if self._worker:
            session.config.workeroutput["mqconform"] = True  # type: ignore[attr-defined]  # of xdist
        elif code and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Show what the run as a whole came to."""
        if self._printed:
            terminalreporter.section("mqconform")
            terminalreporter.write_line(self._printed)

    def _start(self, part: str) -> subprocess.Popen[str]:
        pipe, requirements = subprocess.PIPE, (f"--req={id_}" for id_ in self._config.option.mqconform_req)
        quiet = ["--quiet"] if self._config.option.verbose < 1 else []  # failures have been printed with their items
        command = [*self._command, *quiet, *requirements, "--for-pytest", part]
        return subprocess.Popen(  # noqa: S603 - our own program with the arguments of the project that asks
            command, cwd=self._folder, stdin=pipe, stdout=pipe, stderr=self._errors, encoding="utf-8",
            start_new_session=True,  # Ctrl-C is pytest's, which then ends this process in order
        )  # fmt: skip

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._say(json.dumps(self._chosen))

    def _say(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise pytest.UsageError("the run has ended, see the first failure")
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer, which is none, says why

    def _answer(self) -> dict[str, Any]:
        assert self._process is not None
        for line in self._process.stdout or ():
            if line.startswith(MARK):
                return dict(json.loads(line.removeprefix(MARK)))
        self._process.communicate()
        reason, self._process = self._error_text() or f"mqconform ended with exit code {self._process.returncode}", None
        raise pytest.UsageError(reason)

    def _error_text(self) -> str:
        self._errors.seek(0)
        return self._errors.read().strip()

    def _end(self, process: subprocess.Popen[str]) -> int:
        if self._worker and self._chosen != []:
            self._begin()  # a part without cases is one as well
        if not self._begun:
            process.terminate()
            process.communicate()
            return 0
        printed, _ = process.communicate()
        lines = [line for line in printed.splitlines() if not line.startswith(MARK)]
        self._printed = "\n".join((*lines, *([self._error_text()] if process.returncode in NO_VERDICT else ())))
        return process.returncode


def _number(worker: str) -> str:
    """Return the number, from 1, of a worker of pytest-xdist; their names are gw0, gw1 and so on."""
    return str(int(worker.removeprefix("gw")) + 1)


def _cases_of(config: pytest.Config) -> Cases:
    cases = config.pluginmanager.get_plugin(PLUGIN_NAME)
    assert isinstance(cases, Cases)
    return cases
