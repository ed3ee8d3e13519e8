from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import Specification, read_specification
from mqconform.harness.suite.spec.anchor import PlaceFault, anchored, listing
from mqconform.harness.suite.spec.check import Alarm, check
from mqconform.harness.suite.spec.document import Document, SpecificationFault, read_document, segments_of

SAMPLE = """\
[MS-MQXY]: An Invented Protocol

| 1/2/2020 | 1.0 | New | First. |

# 1 Introduction

Nothing here MUST count.

# 2 Messages

The server MUST answer and MUST NOT wait. A client MAY ask twice.

Kind (1 byte): An 8-bit value.

# 3 Steps

When asked, the server MUST take these steps:

- The server MUST stop.
- The server MUST count to 3.
- The server MUST stop.

# 4 Examples

This MUST NOT count.
"""
DRAFT = (
    """\
[spec]
id = "MQXY"
title = "An invented protocol"
revision = "1.0"
"""
    + "".join(
        f"""
[[requirement]]
id = "MQXY-{place.split("#")[0]}-{number:02d}"
section = "{place.split("#")[0]}"
level = "{level}"
kind = "prose"
roles = ["router"]
summary = "{summary}"
source = ["@{place}"]
keywords = {words}
judged = "wire"
"""
        for number, (place, level, summary, words) in enumerate(
            [
                ("2#1", "must", "Requests are answered.", [1]),
                ("2#1", "must-not", "Answers come at once.", [2]),
                ("2#3", "must", "Kind is one octet.", []),
                ("3#2", "must", "It halts first.", [1]),
                ("3#3", "must", "It counts.", [1]),
                ("3#4", "must", "It halts last.", [1]),
            ],
            1,
        )
    )
    + """
[[exclusion]]
section = "2"
source = "@2#2"
keywords = [1]
reason = "Binds nobody."

[[exclusion]]
section = "3"
source = "@3#1"
keywords = [1]
reason = "Announces steps."
"""
)


def document(text: str, path: str = "copy.md") -> Document:
    return Document(Path(path), "MQXY", "1.0", tuple(segments_of(text)))


def invented(draft: str = DRAFT) -> Specification:
    found = read_specification("mqxy.toml", anchored(draft, document(SAMPLE)))
    assert found is not None
    return found


def alarms(text: str, draft: str = DRAFT) -> list[tuple[str, str, list[str]]]:
    proof = check(invented(draft), document(text))
    return [(one.kind, one.section, names(one)) for one in proof.alarms]


def names(alarm: Alarm) -> list[str]:
    return [getattr(entry, "id", "exclusion") for entry in alarm.entries]


def test_catalogue_and_text_agree():
    proof = check(invented(), document(SAMPLE))
    assert proof.alarms == ()
    assert proof.totals == {"MUST": 5, "MUST NOT": 1, "MAY": 1}


def test_each_change_raises_its_alarm(subtests: pytest.Subtests):
    for old, new, expected in [
        ("MUST answer and", "MUST answar and", [("changed", "2", ["MQXY-2-01", "MQXY-2-02"])]),
        ("(1 byte)", "(2 byte)", [("changed", "2", ["MQXY-2-03"])]),
        ("MAY ask twice", "MAY ask twica", [("changed", "2", ["exclusion"])]),
        ("count to 3.", "count to 4.", [("changed", "3", ["MQXY-3-05"])]),
        ("- The server MUST count to 3.\n", "", [("gone", "3", ["MQXY-3-05"])]),
        ("server MUST count", "server must count", [("changed", "3", ["MQXY-3-05"])]),
        (
            "- The server MUST count to 3.",
            "- The server MUST count to 3.\n- It MUST rest.",
            [("unmapped", "3", [])],
        ),
        ("# 4 Examples", "It SHALL, and SHOULD, rest.\n\n# 4 Examples", [("unmapped", "3", []), ("unmapped", "3", [])]),
    ]:
        with subtests.test(old=old):
            assert SAMPLE.count(old) == 1
            assert alarms(SAMPLE.replace(old, new)) == expected


def test_a_sentence_that_moved_to_another_section_is_named_with_both():
    found = check(invented(), document(SAMPLE.replace("# 3 Steps", "# 3 Steps\n\n## 3.1 More"))).alarms
    assert [(alarm.kind, alarm.section) for alarm in found] == [("moved", "3")] * 4
    assert all("3.1" in alarm.detail for alarm in found)


@pytest.mark.parametrize(("nth", "requirement"), [(0, "MQXY-3-04"), (1, "MQXY-3-06")])
@pytest.mark.parametrize("new", ["- The server MUST stop!\n", ""])
def test_of_equal_sentences_the_changed_one_is_told_by_its_neighbours(nth: int, requirement: str, new: str):
    pieces = SAMPLE.split("- The server MUST stop.\n")
    text = (
        pieces[0] + [new + pieces[1] + "- The server MUST stop.\n", "- The server MUST stop.\n" + pieces[1] + new][nth]
    )
    ((kind, _, found),) = alarms(text + pieces[2])
    assert (kind, found) == ("changed" if new else "gone", [requirement])


def test_the_catalogue_is_held_to_its_own_claims():
    twice = DRAFT.replace("keywords = [2]", "keywords = [1, 2]")
    assert alarms(SAMPLE, twice) == [
        ("claimed twice", "2", ["MQXY-2-01", "MQXY-2-02"]),
        ("other level", "2", ["MQXY-2-02"]),
    ]
    assert alarms(SAMPLE, DRAFT.replace("keywords = [2]", "keywords = [2, 3]")) == [
        ("no such word", "2", ["MQXY-2-02"])
    ]
    assert alarms(SAMPLE, DRAFT.replace("keywords = [2]", "")) == [("unmapped", "2", [])]


def test_a_place_that_does_not_exist_is_named():
    with pytest.raises(PlaceFault, match="no place 3#9"):
        anchored(DRAFT.replace("@3#3", "@3#9"), document(SAMPLE))
    with pytest.raises(PlaceFault, match="revision"):
        anchored("[spec]\n", document(SAMPLE))
    assert "3#4" in dict(listing(document(SAMPLE)))


def test_what_is_no_specification_is_refused_with_its_remedy(subtests: pytest.Subtests, tmp_path: Path):
    for octets, problem in [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"\xff\xfe\x00garbage", "not UTF-8"),
        (b"%PDF-1.7\0\0", "null characters"),
        (b"A letter to nobody.\n", "no title line"),
        (b"[MS-MQSD]: A title\n\nand no sections.\n", "no section headings"),
    ]:
        with subtests.test(octets=octets):
            file = tmp_path / "copy.md"
            file.write_bytes(octets)
            with pytest.raises(SpecificationFault, match=rf"copy\.md: .*{problem}"):
                read_document(file)
