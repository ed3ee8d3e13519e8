import re
from collections import Counter
from pathlib import Path

import pytest

from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import Catalogue, CatalogueFault, load_catalogue, read_catalogue

DIGEST = "sha256:" + "0" * 64
HEAD = """
[spec]
id = "MQXY"
title = "An invented protocol"
revision = "1.0"
"""
GOOD = f"""
[[requirement]]
id = "MQXY-2.1-01"
section = "2.1"
level = "must"
kind = "prose"
roles = ["router"]
summary = "A summary."
source = ["{DIGEST}"]
keywords = [1]
judged = "wire"
"""


def read(folder: Path, *entries: str, name: str = "mqxy.toml") -> Catalogue:
    folder.joinpath(name).write_text(HEAD + "".join(entries), encoding="utf-8")
    return read_catalogue(folder)


def test_a_requirement_is_found_by_its_id(tmp_path: Path):
    catalogue = read(tmp_path, GOOD)
    found = catalogue["MQXY-2.1-01"]
    assert (found.section, found.level, found.source, found.keywords) == ("2.1", "must", (DIGEST,), (1,))
    assert [one.id for one in catalogue.specifications] == ["MQXY"]


def test_a_wrong_field_is_named_with_file_and_entry(subtests: pytest.Subtests, tmp_path: Path):
    for old, new, field in [
        ('id = "MQXY-2.1-01"', 'id = "MQXY-2.2-01"', "field id"),
        ('id = "MQXY-2.1-01"', 'id = "MQXY-2.1-1"', "field id"),
        ('level = "must"', 'level = "musst"', "field level.*should-not"),
        ('kind = "prose"', 'kind = "poem"', "field kind.*abnf"),
        ('judged = "wire"', 'judged = "no"', "field reason: missing"),
        ('judged = "wire"', 'judged = "wire"\nreasn = "x"', "field reasn: unknown"),
        ('roles = ["router"]', 'roles = ["rooter"]', "field roles.*discovery_server"),
        ('summary = "A summary."', "", "field summary: missing"),
        (DIGEST, "sha256:abc", "field source.*not a hash"),
        ("keywords = [1]", "keywords = [0]", "field keywords"),
        ("keywords = [1]", "occurrences = [1, 2]", "field occurrences"),
        ("keywords = [1]", 'wordings = { "0.9" = ["nothing"] }', "field source.*not a hash"),
    ]:
        with subtests.test(old=old):
            assert old in GOOD
            with pytest.raises(CatalogueFault, match=r"^mqxy\.toml: requirement MQ[XZ][YZ]-2\.") as fault:
                read(tmp_path, GOOD.replace(old, new))
            assert re.search(field, str(fault.value))


def test_an_exclusion_needs_its_reason(tmp_path: Path):
    exclusion = f'[[exclusion]]\nsection = "2.1"\nsource = "{DIGEST}"\nkeywords = [1]\n'
    with pytest.raises(CatalogueFault, match=r"exclusion sha256:.*field reason: missing"):
        read(tmp_path, exclusion)
    catalogue = read(tmp_path, exclusion, 'reason = "Restates another."\n')
    assert catalogue.specifications[0].exclusions[0].reason == "Restates another."


def test_an_id_is_used_once(tmp_path: Path):
    with pytest.raises(CatalogueFault, match=r"MQXY-2\.1-01.*more than once"):
        read(tmp_path, GOOD, GOOD)


def test_requirements_are_numbered_in_order_within_their_section():
    for name in ("MQSD", "MQSO", "EOD"):
        found = load_catalogue().specification(name)
        assert found is not None
        seen: Counter[str] = Counter()
        for one in found.requirements:
            seen[one.section] += 1
            assert one.id == f"{name}-{one.section}-{seen[one.section]:02d}"


def test_a_reason_points_at_requirements_that_exist():
    catalogue = load_catalogue()
    for one in catalogue.values():
        for named in re.findall(r"MQ[A-Z]+-[0-9.]+-B?\d{2}", one.reason):
            assert named in catalogue, f"{one.id}: {named}"


def test_a_reason_of_a_queue_manager_names_what_there_is():
    catalogue = load_catalogue().specification("MQSO")
    assert catalogue is not None
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
