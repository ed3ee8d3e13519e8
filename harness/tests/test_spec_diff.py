from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import Specification, read_specification
from mqconform.harness.suite.spec.anchor import anchored
from mqconform.harness.suite.spec.diff import Comparison, compare
from mqconform.harness.suite.spec.document import Document, segments_of
from mqconform.harness.suite.spec.render import comparison_lines

OLD = """\
# 1 Introduction

An overview that may change.

# 2 Messages

The server MUST answer every request that it receives. Kind (1 byte): An 8-bit value.

The client has to be configured.

# 3 Steps

- The server MUST stop.
- The server MUST count to 3.
- The server MUST stop.
"""
ENTRIES = [("2#1", [1]), ("2#2", []), ("2#3", []), ("3#1", [1]), ("3#2", [1]), ("3#3", [1])]
DRAFT = '[spec]\nid = "MQXY"\ntitle = "Invented"\nrevision = "1.0"\n' + "".join(
    f"""
[[requirement]]
id = "MQXY-{place[0]}-0{number}"
section = "{place[0]}"
level = "must"
kind = "prose"
roles = ["router"]
summary = "Number {number}."
source = ["@{place}"]
keywords = {words}
judged = "wire"
"""
    for number, (place, words) in enumerate(ENTRIES, 1)
)


def document(text: str, revision: str = "1.0") -> Document:
    return Document(Path(f"{revision}.md"), "MQXY", revision, tuple(segments_of(text)))


def invented(draft: str = DRAFT) -> Specification:
    found = read_specification("mqxy.toml", draft)
    assert found is not None
    return found


@pytest.fixture
def catalogue() -> Specification:
    return invented(anchored(DRAFT, document(OLD)))


def seen(comparison: Comparison) -> list[tuple[str, str | None]]:
    return [(one.fate, one.requirement.id if one.requirement else None) for one in comparison.requirements]


def test_equal_texts_differ_in_nothing(catalogue: Specification):
    found = compare(catalogue, document(OLD), document(OLD.replace("server MUST stop", "**server** MUST\nstop")))
    assert (found.requirements, found.wordings, found.reworded, found.strangers) == ((), (), (), ())


def test_changed_new_and_gone_requirements_are_told_apart(subtests: pytest.Subtests, catalogue: Specification):
    for old, new, expected in [
        ("every request that it", "each request that it", [("changed", "MQXY-2-01")]),
        ("(1 byte): An 8-bit", "(2 bytes): A 16-bit", [("changed", "MQXY-2-02")]),
        ("count to 3", "count to 4", [("changed", "MQXY-3-05")]),
        ("- The server MUST count to 3.\n", "", [("gone", "MQXY-3-05")]),
        ("- The server MUST count to 3.\n", "- The server MUST count to 3.\n- It MAY rest.\n", [("new", None)]),
        ("has to be configured.", "has to be configured. It MUST NOT be idle.", [("new", None)]),
    ]:
        with subtests.test(old=old):
            assert OLD.count(old) == 1
            found = compare(catalogue, document(OLD), document(OLD.replace(old, new), "2.0"))
            assert seen(found) == expected
            assert found.wordings == ()


def test_both_texts_of_a_changed_requirement_are_shown(catalogue: Specification):
    found = compare(catalogue, document(OLD), document(OLD.replace("count to 3", "count to 4"), "2.0"))
    lines = list(comparison_lines(found, {"MQXY-3-05": ("counting.feature: It counts",)}))
    assert "  MQXY-3-05: Number 5." in lines
    assert "    old: The server MUST count to 3." in lines
    assert "    new: The server MUST count to 4." in lines
    assert "    scenarios: counting.feature: It counts" in lines


def test_wording_that_touches_no_requirement_is_listed_by_section(catalogue: Specification):
    found = compare(catalogue, document(OLD), document(OLD.replace("may change", "can change"), "2.0"))
    assert seen(found) == []
    assert [(one.section, one.old, one.new) for one in found.wordings] == [
        ("1", ("An overview that may change.",), ("An overview that can change.",))
    ]


def test_a_known_wording_is_no_change_of_its_requirement():
    other = document(OLD.replace("has to be configured", "must be configured"), "0.9")
    draft = DRAFT.replace('source = ["@2#3"]', 'source = ["@2#3"]\nwordings = { "0.9" = ["@0.9:2#3"] }')
    found = compare(invented(anchored(anchored(draft, other), document(OLD))), other, document(OLD))
    assert seen(found) == []
    assert [one.id for one in found.reworded] == ["MQXY-2-03"]
    assert [one.section for one in found.wordings] == ["2"]


def test_what_neither_text_carries_is_not_called_unchanged(catalogue: Specification):
    text = OLD.replace("count to 3", "count to 4")
    found = compare(catalogue, document(text), document(text, "2.0"))
    assert [one.id for one in found.strangers] == ["MQXY-3-05"]
