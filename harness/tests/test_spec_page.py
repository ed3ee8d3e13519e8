from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import CatalogueFault, Specification, load_catalogue, read_specification
from mqconform.harness.suite.spec.check import Proof, check
from mqconform.harness.suite.spec.document import Document, SpecificationFault, read_document, segments_of

# The text is Microsoft's: these tests run where a copy lies beside the repository.
PAGE = Path(__file__).resolve().parents[2].parent / "shared" / "specs" / "msmq-exactly-once-delivery.md"


@pytest.fixture(scope="module")
def catalogue() -> Specification:
    found = load_catalogue().specification("EOD")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def text() -> str:
    if not PAGE.is_file():
        pytest.skip(f"no copy of the page at {PAGE}; the text is Microsoft's and not in the repository")
    return PAGE.read_text(encoding="utf-8")


def copy(text: str, catalogue: Specification) -> Document:
    return Document(Path("copy.md"), "EOD", None, tuple(segments_of(text, catalogue.headings)))


def proof(text: str, catalogue: Specification) -> Proof:
    return check(catalogue, copy(text, catalogue))


def test_the_page_is_known_by_its_headings():
    if not PAGE.is_file():
        pytest.skip(f"no copy of the page at {PAGE}")
    found = read_document(PAGE, load_catalogue().specifications)
    assert (found.id, found.revision) == ("EOD", None)
    assert {one.section for one in found.segments} == {"1", "2", "3", "4"}
    with pytest.raises(SpecificationFault, match="not the headings of a page that is catalogued"):
        read_document(PAGE)


def test_every_statement_of_the_page_is_accounted_for(text: str, catalogue: Specification):
    found = proof(text, catalogue)
    assert found.alarms == ()
    assert len(found.document.segments) == 43
    assert found.totals.total() == 0


def test_requirements_that_cite_another_text_name_it_and_its_section(catalogue: Specification):
    cited = [one for one in catalogue.requirements if one.cited]
    assert {one.cited for one in cited} == {"MS-MQQB 33.0"}
    assert all(not one.anchors and one.section.count(".") >= 2 for one in cited)
    assert all(one.anchors for one in catalogue.requirements if not one.cited)


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
