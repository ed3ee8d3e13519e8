"""Runs in this process, with what they print and leave, and the memory that they need while they last."""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results

MEBIBYTE = 1024  # the kernel counts KiB


class Ended(NamedTuple):
    """How a run ended, what it printed and left, and the KiB that it held at most beyond what was held before."""

    exit_code: int
    memory: int
    printed: str
    records: list[dict[str, Any]]


def measured(out: Path, *options: str) -> Ended:
    """Run ``mqconform run`` with these options into a directory."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # the peak begins anew, see proc(5)
    before, printed = _peak(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        code = run_command(["run", "--out", str(out), *options])
    return Ended(code, _peak() - before, printed.getvalue(), read_results(out))


def _peak() -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
