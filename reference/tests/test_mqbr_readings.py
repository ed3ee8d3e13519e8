"""The model's readings against the published ambiguity register, its branches against the published catalogue."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from mqconform.reference.allowed import Reading, Standing, Step
from mqconform.reference.mqbr import lookups, next_hops, readings, routing_table


def published_readings() -> dict[tuple[str, str], dict[str, str]]:
    folder = files("mqconform.features") / "requirements" / "ambiguities"
    entries: list[dict[str, Any]] = []
    for file in folder.iterdir():
        if file.name.startswith("mqbr_"):
            entries += tomllib.loads(file.read_text(encoding="utf-8"))["ambiguity"]
    return {(entry["id"], one["id"]): one["verdict"] for entry in entries for one in entry.get("reading", ())}


def standing_of(verdicts: dict[str, str]) -> Standing:
    if verdicts["strict"] == "pass":
        return Standing.TEXT
    by_default = {"pass": Standing.PERMITTED, "inconclusive": Standing.UNDECIDED, "fail": Standing.REFUSED}
    return by_default[verdicts["default"]]


@pytest.mark.parametrize("reading", readings.ALL, ids=str)
def test_a_reading_stands_as_the_register_says(reading: Reading):
    assert standing_of(published_readings()[reading.register, reading.name]) is reading.standing


def test_every_branch_of_a_derivation_is_a_catalogued_requirement():
    text = (files("mqconform.features") / "requirements" / "mqbr.toml").read_text(encoding="utf-8")
    known = {one["id"] for one in tomllib.loads(text)["requirement"]}
    steps = [
        value
        for module in (lookups, next_hops, routing_table)
        for value in vars(module).values()
        if isinstance(value, Step)
    ]
    assert len(steps) > 30
    assert {branch for step in steps for branch in step.branches} <= known


def test_every_deciding_line_is_the_branch_of_some_derivation():
    text = (files("mqconform.features") / "requirements" / "mqbr.toml").read_text(encoding="utf-8")
    branches = {one["id"] for one in tomllib.loads(text)["requirement"] if one["kind"] == "branch"}
    modules = (lookups, next_hops, routing_table)
    used = {
        branch
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Step)
        for branch in value.branches
    }
    assert branches - used == set()
