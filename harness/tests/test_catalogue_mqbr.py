import re
from collections import Counter
from pathlib import Path

import pytest

from mqconform.harness.suite.catalogue import Requirement, Specification, load_catalogue
from mqconform.harness.suite.spec.document import Document, Segment, read_document

SPECS = Path(__file__).resolve().parents[2].parent / "shared" / "specs"
PROCEDURES = [f"3.1.5.{number}" for number in range(1, 10)]
BRANCHES = dict(zip(PROCEDURES, (12, 9, 10, 2, 7, 7, 3, 9, 7), strict=True))
ACTS = re.compile(r"^(?:IF|FOREACH|BREAK|GOTO|Raise|RETURN|SET|ADD|Add)\b")


@pytest.fixture(scope="module")
def catalogue() -> Specification:
    found = load_catalogue().specification("MQBR")
    assert found is not None
    return found


@pytest.fixture(scope="module", params=["18.0", "13.0"])
def copy(request: pytest.FixtureRequest) -> Document:
    path = SPECS / f"ms-mqbr-{request.param}.md"
    if not path.is_file():
        pytest.skip(f"the text of revision {request.param} is Microsoft's and not in the repository; none at {path}")
    return read_document(path)


def by_anchor(document: Document) -> dict[tuple[str, str, int], Segment]:
    return {(one.section, one.digest, one.occurrence): one for one in document.segments}


def carried(requirement: Requirement, places: dict[tuple[str, str, int], Segment]) -> list[Segment] | None:
    """The segments of the first reading that the copy holds whole, None where it holds none."""
    for reading in requirement.readings():
        keys = [(requirement.section, anchor.digest, anchor.occurrence) for anchor in reading]
        if all(key in places for key in keys):
            return [places[key] for key in keys]
    return None


def test_every_deciding_line_of_the_pseudo_code_is_a_branch(catalogue: Specification):
    branches = Counter(one.section for one in catalogue.requirements if one.kind == "branch")
    assert branches == BRANCHES


def test_no_line_of_the_pseudo_code_that_acts_is_without_a_requirement(catalogue: Specification, copy: Document):
    places = by_anchor(copy)
    used = {id(segment) for one in catalogue.requirements for segment in carried(one, places) or []}
    lines = [one for one in copy.segments if one.section in PROCEDURES and ACTS.match(one.text)]
    assert {one.section for one in lines} == set(PROCEDURES)
    assert [(one.section, one.text) for one in lines if id(one) not in used] == []
