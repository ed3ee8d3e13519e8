"""Vectors: the same anywhere, in the documented form, and right by both oracles."""

import json
from collections import Counter
from importlib.resources import files
from random import Random

import pytest

pytest.importorskip("numba", reason="the extra bulk is not installed")

from jsonschema import Draft202012Validator

from mqconform.reference.directory import DirectoryView
from mqconform.reference.directory.check import check_directory
from mqconform.reference.directory.document import directory_from_document, document_from_directory
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.latitude import answer_patterns
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Rule
from mqconform.reports.vectors import decisions as module
from mqconform.reports.vectors.decisions import OTHERWISE, VERDICT_OF, OraclesDisagree, decisions
from mqconform.reports.vectors.enterprises import ODDITIES, SHAPES, enterprise, machine_ids
from mqconform.reports.vectors.packets import packet
from mqconform.reports.vectors.tables import TABLES, Plan

WEIGHTS = {"/".join(rule.reading): "pass" for rule in WIRE_RULES if rule.reading}
SCHEMA = json.loads(files("mqconform.features").joinpath("schemas", "vectors.schema.json").read_text("utf-8"))


def valid(kind: str, record: object) -> bool:
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}).is_valid(record)


def test_a_seed_gives_the_same_rows_whatever_else_is_asked_for():
    few, many = Plan(5, 60, 4, 4, 100, WEIGHTS), Plan(5, 120, 4, 4, 200, WEIGHTS)
    for table in TABLES:
        assert few.records(table, 7) == many.records(table, 7)
        assert few.records(table, 7) != few.records(table, 8)
        assert few.records(table, 7) != Plan(6, 60, 4, 4, 100, WEIGHTS).records(table, 7)


def test_enterprises_come_in_every_shape_and_oddity_and_plain_ones_have_no_fault():
    made = [enterprise(1, number, 6) for number in range(300)]
    assert {one.shape for one in made} == set(SHAPES)
    assert {oddity for one in made for oddity in one.oddities} == set(ODDITIES)
    plain = [one for one in made if not one.oddities]
    assert 150 < len(plain) < 270
    wrong = [finding for one in plain for finding in check_directory(one.directory) if finding.severity == "error"]
    assert wrong == []
    again = directory_from_document(json.loads(json.dumps(document_from_directory(made[0].directory))))
    assert again == made[0].directory


def test_patterns_say_of_every_answer_what_the_model_says_of_it():
    for number in range(30):
        assert_alike(number)


def assert_alike(number: int) -> None:
    random = Random(number)
    directory = enterprise(99, number, 6).directory
    machines = machine_ids(directory)
    for source in random.sample(machines, 2):
        state = initialize(DirectoryView(directory), source)
        for destination in random.sample(machines, 3):
            decision = decide_next_hops(state, destination)
            patterns = answer_patterns(decision)
            named = {hop for one in patterns for hop in (*one.must, *one.may)} | set(random.sample(machines, 2))
            for _ in range(25):
                answer = random.choices(sorted(named), k=random.randint(0, 4))
                matching = next((one.outcome for one in patterns if one.matches(answer)), OTHERWISE)
                assert VERDICT_OF[matching] == VERDICT_OF[judge_next_hops(decision, answer).outcome], answer


def test_decisions_have_every_verdict_and_the_documented_form():
    records = [one for number in range(60) for one in decisions(3, enterprise(3, number, 5), 10)]
    assert all(valid("decision", one) for one in records)
    assert len({one["id"] for one in records}) == len(records)
    assert {sample["verdict"] for one in records for sample in one["samples"]} == {"pass", "fail"}
    resting = [answer["readings"] for one in records for answer in one["answers"]]
    assert any(resting)
    assert not all(resting)
    assert {one["otherwise"] for one in records} == {"fail"}
    assert len({one["requirement"] for one in records}) > 10


def test_generation_stops_where_the_oracles_disagree(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "OTHERWISE", module.Outcome.ALLOWED)
    with pytest.raises(OraclesDisagree, match="by the bulk oracle"):
        decisions(3, next(one for one in (enterprise(3, number, 5) for number in range(20)) if not one.oddities), 10)


def test_packets_break_every_rule_that_a_packet_alone_can_break():
    records = [packet(2, number, WEIGHTS) for number in range(6000)]
    assert all(valid("packet", one) for one in records[:500])
    rules = {rule.name.lower().replace("_", "-") for rule in WIRE_RULES if rule < Rule.NETWORKS}
    assert {finding["rule"] for one in records for finding in one["findings"]} == rules
    right = [one for one in records if one["made"] == "right"]
    unspoilt = Counter(one["verdict"] for one in right if one["direction"] != "unknown")
    assert set(unspoilt) == {"pass"}
    assert all(one["fields"] for one in right)
    assert not any(one["fields"] for one in records if one["verdict"] == "fail")
