"""cosmic-ray changes the model's source in one place after the other; the installed harness judges what comes out.

The changed model runs in a child process (``serve stdio``), and the judge rests on the unchanged one. What survives is
printed: each is a hole of the suite or cannot be seen. ``tox -e long -- source-mutants``
"""

import random
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult

CHECKOUT = Path(__file__).resolve().parents[2]
MAIN = "from mqconform.harness.cli import main; main()"
SURVIVING_SHARE = 0.1
CONFIGURATION = """\
[cosmic-ray]
module-path = "changed/mqconform/reference/{module}"
timeout = 600.0
excluded-modules = []
test-command = '''{judge}'''
[cosmic-ray.distributor]
name = "local"
"""


def main(module: str = "mqbr/procedures.py", number: str = "40", seed: str = "0") -> int:
    """Try changes to one part of the model; 1 where too many survive."""
    child = shlex.join(["env", "PYTHONPATH=changed", sys.executable, "-c", MAIN, "serve", "stdio"])
    ids = {"mqsd": "MQSD", "eod": "EOD", "mqso": "MQSO"}.get(module.partition("/")[0], "MQBR")
    judge = [sys.executable, "-P", "-c", MAIN, "run", "--iut", f"stdio:{child}", "--req", ids, "--out", "run"]
    with tempfile.TemporaryDirectory() as name:
        folder, session = Path(name), Path(name) / "session.sqlite"
        for part in ("features", "reference", "harness", "adapters", "reports"):
            shutil.copytree(CHECKOUT / part, folder / "changed" / "mqconform" / part)
        (folder / "config.toml").write_text(CONFIGURATION.format(module=module, judge=shlex.join(judge)), "utf-8")
        subprocess.run(["cosmic-ray", "init", "config.toml", str(session)], cwd=folder, check=True)
        with use_db(session, WorkDB.Mode.open) as work:
            pending = list(work.pending_work_items)
            for one in random.Random(seed).sample(pending, max(len(pending) - int(number), 0)):
                work.set_result(one.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))
        subprocess.run(["cosmic-ray", "baseline", "config.toml"], cwd=folder, check=True)
        subprocess.run(["cosmic-ray", "exec", "config.toml", str(session)], cwd=folder, check=True)
        with use_db(session, WorkDB.Mode.open) as work:
            tried = [one for _, one in work.completed_work_items if one.worker_outcome is not WorkerOutcome.SKIPPED]
    left = [one.diff or "" for one in tried if not one.is_killed]
    sys.stdout.write("\n".join([*left, f"{len(tried)} changes to {module} tried, {len(left)} survive"]) + "\n")
    return int(not tried or len(left) > len(tried) * SURVIVING_SHARE)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
