import re
from collections import Counter

import pytest

from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.requirement import RoleName, Specification
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import load_catalogue


@pytest.fixture(scope="module")
def catalogue() -> Specification:
    found = load_catalogue().specification("MQSO")
    assert found is not None
    return found


def test_every_word_of_force_is_one_of_a_requirement_or_of_an_exclusion(catalogue: Specification):
    words: Counter[str] = Counter()
    for one in catalogue.requirements:
        words[one.level] += len(one.keywords)
    assert {level: number for level, number in words.items() if number} == {
        "must": 117, "must-not": 3, "should": 22, "should-not": 2, "may": 1,
    }  # fmt: skip
    assert {one.section for one in catalogue.exclusions} == {"1.1"}


def test_a_reason_names_what_there_is(catalogue: Specification):
    offered = {capability.value for capability in ROLES[RoleName.QUEUE_MANAGER].capabilities} | {"a clock"}
    known = {one.id for one in catalogue.requirements}
    for one in catalogue.requirements:
        if one.judged == "api" and one.reason.startswith("Needs"):
            named = re.match(r"Needs (?:the capabilit(?:y|ies) )?([^.;]+)[.;]", one.reason)
            assert named, one.id
            assert set(re.split(r", | and ", named[1])) <= offered, one.id
        else:
            assert "the capabilit" not in one.reason, one.id
        assert set(re.findall(r"MQSO-[\d.]+-\d\d", one.reason)) <= known - {one.id}, one.id
        assert all(entry in load_register() for entry in re.findall(r"QM-\d\d", one.reason)), one.id
