"""What an implementation declares: reviewed, probed, and never taken for more than it is."""

import json
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml
from timeless import timeless

from mqconform.harness.cli import run_command
from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutDescription, IutFault
from mqconform.harness.iut.protocol import check_result
from mqconform.harness.iut.roles import CAPABILITIES, CLOCKS, ROLES
from mqconform.harness.run import declaration
from mqconform.harness.run.declaration import declaration_of, review
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index

REFERENCE = """
from mqconform.harness.iut.all_roles import ReferenceIut
class Iut(ReferenceIut):
    says = {}
    def call(self, method, params):
        answer = super().call(method, params) if not self.refuses(method) else self.refuse(method)
        return {**answer, **self.says} if method == "initialize" else answer
    def refuses(self, method):
        return False
    def refuse(self, method):
        raise NotImplementedError(method)
"""


@dataclass
class Done:
    code: int
    out: Path
    text: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in timeless((self.out / "results.ndjson").read_bytes()).splitlines()]

    @property
    def remarks(self) -> list[tuple[str, str]]:
        return [(one["kind"], one["subject"]) for one in self.records[0]["declaration"]["remarks"]]

    def feature(self, name: str) -> dict[str, Any]:
        return next(one for one in self.records[0]["declaration"]["features"] if one["name"] == name)


Run = Callable[..., Done]


@pytest.fixture
def target(module: Callable[[str], str]) -> Callable[[str], str]:
    """Write the class of an implementation and return its target."""
    return lambda body: f"api:{module(REFERENCE + textwrap.indent(body, '    '))}:Iut"


