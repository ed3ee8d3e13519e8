"""``mqconform next-hops``: the allowed next hops with branch, cost and paths, as text and as stable JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, validator

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"
SECOND = str(EXAMPLES / "section_4_second_costs.yaml")
HUB = str(EXAMPLES / "hub_and_spoke.yaml")
FAULTY = str(EXAMPLES / "faulty.json")
NOBODY = "00000000-0000-0000-0000-000000000000"


def run(
    capsys: pytest.CaptureFixture[str], file: str, source: str, destination: str, *more: str
) -> tuple[int, str, str]:
    code = run_command(["next-hops", "--directory", file, "--from", source, "--to", destination, *more])
    said = capsys.readouterr()
    return code, said.out, said.err


def record(capsys: pytest.CaptureFixture[str], file: str, source: str, destination: str, *more: str) -> dict[str, Any]:
    code, out, _ = run(capsys, file, source, destination, "--json", *more)
    assert code == 0
    told: dict[str, Any] = json.loads(out)
    judge = validator("next_hops")
    assert judge is not None
    assert complaint(judge, told, "answer") == ""
    return told


def written(folder: Path, **more: Any) -> str:
    document = {"enterprise": {"name": "E"}, "sites": [], "routing_links": [], "queue_managers": []} | more
    path = folder / "e.json"
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


def names(machines: list[dict[str, str]]) -> list[str]:
    return [one["name"] for one in machines]


def test_the_text_tells_hops_branch_cost_and_paths(capsys: pytest.CaptureFixture[str]):
    code, out, err = run(capsys, SECOND, "client-a", "client-c")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "From client-a (site A) to client-c (site C)",
        "",
        "Next hops, each answer allowed:",
        "  GetNextHops (3.1.5.1): no common site: a routing server [MQBR-3.1.5.1-B06 MQBR-3.1.5.1-B10]",
        "    gate-a  (by the text)",
        "",
        "Paths, at cost 5:",
        "  client-a -> gate-a -> gate-b -> gate-d -> gate-c -> client-c",
        "    sites A -> B -> D -> C; cost 5",
    ]


def test_ties_and_choices_are_all_told(capsys: pytest.CaptureFixture[str]):
    told = record(capsys, HUB, "OSL-GW", "HAM-STOCK")
    assert {tuple(names(one["next_hops"])) for one in told["outcomes"]} == {("GOT-GW",), ("HAM-GW1",), ("HAM-GW2",)}
    assert {one["branch"]["section"] for one in told["outcomes"]} == {"3.1.5.3"}
    assert {one["cost"] for one in told["paths"]} == {told["cost"]} == {20}
    assert len(told["paths"]) == 4
    assert told["all_paths"]


def test_an_explanation_tells_every_step_and_what_readings_mean(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, HUB, "OSL-GW", "HAM-STOCK", "--explain")
    assert "    HAM-GW1  (by the text: BR-28/any-member, BR-39/any-least-cost-path)" in out.splitlines()
    assert "BR-39/any-least-cost-path: the next site lies on some least-cost path" in out
    assert "1. GetNextHops (3.1.5.1): the source is a routing server" in out
    assert "GetSiteGateForSite (3.1.5.7): one of the gates of the site [MQBR-3.1.5.7-B01 MQBR-3.1.5.7-B03]" in out


@pytest.mark.parametrize(
    ("source", "destination", "section", "requirement"),
    [("W-GW", "S-GW", "3.1.5.3", "MQBR-3.1.5.3-B09"), ("W-GW", NOBODY, "3.1.5.1", "MQBR-3.1.5.1-B01")],
)
def test_no_route_is_an_answer_with_its_branch(
    source: str, destination: str, section: str, requirement: str, capsys: pytest.CaptureFixture[str]
):
    told = record(capsys, FAULTY, source, destination)
    assert (told["answer"], told["cost"]) == ("no-route", None)
    branch = told["outcomes"][0]["branch"]
    assert branch["section"] == section
    assert requirement in branch["requirements"]
    code, out, _ = run(capsys, FAULTY, source, destination)
    assert code == 0
    assert "No route:" in out.splitlines()
    assert "no next hop" in out


def test_a_cost_that_only_one_oracle_could_add_up_is_an_error_of_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    machines = [{"name": name, "sites": [f"S{name}"], "routing_server": True} for name in "AB"]
    sites = [{"name": f"S{name}", "site_gates": [name]} for name in "AB"]
    link = {"site1": "SA", "site2": "SB"}

    def asked(cost: int) -> tuple[int, str]:
        file = written(tmp_path, sites=sites, routing_links=[link | {"cost": cost}], queue_managers=machines)
        code, _, err = run(capsys, file, "A", "B", "--second-opinion")
        return code, err

    assert asked(2**31 - 1) == (0, "")
    code, err = asked(10**39)
    assert code == 4
    assert "routing_links[0].cost: is 1000" in err


def test_hostile_names_do_nothing_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    machine = {"name": "\x1b[2Jq", "sites": ["\u202eS"], "routing_server": True}
    file = written(tmp_path, sites=[{"name": "\u202eS", "site_gates": ["\x1b[2Jq"]}], queue_managers=[machine])
    for more in ([], ["--json"], ["--explain"]):
        _, out, _ = run(capsys, file, "\x1b[2Jq", "\x1b[2Jq", *more)
        assert out.replace("\n", "").isprintable()


def test_an_identifier_of_two_machines_is_said_to_be_ambiguous(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shared = "11111111-1111-4111-8111-111111111111"
    machines = [{"id": shared, "name": name, "sites": ["S"]} for name in ("one", "two")]
    file = written(tmp_path, sites=[{"name": "S"}], queue_managers=[*machines, {"name": "three", "sites": ["S"]}])
    assert record(capsys, file, "three", "two")["destination"]["name"] == "one or two"
    said = run(capsys, file, "three", "two")[1]
    assert f"to one or two (site S, ambiguous: 2 queue managers have the identifier {shared})" in said


def test_the_cause_is_named_first_at_the_machine_where_the_message_stops(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Two sites, and gates of the second that are there, missing, deleted, or of the same identifier as another."""
    gates = [{"name": f"gate-{site}", "sites": [site], "routing_server": True} for site in "ns"]
    desks = [{"name": f"desk-{site}", "sites": [site]} for site in "ns"]
    link = {"site1": "n", "site2": "s", "cost": 5}
    sites = [{"name": "n", "site_gates": ["gate-n"]}, {"name": "s"}]
    file = written(tmp_path, sites=sites, routing_links=[link], queue_managers=[*gates, *desks])
    first, *_ = run(capsys, file, "desk-n", "desk-s")[1].splitlines()
    assert first == ("Cause, at gate-n: site s: site_gates is empty; with several sites, each has a gate (1.5) [BR-69]")
    assert record(capsys, file, "desk-n", "desk-s")["cause"]["machine"] == "gate-n"
    sites[1]["site_gates"] = ["gate-s"]
    file = written(tmp_path, sites=sites, queue_managers=[*gates, *desks])
    assert "Cause, at gate-n: site s: cannot be reached" in run(capsys, file, "desk-n", "desk-s")[1]
    file = written(tmp_path, sites=sites, routing_links=[link], queue_managers=[*gates, *desks])
    assert "Cause" not in run(capsys, file, "desk-n", "desk-s")[1]
    assert "Cause, at desk-n: the directory has no queue manager" in run(capsys, file, "desk-n", NOBODY)[1]


def test_what_an_import_finds_is_the_cause_of_what_a_check_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    export = (EXAMPLES.parent / "directories" / "contoso.ldf").read_text("utf-8")
    gone = "CN=msmq\\0ADEL:5a0eb81e,CN=Deleted Objects,DC=contoso,DC=test"
    file = tmp_path / "gone.ldf"
    file.write_text(export.replace("CN=msmq,CN=gate-l,CN=Computers,DC=contoso,DC=test\nmSMQ", f"{gone}\nmSMQ"), "utf-8")
    lines = run(capsys, f"ldif:{file}", "gate-o", "gate-l")[1].splitlines()
    assert lines[0].startswith("Cause, at gate-rome: ")
    assert f"names the gate {gone}, which is deleted; the gate is left out [DIR-06]" in lines[0]
    assert "and site Lima: site_gates is empty" in lines[1]
