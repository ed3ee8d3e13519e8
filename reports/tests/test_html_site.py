"""The HTML report in a real Chromium: what it shows, how it behaves, and what hostile text becomes in it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import result_records
from result_records import header, requirement, written

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_result_file
from mqconform.harness.records.results import Span
from mqconform.reports.html.command import write, write_pdf
from mqconform.reports.html.drawings import packet_view
from mqconform.reports.html.names import page_name

REQUIREMENT = "MQSD-2.2.3-11"
CASE = "mqsd/2_2_message_syntax/the-size-counts-the-octets-of-the-array-terminator-included/one-short"
HOSTILE = "</script><script>window.stung=1</script><img src=x onerror='window.stung=1'>\u202e\x1b[31m\"'{{7*7}}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Real runs: of a server and of a router with faults, and of the reference in the same scenarios."""
    base = tmp_path_factory.mktemp("runs")
    asked = {
        "server": ["--iut", "mutant:size-two-more", "--req", "MQSD-2.2.3"],
        "router": ["--iut", "mutant:hop-count-for-cost", "--req", "MQBR-3.1.3.1-10"],
        "reference": ["--req", "MQSD-2.2.3", "--req", "MQBR-3.1.3.1-10"],
    }
    for name, options in asked.items():
        assert run_command(["run", "--out", str(base / name), *options]) in (0, 1)
    return {name: base / name for name in asked}


