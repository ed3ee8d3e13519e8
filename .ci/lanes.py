"""Run a lane of checks: each stage to its end, then one table of what came of them.

    python .ci/lanes.py gate            every stage of the gate
    python .ci/lanes.py long            the whole long lane
    python .ci/lanes.py long samba fuzz  parts of it by name

`lanes.toml` beside this file has the stages. Exit code 0: every stage ran to its end and passed. 1: a stage failed.
5: a stage did not run or did not end, which is worse: nobody knows what it would have found. 4: no such lane or part.
Nothing but the standard library: the gate starts this before anything is installed.
"""

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
STAGES = Path(__file__).with_name("lanes.toml")
BIN = Path(sys.executable).parent if sys.prefix != sys.base_prefix else ROOT / ".venv" / "bin"
OK, FAILED, USAGE, NOT_TRIED = 0, 1, 4, 5
printing = threading.Lock()


@dataclass(frozen=True)
class Stage:
    """A command of a shell with what it needs.

    Attributes:
        limit: seconds after which it hangs for sure; it is ended, and red.
        needs: programs that have to be there, each with its Debian package.
        empty: exit codes by which its program says that there was nothing to do.
    """

    name: str
    command: str
    limit: int
    needs: dict[str, str] = field(default_factory=dict)
    empty: tuple[int, ...] = (5,)


@dataclass(frozen=True)
class Outcome:
    """How a stage ended: `passed`, `failed`, `not run` or `not ended`, why, and after how many seconds."""

    stage: str
    result: str
    seconds: float = 0.0
    reason: str = ""


def perform(stage: Stage, *, alone: bool) -> Outcome:
    """Run a stage in a process group of its own; beside another one, what it prints follows once it has ended."""
    missing = [
        f"{program} (Debian: {package})" for program, package in stage.needs.items() if not shutil.which(program)
    ]
    if missing:
        return Outcome(stage.name, "not run", reason=f"needs {', '.join(missing)}")
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = ["bash", "-euo", "pipefail", "-c", stage.command]
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        with printing:
            print(f"== {stage.name}: started", flush=True)
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=None if alone else output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(stage.limit)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end_group(process)
        outcome = outcome_of(stage, code, time.monotonic() - started)
        show(outcome, output)
    return outcome


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """End what the stage left behind, itself included where it hangs."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def outcome_of(stage: Stage, code: int | None, seconds: float) -> Outcome:
    """Judge an exit code; None stands for a stage beyond its limit."""
    if code is None:
        return Outcome(stage.name, "not ended", seconds, f"still running after {stage.limit} s")
    if code < 0 or code > 128:
        return Outcome(stage.name, "not ended", seconds, f"killed by signal {-code if code < 0 else code - 128}")
    if code in stage.empty:
        return Outcome(stage.name, "not run", seconds, f"exit code {code}: nothing was tried, or not all")
    return Outcome(stage.name, "failed" if code else "passed", seconds, f"exit code {code}" if code else "")


def show(outcome: Outcome, output: IO[bytes]) -> None:
    """Print what a stage printed, then how it ended."""
    output.seek(0)
    with printing:
        sys.stdout.flush()
        shutil.copyfileobj(output, sys.stdout.buffer)
        print(
            f"== {outcome.stage}: {outcome.result} after {outcome.seconds:.0f} s {outcome.reason}".rstrip(), flush=True
        )


def run(groups: list[list[str]], stages: dict[str, Stage]) -> list[Outcome]:
    """Run the groups one after another, the stages of a group on two cores; a name without a stage did not run."""
    outcomes: list[Outcome] = []
    for group in groups:
        with ThreadPoolExecutor(2) as pool:
            known = [stages.get(name) for name in group]
            futures = [pool.submit(perform, stage, alone=len(group) == 1) if stage else None for stage in known]
            outcomes += [
                future.result() if future else Outcome(name, "not run", reason="lanes.toml has no such stage")
                for name, future in zip(group, futures, strict=True)
            ]
    return outcomes


def report(lane: str, outcomes: list[Outcome]) -> int:
    """Print the table and return the exit code of the lane."""
    width = max(len(outcome.stage) for outcome in outcomes)
    print(f"\n{lane}\n{'stage':<{width}}  {'result':<9}  seconds")
    for outcome in outcomes:
        print(f"{outcome.stage:<{width}}  {outcome.result:<9}  {outcome.seconds:7.0f}  {outcome.reason}".rstrip())
    results = {outcome.result for outcome in outcomes}
    code = NOT_TRIED if results & {"not run", "not ended"} else FAILED if "failed" in results else OK
    print(f"{lane}: {'green' if code == OK else 'RED'}, exit code {code}", flush=True)
    return code


def main(arguments: list[str]) -> int:
    """Run a lane, or its parts that are named."""
    document = tomllib.loads(STAGES.read_text("utf-8"))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("lane", choices=[*document["lanes"]])
    parser.add_argument("parts", nargs="*", help="stages of the lane; all unless given")
    options = parser.parse_args(arguments)
    groups: list[list[str]] = document["lanes"][options.lane]
    unknown = sorted(set(options.parts) - {name for group in groups for name in group})
    if unknown:
        print(f"lanes.py: the lane {options.lane} has no part {', '.join(unknown)}; it has {groups}", file=sys.stderr)
        return USAGE
    chosen = [[name for name in group if not options.parts or name in options.parts] for group in groups]
    stages = {name: Stage(name, **table) for name, table in document["stage"].items()}
    return report(options.lane, run([group for group in chosen if group], stages))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
