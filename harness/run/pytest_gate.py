"""The gate in another project's pytest: load it with ``-p mqconform.harness.run.plugin``, or call ``judge``.

The run takes place in a process of its own, since it is a pytest itself. Options of the project's ini file:
``mqconform_iut`` (KIND:ID), ``mqconform_args`` (more arguments of ``mqconform run``) and ``mqconform_out``.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.run_file import RESULTS

PROGRAM = (sys.executable, "-P", "-c", "from mqconform.harness.cli import main; main()")
Record = Mapping[str, Any]


class GateBroken(Exception):
    """The run judged nothing: wrong usage or configuration, or an error of the harness; the message is its own."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """Outcome of a run.

    Attributes:
        exit_code: that of ``mqconform run``.
        summary: what it printed.
        out: where its results and bundles are.
        requirements: records of the result file, by requirement id.
        witnesses: all of them, in order.
    """

    exit_code: int
    summary: str
    out: Path
    requirements: Mapping[str, Record] = field(default_factory=dict)
    witnesses: tuple[Record, ...] = ()

    @property
    def conforms(self) -> bool:
        """Whether the gate opens."""
        return self.exit_code == ExitCode.OK

    @property
    def violated(self) -> tuple[str, ...]:
        """Ids of the violated requirements."""
        return tuple(
            requirement for requirement, record in self.requirements.items() if record["standing"] == "violated"
        )

    def standing(self, requirement: str) -> str:
        """Return the standing of a requirement, such as ``verified``.

        Raises:
            KeyError: the run says nothing of it.
        """
        if requirement not in self.requirements:
            raise KeyError(f"{requirement}: not part of the run; `mqconform list` has the ids")
        return str(self.requirements[requirement]["standing"])

    def told(self, requirement: str) -> str:
        """Return what the witnesses that did not pass say of a requirement, for the message of an assertion."""
        lines = [f"{requirement} is {self.standing(requirement)}"]
        for witness in self.witnesses:
            if witness["requirement"] == requirement and witness["verdict"] != "pass":
                lines += [
                    f"  in {witness['case']}",
                    f"    expected {witness['expected']}",
                    f"    observed {witness['observed']}",
                ]
        return "\n".join(lines)


def judge(iut: str, *arguments: str, out: Path, cwd: Path | None = None) -> Conformance:
    """Run ``mqconform run --iut IUT`` in a separate process and return the outcome.

    Args:
        iut: KIND:ID, with paths relative to ``cwd``.
        arguments: more arguments of ``mqconform run``.
        out: where results go.
        cwd: where to run, the current directory if None.

    Raises:
        GateBroken: the run could not judge, for the reason it gives.
    """
    command = [*PROGRAM, "run", "--iut", iut, *arguments, "--out", str(out.absolute())]
    done = subprocess.run(  # noqa: S603 - our own program with the arguments of the project that asks
        command, cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode in {ExitCode.ERROR, ExitCode.USAGE} or not (out / RESULTS).exists():
        raise GateBroken(f"mqconform run ended with exit code {done.returncode}:\n{done.stdout}{done.stderr}".strip())
    records = read_results(out)
    return Conformance(
        done.returncode,
        done.stdout,
        out,
        {record["id"]: record for record in records if record["record"] == "requirement"},
        tuple(record for record in records if record["record"] == "witness"),
    )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the gate."""
    group = parser.getgroup("mqconform")
    group.addoption("--mqconform-iut", metavar="KIND:ID", help="the implementation under test; else mqconform_iut")
    parser.addini("mqconform_iut", "KIND:ID of the implementation under test")
    parser.addini("mqconform_args", "more arguments of `mqconform run`", type="args", default=[])
    parser.addini("mqconform_out", "where results go", default="mqconform-results")


@pytest.fixture(scope="session")
def conformance(pytestconfig: pytest.Config) -> Conformance:
    """Return the outcome of a run against the project's implementation; it runs once, on first use."""
    iut = pytestconfig.getoption("--mqconform-iut") or pytestconfig.getini("mqconform_iut")
    if not iut:
        pytest.fail("mqconform: no implementation; set mqconform_iut in the ini file, or give --mqconform-iut", False)
    # with pytest-xdist each worker asks for a run of its own, and two into one directory are refused
    name = "-".join(
        part for part in (pytestconfig.getini("mqconform_out"), os.environ.get("PYTEST_XDIST_WORKER")) if part
    )
    arguments, root = pytestconfig.getini("mqconform_args"), pytestconfig.rootpath
    broken = ""
    try:
        return judge(iut, *arguments, out=root / name, cwd=root)
    except GateBroken as problem:
        broken = str(problem)
    pytest.fail(broken, pytrace=False)
