"""Seeds every defect, one after the other, and writes a line for each: the defect, what caught it, and the seconds."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.seeded.code_defects import Defect
from mqconform.harness.compare.mutation.seeded.experiment import Effort, copy_with, found_out
from mqconform.harness.compare.mutation.seeded.inside import Round, complaint_of
from mqconform.harness.compare.mutation.seeded.needless import load_needless
from mqconform.harness.compare.mutation.seeded.places import all_defects
from mqconform.harness.compare.mutation.seeded.reach import Reach, measured
from mqconform.harness.compare.mutation.seeded.rounds import first_rounds
from mqconform.harness.records.exit_codes import ExitCode


def main() -> int:
    """Run what the command line asks for; 1 where a defect is missed, 3 where a copy without defect fails as well.

    The same command goes on where it was stopped: what the log has as caught is not tried again.
    """
    asked = _arguments()
    found = [one for one in all_defects() if asked.part in one.id][asked.shard - 1 :: asked.of]
    reach, kills = measured(), Kills.load()
    if asked.control and (wrong := _without_defect([first_rounds(found, reach, kills)])):
        sys.stderr.write(f"a copy without defect fails: {wrong}\n")
        return ExitCode.ERROR
    left, needless = [one for one in found if one.id not in _caught(asked.log)], load_needless()
    for effort in Effort:  # what is soon seen first
        for defect in left:
            _try(defect, reach, kills, asked.log, effort)
        left = [one for one in left if one.id not in _caught(asked.log) and one.id not in needless]
    for defect in left:
        sys.stdout.write(f"missed: {defect.id}\n")
    return ExitCode.FAIL if left else ExitCode.OK


def _without_defect(rounds: Sequence[Round]) -> str:
    with TemporaryDirectory() as folder:
        return complaint_of(copy_with(None, Path(folder)), rounds)


def _try(defect: Defect, reach: Reach, kills: Kills, log: Path, effort: Effort) -> None:
    started = time.monotonic()
    with TemporaryDirectory() as folder:
        by = found_out(defect, Path(folder), reach, kills, effort)
    line = {"defect": defect.id, "by": by, "seconds": round(time.monotonic() - started, 1)}
    with log.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mqconform.harness.compare.mutation.seeded", description=__doc__)
    parser.add_argument("log", type=Path, help="the file that lines are added to")
    parser.add_argument("-k", dest="part", default="", help="only defects whose name holds this")
    parser.add_argument("--shard", type=int, default=1, help="which part of several, from 1")
    parser.add_argument("--of", type=int, default=1, help="how many parts")
    parser.add_argument("--control", action="store_true", help="see first that a copy without defect passes")
    return parser.parse_args()


def _caught(log: Path) -> set[str]:
    lines = map(json.loads, log.read_text("utf-8").splitlines() if log.exists() else ())
    return {line["defect"] for line in lines if line["by"]}


if __name__ == "__main__":
    sys.exit(main())
