"""The page of a matrix in a real Chromium: what it shows, whether axe accepts it, what hostile text becomes in it."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mqconform.reports.html.documents import DocumentFault
from mqconform.reports.html.interop import write_matrix

HOSTILE = "</script><script>window.stung=1</script><img src=x onerror='window.stung=1'>\u202e\x1b[31m\"'{{7*7}}"


def cell(kind: str, sides: dict[str, str], outcome: str, **otherwise: Any) -> dict[str, Any]:
    pair = list(sides.values()) if len(sides) == 2 else ["all", "all"]
    plain = {"record": "cell", "id": "/".join((kind, *pair)), "kind": kind, "pair": pair, "sides": sides}
    plain |= {"outcome": outcome, "blame": "", "at_fault": [], "known": [], "tolerated": False, "reason": ""}
    plain |= {"excused": False, "scenarios": [], "findings": [], "evidence": []}
    return plain | otherwise


def finding(side: str, says: str, **otherwise: str) -> dict[str, str]:
    plain = {"scenario": "own-site", "side": side, "requirement": "MQSD-2.2.3-16", "verdict": "fail", "says": says}
    return {**plain, "observed": "", "evidence": "captures/ours-with-theirs-own-site.pcapng", **otherwise}


def document(text: str = "the networks are not those of the server") -> dict[str, Any]:
    """A matrix of two clients and two servers, and of three routers together."""
    played = [{"name": "own-site", "verdict": "fail", "told": text, "timeline": f"0.000000 s |---->| {text}"}]
    ours = {"client": "ours", "server": "theirs"}
    wrong = {"at_fault": ["server"], "blame": "server", "findings": [finding("server", text)], "scenarios": played}
    wrong |= {"evidence": ["captures/ours-with-theirs-own-site.pcapng"]}
    cells = [
        cell("discovery", {"client": "ours", "server": "ours"}, "pass", scenarios=[{**played[0], "verdict": "pass"}]),
        cell("discovery", ours, "fail", **wrong),
        cell("discovery", {"client": "theirs", "server": "ours"}, "not-applicable", reason=text),
        cell("discovery", {"client": "theirs", "server": "theirs"}, "fail", **wrong, known=[0], tolerated=True),
        cell("routing", {"first": "ours", "second": "theirs"}, "inconclusive", blame="undecided",
             findings=[finding("", text, verdict="inconclusive", observed=text)]),
        cell("routing", {"ours": "ours", "theirs": "theirs", "third": "third"}, "fail", at_fault=["third"],
             blame="third", findings=[finding("third", text)]),
    ]  # fmt: skip
    known = {"number": 0, "kind": "discovery", "pair": ["*", "theirs"], "scenario": "", "reason": text, "issue": text}
    grid = {
        "kind": "discovery",
        "sides": ["client", "server"],
        "rows": ["ours", "theirs"],
        "columns": ["ours", "theirs"],
    }
    walks = {"kind": "routing", "sides": ["first", "second"], "rows": ["ours"], "columns": ["theirs"]}
    who = {"name": "ours", "target": text, "title": text, "version": text, "roles": [], "problem": text}
    return {
        "schema": 1, "harness": "mqconform 0.1.0", "file": text, "file_digest": "0" * 64, "seed": 0,
        "profile": "default", "implementations": [who], "seconds": 12.3, "exit_code": 1,
        "totals": {"discovery": {"pass": 1, "fail": 1, "known": 1, "not-applicable": 1}, "routing": {"fail": 2}},
        "grids": [grid, walks], "cells": cells,
        "deviations": [{**known, "owner": text, "expires": "2026-12-31", "occurred": True}],
        "problems": [{"deviation": 0, "kind": "expired", "says": text}],
    }  # fmt: skip


def written(folder: Path, found: dict[str, Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "matrix.json").write_text(json.dumps(found), "ascii")
    return write_matrix(folder / "matrix.json", folder)


def test_the_table_names_whose_fault_each_cell_is_and_leads_there(page: Any, tmp_path: Path):
    page.goto(written(tmp_path, document()).as_uri())
    rows = [row.inner_text().split("\t") for row in page.locator("table.interop").first.locator("tbody tr").all()]
    assert [[one.strip() for one in row] for row in rows] == [
        ["ours", "ok", "server"],
        ["theirs", "not-applicable", "known: server"],
    ]
    page.get_by_role("link", name="server", exact=True).click()
    article = page.locator(".cell:target")
    assert "the networks are not those of the server" in article.inner_text()
    assert article.locator("a[href='captures/ours-with-theirs-own-site.pcapng']").count() == 1
    kept = os.environ.get("MQCONFORM_SCREENSHOTS")
    page.screenshot(path=Path(kept or tmp_path) / "interop.png", full_page=True)


def test_the_walk_of_all_and_what_was_not_played_are_told(tmp_path: Path):
    told = written(tmp_path, document("no such program")).read_text("utf-8")
    assert re.search(r"All of them together:\s*third", re.sub("<[^>]*>", "", told))
    assert "no such program" in told


def test_the_page_satisfies_the_rules_of_accessibility(tmp_path: Path, accessible: Callable[..., None]):
    target = written(tmp_path, document()).as_uri()
    for scheme in ("light", "dark"):
        accessible(target, scheme, unfolded=True)


def test_hostile_text_stays_text(tmp_path: Path):
    told = written(tmp_path, document(HOSTILE)).read_text("utf-8")
    assert "<img" not in told
    assert "<script>window" not in told
    assert "\u202e" not in told
    assert "\x1b" not in told


def test_a_document_of_somebody_else_is_refused(tmp_path: Path):
    for field, value in (
        ("evidence", ["../../etc/passwd"]),
        ("evidence", ["javascript:alert(1)"]),
        ("pair", ["<b>", "a"]),
    ):
        found = document()
        found["cells"][0][field] = value
        with pytest.raises(DocumentFault, match=r"matrix\.json"):
            written(tmp_path, found)
