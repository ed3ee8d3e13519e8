"""A bug seeded in one oracle is found by the other, and is an error of ours: exit code 3, whoever is compared."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.explore.votes import Kind
from mqconform.harness.judge.eod import sender_checks
from mqconform.reference.eod import receiver
from mqconform.reference.mqbr.graph import EnterpriseGraphs
from mqconform.reference.mqsd import expected_reply
from mqconform.reference.mqsd.specification import FACTS

Seed = Callable[[pytest.MonkeyPatch], None]


def hops_for_costs_in_the_reference(patch: pytest.MonkeyPatch) -> None:
    right = EnterpriseGraphs.weightings

    def buggy(self: EnterpriseGraphs, chosen: Any) -> Any:
        return tuple({one: dict.fromkeys(near, 1) for one, near in graph.items()} for graph in right(self, chosen))

    patch.setattr(EnterpriseGraphs, "weightings", buggy)


def site_read_from_the_request_id(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(expected_reply, "FACTS", FACTS._replace(site_id=FACTS.request_id))


def equal_numbers_accepted_by_the_model(patch: pytest.MonkeyPatch) -> None:
    right = receiver.judge

    def buggy(stream: Any, message: Any, *readings: Any) -> Any:
        same = message.sequence == stream.last_accepted > message.previous
        return receiver.Judgement.IN_ORDER if same else right(stream, message, *readings)

    patch.setattr(receiver, "judge", buggy)


def links_never_looked_at(patch: pytest.MonkeyPatch) -> None:
    for name in ("links_lead_to_the_one_before", "first_has_previous_zero"):
        patch.setattr(sender_checks, name, lambda judge, _: judge.says(True, "any link", "any link"))


@pytest.mark.parametrize(
    ("seed", "named"),
    [
        (hops_for_costs_in_the_reference, "router ref:"),
        (site_read_from_the_request_id, "discovery_server ref:"),
        (equal_numbers_accepted_by_the_model, "ordered_receiver ref:"),
        (links_never_looked_at, "ordered_sender mutant:sender-never-relinks"),
    ],
    ids=lambda one: getattr(one, "__name__", None),
)
def test_a_bug_in_one_oracle_is_found_by_the_other(
    seed: Seed, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    role, target = named.split()
    seed(monkeypatch)
    asked = ["--iut", target, "--iut", "ref:", "--role", role, "--inputs", "40", "--out", str(tmp_path / "out")]
    assert run_command(["triangulate", *asked]) == 3
    told = "".join(capsys.readouterr())
    assert f"THE ORACLES DISAGREE  {role}" in told
    lines = (tmp_path / "out" / "triangulation.ndjson").read_text("ascii").splitlines()
    ours = [one for one in map(json.loads, lines) if one.get("kind") == Kind.ORACLES.value]
    assert ours
    assert all(one["objection"] for one in ours)
    case = tmp_path / "out" / "cases" / f"{ours[0]['id']}.json"
    assert run_command(["triangulate", "--replay", str(case)]) == 3
    monkeypatch.undo()
    assert run_command(["triangulate", "--replay", str(case), "--iut", "ref:"]) == 0
