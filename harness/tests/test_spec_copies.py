"""The texts of the specifications against their catalogue: these tests run where copies lie beside the repository."""

import re
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import (
    CatalogueFault,
    Requirement,
    Specification,
    load_catalogue,
    read_specification,
)
from mqconform.harness.suite.spec.check import Proof, check
from mqconform.harness.suite.spec.document import Document, Segment, SpecificationFault, read_document, segments_of

SPECS = Path(__file__).resolve().parents[2].parent / "shared" / "specs"
PAGE = SPECS / "msmq-exactly-once-delivery.md"
COPIES = [("MQSD", "13.0"), ("MQBR", "18.0"), ("MQBR", "13.0"), ("MQSO", "18.0")]


def text_at(path: Path) -> str:
    if not path.is_file():
        pytest.skip(f"the text is Microsoft's and not in the repository; none at {path}")
    return path.read_text(encoding="utf-8")


def text_of(spec: str, revision: str) -> str:
    return text_at(SPECS / f"ms-{spec.lower()}-{revision}.md")


def catalogued(spec: str) -> Specification:
    found = load_catalogue().specification(spec)
    assert found is not None
    return found


def document(spec: str, text: str) -> Document:
    return Document(Path("copy.md"), spec, None, tuple(segments_of(text, catalogued(spec).headings)))


def proof(spec: str, text: str) -> Proof:
    return check(catalogued(spec), document(spec, text))


def test_each_copy_bears_its_catalogue_out(subtests: pytest.Subtests):
    for spec, revision in COPIES:
        with subtests.test(spec=spec):
            text = text_of(spec, revision)
            found = proof(spec, text)
            assert found.alarms == ()
            wanted = {
                "MQSD": {"MUST": 108, "MUST NOT": 6, "SHOULD": 1, "MAY": 2},
                "MQBR": {"MUST": 3, "SHOULD": 5},
                "MQSO": {"MUST": 119, "MUST NOT": 4, "SHOULD": 24, "SHOULD NOT": 4, "MAY": 3},
            }
            assert found.totals == wanted[spec]


ITEM = re.compile(r"\s*(?:-|\d{1,2}\.) ")


def reflowed(text: str, width: int) -> str:
    """All paragraphs and items of lists wrapped anew; tables, markdown headings, anchors and fenced code left alone."""
    lines: list[str] = []
    paragraph: list[str] = []
    fenced = False
    for line in [*text.splitlines(), ""]:
        fixed = fenced or not line.strip() or line.startswith(("```", "|", "#", "<a"))
        fenced ^= line.startswith("```")
        if paragraph and (fixed or ITEM.match(line)):
            lines += textwrap.wrap(" ".join(paragraph), width, break_long_words=False)
            paragraph = []
        (lines if fixed else paragraph).append(line)
    return "\n".join(lines)


def without_links(text: str) -> str:
    return re.sub(r"\[((?:\\.|\[[^\]\n]*\]|[^\[\]\n])*)\]\((?:\\.|[^()\n])*\)", r"\1", text)


REFORMATTINGS: dict[str, Callable[[str], str]] = {
    "wrapped at 110, no links": lambda text: reflowed(without_links(text), 110),
    "bare headings": lambda text: re.sub(r"(?m)^#+ \**(\d[\d.]* [^*\n]*)\**$", r"\n\1\n", text),
    "markdown headings": lambda text: re.sub(r"(?m)^(\d(?:\.\d+)* [A-Z][^.\n]*)$", r"## \1", text),
    "typographic marks": lambda text: re.sub(r"(?<=\S) - ", " \u2013 ", text.replace("'", "\u2019")),
    "indented code": lambda text: re.sub(
        r"(?ms)^```\n(.*?)^```$", lambda found: "\n" + textwrap.indent(found[1], "    "), text
    ),
}


def test_reformatting_raises_no_alarm(subtests: pytest.Subtests):
    for name, reformatted in REFORMATTINGS.items():
        for spec, revision in COPIES:
            with subtests.test(name=name, spec=spec):
                text = text_of(spec, revision)
                found = proof(spec, reformatted(text))
                assert [(alarm.kind, alarm.section, alarm.present[:60]) for alarm in found.alarms] == []


