"""Nothing that should have been judged goes missing unseen.

Zero tests, a selector that matches nothing, a missing shard, a skip, coverage below last time, and a run cut short.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.case import Case
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run.gate.losses import Coverage, losses

SECTION = "MQSD-3.2.5"
SERVER_ONLY = """
    from mqconform.harness.iut.all_roles import ReferenceIut

    class Server(ReferenceIut):
        def description(self):
            return super().description() | {"roles": ["discovery_server"]}

    class Declining(Server):
        def description(self):
            kept = [one for one in super().description()["capabilities"] if one not in ("send-faults", "ipx")]
            return super().description() | {"capabilities": kept}

    class Refusing(Server):
        def description(self):
            return super().description() | {"capabilities": [], "declined": ["MQSD-3.2.5-01"]}
"""


@pytest.fixture
def servers(module: Callable[[str], str]) -> str:
    return f"api:{module(SERVER_ONLY)}"


def run(out: Path, *options: str) -> int:
    return run_command(["run", "--out", str(out), *options])


def footer(out: Path) -> dict[str, Any]:
    return read_results(out)[-1]


def test_an_unmatched_selector_beside_one_that_matches(tmp_path: Path, servers: str):
    """The router's requirements judge nothing of a server, and the run is not green by the server's alone."""
    asked = ["--iut", f"{servers}:Server", "--req", f"{SECTION}-01", "--req", "MQBR-3.1.5.2"]
    assert run(tmp_path / "out", *asked) == 5
    assert footer(tmp_path / "out")["lost"] == ["--req MQBR-3.1.5.2: no assertion was made for it"]


def test_coverage_below_last_time(tmp_path: Path, servers: str, capsys: pytest.CaptureFixture[str]):
    """An implementation that declares less than it did is judged by less: green by itself, but not beside last time."""
    assert run(tmp_path / "then", "--iut", f"{servers}:Server", "--req", SECTION) == 0
    again = ["--iut", f"{servers}:Declining", "--req", SECTION]
    assert run(tmp_path / "now", *again) == 0
    assert run(tmp_path / "now", *again, "--coverage-of", str(tmp_path / "then")) == 5
    lost = footer(tmp_path / "now")["lost"]
    assert any(line.startswith("MQSD-3.2.5-03 was judged") for line in lost)
    assert "NOT ALL WAS JUDGED" in capsys.readouterr().out


def made(name: str, *requirements: str, text: str) -> Case:
    case = Case(name, "mqsd/f", "s", "", requirements, text=text)
    case.witnesses = [Witness(name, one, "Then", Judgement(Verdict.PASS, "", "")) for one in requirements]
    return case


@pytest.fixture
def earlier() -> Coverage:
    """What a run judged in two cases, the second with two requirements."""
    assertions = {"mqsd/f/a": frozenset({"MQSD-1-01"}), "mqsd/f/b": frozenset({"MQSD-1-01", "MQSD-1-02"})}
    return Coverage(Path("then"), assertions, {"mqsd/f/a": "1", "mqsd/f/b": "2"})


def test_what_is_lost_is_named_once_and_a_renamed_case_is_not_lost(subtests: pytest.Subtests, earlier: Coverage):
    for cases, lost in [
        ([made("mqsd/f/a", "MQSD-1-01", text="1"), made("mqsd/f/b", "MQSD-1-01", "MQSD-1-02", text="2")], []),
        ([made("mqsd/f/x", "MQSD-1-01", text="1"), made("mqsd/f/b", "MQSD-1-01", "MQSD-1-02", text="9")], []),
        ([made("mqsd/f/b", "MQSD-1-01", "MQSD-1-02", text="2")], ["mqsd/f/a made an assertion on MQSD-1-01"]),
        (
            [made("mqsd/f/a", "MQSD-1-01", text="1")],
            ["MQSD-1-02 was judged", "mqsd/f/b made an assertion on MQSD-1-01"],
        ),
        ([], ["MQSD-1-01 was judged", "MQSD-1-02 was judged"]),
    ]:
        with subtests.test(cases=cases):
            found = list(losses(earlier, cases))
            assert [line.partition(" in ")[0].partition(" was judged")[0] for line in found] == [
                line.partition(" was judged")[0] for line in lost
            ]
