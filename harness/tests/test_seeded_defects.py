"""A suite with a defect is found out by our own checks: the lint, and the farm with what it has convicted before.

One defect of each kind by default, on the mutant that shows it; MQCONFORM_ALL_DEFECTS seeds all of them, one after the
other, each in a copy of the package of its own (hours), and MQCONFORM_ALL_DEFECTS=N every N-th of them.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from mqconform.harness.farm.seeded.code_defects import Defect, code_defects
from mqconform.harness.farm.seeded.experiment import all_defects, caught, caught_by_any, copy_with, role_of
from mqconform.harness.farm.seeded.feature_defects import feature_defects

SITE_CHECKS = "harness/oracle/site_checks.py"
TOPOLOGY = "features/mqsd/3_2_discovery_server.feature"
ZERO_SITE = ("site-of-the-client",)
SAMPLE = [
    ("delete assertion", TOPOLOGY, ZERO_SITE, "lost assertion"),
    ("weaken comparison", SITE_CHECKS, ZERO_SITE, "lost kill"),
    ("pass early", SITE_CHECKS, ZERO_SITE, "lost kill"),
    ("drop scenario", TOPOLOGY, (), "lint"),
]
OF_THE_SITE = "found == wanted"
EVERY = int(os.environ.get("MQCONFORM_ALL_DEFECTS") or 0)

pytestmark = pytest.mark.timeout(1800)  # cores are seldom idle


def defects(kind: str, file: str) -> list[Defect]:
    return [one for one in all_defects() if (one.kind, one.file) == (kind, file)]


def chosen(kind: str, file: str) -> Defect:
    """Return the defect of the kind that concerns RespondingSiteID, or the first."""
    found = defects(kind, file)
    judging = [one for one in found if f"True or {OF_THE_SITE}" in one.text or _passes_early(one)]
    return (judging or found)[0]


def _passes_early(defect: Defect) -> bool:
    head, _, body = defect.text.partition("def responding_site_is_the_servers")
    return "right" in body.partition("def ")[0] and "'right'" not in head


@pytest.mark.parametrize(("kind", "file", "mutants", "by"), SAMPLE, ids=str)
def test_a_defect_of_each_kind_is_caught(
    tmp_path: Path, kind: str, file: str, mutants: tuple[str, ...], by: str
) -> None:
    assert by in caught(copy_with(chosen(kind, file), tmp_path), mutants)


def test_a_copy_without_defect_passes(tmp_path: Path) -> None:
    assert caught(copy_with(None, tmp_path), ZERO_SITE) == ""


def test_there_are_defects_of_each_kind_in_steps_oracle_and_features() -> None:
    found = list(all_defects())
    kinds = Counter((one.kind, one.file.partition("/")[0]) for one in found)
    assert set(kinds) == {
        ("delete assertion", "harness"),
        ("delete assertion", "features"),
        ("weaken comparison", "harness"),
        ("pass early", "harness"),
        ("drop scenario", "features"),
    }
    assert len(found) > 400


def test_each_defect_of_a_module_is_made() -> None:
    source = (
        "def check(judge: Judge, seen: int) -> Judgement:\n"
        "    scene.witness(seen)\n"
        "    return judge.says(seen == 1 and seen, 'one', seen)\n"
    )
    found = [(one.kind, one.line) for one in code_defects("harness/oracle/check.py", source)]
    assert Counter(found) == {
        ("delete assertion", 2): 1,
        ("pass early", 1): 1,
        ("weaken comparison", 3): 3,
    }


def test_each_defect_of_a_feature_is_made() -> None:
    text = "Feature: F\n\n  @req:A\n  Scenario: One\n    When a\n    Then b\n    And c\n\n  Scenario: Two\n    Then d\n"
    found = list(feature_defects("features/f.feature", text))
    assert [(one.kind, one.line) for one in found] == [
        ("drop scenario", 4),
        ("delete assertion", 7),
        ("drop scenario", 9),
    ]
    assert "@req:A" not in found[0].text
    assert "Scenario: Two" in found[0].text
    assert "And c" not in found[1].text


@pytest.mark.skipif(not EVERY, reason="set MQCONFORM_ALL_DEFECTS=1 to seed every defect: hours")
@pytest.mark.parametrize("defect", list(all_defects())[:: EVERY or 1] if EVERY else [], ids=lambda one: one.id)
def test_every_defect_is_caught(tmp_path: Path, defect: Defect) -> None:
    assert caught_by_any(copy_with(defect, tmp_path), role_of(defect))
