"""The complete samples against each other and the reference, by the matrix file that comes with them."""

from dataclasses import dataclass

import pytest
from long_tier import LONG
from matrices import played, written
from sample_iuts import EXAMPLES, TOOLS, build

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.compare.matrix.matrix_run import Outcome

pytestmark = [LONG, pytest.mark.samples]
QUICK = (
    ('scenarios = ["own-site", "other-site", "second-network"]', 'scenarios = ["own-site"]'),
    ("generated = 10", "generated = 2"),
    ("schedules = 100", "schedules = 10"),
)
"""What is left of the example: no waits, and less of everything."""


@dataclass(frozen=True)
class Meeting:
    """Who met, who could not be built and why, and what came of it."""

    present: tuple[str, ...]
    absent: dict[str, str]
    outcome: Outcome


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Meeting:
    folder = tmp_path_factory.mktemp("meeting")
    (folder / "enterprises").symlink_to(EXAMPLES / "enterprises")
    absent = {}
    text = (EXAMPLES / "matrix.toml").read_text("utf-8")
    for language in TOOLS:
        try:
            program = str(build(language, tmp_path_factory))
        except pytest.skip.Exception as reason:
            absent[language] = str(reason)
            continue
        text = text.replace(f"{{here}}/iut/{language}/build/mqsample", program)
    for whole, part in QUICK:
        assert whole in text
        text = text.replace(whole, part)
    present = tuple(language for language in TOOLS if language not in absent)
    kinds = ("routing", "delivery") if why_no_namespaces() else ()
    return Meeting(present, absent, played(written(folder, text), folder / "out", *kinds))


@pytest.mark.parametrize("language", TOOLS)
def test_the_sample_works_with_everybody_on_either_side(meeting: Meeting, language: str):
    if language in meeting.absent:
        pytest.skip(meeting.absent[language])
    mine = [one for one in meeting.outcome.results if language in dict(one.cell.sides).values() and not one.excuse]
    assert [(one.cell.id, one.findings) for one in mine if one.verdict.word != "pass"] == []
    others = len(meeting.present)  # and the reference
    kinds = 2 if why_no_namespaces() else 3
    assert len(mine) == kinds * (2 * others + 1) + 1, "either side in each kind, itself once, and the walk of all"
