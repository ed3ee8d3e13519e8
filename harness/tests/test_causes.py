"""Violated requirements by likely cause, and how a red run is told on a terminal."""

import re
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.printable import with_guids
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.causes import by_likely_cause, grouped, known_faults, with_causes
from mqconform.harness.run.violation_text import marked_octets
from mqconform.harness.suite.catalogue import load_catalogue

COUNT = {"MQSD-2.2.3-04", "MQSD-2.2.3-05", "MQSD-2.2.3-06", "MQSD-2.2.3-15", "MQSD-3.2.5.1-06"}
SITE = {"MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-01", "MQSD-3.2.5.1-11"}
NULL = {"MQSD-2.2.3-26", "MQSD-2.2.3-27", "MQSD-2.2.3-44"}
SERVER = sorted(one.id for one in load_catalogue().values() if "discovery_server" in one.roles)


def finding(requirement: str, standing: Standing) -> Finding:
    return Finding(load_catalogue()[requirement], standing, "", 1)


def findings(violated: set[str]) -> list[Finding]:
    """Those of a server that was judged whole."""
    return [finding(one, Standing.VIOLATED if one in violated else Standing.VERIFIED) for one in SERVER]


def test_three_bugs_that_break_twelve_requirements_are_told_as_three():
    """Count with its high octet first, the site for clients of the own site, no null at the end of the list."""
    told = with_causes(findings(COUNT | SITE | NULL))
    causes = {cause.requirement.id: {one.requirement.id for one in more} for cause, more in by_violated(told)}
    assert causes == {
        "MQSD-2.2.3-04": COUNT - {"MQSD-2.2.3-04"},
        "MQSD-2.2.3-13": SITE - {"MQSD-2.2.3-13"},
        "MQSD-2.2.3-44": NULL - {"MQSD-2.2.3-44"},
    }


def by_violated(told: list[Finding]) -> list[tuple[Finding, list[Finding]]]:
    return by_likely_cause(one for one in told if one.standing is Standing.VIOLATED)


def test_a_router_that_ignores_costs_is_told_so_first():
    violated = known_faults()["hop-count-for-cost"].violates
    assert next(iter(grouped(violated))) == "MQBR-3.1.3.1-10"


@pytest.mark.parametrize("violated", [set(), {"MQSD-2.2.3-04"}])
def test_what_stands_alone_has_no_other_cause(violated: set[str]):
    assert not any(one.cause for one in with_causes(findings(violated)))


def test_nothing_that_is_violated_is_left_out_and_what_no_known_fault_breaks_is_its_own_cause():
    everything = sorted({*SERVER, "MQSD-9.9-99"})
    groups = grouped(everything)
    assert sorted(id_ for group in groups.values() for id_ in group) == everything
    assert groups["MQSD-9.9-99"] == ["MQSD-9.9-99"]
    assert all(group[0] == cause for cause, group in groups.items())


def test_octets_to_blame_are_marked_without_colours(subtests: pytest.Subtests):
    for octets, span, shown in [
        (bytes(range(6)), Span(2, 2, "f"), "00 01 [02 03] 04 05"),
        (bytes(range(6)), Span(0, 1, "f"), "[00] 01 02 03 04 05"),
        (bytes(range(6)), Span(6, 2, "f"), "00 01 02 03 04 05 []"),
        (bytes(range(6)), Span(5, 3, "f"), "00 01 02 03 04 [05]"),
        (bytes(range(6)), Span(3, 0, "f"), "00 01 02 [] 03 04 05"),
        (bytes(6), None, "00 00 00 00 00 00"),
        (bytes(98), Span(96, 2, "f"), f"from octet 80:{' 00' * 16} [00 00]"),
        (bytes(98), None, f"{' '.join(['00'] * 64)} ... of 98 octets"),
    ]:
        with subtests.test(octets=octets):
            assert marked_octets(octets, span).plain == shown


def test_a_guid_in_wire_order_is_shown_as_it_is_written():
    text = "expected 61baeae6c6d1db11baac0003ff4e2d22; 32 others: 0061baeae6c6d1db11baac0003ff4e2d22"
    assert with_guids(text).startswith(
        "expected 61baeae6c6d1db11baac0003ff4e2d22 (GUID e6eaba61-d1c6-11db-baac-0003ff4e2d22); "
    )
    assert with_guids(text).count("GUID") == 1


def test_cases_left_open_for_one_reason_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    asked = ["--iut", "mutant:client-repeats-requests", "--req", "MQSD-3.1.6.1", "--profile", "strict"]
    assert run_command(["run", *asked, "--out", str(tmp_path)]) == 2
    lines = capsys.readouterr().out.splitlines()
    (told,) = (line for line in lines if line.startswith("INCONCLUSIVE in "))
    assert "  the other profiles pass or fail what the text leaves open" in lines
    reasons = [line for line in lines if "[SD-08/request-repeated]" in line]
    others = [int(re.search(r"and (\d+) more case", line)[1]) for line in reasons]  # type: ignore[index]
    number = sum(others) + len(reasons)
    assert told == f"INCONCLUSIVE in {number} cases: in {number} the text leaves it open"
    assert "  what is left open     mqconform explain SD-08" in lines
