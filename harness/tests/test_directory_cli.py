"""``mqconform directory``: exit codes, streams, and what the commands say."""

import json
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.tools.enterprise.file import read_enterprise

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"
FIRST = str(EXAMPLES / "section_4_first_costs.yaml")
HUB = str(EXAMPLES / "hub_and_spoke.yaml")
FAULTY = str(EXAMPLES / "faulty.json")

ERRORS = [
    "sites[5].id",
    "sites[0].site_gates[1]",
    "sites[0].site_gates[2]",
    "sites[2].site_gates",
    "routing_links[3].cost",
    "routing_links[4].site2",
    "routing_links[5].cost",
    "queue_managers[4].out_routing_servers[0]",
    "queue_managers[8].sites[0]",
]
WARNINGS = [
    "queue_managers[1].in_routing_servers",
    "routing_links[2]",
    "routing_links[1]",
    "sites[3]",
    "queue_managers[7].sites",
    "queue_managers[3].in_routing_servers[0]",
    "queue_managers[3].in_routing_servers[1]",
]
"""What is wrong in the faulty example: a part of each kind of finding."""
FINDINGS = dict.fromkeys(ERRORS, "error") | dict.fromkeys(WARNINGS, "warning")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run_command(["directory", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_sound_enterprise_passes_and_warnings_do_unless_strict(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, "check", FIRST) == (0, f"{FIRST}: 0 errors, 0 warnings\n", "")
    code, out, _ = run(capsys, "check", HUB)
    assert (code, out.splitlines()[-1]) == (0, f"{HUB}: 0 errors, 1 warning")
    assert f"{HUB}:56: warning: queue_managers[26]: " in out
    assert run(capsys, "check", "--strict", HUB)[0] == 1


def test_every_fault_is_found_with_its_line(capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, "check", FAULTY, "--json")
    report = json.loads(out)
    assert code == 1
    assert FINDINGS.items() <= {one["path"]: one["severity"] for one in report["findings"]}.items()
    assert report["errors"] == len(ERRORS)
    lines = Path(FAULTY).read_text("utf-8").splitlines()
    found = {one["path"]: lines[one["line"] - 1] for one in report["findings"]}
    assert "1000000" in found["routing_links[3].cost"]
    assert "E-DESK" in found["queue_managers[4].out_routing_servers[0]"]
    assert '"Copy"' in found["sites[5].id"]


def test_an_unreadable_file_is_an_error_of_use_and_a_report_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "bad.json"
    path.write_text('{"enterprise": {"name": "E"},\n"sites": [}', "utf-8")
    code, out, err = run(capsys, "check", str(path))
    assert (code, out) == (4, "")
    assert err.startswith(f"mqconform: {path}:2: sites[0]: is not valid JSON")
    code, out, _ = run(capsys, "check", "--json", str(path))
    report = json.loads(out)
    assert code == 4
    assert (report["readable"], report["errors"]) == (False, 1)
    assert (report["findings"][0]["path"], report["findings"][0]["line"]) == ("sites[0]", 2)


def test_a_size_limit_can_be_raised_and_lowered(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    large = tmp_path / "large.yaml"
    large.write_text(Path(FIRST).read_text("utf-8") + "#" * 1_100_000, "utf-8")
    code, _, err = run(capsys, "check", str(large), "--max-size", "1")
    assert code == 4
    assert "is larger than 1048576 octets; if it is an enterprise, permit more by --max-size" in err
    assert run(capsys, "check", str(large), "--max-size", "2")[0] == 0


def test_conversion_writes_to_standard_output_or_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, out, _ = run(capsys, "convert", HUB, "--to", "json")
    target = tmp_path / "hub.json"
    assert (code, run(capsys, "convert", HUB, "--to", "json", "--out", str(target))) == (
        0,
        (0, "", f"written to {target}\n"),
    )
    assert target.read_text("utf-8") == out
    assert read_enterprise(str(target)).directory == read_enterprise(HUB).directory


def test_names_and_guids_are_exchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    ids, names = tmp_path / "ids.json", tmp_path / "names.yaml"
    assert run(capsys, "convert", FIRST, "--to", "json", "--names-to-ids", "--out", str(ids))[0] == 0
    assert ids.read_text("utf-8") == (EXAMPLES / "section_4_first_costs_with_ids.json").read_text("utf-8")
    assert run(capsys, "convert", str(ids), "--to", "yaml", "--ids-to-names", "--out", str(names))[0] == 0
    assert "- name: gate-a\n  sites: [A]\n" in names.read_text("utf-8")
    assert "site1: A, site2: B, cost: 3}" in names.read_text("utf-8")
    assert read_enterprise(str(names)).directory == read_enterprise(FIRST).directory


def test_the_ending_of_a_file_says_what_a_drawing_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    ends = ["--from", "CLIENT-A", "--to", "client-c"]
    for name, begins in (("e.dot", "digraph"), ("e.mmd", "flowchart")):
        target = tmp_path / name
        assert run(capsys, "draw", FIRST, *ends, "--out", str(target)) == (0, "", f"written to {target}\n")
        assert target.read_text("utf-8").startswith(begins)
    assert run(capsys, "draw", FIRST)[1].startswith("digraph")
    assert run(capsys, "draw", FIRST, "--format", "mermaid")[1].startswith("flowchart")


def test_a_drawing_is_not_written_under_the_name_of_another_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, _, err = run(capsys, "draw", FIRST, "--out", str(tmp_path / "e.pdf"))
    assert (code, [*tmp_path.iterdir()]) == (4, [])
    assert "e.pdf: no picture is known by this ending; use .dot, .mmd or .svg" in err