# The page on exactly-once delivery


def test_the_page_is_known_by_its_headings():
    text_at(PAGE)
    found = read_document(PAGE, load_catalogue().specifications)
    assert (found.id, found.revision) == ("EOD", None)
    assert {one.section for one in found.segments} == {"1", "2", "3", "4"}
    with pytest.raises(SpecificationFault, match="not the headings of a page that is catalogued"):
        read_document(PAGE)


def test_every_statement_of_the_page_is_accounted_for():
    found = proof("EOD", text_at(PAGE))
    assert found.alarms == ()
    assert len(found.document.segments) == 43
    assert found.totals.total() == 0


def test_requirements_that_cite_another_text_name_it_and_its_section():
    requirements = catalogued("EOD").requirements
    cited = [one for one in requirements if one.cited]
    assert {one.cited for one in cited} == {"MS-MQQB 33.0"}
    assert all(not one.anchors and one.section.count(".") >= 2 for one in cited)
    assert all(one.anchors for one in requirements if not one.cited)


def test_a_requirement_cites_another_text_or_has_a_source():
    entry = """
[spec]
id = "MQXY"
title = "An invented page"
revision = "1"
headings = ["One"]
counted = "statements"
[[requirement]]
id = "MQXY-2.1-01"
section = "2.1"
level = "must"
kind = "prose"
roles = ["router"]
summary = "A summary."
cited = "MS-MQQB 33.0"
judged = "api"
"""
    found = read_specification("mqxy.toml", entry)
    assert found is not None
    assert (found.headings, found.counted, found.requirements[0].cited) == (("One",), "statements", "MS-MQQB 33.0")
    with pytest.raises(CatalogueFault, match="field source: unknown"):
        read_specification("mqxy.toml", entry.replace("judged", 'source = ["sha256:1"]\njudged'))
    with pytest.raises(CatalogueFault, match="field source: missing"):
        read_specification("mqxy.toml", entry.replace('cited = "MS-MQQB 33.0"\n', ""))
    with pytest.raises(CatalogueFault, match="field counted: 'lines' is unknown; write one of words, statements"):
        read_specification("mqxy.toml", entry.replace('"statements"', '"lines"'))


# The pseudo-code of MS-MQBR

PROCEDURES = [f"3.1.5.{number}" for number in range(1, 10)]
BRANCHES = dict(zip(PROCEDURES, (12, 9, 10, 2, 7, 7, 3, 9, 7), strict=True))
ACTS = re.compile(r"^(?:IF|FOREACH|BREAK|GOTO|Raise|RETURN|SET|ADD|Add)\b")


def carried(requirement: Requirement, places: dict[tuple[str, str, int], Segment]) -> list[Segment] | None:
    """The segments of the first reading that the copy holds whole, None where it holds none."""
    for reading in requirement.readings():
        keys = [(requirement.section, anchor.digest, anchor.occurrence) for anchor in reading]
        if all(key in places for key in keys):
            return [places[key] for key in keys]
    return None


def test_every_deciding_line_of_the_pseudo_code_is_a_branch():
    branches = Counter(one.section for one in catalogued("MQBR").requirements if one.kind == "branch")
    assert branches == BRANCHES


@pytest.mark.parametrize("revision", ["18.0", "13.0"])
def test_no_line_of_the_pseudo_code_that_acts_is_without_a_requirement(revision: str):
    copy = document("MQBR", text_of("MQBR", revision))
    places = {(one.section, one.digest, one.occurrence): one for one in copy.segments}
    used = {id(segment) for one in catalogued("MQBR").requirements for segment in carried(one, places) or []}
    lines = [one for one in copy.segments if one.section in PROCEDURES and ACTS.match(one.text)]
    assert {one.section for one in lines} == set(PROCEDURES)
    assert [(one.section, one.text) for one in lines if id(one) not in used] == []
