"""Implementations against each other: who is blamed for what, and what becomes of a saved disagreement."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.explore.inputs.role_inputs import INPUTS
from mqconform.harness.explore.votes import Kind
from mqconform.harness.records.schema_text import complaint, validator


@dataclass
class Done:
    code: int
    out: Path
    text: str
    records: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: Kind) -> list[dict[str, Any]]:
        return [one for one in self.records if one.get("kind") == kind.value]

    def role(self, name: str) -> dict[str, Any]:
        return next(one for one in self.records if one["record"] == "role" and one["role"] == name)


Triangulate = Callable[..., Done]


@pytest.fixture
def triangulate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Triangulate:
    """Run ``mqconform triangulate`` on implementations."""

    def run(*targets: str, options: tuple[str, ...] = (), inputs: int = 30) -> Done:
        out = tmp_path / "out"
        named = [part for target in targets for part in ("--iut", target)]
        code = run_command(["triangulate", *named, "--inputs", str(inputs), "--out", str(out), *options])
        text = "".join(capsys.readouterr())
        results = out / "triangulation.ndjson"
        lines = results.read_text("ascii").splitlines() if results.exists() else []
        return Done(code, out, text, [json.loads(line) for line in lines])

    return run


def replay(file: Path, *targets: str) -> int:
    named = [part for target in targets for part in ("--iut", target)]
    return run_command(["triangulate", "--replay", str(file), *named])


def test_the_reference_and_its_shuffled_variant_part_only_where_the_text_lets_them(triangulate: Triangulate):
    done = triangulate("ref:", "ref:shuffled?seed=1", inputs=12)
    assert done.code == 0, done.text
    assert {one["kind"] for one in done.records if "kind" in one} == {Kind.OPEN.value}
    assert {entry for one in done.of(Kind.OPEN) for entry in one["register"]} >= {"BR-23", "SD-26"}
    for role in INPUTS:
        counted = done.role(role)
        assert counted["took_part"] == ["A", "B"]
        assert counted["questions"] == counted["agreed"] + counted["kinds"]["open-choice"] > 0


def test_a_wrong_implementation_is_blamed_with_the_requirement(triangulate: Triangulate):
    mutant, role, requirement = "size-two-more", "discovery_server", "MQSD-2.2.3-11"
    done = triangulate("ref:", f"mutant:{mutant}", "ref:shuffled?seed=2", options=("--role", role))
    assert done.code == 1, done.text
    wrong = done.of(Kind.IUT)
    assert {one["role"] for one in wrong} == {role}
    assert {tuple(one["blamed"]) for one in wrong} == {("B",)}
    assert requirement in {one["requirements"][0] for one in wrong}
    assert f"LEAVES THE ALLOWED SET  B  {role}, " in done.text
    assert not done.of(Kind.REFERENCE_ALONE)


def test_the_smallest_input_is_small_and_replays_against_whoever_is_named(triangulate: Triangulate):
    done = triangulate("ref:", "mutant:hop-count-for-cost", options=("--role", "router"))
    (wrong,) = (one for one in done.of(Kind.IUT) if one["requirements"][0] == "MQBR-3.1.3.1-12")
    assert len(wrong["input"]["enterprise"]["sites"]) == 3
    assert len(wrong["input"]["questions"]) == 1
    file = done.out / "cases" / f"{wrong['id']}.json"
    assert f"mqconform triangulate --replay {file}" in done.text
    assert replay(file) == 1
    assert replay(file, "ref:", "ref:shuffled?seed=1") == 0


def test_implementations_that_leave_the_set_alike_make_a_question_to_the_specification(
    triangulate: Triangulate, capsys: pytest.CaptureFixture[str]
):
    done = triangulate("mutant:hop-count-for-cost", "mutant:hop-count-for-cost", options=("--role", "router"))
    assert done.code == 2
    assert "THE REFERENCE STANDS ALONE  router, MQBR-3.1.3.1-12, register BR-" in done.text
    assert not done.of(Kind.IUT)
    (alone, *_) = done.of(Kind.REFERENCE_ALONE)
    assert alone["blamed"] == ["A", "B"]
    assert replay(done.out / "cases" / f"{alone['id']}.json") == 2
    capsys.readouterr()
    case, alike = done.out / "cases" / f"{alone['id']}.json", ("mutant:hop-count-for-cost",) * 2
    assert replay(case, "ref:", *alike) == 2  # the reference is no company for the reference
    assert replay(case, "mutant:other-tie", *alike) == 1  # somebody else stands by it: it is they who are wrong


def test_every_line_and_every_case_has_the_published_shape(triangulate: Triangulate):
    done = triangulate(
        "ref:", "mutant:hop-count-for-cost", "ref:shuffled?seed=1", options=("--role", "router"), inputs=20
    )
    whole, case = validator("triangulation"), validator("triangulation", "case")
    assert whole is not None
    assert case is not None
    assert [told for one in done.records if (told := complaint(whole, one, ""))] == []
    assert [one["record"] for one in done.records[:1] + done.records[-1:]] == ["header", "footer"]
    saved = [json.loads(file.read_text("ascii")) for file in (done.out / "cases").iterdir()]
    assert [told for one in saved if (told := complaint(case, one, ""))] == []
    assert {one["id"] for one in saved} == {one["id"] for one in done.records if one["record"] == "disagreement"}


BREAKS_DOWN = """
import sys
from mqconform.harness.iut.all_roles import ReferenceIut
class Iut(ReferenceIut):
    def call(self, method, params):
        if method == "discovery_server.receive" and len(params["datagram"]) < 100:
            raise RuntimeError("\\x1b[31mtoo short")
        if method == "router.change_directory":
            error = NotImplementedError(method)
            raise error
        return super().call(method, params)
