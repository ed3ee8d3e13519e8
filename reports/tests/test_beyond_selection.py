"""A requirement that nobody asked for and that is why a case failed is named by every output."""

from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_result_file, read_results
from mqconform.reports.comparison.compare import compare
from mqconform.reports.formats import junit
from mqconform.reports.html.pages import first_failures, remarks
from mqconform.reports.html.runs import read_runs

ASKED, BROKEN = "EOD-3.1.1.6.2-04", "EOD-3.1.1.3.1-03"
TELLING = f"violated but not selected: {BROKEN}"


def judged(out: Path, iut: str) -> int:
    return run_command(["run", "--req", ASKED, "--iut", iut, "--out", str(out)])


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("broken")
    assert judged(out, "mutant:receiver-acknowledges-after-two-seconds") == 1
    return out


def test_it_is_named_in_results_junit_and_html(broken: Path):
    standings = {one["id"]: one["standing"] for one in read_results(broken) if one["record"] == "requirement"}
    assert standings == {ASKED: "verified", BROKEN: "violated"}
    assert TELLING in junit.document(read_result_file(broken)).tostring().decode()
    (run,) = read_runs([broken])
    assert [one.finding.id for one in first_failures(run)] == [BROKEN]
    assert any(TELLING in one for one in remarks(run))


def test_a_comparison_does_not_miss_it_once_it_is_mended(broken: Path, tmp_path: Path):
    assert judged(tmp_path, "ref:") == 0
    changes = compare(read_result_file(broken), read_result_file(tmp_path)).changes
    assert {one.kind for one in changes} == {"case"}