@pytest.fixture
def run(target: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``mqconform run`` on an implementation whose class has the given further body."""

    def ran(body: str, *options: str) -> Done:
        out = tmp_path / "out"
        code = run_command(["run", "--iut", target(body), "--out", str(out), *options])
        return Done(code, out, "".join(capsys.readouterr()))

    return ran


ROUTER_ONLY = "says = {'roles': ['router'], 'capabilities': []}"


def test_the_roles_of_each_capability_are_those_of_the_scenarios_that_need_it():
    needed: dict[str, set[str]] = {}
    for scenario in load_suite_index().scenarios:
        for name in scenario.needs:
            for one in CLOCKS if name == "clock" else (name,):
                needed.setdefault(one, set()).update(scenario.roles)
    assert needed == {name: set(roles) for name, roles in CAPABILITIES.items()}
    assert {role for one in load_catalogue().values() for role in one.roles} <= {*ROLES, "enterprise"}


CONTRADICTIONS = [
    (
        {"roles": set(), "capabilities": set()},
        "roles",
        "nothing can be judged; declare one of router",
    ),
    ({"capabilities": {"ipx"}}, "ipx", "declared without its role; declare discovery_server as well"),
    (
        {"roles": {"discovery_client"}, "capabilities": set()},
        "discovery_client",
        "no clock is declared",
    ),
    ({"roles": {"discovery_client"}, "capabilities": set(CLOCKS)}, "real-clock", "only the clock of the timers"),
    ({"declined": {"MQBR-3.1.3.1-06"}}, "MQBR-3.1.3.1-06", "is never judged; remove it"),
    ({"declined": {"MQSD-2.2.3-11"}}, "MQSD-2.2.3-11", "binds discovery_server alone"),
]
UNKNOWN = [
    ({"roles": {"wizard"}}, "'wizard'", "is not a role of this protocol version; known are router"),
    ({"capabilities": {"virtual_clock"}}, "'virtual_clock'", "known are virtual-clock"),
    ({"specs": {"MQBR": "13.0"}}, "MQBR", "revision '13.0' is declared, the catalogue is of 18.0"),
    ({"specs": {"MQXX": "1"}}, "'MQXX'", "is an unknown specification"),
    ({"declined": {"MQBR-3.1.3.1-99"}}, "'MQBR-3.1.3.1-99'", "meant may be MQBR-3.1.3.1-"),
]
DECLINED = [
    ({"declined": {"MQBR-3.1.3.1-12"}}, "MQBR-3.1.3.1-12", "has level must: declined, it is unsupported"),
    ({"declined": {"MQBR-3.1.2-01"}}, "MQBR-3.1.2-01", "reported as unsupported; its level is should"),
]


def test_the_review_names_what_cannot_be_with_its_remedy(subtests: pytest.Subtests):
    for kind, rows in (("contradiction", CONTRADICTIONS), ("unknown", UNKNOWN), ("declined", DECLINED)):
        for said, subject, told in rows:
            with subtests.test(told=told):
                plain = {"roles": {"router"}, "capabilities": {"virtual-clock"}, "specs": {}, "declined": set()}
                sets: Any = {
                    key: frozenset(one) if isinstance(one, set) else one for key, one in (plain | said).items()
                }
                remarks = review(IutDescription("mine", "1", **sets), load_catalogue())
                (remark,) = (one for one in remarks if one.kind == kind)
                assert subject in remark.subject
                assert told in remark.text


def test_a_declaration_without_a_fault_leads_to_no_remark():
    iut = connect("ref:", AdapterOptions())
    declaration = declaration_of(iut)
    iut.close()
    assert declaration.remarks == ()
    assert {one.name for one in declaration.features if one.kind == "role" and one.probe == "answers"} == set(ROLES)


def test_what_answers_without_being_declared_is_reported_and_harms_nothing(run: Run):
    plain = run(ROUTER_ONLY, "--req", "MQBR-3.1.5.5", "--no-probe").records
    done = run(ROUTER_ONLY, "--req", "MQBR-3.1.5.5")
    assert done.code == 0
    assert {("undeclared", "procedures"), ("undeclared", "discovery_server")} <= set(done.remarks)
    assert done.feature("procedures") | {"requirements": 0} == {
        "kind": "capability", "name": "procedures", "declared": False, "probe": "answers", "requirements": 0,
    }  # fmt: skip
    assert "undeclared: procedures answers as router although it is not declared; declare it" in done.text
    header, *rest = done.records
    assert "declaration" not in plain[0]
    assert rest == plain[1:]
    assert {key: value for key, value in header.items() if key != "declaration"} == plain[0]


def test_what_is_declared_and_refused_is_a_contradiction(run: Run):
    body = "def refuses(self, method):\n    return method in ('router.is_site_gate', 'ordered_sender.transmit')"
    done = run(body, "--req", "MQBR-3.1.5.5")
    assert done.remarks == [("contradiction", "procedures"), ("contradiction", "ordered_sender")]
    assert done.feature("procedures")["probe"] == "refused"
    refusal = "procedures is declared as router, but router.is_site_gate is refused with -32601; without it, its"
    assert f"contradiction: {refusal}" in done.text


def test_who_lives_by_the_real_clock_is_not_said_to_hide_a_virtual_one(target: Callable[[str], str]):
    iut = connect(target("says = {'roles': ['discovery_client'], 'capabilities': ['real-clock']}"), AdapterOptions())
    declaration = declaration_of(iut)
    iut.close()
    assert not [one for one in declaration.remarks if "clock" in one.subject]
    assert {one.name: one.probe.value for one in declaration.features}["real-clock"] == "answers"


def test_who_answers_to_anything_is_not_probed_further(run: Run):
    body = f"""{ROUTER_ONLY}
def call(self, method, params):
    return {{}} if "no_such" in method else super().call(method, params)"""
    done = run(body, "--req", "MQBR-3.1.5.5")
    assert done.remarks == [("probe", "unknown method")]
    assert {one["probe"] for one in done.records[0]["declaration"]["features"]} == {"not-probed"}


def test_a_probe_that_is_taken_ill_is_told_and_the_run_goes_on(run: Run):
    body = f"""{ROUTER_ONLY}
def refuses(self, method):
    return method == "router.is_site_gate"
def refuse(self, method):
    raise ValueError('\\x1b[31mno')"""
    done = run(body, "--req", "MQBR-3.1.5.5")
    assert done.code == 0
    assert ("probe", "router.is_site_gate") in done.remarks
    assert "probe: router.is_site_gate exception: " in done.text
    assert "\x1b" not in done.text
    assert done.feature("procedures")["probe"] == "broken"


def test_a_program_that_a_probe_ends_is_started_anew_for_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    program = tmp_path / "frail.py"
    program.write_text(
        "import os\nfrom mqconform.harness.cli import main\n"
        "from mqconform.harness.iut.all_roles import ReferenceIut\n"
        "right = ReferenceIut.call\n"
        "def call(self, method, params):\n"
        "    if method == 'initialize':\n"
        "        return {**right(self, method, params), 'roles': ['router'], 'capabilities': []}\n"
        "    if method == 'router.is_site_gate':\n"
        "        os._exit(9)\n"
        "    return right(self, method, params)\n"
        "ReferenceIut.call = call\n"
        "main(['serve', 'stdio'])\n"
    )
    asked = ["run", "--iut", f"stdio:{sys.executable} {program}", "--deadline", "30", "--req", "MQBR-3.1.5.5"]
    code = run_command([*asked, "--out", str(tmp_path / "out")])
    done = Done(code, tmp_path / "out", "".join(capsys.readouterr()))
    assert code == 0, done.text
    assert done.feature("procedures")["probe"] == "broken"
    assert "; nothing was probed after it" in done.text
    assert not any(one.get("crashed") for one in done.records)


def test_what_the_harness_does_not_see_is_told_from_what_is_not_offered(run: Run):
    done = run(
        "says = {'roles': ['queue_manager'], 'capabilities': ['restart', 'virtual-clock', 'transactions']}",
        "--req", "MQSO-6.7", "--report", "github-summary",
    )  # fmt: skip
    counted = done.records[-1]["requirements"]
    unseen = sum(one.get("judged") == "unseen" for one in done.records)
    assert unseen == counted["unsupported"] > 0
    assert f"requirements: {unseen} not seen by this harness, " in done.text
    assert "were not judged" not in done.text, "the implementation lacks nothing"
    assert f"{unseen} not seen by this harness" in (done.out / "summary.md").read_text("utf-8")


def test_one_that_declares_little_never_looks_like_one_that_conforms(run: Run, tmp_path: Path):
    reports = ("--report", "junit", "--report", "github-summary")
    done = run(ROUTER_ONLY, "--req", "MQBR-3.1.5.6", "--req", "MQBR-3.1.5.9", *reports)
    assert done.code == 0
    footer = done.records[-1]
    unsupported = footer["requirements"]["unsupported"]
    assert unsupported > 0
    told = f"{unsupported} requirements of its roles were not judged ({unsupported} "
    partial = f"PARTIAL: {footer['requirements']['verified']} of {footer['selected_from']} requirements"
    assert footer["selected_from"] > 100  # all that bind a router, and not what was asked for
    assert f"{partial} as router" in done.text
    named = {case.name: case for suite in JUnitXml.fromfile(str(done.out / "junit.xml")) for case in suite}
    assert [one.message.startswith(told) for one in named["scope"].result] == [True]
    summary = (done.out / "summary.md").read_text()
    assert summary.startswith(f"## mqconform: mqconform reference 1: {partial} (router)\n")
    assert run_command(["report", str(done.out), "--out", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert partial in page
    assert told in page
    assert "<td>capability procedures</td><td>no</td><td>answers</td>" in page


def test_one_that_declines_everything_is_asked_is_not_judged_at_all(run: Run):
    names = [one for one in load_catalogue() if one.startswith(("MQBR-3.1.5.5", "MQBR-3.1.5.9"))]
    done = run(f"says = {{'roles': ['router'], 'capabilities': [], 'declined': {names}}}", "--req", "MQBR-3.1.5.5")
    assert done.code == 5
    assert "NOT ALL WAS JUDGED" in done.text
    assert "declined: MQBR-3.1.5.5-B01 has level must" in done.text


NAMES = [f"MQSD-9.9-{number:06d}" for number in range(3_000)]
ANSWER = {"protocol": 1, "name": "x", "version": "1", "roles": ["router"], "capabilities": []}


@pytest.mark.parametrize("field", ["roles", "capabilities", "specs", "declined"])
def test_a_declaration_has_a_largest_size(field: str):
    with pytest.raises(IutFault, match=r"expected .* at most \d+"):
        check_result("initialize", ANSWER | {field: dict.fromkeys(NAMES, "1") if field == "specs" else NAMES})


def test_suggestions_are_sought_for_what_is_shown_alone(monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr(declaration, "get_close_matches", lambda name, *_, **__: asked.append(name) or [])
    description = IutDescription("x", "1", roles=frozenset({"router"}), declined=frozenset(NAMES[:2_000]))
    remarks = list(declaration.review(description, load_catalogue()))
    assert len([remark for remark in remarks if remark.kind == "unknown"]) == declaration.MOST_REMARKS
    assert len(asked) == declaration.MOST_REMARKS
