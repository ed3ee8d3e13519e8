"""Seeds one defect into a copy of the package and runs the project's own checks there until one of them fails."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.seeded.code_defects import Defect
from mqconform.harness.compare.mutation.seeded.feature_lint import linted
from mqconform.harness.compare.mutation.seeded.inside import complaint_of
from mqconform.harness.compare.mutation.seeded.places import FOLDERS, package
from mqconform.harness.compare.mutation.seeded.reach import Reach
from mqconform.harness.compare.mutation.seeded.rounds import rounds_for
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.roles import all_mutants

CLEAN = ""
TIMES = 3
"""How many mutants an assertion is tried on: one may be convicted by another part of a weakened comparison."""
MAIN = "from mqconform.harness.cli import main; main()"


class Effort(Enum):
    """How far to go before a defect is taken for missed."""

    FEW = "few mutants"
    KNOWN = "all mutants that are known to pass through it"
    FARM = "the farm, which takes minutes"


def found_out(defect: Defect, folder: Path, reach: Reach, kills: Kills, effort: Effort = Effort.FARM) -> str:
    """Return the check that fails on a copy of the package with a defect, and why; nothing where none does.

    The cheapest that may fail is tried first: the lint, then the reference and few mutants on the scenarios that pass
    through the defect, then all mutants known to these; and only where all of that is content, the farm.

    Args:
        defect: to be seeded.
        folder: where the copy goes.
        reach: what passes through which line.
        kills: what is known of the suite without defect.
        effort: how far to go.
    """
    if defect.kind == "drop scenario" and (at_once := linted(defect, folder / "features")):
        return at_once
    copy = copy_with(defect, folder / "copy")
    rounds = rounds_for(defect, reach, kills)
    soon = complaint_of(copy, rounds[:-1] if effort is Effort.FEW else rounds)
    return caught_by_any(copy, role_of(defect)) if effort is Effort.FARM and not soon else soon


def copy_with(defect: Defect | None, folder: Path) -> Path:
    """Copy the package, the defect in it, and return what belongs on the path.

    What is compiled is copied too: files keep their times, and the one with the defect has another.
    """
    for name in FOLDERS:
        unwanted = shutil.ignore_patterns("tests", "*.nbi", "*.nbc")
        shutil.copytree(package() / name, folder / "mqconform" / name, ignore=unwanted)
    if defect:
        (folder / "mqconform" / defect.file).write_text(defect.text, "utf-8")
    return folder


def caught(copy: Path, mutants: Sequence[str]) -> str:
    """Return the check that fails on a copy of the package, and why; nothing where none does.

    Args:
        copy: what belongs on the path.
        mutants: on whom the farm tries the copy; the reference is always tried.
    """
    if _fails(copy, "lint"):
        return "lint"
    out = copy / "matrix"
    chosen = [part for name in mutants for part in ("--mutant", name)]
    if not _fails(copy, "mutants", "--out", str(out), *chosen):
        return CLEAN
    try:
        matrix = json.loads((out / "kill-matrix.json").read_text("utf-8"))
    except FileNotFoundError:
        return "mutants: the suite does not run"
    kinds = Counter(one["kind"] for one in matrix["complaints"])
    return f"mutants: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"


def caught_by_any(copy: Path, role: str) -> str:
    """Return the check that fails, tried on few mutants first and then on all of a role."""
    return caught(copy, covering(role)) or caught(
        copy, [one.name for one in all_mutants().values() if role in {"", one.role}]
    )


ROLES_BY_FILE = {
    "eod/transactions": "transaction",
    "eod/copies": "transaction",
    "eod/receiver_models": "ordered_receiver",
    "eod/receiving": "ordered_receiver",
    "eod/receiver_checks": "ordered_receiver",
    "eod/sender_models": "ordered_sender",
    "eod/sending": "ordered_sender",
    "eod/sender_checks": "ordered_sender",
    "eod/resends": "ordered_sender",
    "1_transactions": "transaction",
    "4_": "ordered_receiver",
    "3_sender": "ordered_sender",
    "3_1_6_5_resends": "ordered_sender",
    "fault_schedules": "",
    "mqsd_client": "discovery_client",
    "3_1_": "discovery_client",
    "2_2_client": "discovery_client",
}
"""Whose mutants notice a defect first, by what its path has behind a slash; the first that fits counts."""


def role_of(defect: Defect) -> str:
    """Return whose mutants may notice a defect first; nothing where the file does not tell."""
    if "/mqbr/" in defect.file:
        return "router"
    for beginning, role in ROLES_BY_FILE.items():
        if f"/{beginning}" in defect.file:
            return role
    return "discovery_server" if "harness/" in defect.file or "/mqsd/" in defect.file else ""


def covering(role: str) -> list[str]:
    """Return few mutants of which each assertion that tells any of the role apart tells several, and the undecided."""
    of_role = [one for one in all_mutants().values() if role in {"", one.role}]
    names = {one.name for one in of_role}
    kills = Kills.load()
    known = [*kills.convicts.items(), *kills.sets_apart.items()]
    wanting = {number: names & set(found) for number, (_, found) in enumerate(known)}
    taken = [one.name for one in of_role if one.kind is Kind.UNDECIDED]
    left = {place: min(TIMES, len(found)) - len(found & set(taken)) for place, found in wanting.items()}
    left = {place: wanted for place, wanted in left.items() if wanted > 0}
    while left:
        counts = Counter(name for place in left for name in wanting[place] if name not in taken)
        best = max(sorted(counts), key=counts.__getitem__)
        taken.append(best)
        left = {place: more for place, n in left.items() if (more := n - (best in wanting[place]))}
    return taken


def _fails(copy: Path, *arguments: str) -> bool:
    environment = os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(  # noqa: S603 - our own command line
        [sys.executable, "-c", MAIN, *arguments], cwd=copy, env=environment, capture_output=True, check=False
    )
    return done.returncode != 0
