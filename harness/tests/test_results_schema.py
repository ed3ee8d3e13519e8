"""The published shape of result files against the code that writes them, record by record."""

from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.requirement import Judged, Kind, Level
from mqconform.harness.records.results import SCHEMA_VERSION, Span, document_of
from mqconform.harness.records.results_schema import schema
from mqconform.harness.records.schema_text import complaint, published, validator
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Traffic, Witness

CASE_ID = "mqsd/3_2_discovery_server/a-request-is-answered/own-site"
REQUIREMENT = "MQSD-3.2.5.1-07"
HEADER: dict[str, Any] = {
    "record": "header",
    "schema": SCHEMA_VERSION,
    "harness": "mqconform 0.1.0",
    "specifications": {"MQSD": "13.0"},
    "profile": "default",
    "seed": -1,
    "selection": {"requirements": [], "expression": ""},
    "iut": {
        "kind": "ref",
        "target": "ref:",
        "name": "",
        "version": "",
        "vendor": "",
        "roles": [],
        "capabilities": [],
    },
}
FOOTER: dict[str, Any] = {
    "record": "footer",
    "exit_code": 0,
    "cases": {"pass": 1},
    "requirements": {"verified": 1},
    "readings": ["SD-05/queried-port"],
    "mixed_readings": [],
}


def judge() -> Draft202012Validator:
    compiled = validator("results")
    assert compiled
    return compiled


def why_not(record: dict[str, Any]) -> str:
    """What is wrong with a record by the schema of its kind."""
    compiled = validator("results", record["record"])
    assert compiled
    return complaint(compiled, record, "")


def case(**fields: Any) -> Case:
    made = Case(CASE_ID, "mqsd/3_2_discovery_server", "A request is answered", "own-site", (REQUIREMENT,))
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def witness(judgement: Judgement, traffic: Traffic | None = None) -> dict[str, Any]:
    return document_of(Witness(CASE_ID, REQUIREMENT, "Then it answers", judgement, traffic or Traffic()).record())


def definition(name: str) -> dict[str, Any]:
    found: dict[str, Any] = published("results")["$defs"][name]
    return found


def test_the_published_schema_is_that_of_the_records():
    assert published("results") == schema(), "python -m mqconform.harness.records.results_schema writes it"


def test_the_schema_knows_the_words_that_the_code_knows():
    header, requirement = (definition(name)["properties"] for name in ("header", "requirement"))
    assert {*header["profile"]["enum"]} == {one.value for one in Profile}
    assert {*definition("case")["properties"]["verdict"]["enum"]} == {one.word for one in Verdict}
    assert {*requirement["level"]["enum"]} == {*get_args(Level)}
    assert {*requirement["kind"]["enum"]} == {*get_args(Kind)}
    assert {*requirement["judged"]["enum"]} == {*get_args(Judged)}
    assert header["schema"]["enum"] == [SCHEMA_VERSION]


@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL])
def test_a_witness_fits_whatever_evidence_it_has(verdict: Verdict):
    bare = Judgement(verdict, "x" * 10_000, "\ud800\0" * 9_000)
    full = replace(bare, span=Span(0, 0, ""), reading="SD-26/list-order")
    traffics = [
        Traffic(request, reply, network, source)
        for request, reply, network, source in product((b"", b"\0"), (b"", b"\xff"), ("ip", "ipx"), ("", "::1"))
    ]
    for judgement, traffic in product((bare, full), traffics):
        assert why_not(witness(judgement, traffic)) == ""


def test_a_record_that_no_run_writes_is_refused_by_its_field(subtests: pytest.Subtests):
    for record, told in [
        (HEADER | {"schema": 2}, "schema: is 2; expected 1, the number of this schema"),
        (HEADER | {"profile": "lenient"}, "profile: is 'lenient'; expected default, must, strict or windows"),
        (HEADER | {"started": "now"}, "started: is not a field here"),
        (HEADER | {"iut": HEADER["iut"] | {"roles": ["a", "a"]}}, "iut.roles: "),
        (FOOTER | {"exit_code": 9}, "exit_code: is 9; expected 0, 1, 2"),
        (FOOTER | {"cases": {"pass": -1}}, "cases.pass: is -1; expected a number of 0 or more"),
        (FOOTER | {"readings": ["SD-05"]}, "readings[0]: is 'SD-05'; expected AMBIGUITY/reading"),
        (document_of(case().record()) | {"id": "no-feature"}, "id: is 'no-feature'; expected FOLDER/FEATURE/SCENARIO"),
        (document_of(case().record()) | {"requirements": ["MQSD"]}, "requirements[0]: is 'MQSD'; expected the id of"),
        (document_of(case().record()) | {"requirements": [REQUIREMENT + "\n"]}, "requirements[0]: "),
        (document_of(case().record()) | {"trace": "no error"}, "the document"),
    ]:
        with subtests.test(record=record):
            assert not judge().is_valid(record)
            assert told in why_not(record)
