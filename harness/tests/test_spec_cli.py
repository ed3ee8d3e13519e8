from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from mqconform.harness.cli import run_command

SPECS = Path(__file__).resolve().parents[2].parent / "shared" / "specs"
EMPTY_MQSD = "[MS-MQSD]: A title\n\n# 1 Introduction\n\nWords.\n\n# 2 Messages\n\nThe server MUST sing.\n"


class Ended(NamedTuple):
    exit_code: int
    output: str


def run(*arguments: str | Path) -> Ended:
    output = StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = run_command(["spec", *map(str, arguments)])
    return Ended(code, output.getvalue())


@pytest.fixture(scope="module")
def mqsd() -> Path:
    path = SPECS / "ms-mqsd-13.0.md"
    if not path.is_file():
        pytest.skip(f"no copy of MS-MQSD 13.0 at {path}; the text is Microsoft's and not in the repository")
    return path


def test_a_changed_copy_fails_and_names_requirement_section_summary_and_sentence(mqsd: Path, tmp_path: Path):
    text = mqsd.read_text(encoding="utf-8").replace("MUST close and reopen", "MUST close or reopen")
    copy = tmp_path / "copy.md"
    copy.write_text(text, encoding="utf-8")
    result = run("check", copy)
    assert result.exit_code == 1
    assert "CHANGED in section 3.2.5" in result.output
    assert "MQSD-3.2.5-03: After a network error" in result.output
    assert "MUST close or reopen the socket" in result.output


def test_what_cannot_be_checked_is_a_usage_error(subtests: pytest.Subtests, tmp_path: Path):
    for octets, problem in [
        (b"Dear all,\n", "no title line"),
        (b"[MS-XYZ]: Another\n\n# 1 Introduction\n\nWords.\n", "no catalogue of XYZ; catalogued are: "),
    ]:
        with subtests.test(problem=problem):
            copy = tmp_path / "copy.md"
            copy.write_bytes(octets)
            result = run("check", copy)
            assert result.exit_code == 4
            assert problem in result.output
            assert "copy.md" in result.output


def test_two_specifications_are_not_compared(tmp_path: Path):
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text(EMPTY_MQSD, encoding="utf-8")
    other.write_text(EMPTY_MQSD.replace("MQSD", "MQBR"), encoding="utf-8")
    result = run("diff", one, other)
    assert result.exit_code == 4
    assert "is MQSD" in result.output
    assert "is MQBR" in result.output


def test_diff_says_by_its_exit_code_whether_a_requirement_changed(mqsd: Path, tmp_path: Path):
    text = mqsd.read_text(encoding="utf-8")
    copy = tmp_path / "copy.md"
    copy.write_text(text.replace("an accessible executing instance", "an instance"), encoding="utf-8")
    result = run("diff", mqsd, copy)
    assert (result.exit_code, "Requirements changed: none" in result.output) == (0, True)
    assert "section 1\n" in result.output
    copy.write_text(text.replace("with a timeout of 15 seconds", "with a timeout of 16 seconds"), encoding="utf-8")
    result = run("diff", mqsd, copy)
    assert (result.exit_code, "Requirements changed: 2" in result.output) == (1, True)
    assert "MQSD-3.1.5.1-03" in result.output
    assert "MQSD-3.1.5.2-26" in result.output


def test_anchor_lists_places_and_fills_drafts(tmp_path: Path):
    copy, draft = tmp_path / "copy.md", tmp_path / "draft.toml"
    copy.write_text(EMPTY_MQSD + "\n| 1/2/2020 | 1.0 | New | - |\n", encoding="utf-8")
    listed = run("anchor", copy, "--section", "2")
    assert listed.output.startswith("@2#1  sha256:")
    assert "Words" not in listed.output
    draft.write_text('[spec]\nid = "MQSD"\ntitle = "T"\nrevision = "1.0"\n\nsource = ["@2#1"]\n', encoding="utf-8")
    assert run("anchor", copy, "--fill", draft).exit_code == 0
    assert listed.output.split("  ")[1] in draft.read_text(encoding="utf-8")
    draft.write_text('[spec]\nrevision = "1.0"\n\nsource = ["@2#9"]\n', encoding="utf-8")
    assert run("anchor", copy, "--fill", draft).exit_code == 4
