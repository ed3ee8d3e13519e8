"""``directory import --since`` and ``directory what-if``: what changed, and what that does to routes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, validator

EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: str) -> tuple[int, str, str]:
        code = run_command([*arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def changed(folder: Path, *replacements: tuple[str, str]) -> str:
    text = EXPORT.read_text("utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    file = folder / "changed.ldf"
    file.write_text(text, "utf-8")
    return f"ldif:{file}"


@pytest.fixture
def snapshot(run: Run, tmp_path: Path) -> str:
    file = tmp_path / "before.json"
    assert run("directory", "import", f"ldif:{EXPORT}", "--snapshot", str(file))[0] == 0
    return str(file)


def test_nothing_changes_by_itself(run: Run, snapshot: str):
    code, said, _ = run("directory", "import", f"ldif:{EXPORT}", "--since", snapshot)
    assert (code, said.splitlines()[0]) == (0, "nothing changed")


def test_changes_are_told_in_words(run: Run, snapshot: str, tmp_path: Path):
    source = changed(
        tmp_path,
        ("mSMQCost: 5", "mSMQCost: 50"),
        ("dNSHostName: both.contoso.test", "dNSHostName: two.contoso.test"),
        ("mSMQServices: 1", "mSMQServices: 2"),
    )
    code, said, _ = run("directory", "import", source, "--since", snapshot)
    assert code == 0
    assert "routing link Rome - Kyiv: cost 5 -> 50" in said
    assert "dNSHostName both.contoso.test -> two.contoso.test" in said
    assert "mSMQServices 1 -> 2" in said


def test_changes_are_told_in_json(run: Run, snapshot: str, tmp_path: Path):
    source = changed(tmp_path, ("mSMQSiteForeign: TRUE", "mSMQSiteForeign: FALSE"))
    _, said, _ = run("directory", "import", source, "--since", snapshot, "--json")
    only = json.loads(said)["changes"]
    assert [(one["what"], one["name"], one["fields"]) for one in only] == [
        ("site", "Lima", [{"field": "foreign_site", "before": True, "after": None}])
    ]


def test_objects_that_come_and_go_are_told(run: Run, snapshot: str, tmp_path: Path):
    records = EXPORT.read_text("utf-8").split("\n\n")
    kept = [one for one in records if "CN=msmq,CN=both" not in one.split("\n", 1)[0]]
    file = tmp_path / "less.ldf"
    file.write_text("\n\n".join(kept), "utf-8")
    _, said, _ = run("directory", "import", f"ldif:{file}", "--since", snapshot)
    assert said.splitlines()[0] == "queue manager both: removed"
    after = tmp_path / "after.json"
    run("directory", "import", f"ldif:{file}", "--snapshot", str(after))
    _, said, _ = run("directory", "import", f"ldif:{EXPORT}", "--since", str(after))
    assert said.splitlines()[0] == "queue manager both: added"


def test_a_snapshot_that_is_none_is_told(run: Run, snapshot: str, tmp_path: Path):
    document = json.loads(Path(snapshot).read_text("ascii"))
    del document["objects"][0]["dn"]
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(document), "ascii")
    code, _, err = run("directory", "import", f"ldif:{EXPORT}", "--since", str(broken))
    assert code == 4
    assert f"{broken}: objects[0]" in err


def test_a_dearer_link_changes_costs_and_no_route(run: Run, snapshot: str, tmp_path: Path):
    source = changed(tmp_path, ("mSMQCost: 5", "mSMQCost: 50"))
    code, said, _ = run("directory", "what-if", snapshot, source)
    assert code == 0
    assert "routes of 20 pairs of sites: 6 other cost" in said
    assert "before  Rome [gate-rome] -> Kyiv [gate-k2] (cost 5)" in said
    assert "after   Rome [gate-rome] -> Kyiv [gate-k2] (cost 50)" in said


def test_a_link_that_goes_loses_routes_and_both_versions_are_drawn(run: Run, snapshot: str, tmp_path: Path):
    records = [one for one in EXPORT.read_text("utf-8").split("\n\n") if "mSMQCost: 3" not in one]
    file = tmp_path / "less.ldf"
    file.write_text("\n\n".join(records), "utf-8")
    arguments = ["directory", "what-if", snapshot, f"ldif:{file}", "--pictures", str(tmp_path / "pictures"), "--strict"]
    code, said, _ = run(*arguments, "--pairs", "2")
    assert code == 1
    assert "routing link Rome - Lima: removed" in said
    assert "6 lost" in said
    assert said.count("no route") == 2
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert [one.name for one in pictures] == ["001-after.svg", "001-before.svg", "002-after.svg", "002-before.svg"]
    assert "on an allowed path" in pictures[1].read_text("utf-8")


def test_the_report_fits_its_schema(run: Run, snapshot: str, tmp_path: Path):
    gates = "mSMQSiteGates: CN=msmq,CN=gate-k2,CN=Computers,DC=contoso,DC=test\n"
    code, said, _ = run("directory", "what-if", snapshot, changed(tmp_path, (gates, "")), "--json", "--pairs", "100")
    report, judge = json.loads(said), validator("what_if")
    assert (code, judge is not None and complaint(judge, report, "")) == (0, "")
    assert report["route_changes"]["no gate left"] == len(report["routes"]) == 6
    assert report["routes"][0]["after"]["sites"][-1]["gates"] == [] or report["routes"][0]["from"] == "Kyiv"


def test_equal_versions_change_nothing(run: Run, snapshot: str):
    code, said, _ = run("directory", "what-if", snapshot, snapshot, "--strict")
    assert (code, said.splitlines()[:2]) == (0, ["nothing changed", "routes of 20 pairs of sites: none changes"])


def test_what_cannot_be_read_is_told(run: Run, snapshot: str):
    code, _, err = run("directory", "what-if", snapshot, "missing.yaml")
    assert (code, "missing.yaml: cannot be read" in err) == (4, True)


PLANS = [
    ("dearer", "{link: [Rome, kyiv], cost: 50}", "routing link Rome - Kyiv: cost 5 -> 50", "6 other cost"),
    ("removed", "{link: [Lima, Rome], remove: true}", "routing link Rome - Lima: removed", "6 lost"),
    ("added", "{link: [Oslo, Lima], cost: 1}", "routing link Oslo - Lima: added", "6 rerouted"),
    ("gateless", "{site: Kyiv, gates: []}", "site Kyiv: site_gates gate-k2 -> none", "6 no gate left"),
    (
        "client",
        "{queue_manager: gate-k2, routing_server: false}",
        "queue manager gate-k2: routing_server True",
        "6 no gate left",
    ),
    ("moved", "{queue_manager: both, sites: [Lima]}", "queue manager both: sites", "none changes"),
    ("gate-gone", "{queue_manager: gate-k2, remove: true}", "queue manager gate-k2: removed", "6 no gate left"),
    ("gone", "{queue_manager: both, remove: true}", "queue manager both: removed", "none changes"),
]


@pytest.mark.parametrize(("step", "change", "routes"), [one[1:] for one in PLANS], ids=[one[0] for one in PLANS])
def test_steps_say_what_would_change(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    run: Run, snapshot: str, tmp_path: Path, step: str, change: str, routes: str
):
    plan = tmp_path / "plan.yaml"
    plan.write_text(f"changes:\n- {step}\n", "utf-8")
    code, said, err = run("directory", "what-if", snapshot, str(plan))
    assert (code, [line for line in err.splitlines() if not line.startswith(str(plan))]) == (0, [])
    assert change in said.splitlines()[0]
    assert routes in said


WRONG_PLANS = [
    ("changes: 3", "changes: has to be a list of steps"),
    ("changes: []\nother: 1", "changes: has to be a list of steps, and the only key"),
    ("changes: [3]", "changes[0]: is no step; write link with cost or remove"),
    ("changes: [{link: [Oslo, Rome]}]", "changes[0]: is no step"),
    ("changes: [{link: [Oslo, Rome], cost: 1, remove: true}]", "changes[0]: is no step"),
    ("changes: [{link: [Oslo, Rome], remove: false}]", "changes[0].remove: has to be true"),
    ("changes: [{link: [Oslo], cost: 1}]", "changes[0].link: has to name two sites, not 1"),
    ("changes: [{link: Oslo, cost: 1}]", "changes[0].link: has to be a list of names"),
    ("changes: [{link: [Oslo, Rome], cost: -1}]", "changes[0].cost: has to be a cost from 1 to 999999, not -1"),
    ("changes: [{link: [Oslo, Kyiv], remove: true}]", "changes[0].link: names two sites without a link"),
    ("changes: [{site: Nowhere, gates: []}]", "changes[0].site: no objects of kind site are called 'Nowhere'"),
    ("changes: [{site: Oslo, gates: [nobody]}]", "changes[0].gates: no objects of kind queue manager"),
    ("changes: [{queue_manager: both, routing_server: 1}]", "has to be true or false, not 1"),
]


@pytest.mark.parametrize(("text", "complaint_text"), WRONG_PLANS, ids=[one[0] for one in WRONG_PLANS])
def test_a_plan_that_cannot_be_understood_is_told(
    run: Run, snapshot: str, tmp_path: Path, text: str, complaint_text: str
):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text, "utf-8")
    code, _, err = run("directory", "what-if", snapshot, str(plan))
    assert code == 4
    assert f"{plan}:1: " in err
    assert complaint_text in err


def test_what_a_check_would_say_of_the_change_is_said(run: Run, snapshot: str, tmp_path: Path):
    (tmp_path / "change.yaml").write_text("changes: [{link: [Rome, Rome], cost: 2}]\n", "utf-8")
    _, _, before = run("directory", "what-if", snapshot, snapshot)
    code, _, err = run("directory", "what-if", snapshot, str(tmp_path / "change.yaml"))
    assert (code, before) == (0, "")
    assert "joins a site to itself, which has no effect" in err
