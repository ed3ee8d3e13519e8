"""The mutation score is read from what the mutants command writes, and from nothing else."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra spark is not installed")

from mqconform.reports.pipeline.history.stored_run import stored_score
from mqconform.reports.pipeline.problems import UnusableInput


def kill_matrix() -> dict[str, Any]:
    """What the farm writes: one mutant convicted, one not, and one that conforms."""
    plain = {"role": "router", "says": "", "breaks": [], "ended": "run", "exit_code": 0, "undecided": []}
    mutants = {
        "m": plain | {"kind": "faulty", "killed_by": {"MQBR-3.1.5.1-B05": ["a/b/c"]}},
        "n": plain | {"kind": "faulty", "killed_by": {}},
        "o": plain | {"kind": "conforming", "killed_by": {}},
    }
    lists: dict[str, Any] = {"complete_roles": [], "requirements": {}, "complaints": []}
    return {"schema": 1, "harness": "mqconform 0.1.0", "whole": True, "mutants": mutants} | lists


def test_the_kill_matrix_of_the_mutants_command_is_read(tmp_path: Path):
    path = tmp_path / "kill-matrix.json"
    path.write_text(json.dumps(kill_matrix()))
    row = stored_score(path, datetime(2026, 5, 5, tzinfo=UTC))
    assert (row["measure"], row["killed"], row["mutants"]) == ("kill matrix", 1, 2)
    with pytest.raises(UnusableInput, match="give --at TIME"):
        stored_score(path)
    assert stored_score(path, datetime(2026, 5, 5, tzinfo=UTC))["survivors"] == ["n"]
    for wrong in ("[]", "{", '{"mutants": []}', '{"not_killed": 3}', "[" * 100_000):
        path.write_text(wrong)
        with pytest.raises(UnusableInput, match=r"kill-matrix\.json"):
            stored_score(path, datetime(2026, 5, 5, tzinfo=UTC))
