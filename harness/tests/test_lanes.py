"""The lanes of the gate: a stage that did not run, did not end or failed is never green."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[2] / ".ci"
GATE = {"tests", "types", "lint", "imports", "docs", "mutants"}
GATE |= {f"conformance-{carrier}" for carrier in ("ref", "stdio", "udp")}
LONG = {"tests-long", "browser", "hostile", "samples", "brokers", "docker", "samba", "cluster", "real-clock", "fuzz"}
LONG |= {"source-mutants", "shuffled", "sampled", "configurations", "kill-matrix", "must"}
LONG |= {"package", "newest", "lowest"}
"""What the lanes have to try: a stage that is taken out of lanes.toml fails here."""


@pytest.fixture
def lanes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The runner of lanes, with stages of this file's own."""
    specification = importlib.util.spec_from_file_location("lanes", CI / "lanes.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    stages = tmp_path / "lanes.toml"
    stages.write_text(
        """
        [lanes]
        green = [["passes"], ["passes", "passes"]]
        red = [["fails"], ["passes"]]
        nothing = [["nothing-collected"]]
        signal = [["ends-itself", "passes"]]
        child = [["child-ends"]]
        hang = [["hangs"]]
        missing = [["passes"], ["missing"]]
        tool = [["no-tool"]]
        worst = [["fails", "hangs"]]
        [stage]
        passes = { command = "true", limit = 60 }
        fails = { command = "echo reason; exit 3", limit = 60 }
        nothing-collected = { command = "exit 5", limit = 60 }
        ends-itself = { command = "kill -KILL $$", limit = 60 }
        child-ends = { command = "bash -c 'kill -KILL $$'", limit = 60 }
        hangs = { command = "sleep 1000", limit = 0 }
        no-tool = { command = "true", limit = 60, needs = { no-such-program = "no-such-package" } }
        """,
        "utf-8",
    )
    monkeypatch.setattr(module, "STAGES", stages)
    return module


@pytest.mark.parametrize(
    ("lane", "code", "line"),
    [
        ("green", 0, "green: green, exit code 0"),
        ("red", 1, "fails   failed           0  exit code 3"),
        ("nothing", 5, "exit code 5: nothing was tried, or not all"),
        ("signal", 5, "ends-itself  not ended        0  killed by signal 9"),
        ("child", 5, "killed by signal 9"),
        ("hang", 5, "still running after 0 s"),
        ("missing", 5, "lanes.toml has no such stage"),
        ("tool", 5, "needs no-such-program (Debian: no-such-package)"),
        ("worst", 5, "fails  failed"),
    ],
)
def test_a_lane_is_green_only_if_every_stage_ran_and_passed(
    lanes: ModuleType, capsys: pytest.CaptureFixture[str], lane: str, code: int, line: str
) -> None:
    assert lanes.main([lane]) == code
    assert line in capsys.readouterr().out


def test_a_part_is_run_by_its_name(lanes: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert lanes.main(["red", "passes"]) == 0
    assert "fails" not in capsys.readouterr().out


def test_an_unknown_part_is_refused(lanes: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert lanes.main(["red", "nonsense"]) == 4
    assert "no part nonsense" in capsys.readouterr().err


def test_nothing_is_missing_from_the_lanes() -> None:
    document = tomllib.loads((CI / "lanes.toml").read_text("utf-8"))
    names = {lane: {name for group in groups for name in group} for lane, groups in document["lanes"].items()}
    assert names == {"gate": GATE, "long": LONG}
    assert set(document["stage"]) == GATE | LONG