"""


def test_who_breaks_down_is_told_apart_from_who_lacks_an_operation(
    triangulate: Triangulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    name = f"iut_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(BREAKS_DOWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    options = ("--role", "router", "--role", "discovery_server")
    done = triangulate("ref:", f"api:{name}:Iut", "ref:shuffled?seed=3", options=options, inputs=16)
    sys.modules.pop(name, None)
    assert done.code == 1
    assert done.role("router")["unsupported"].keys() == {"B"}
    assert done.role("router")["took_part"] == ["A", "C"]
    assert "not compared as router: B, " in done.text
    (fault,) = done.of(Kind.IUT)
    assert {one["label"]: one["vote"] for one in fault["answers"]} == {"B": "fault"}
    assert (fault["blamed"], fault["role"], fault["expected"]) == (
        ["B"],
        "discovery_server",
        "the implementation keeps answering",
    )
    assert "\x1b" not in done.text


def test_a_role_that_only_one_of_them_has_is_not_compared_and_said_so(triangulate: Triangulate):
    done = triangulate("ref:", "mutant:hop-count-for-cost", options=("--role", "ordered_sender"), inputs=5)
    assert done.code == 5
    assert "not compared as ordered_sender: B, declares no role ordered_sender" in done.text
    assert "NOT ALL WAS COMPARED" in done.text


def test_wrong_usage_is_told_with_its_remedy(subtests: pytest.Subtests, capsys: pytest.CaptureFixture[str]):
    for arguments, told in [
        (["--iut", "ref:"], "--iut: give two implementations or more"),
        (["--iut", "ref:", "--iut", "nonsense"], "expected KIND:ID"),
        (
            ["--replay", "/nowhere/case.json"],
            "/nowhere/case.json: cannot be read: No such file or directory; name a file that",
        ),
        (["--iut", "ref:", "--iut", "ref:", "--role", "wizard"], "'wizard' is not one of 'router'"),
        (["--iut", "ref:"] * 27, "27 are too many"),
    ]:
        with subtests.test(told=told):
            assert run_command(["triangulate", *arguments]) == 4
            assert told in "".join(capsys.readouterr())


def test_who_does_not_start_is_named(triangulate: Triangulate):
    done = triangulate("ref:", "stdio:false")
    assert done.code == 1
    assert "the implementation is at fault: exited: B, stdio:false: initialize: " in done.text


@pytest.fixture(scope="module")
def saved_case(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("saved")
    asked = ["--iut", "mutant:other-tie", "--iut", "mutant:last-gate", "--inputs", "30", "--role", "router"]
    run_command(["triangulate", *asked, "--out", str(out)])
    return next((out / "cases").iterdir()).read_text()


def test_a_case_that_somebody_changed_is_refused_with_its_field(
    subtests: pytest.Subtests, saved_case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for change, told in [
        (lambda case: case | {"role": "wizard"}, "role: is 'wizard'; expected one of router, "),
        (lambda case: case | {"input": {}}, "input: KeyError: 'questions'; replay the file as it was saved"),
        (
            lambda case: {key: one for key, one in case.items() if key != "implementations"},
            "implementations: is missing",
        ),
        (
            lambda case: case | {"input": case["input"] | {"later": case["input"]["enterprise"], "wait": -1}},
            "input: router.advance_clock: params.seconds: ",
        ),
    ]:
        with subtests.test(told=told):
            file = tmp_path / "case.json"
            file.write_text(json.dumps(change(json.loads(saved_case))))
            assert replay(file) == 4
            assert told in "".join(capsys.readouterr())