@pytest.fixture(scope="module")
def site(runs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    write([*runs.values()], out, compare=(runs["reference"], runs["server"]))
    return out


def case_page(site: Path, case: str = CASE) -> str:
    return (site / "case" / f"{page_name(case)}.html").as_uri()


def test_what_failed_stands_first_and_columns_without_content_are_left_out(site: Path):
    listed = re.findall(r'data-standing="(\w+)"', (site / "matrix.html").read_text("utf-8"))
    rows = [listed[at : at + 3] for at in range(0, len(listed), 3)]
    worst = ["violated" in row for row in rows]
    assert worst == sorted(worst, reverse=True)
    overview = (site / "index.html").read_text("utf-8")
    assert overview.count('<th scope="col">octets</th>') == 1  # of the server: a router has none
    assert "reference" in re.findall(r'<h2 id="run-[0-9]+">([^<]+)<', overview)[-1]


def test_every_kind_of_page_loads_without_complaints(page: Any, site: Path, shot: Callable[[str], None]):
    kinds = {
        "overview": site / "index.html",
        "matrix": site / "matrix.html",
        "requirement": site / "requirement" / f"{REQUIREMENT}.html",
        "packet": site / "case" / f"{page_name(CASE)}.html",
        "comparison": site / "comparison.html",
        "print": site / "print.html",
    }
    for name, file in kinds.items():
        page.goto(file.as_uri())
        assert page.locator("h1").count() == 1
        shot(name)


def test_violations_are_grouped_by_cause_and_what_is_inconclusive_says_why(page: Any, tmp_path: Path):
    rest = {"standing": "violated", "witnesses": 1}
    first, second = "MQSD-3.2.5-01", "MQSD-3.2.5-02"
    records = [
        header(kind="udp", build="abc123"),
        result_records.witness("a", "fail"),
        result_records.case("a", "fail"),
        result_records.witness("b", "inconclusive", observed="nothing heard"),
        result_records.case("b", "inconclusive"),
        result_records.case("c", "none", excused="not-applicable", reason="no such role"),
        requirement(id=second, cause=first, **rest),
        requirement(id=first, **rest),
        result_records.FOOTER | {"exit_code": 1, "requirements": {"violated": 2}},
    ]
    write([written(tmp_path / "run", *records)], tmp_path / "site")
    page.goto((tmp_path / "site" / "index.html").as_uri())
    banner = page.locator(".verdict").inner_text()
    assert "build abc123" in banner
    assert "2 requirements violated; 0 verified" in banner
    assert "0 of 2 applicable cases passed, 1 inconclusive" in banner
    row = page.get_by_role("region", name="Failures of").locator("tbody tr")
    assert not page.get_by_role("columnheader", name="octets").count()
    assert row.count() == 1
    assert row.locator("details a").text_content() == second
    assert "nothing heard" in page.locator(".undecided").inner_text()


def test_a_witness_of_the_real_clock_says_what_its_times_are_worth(tmp_path: Path):
    timing = {"tolerance": 1.0, "lag": 0.2, "pressure": 0.5}
    seen = [result_records.witness("a", "pass", timing=timing), result_records.case("a", "pass")]
    write([written(tmp_path / "run", header(), *seen, result_records.FOOTER)], tmp_path / "site")
    (page,) = (tmp_path / "site" / "case").glob("*.html")
    told = page.read_text("utf-8")
    assert "lag of the harness at most 0.2 s" in told
    assert "processes waited for a processor 50 % of the time" in told


def test_the_overview_answers_which_requirement_failed_where_and_what_was_allowed(page: Any, site: Path):
    page.goto((site / "index.html").as_uri())
    row = page.locator(".run tr", has=page.get_by_role("link", name=REQUIREMENT, exact=True)).first
    text = row.inner_text()
    assert "2.2.3" in text
    assert "28 to 31" in text
    assert "DirectoryServiceServerSize" in text
    assert "size 8" in text
    assert "does not conform" in page.locator(".verdict").first.inner_text()
    verdicts = page.get_by_role("region", name="All implementations").locator("tbody tr")
    assert verdicts.count() == page.locator(".verdict").count() > 1
    assert "does not conform" in verdicts.first.inner_text()


def test_the_marked_octets_are_those_of_the_witness(page: Any, site: Path, runs: dict[str, Path]):
    blamed = next(
        one
        for one in read_result_file(runs["server"]).witnesses
        if one.case == CASE and one.verdict == "fail" and one.span
    )
    page.goto(case_page(site))
    cells = page.locator("section.run").first.locator(".octets td:has(mark)")
    marked = {int(cell.get_attribute("data-offset")): cell.inner_text() for cell in cells.all()}
    assert blamed.span
    offsets = range(blamed.span.offset, blamed.span.offset + blamed.span.length)
    assert marked == {at: f"{blamed.reply_octets[at]:02x}" for at in offsets}


def test_the_filters_of_the_matrix_leave_what_they_name(page: Any, site: Path):
    page.goto((site / "matrix.html").as_uri())
    page.get_by_label("Standing").select_option("violated")
    shown = page.locator("#matrix tbody tr:visible")
    assert shown.count() > 0
    assert all("violated" in row.inner_text() for row in shown.all())
    page.get_by_label("Text").fill("DirectoryServiceServerSize octets")
    assert REQUIREMENT in {row.locator("a").inner_text() for row in shown.all()}
    page.get_by_label("Text").fill("no requirement says this")
    assert shown.count() == 0
    assert page.locator("#count").inner_text().startswith("0 of ")


def test_search_finds_a_requirement_and_a_case_from_any_page(page: Any, site: Path):
    page.goto(case_page(site))
    page.keyboard.press("/")
    page.keyboard.type(REQUIREMENT)
    page.locator("#found a", has_text=REQUIREMENT).first.click()
    assert page.locator("h1").inner_text() == REQUIREMENT
    page.get_by_label("Search").fill("terminator included")
    page.locator("#found a", has_text="terminator-included").first.click()
    assert "terminator-included" in page.locator("h1").inner_text()


def test_pages_satisfy_the_rules_of_accessibility(site: Path, accessible: Callable[..., None]):
    every = ("index", "matrix", "comparison", f"requirement/{REQUIREMENT}", f"case/{page_name(CASE)}")
    for scheme, names in (("light", every), ("dark", (every[1], every[-1]))):  # what has most colours
        for file in names:
            accessible((site / f"{file}.html").as_uri(), scheme)


def test_the_keyboard_reaches_content_and_theme(page: Any, site: Path):
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.locator(".skip:focus").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def hostile(folder: Path) -> Path:
    """A result file in which everything that an implementation can send is hostile."""
    sent = {"request": "00" * 60, "network": "ip", "reply": HOSTILE.encode("utf-16-le").hex()}
    records = result_records.hostile(HOSTILE, **sent, span={"offset": 3, "length": 900, "field": HOSTILE})
    finding = requirement(id="MQSD-3.2.5-01", summary=HOSTILE, standing="violated", witnesses=1)
    written(folder, *records, finding)
    (folder / "environment.json").write_text(json.dumps({"started": HOSTILE, HOSTILE: [HOSTILE]}), "ascii")
    return folder


def test_hostile_text_stays_text_on_every_page(page: Any, tmp_path: Path):
    out = tmp_path / "site"
    write([hostile(tmp_path / "run")], out)
    files = sorted(out.rglob("*.html"))
    assert len(files) == 6
    for file in files:
        page.goto(file.as_uri())
        page.get_by_label("Search").fill("script")
        assert page.evaluate("window.stung") is None
        assert page.locator("main img").count() == 0
        text = page.content()
        assert "\u202e" not in text
        assert "\x1b" not in text
    assert not list(tmp_path.parent.glob("*stung*"))
    assert {one.parent.name for one in files} == {"site", "case", "requirement"}


def test_page_names_stay_in_their_folder_and_apart():
    names = [page_name(one) for one in ("../../etc/passwd", "..", "", "a/b", "a.b", "x" * 500, "x" * 501, "a\\b")]
    assert len(set(names)) == len(names)
    assert all("/" not in one and "\\" not in one and one.strip(".") and len(one) <= 140 for one in names)


def test_octets_behind_the_packet_and_overlong_spans_are_shown_as_far_as_there_are_any():
    view = packet_view(bytes.fromhex("00020000") + b"\xff" * 3, (Span(5, 1000, "x"),))
    octets = [octet for row in view.rows for octet in row]
    assert [octet.offset for octet in octets if octet.marked] == [5, 6]
    assert view.size == 7


def test_the_report_prints_to_a_pdf_of_several_pages(browser: Any, site: Path, tmp_path: Path):
    assert browser.is_connected()
    target = tmp_path / "report.pdf"
    write_pdf(site / "print.html", target)
    octets = target.read_bytes()
    assert octets.startswith(b"%PDF-")
    assert octets.count(b"/Type /Page\n") + octets.count(b"/Type /Page ") + octets.count(b"/Type/Page") > 1


def test_old_results_raise_the_banner_and_new_ones_do_not(page: Any, runs: dict[str, Path], tmp_path: Path):
    page_of = {}
    for name, started in (("old", "2020-01-01T00:00:00+00:00"), ("new", None)):
        run = tmp_path / name
        shutil.copytree(runs["router"], run)
        if started:
            facts = json.loads((run / "environment.json").read_text("utf-8")) | {"started": started}
            (run / "environment.json").write_text(json.dumps(facts), "utf-8")
        page_of[name] = write([run], tmp_path / f"{name}-site")
    page.goto(page_of["old"].as_uri())
    assert "days old" in page.locator(".stale:visible").inner_text()
    page.goto(page_of["new"].as_uri())
    assert page.locator(".stale:visible").count() == 0
