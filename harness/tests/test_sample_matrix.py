"""The complete samples against each other and the reference, by the matrix file that comes with them."""

import pytest
from long_tier import LONG
from matrices import played, written
from sample_iuts import EXAMPLES, TOOLS, build

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.explore.matrix.matrix_run import Outcome

pytestmark = [LONG, pytest.mark.samples]
QUICK = (
    ('scenarios = ["own-site", "other-site", "second-network"]', 'scenarios = ["own-site"]'),
    ("generated = 10", "generated = 2"),
    ("schedules = 100", "schedules = 10"),
)
"""What is left of the example: no waits, and less of everything."""


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    folder = tmp_path_factory.mktemp("meeting")
    (folder / "enterprises").symlink_to(EXAMPLES / "enterprises")
    text = (EXAMPLES / "matrix.toml").read_text("utf-8")
    for language in TOOLS:
        program = str(build(language, tmp_path_factory))
        text = text.replace(f"{{here}}/iut/{language}/build/mqsample", program)
    for whole, part in QUICK:
        assert whole in text
        text = text.replace(whole, part)
    kinds = ("routing", "delivery") if why_no_namespaces() else ()
    return played(written(folder, text), folder / "out", *kinds)


def test_samples_and_reference_work_with_each_other_on_either_side(meeting: Outcome):
    assert not meeting.lost
    wrong = [(one.cell.id, one.findings) for one in meeting.results if not one.excuse and one.verdict.word != "pass"]
    assert wrong == []
    everybody = len(TOOLS) + 1
    kinds = 2 if why_no_namespaces() else 3
    assert sum(not one.excuse for one in meeting.results) == kinds * everybody**2 + 1, "the walk of all besides"
