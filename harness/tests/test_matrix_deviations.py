"""Known deviations: what they cover, and what is said of those that are out of date."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mqconform.harness.explore.matrix.matrix_cell import Cell, Finding, Played, Result
from mqconform.harness.explore.matrix.matrix_file import Deviation, deviations_of, problems, with_known
from mqconform.harness.records.verdict import Verdict

TODAY = date(2026, 6, 1)
CELL = Cell("discovery", (("client", "ours"), ("server", "theirs")))
SORTED = Finding("own-site", "server", "MQSD-2.2.3-16", Verdict.FAIL, "the networks are not those of the server")
SILENT = Finding("own-site", "server", "MQSD-3.2.5-01", Verdict.FAIL, "no reply was captured within 15 s")
ENTRY = {
    "kind": "discovery",
    "pair": ["*", "theirs"],
    "verdict": "fail",
    "error": r"MQSD-2\.2\.3-16 the networks",
    "reason": "sorted",
    "issue": "https://example.org/1",
    "owner": "somebody",
    "since": "2026-01-01",
    "expires": "2026-12-31",
}


def known(**otherwise: object) -> Deviation:
    (found,) = deviations_of(Path("matrix.toml"), [{**ENTRY, **otherwise}])
    return found


def result(*findings: Finding) -> Result:
    worst = max((one.verdict for one in findings), default=Verdict.PASS)
    return Result(CELL, (Played("own-site", worst),), findings)


def kinds(deviation: Deviation, *results: Result) -> list[str]:
    held = [with_known(one, [deviation]) for one in results]
    return [one.kind for one in problems([deviation], held, TODAY)]


def test_a_cell_is_tolerated_whose_findings_are_all_known():
    held = with_known(result(SORTED), [known()])
    assert (held.tolerated, held.known_deviations) == (True, (0,))
    assert held.outcome == "fail"


def test_anything_else_in_the_cell_still_counts():
    held = with_known(result(SORTED, SILENT), [known()])
    assert (held.tolerated, held.known_deviations) == (False, (0,))


def test_an_entry_is_about_its_pair_kind_scenario_and_verdict_alone(subtests: pytest.Subtests):
    for otherwise in [
        {"pair": ["*", "others"]},
        {"kind": "routing"},
        {"scenario": "other-site"},
        {"verdict": "inconclusive"},
    ]:
        with subtests.test(otherwise=otherwise):
            assert not with_known(result(SORTED), [known(**otherwise)]).tolerated


def test_what_no_longer_occurs_goes_wrong_otherwise_or_has_expired_is_said():
    assert kinds(known(), result()) == ["passed"]
    assert kinds(known(), result(SORTED)) == []
    assert kinds(known(), result(SILENT)) == ["differs"]
    assert kinds(known(expires="2026-05-31"), result(SORTED)) == ["expired"]
    nobody = known(pair=["ours", "nobody"])
    assert [one.kind for one in problems([nobody], [result()], TODAY, whole=True)] == ["unmatched"]


def test_a_cell_that_was_not_played_says_nothing_about_an_entry():
    assert kinds(known(), replace(result(), excuse="not-applicable")) == []
