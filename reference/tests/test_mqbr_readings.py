"""The branches of the model against the published catalogue."""

import tomllib
from importlib.resources import files

from mqconform.reference.allowed import Step
from mqconform.reference.mqbr import lookups, next_hops, routing_table


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
