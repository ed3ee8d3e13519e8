import pytest

from mqconform.harness.suite.spec.document import Segment, segments_of
from mqconform.harness.suite.spec.segments import keywords, sentences

TITLE = "# 1 Introduction\n\nWords.\n\n"
PROCEDURE = """\
## 2 Procedure

```
Choose(Left of type GUID, Right of type GUID)
;Left - the one side
INIT Found of type List of GUID      ;what was found

SET Found to result of
    CALL Search(Left,
        Right)
IF Found <> Nothing AND
    Left <> Right THEN
    ADD Left to Found
ELSE IF Left = Right THEN
    Raise Exception ; Nothing fits
ENDIF
Again:
FOREACH One FROM Found DO
    BREAK FOREACH
END FOREACH
RETURN with Found
```
"""
STATEMENTS = [
    "Choose(Left of type GUID, Right of type GUID)",
    "; Left - the one side",
    "INIT Found of type List of GUID",
    "; what was found",
    "SET Found to result of CALL Search(Left, Right)",
    "IF Found <> Nothing AND Left <> Right THEN",
    "ADD Left to Found",
    "ELSE",
    "IF Left = Right THEN",
    "Raise Exception",
    "; Nothing fits",
    "ENDIF",
    "Again:",
    "FOREACH One FROM Found DO",
    "BREAK FOREACH",
    "END FOREACH",
    "RETURN with Found",
]
GRAMMAR = """\
## 2 Grammar

```
List = Item 0*More End
Item = %x31.00 ; one
More = Comma
       Item
```
"""
RULES = ["List = Item 0*More End", "Item = %x31.00", "; one", "More = Comma Item"]


def of_section(text: str, section: str) -> list[str]:
    return [segment.text for segment in segments_of(text) if segment.section == section]


def test_sentences_keep_names_numbers_and_abbreviations_whole():
    text = (
        'If Reply.CorrelationID differs from 3.1.5.2, i.e. Another one, stop. See section 2.4. The 0x0031 is "1." '
        "Why? No. 7 is e.g. Bob's."
    )
    assert sentences(text) == [
        "If Reply.CorrelationID differs from 3.1.5.2, i.e. Another one, stop.",
        "See section 2.4.",
        'The 0x0031 is "1."',
        "Why?",
        "No. 7 is e.g. Bob's.",
    ]


def test_only_capital_words_of_rfc_2119_count():
    assert keywords("It MUST, it must, it MUST NOT and SHOULD NOT; it SHALL, MAY and is REQUIRED, MUSTER.") == (
        "MUST", "MUST NOT", "SHOULD NOT", "SHALL", "MAY", "REQUIRED",
    )  # fmt: skip


def test_a_sentence_belongs_to_its_section_and_knows_its_words():
    (segment,) = [one for one in segments_of(TITLE + "## 2.1 Transport\n\nIt MUST run.\n") if one.section == "2.1"]
    assert segment == Segment("2.1", "It MUST run.", segment.digest, 1, ("MUST",))


def test_headings_of_every_conversion_open_a_section(subtests: pytest.Subtests):
    for heading in [
        "## 2 Steps",
        "#### **2 Steps**",
        "2 Steps",
        "<a id='S2'></a>\n# 2 Steps",
        "## 2. Steps",
        "2\nSteps",
    ]:
        with subtests.test(heading=heading):
            assert of_section(f"{TITLE}{heading}\n\nIt runs.\n", "2") == ["It runs."]


def test_a_table_of_contents_opens_nothing():
    contents = "1 Introduction ....... 5\n\n2 Steps ........ 6\n\n- [2 Steps](#Section_2)\n\n| 2 | Steps | 6 |\n\n"
    assert of_section(f"{contents}{TITLE}# 2 Steps\n\nIt runs.\n", "2") == ["It runs."]
    assert of_section(f"1 Introduction\n\n2 Steps\n\nOld.\n\n{TITLE}# 2 Steps\n\nIt runs.\n", "2") == ["It runs."]


def test_a_page_break_within_a_sentence_is_mended(subtests: pytest.Subtests):
    for break_ in [
        "\n\n\n\n",
        "\n\n12 / 28\n\n",
        "\n[MS-XYZ] - v20150630\nCopyright \u00a9 2015 Example Corporation.\nRelease: June 30, 2015\n\n",
        "\n\nMessage Queuing (MSMQ): Directory Service Discovery Protocol\n\n",
        "\n\n7\n\n",
    ]:
        with subtests.test(break_=break_):
            assert of_section(f"{TITLE}# 2 Steps\n\nIt runs through{break_}the server.\n", "2") == [
                "It runs through the server."
            ]


def test_statements_are_found_wherever_lines_end():
    assert of_section(TITLE + PROCEDURE, "2") == STATEMENTS


def test_statements_are_found_in_code_that_lost_its_fence():
    lines = [line.strip() for line in PROCEDURE.splitlines() if not line.startswith("```")]
    assert of_section(TITLE + "\n\n".join(lines), "2") == STATEMENTS


def test_statements_are_found_in_a_fence_torn_by_a_page():
    torn = PROCEDURE.replace("Left <> Right THEN\n", "Left <> Right THEN\n```\n\n```\n")
    assert of_section(TITLE + torn, "2") == STATEMENTS
    printed = PROCEDURE.replace("Again:", "Page 7 of 20\nAgain:")
    assert of_section(TITLE + printed, "2") == STATEMENTS


def test_grammar_rules_are_segments_and_so_are_their_comments():
    assert of_section(TITLE + GRAMMAR, "2") == RULES
    indented = GRAMMAR.replace("```\n", "")
    assert of_section(TITLE + indented, "2") == RULES
