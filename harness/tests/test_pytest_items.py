"""Cases as items of another project's pytest, run as its users do."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from junitparser import JUnitXml

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples" / "sample_server"
PLUGIN = "mqconform.harness.run.pytest_options"
INERT = f"import sys, {PLUGIN}; print(*(name for name in sys.modules if name.startswith(('mqconform', 'click'))))"


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "xdist", "-p", "no:cacheprovider", *arguments]
    plain = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # another project has not what tests ours
    return subprocess.run(command, cwd=folder, env=plain, capture_output=True, text=True, check=False, timeout=200)


def test_the_sample_project_is_red_with_octets_results_and_a_verdict_of_its_own(tmp_path: Path):
    """It is green where the server is mended: see the environment ``pytest`` of tox."""
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("mqconform-results", "__pycache__", ".*"))
    red = pytest_in(folder, "-m", "MQSD-2.2.3-44 or not mqconform", "-k", "44", "--junitxml", "junit.xml")
    assert red.returncode == 1, red.stdout
    assert "\n  expected  octets 00 00 at the end and nowhere else\n" in red.stdout
    assert "octets 110 to 111, EndList" in red.stdout
    assert re.search("E  .*MQSD-2.2.3-44 is violated(\n.*)*E .*octets 110 to 111", red.stdout), "of the fixture"
    names = [case.name for suite in JUnitXml.fromfile(str(folder / "junit.xml")) for case in suite]
    assert names[0] == "test_the_list_of_servers_follows_the_grammar[MQSD-2.2.3-44]"
    assert "mqsd/2_2_message_syntax/one-null-ends-the-list/one" in names
    lines = (folder / "mqconform-results" / "results.ndjson").read_text().splitlines()
    header, footer = json.loads(lines[0]), json.loads(lines[-1])
    assert "one-null-ends-the-list/one" in header["selection"]["expression"]
    assert footer["exit_code"] == 1
    assert footer["cases"] == {"fail": len(names) - 1}


def test_a_first_failure_an_item_that_is_named_and_an_object_of_the_project(tmp_path: Path):
    (tmp_path / "my_iut.py").write_text("from mqconform.harness.iut.all_roles import ReferenceIut as Mine\n")
    item = "mqconform::mqsd/2_2_message_syntax/one-null-ends-the-list/one"
    green = pytest_in(tmp_path, "--mqconform", "api:my_iut:Mine", item, "-v")
    assert "collected 1 item" in green.stdout
    assert f"{item} PASSED" in green.stdout
    assert "PARTIAL: 1 of 612 requirements" in green.stdout
    assert green.returncode == 0
    first = pytest_in(tmp_path, "--mqconform", "mutant:size-two-more", "--mqconform-req", "MQSD-2.2.3-11", "-x")
    assert "stopping after 1 failures" in first.stdout
    assert "VIOLATED MQSD-" in first.stdout


def test_workers_of_xdist_leave_one_result_with_what_a_killed_one_had_played(tmp_path: Path):
    killed = "import os\n\ndef pytest_runtest_teardown():\n    if os.environ['PYTEST_XDIST_WORKER'] == 'gw1':\n"
    (tmp_path / "conftest.py").write_text(f"{killed}        os._exit(9)\n")
    done = pytest_in(tmp_path, "--mqconform", "ref:", "--mqconform-req", "MQSD-2.2.3-11", "-n", "2")
    assert "worker 'gw1' crashed" in done.stdout
    assert "PARTIAL: " in done.stdout
    footer = json.loads((tmp_path / "mqconform-results" / "results.ndjson").read_text().splitlines()[-1])
    assert f"1 failed, {footer['cases']['pass']} passed" in done.stdout
    assert not (tmp_path / "mqconform-results" / "shards").exists()


def test_feature_files_of_a_checkout_are_judged(tmp_path: Path):
    features = tmp_path / "features"
    (features / "mqsd").mkdir(parents=True)
    shutil.copy(ROOT / "features" / "cases.txt", features)
    shutil.copy(ROOT / "features" / "mqsd" / "2_2_message_syntax.feature", features / "mqsd")
    (tmp_path / "other.feature").write_text("Feature: of somebody else\n")
    done = pytest_in(tmp_path, "-k", "one-null", "-v")
    assert "features/mqsd/2_2_message_syntax.feature::one-null-ends-the-list/one PASSED" in done.stdout
    assert done.returncode == 0


def test_what_cannot_run_is_no_verdict_and_says_why(tmp_path: Path):
    for arguments, why in (
        (["ref:", "--mqconform-req", "MQSD-99"], "no requirement has that id"),
        (["stdio:./no-such-program"], "no-such-program: cannot be started"),
    ):
        done = pytest_in(tmp_path, "--mqconform", *arguments)
        assert (done.returncode, why in done.stderr) == (4, True), done.stdout + done.stderr


def test_the_plug_in_is_inert_until_it_is_asked():
    imported = subprocess.run([sys.executable, "-c", INERT], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in imported if "finder" not in name] == [
        "mqconform",
        "mqconform.harness",
        "mqconform.harness.run",
        PLUGIN,
    ]
