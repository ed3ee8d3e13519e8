"""cosmic-ray changes the model's own source in one place after the other; the installed harness judges what comes out.

The changed model runs in a child process that speaks the IUT protocol (``serve stdio``), so that the judge, which rests
on the same model, stays as it is. ``tox -e source-mutants -- mqbr/procedures.py --number 40 --seed 2`` tries forty of
the changes to one module. Survivors are printed with their difference: each is a hole of the suite or cannot be seen.
"""

import argparse
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDERS = ("features", "reference", "harness", "adapters", "reports")
SPECIFICATIONS = {"mqbr": "MQBR", "mqsd": "MQSD", "eod": "EOD"}
"""What judges a module, by the folder of the model that it is in; the directory serves routing."""
MAIN = "from mqconform.harness.cli import main; main()"
SECONDS = 600
"""After which a change counts as found: it runs without end."""


def configuration(module: str) -> str:
    """Return cosmic-ray's configuration for one module or folder of the model, in a copy of the checkout beside it."""
    child = shlex.join(["env", "PYTHONPATH=changed", sys.executable, "-c", MAIN, "serve", "stdio"])
    ids = SPECIFICATIONS.get(module.partition("/")[0], "MQBR")
    judge = [sys.executable, "-P", "-c", MAIN, "run", "--iut", f"stdio:{child}", "--req", ids, "--out", "run"]
    return f"""\
[cosmic-ray]
module-path = "changed/mqconform/reference/{module}"
timeout = {SECONDS}.0
excluded-modules = []
test-command = {quoted(shlex.join(judge))}
[cosmic-ray.distributor]
name = "local"
"""


def quoted(text: str) -> str:
    """Return a TOML string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def leave_out_all_but(number: int, seed: int, session: Path) -> None:
    """Leave in a session the changes that chance chooses, and say of the others that they are skipped."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import WorkerOutcome, WorkResult

    with use_db(session, WorkDB.Mode.open) as work:
        pending = list(work.pending_work_items)
        for one in random.Random(seed).sample(pending, max(len(pending) - number, 0)):
            work.set_result(one.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))


def survivors(session: Path) -> tuple[list[str], int]:
    """Return what each change does that no scenario convicted, and how many changes were tried."""
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import WorkerOutcome

    with use_db(session, WorkDB.Mode.open) as work:
        tried = [one for _, one in work.completed_work_items if one.worker_outcome is not WorkerOutcome.SKIPPED]
    return [one.diff or "" for one in tried if not one.is_killed], len(tried)


def main() -> int:
    """Try changes to one part of the model; 1 where more survive than may, or the unchanged model is convicted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", nargs="?", default="mqsd", help="file or folder below reference/")
    parser.add_argument("--number", type=int, default=40, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=0, help="decides which")
    parser.add_argument("--at-most", type=float, default=0.1, help="share of changes that may survive")
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in FOLDERS:
            shutil.copytree(CHECKOUT / part, folder / "changed" / "mqconform" / part)
        (folder / "config.toml").write_text(configuration(wishes.module), "utf-8")

        def cosmic_ray(*words: str) -> None:
            done = subprocess.run(["cosmic-ray", *words], cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"{shlex.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")

        cosmic_ray("init", "config.toml", "session.sqlite")
        leave_out_all_but(wishes.number, wishes.seed, folder / "session.sqlite")
        cosmic_ray("baseline", "config.toml")
        cosmic_ray("exec", "config.toml", "session.sqlite")
        left, tried = survivors(folder / "session.sqlite")
    sys.stdout.write("\n".join([*left, f"{tried} changes to {wishes.module} tried, {len(left)} survive"]) + "\n")
    return int(len(left) > tried * wishes.at_most)


if __name__ == "__main__":
    sys.exit(main())
