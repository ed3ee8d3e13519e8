"""Seeds every defect, one after the other, and writes a line for each: the defect, what caught it, and the seconds."""

import argparse
import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from mqconform.harness.farm.kills import Kills
from mqconform.harness.farm.seeded.experiment import found_out
from mqconform.harness.farm.seeded.places import all_defects
from mqconform.harness.farm.seeded.reach import measured


def main() -> int:
    """Run what the command line asks for; 1 where a defect is missed.

    The same command goes on where it was stopped: what the log has as caught is not tried again.
    """
    asked = _arguments()
    found = [one for one in all_defects() if asked.part in one.id]
    done = {line["defect"] for line in _lines(asked.log) if line["by"]}
    left = [one for one in found[asked.shard - 1 :: asked.of] if one.id not in done]
    reach, kills = measured(), Kills.load()
    missed = 0
    for defect in left:
        started = time.monotonic()
        with TemporaryDirectory() as folder:
            by = found_out(defect, Path(folder), reach, kills)
        line = {"defect": defect.id, "by": by, "seconds": round(time.monotonic() - started, 1)}
        with asked.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        missed += not by
    return int(bool(missed))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mqconform.harness.farm.seeded", description=__doc__)
    parser.add_argument("log", type=Path, help="the file that lines are added to")
    parser.add_argument("-k", dest="part", default="", help="only defects whose name holds this")
    parser.add_argument("--shard", type=int, default=1, help="which part of several, from 1")
    parser.add_argument("--of", type=int, default=1, help="how many parts")
    return parser.parse_args()


def _lines(log: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []


if __name__ == "__main__":
    sys.exit(main())
