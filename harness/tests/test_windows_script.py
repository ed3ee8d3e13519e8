"""The script for MSMQ on Windows, as far as it can be looked at here: nobody runs it."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.iut.protocol import check_params, check_result

FOLDER = Path(__file__).parents[2] / "examples" / "iut" / "windows"
SCRIPT = FOLDER / "msmq.ps1"
TRANSCRIPT = FOLDER / "transcript-made-by-hand.txt"
METHODS = {*re.findall(r"^ {4}'([\w.]+)' = \{|; '([\w.]+)' = \{", SCRIPT.read_text("utf-8"), re.MULTILINE)}
OFFERED = {name for pair in METHODS for name in pair if name}


def exchanges() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    lines = [line for line in TRANSCRIPT.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [line[:3] for line in lines] == ["-> ", "<- "] * (len(lines) // 2)
    said = [json.loads(line[3:]) for line in lines]
    return [*zip(said[::2], said[1::2], strict=True)]


@pytest.mark.parametrize(("request_", "answer"), exchanges(), ids=lambda one: one.get("method", ""))
def test_the_transcript_is_of_the_protocol_and_of_the_script(request_: dict[str, Any], answer: dict[str, Any]):
    assert request_["id"] == answer["id"]
    check_params(request_["method"], request_["params"])
    if "error" in answer:
        assert answer["error"]["code"] == -32601
        assert request_["method"] not in OFFERED
    else:
        check_result(request_["method"], answer["result"])
        assert request_["method"] in OFFERED


def test_each_method_of_the_script_is_one_of_the_protocol():
    page = (FOLDER.parents[2] / "docs" / "iut-protocol-queue-manager.md").read_text("utf-8")
    assert len(OFFERED) > 20
    assert [one for one in OFFERED if one.startswith("queue_manager.") and f"`{one}`" not in page] == []


def test_powershell_can_read_the_script():
    shell = shutil.which("pwsh") or shutil.which("powershell")
    if shell is None:
        pytest.skip("no PowerShell on PATH")
    parser = "[System.Management.Automation.Language.Parser]"
    parse = f"$e = $null; [void]{parser}::ParseFile('{SCRIPT}', [ref]$null, [ref]$e); $e"
    done = subprocess.run([shell, "-NoProfile", "-Command", parse], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "")
