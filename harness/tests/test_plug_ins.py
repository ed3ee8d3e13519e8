"""Plug-ins of third parties: a new name is welcome, a taken one is refused, and a broken one is named."""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pytest
from fake_distributions import install

from mqconform.harness.cli import run_command
from mqconform.harness.iut.connect import ADAPTERS, connect, known_kinds
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.report_writers import checked_reports, write_reports

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-plug-in.md"
BLOCK = {kind: re.compile(rf"^```{kind}\n(.*?)^```$", re.MULTILINE | re.DOTALL) for kind in ("toml", "python")}
Install = Callable[..., None]
OURS = f"mqconform {version('mqconform')}"
STDIO = f"mqconform.adapters.programs.stdio:open_iut of {OURS}"

SERIAL = """
from mqconform.harness.iut.interface import IutDescription, Unsupported

OPENED = []

def open_iut(target, options):
    OPENED.append((target, options.deadline))
    return Line()

class Line:
    facts = None
    description = IutDescription("serial line", "", frozenset(), frozenset())

    def call(self, method, params):
        if method == "initialize":
            return {"protocol": 1, "name": "serial line", "version": "3", "roles": ["router"], "capabilities": []}
        if method == "shutdown":
            return {}
        raise Unsupported(method)

    def evidence(self):
        return ()

    def close(self):
        pass
"""

FORMAT = """
from pathlib import Path

def write(results, target):
    target.write_text(f"report on {results.name}")

def write_csv(results, target):
    write(results, target)

write_csv.file_name = "verdicts.csv"

def write_elsewhere(results, target):
    raise AssertionError("never called")

write_elsewhere.file_name = "../verdicts.csv"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    before = {*sys.modules}
    yield partial(install, monkeypatch, tmp_path / "site")
    for name in {*sys.modules} - before:
        if name.startswith("acme"):
            del sys.modules[name]


def adapters(name: str, value: str) -> dict[str, dict[str, str]]:
    return {"mqconform.adapters": {name: value}}


def reports(name: str, value: str) -> dict[str, dict[str, str]]:
    return {"mqconform.reports": {name: value}}


# A new name


def test_an_adapter_of_a_third_party_reaches_an_implementation(installed: Install):
    installed("acme-serial", adapters("serial", "acme_serial:open_iut"), SERIAL)
    iut = connect("serial:COM1:9600", AdapterOptions(deadline=7.0))
    assert (iut.description.name, iut.description.version) == ("serial line", "3")
    iut.close()
    assert sys.modules["acme_serial"].OPENED == [("COM1:9600", 7.0)]
    assert "serial:..." in known_kinds()


def test_a_report_format_of_a_third_party_says_what_its_file_is_called(installed: Install, tmp_path: Path):
    points = {"mqconform.reports": {"acme-csv": "acme_csv:write_csv", "acme-plain": "acme_csv:write"}}
    installed("acme-csv", points, FORMAT)
    results = tmp_path / "results.ndjson"
    write_reports(results, checked_reports(("acme-csv", "acme-plain", f"acme-csv={tmp_path / 'mine'}")))
    written = {file.name: file.read_text() for file in tmp_path.iterdir() if file.is_file()}
    assert written == dict.fromkeys(("verdicts.csv", "acme-plain.txt", "mine"), "report on results.ndjson")


def test_the_page_on_plug_ins_has_an_adapter_and_a_format_that_work(
    installed: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    text = PAGE.read_text("utf-8")
    (metadata,) = BLOCK["toml"].findall(text)
    points = tomllib.loads(metadata)["project"]["entry-points"]
    installed("acme-msmq", points, "\n".join(BLOCK["python"].findall(text)))
    assert run_command(["smoke", "--iut", "serial:COM1"]) == 1
    assert "ok          initialize: serial COM1 1.0, roles: router" in capsys.readouterr().out
    out = tmp_path / "out"
    assert run_command(["run", "--req", "MQSD-2.2.2-04", "--report", "acme-badge", "--out", str(out)]) == 0
    badge = json.loads((out / "badge.json").read_text())
    assert (badge["message"], badge["color"]) == ("conforms in 1 of 612 requirements", "yellow")


# A name that is taken


def test_a_second_adapter_of_one_name_is_refused_with_both_by_name(
    installed: Install, capsys: pytest.CaptureFixture[str]
):
    installed("acme-pipes", adapters("stdio", "acme_pipes:open_iut"), SERIAL)
    assert run_command(["smoke", "--iut", "stdio:true"]) == 4
    message = capsys.readouterr().err
    assert "the adapter 'stdio' is registered more than once in mqconform.adapters" in message
    assert STDIO in message
    assert "acme_pipes:open_iut of acme-pipes 2.0" in message
    assert "uninstall all but one of them, or have a plug-in register another name" in message


# One that cannot be loaded


@pytest.mark.parametrize(
    ("value", "source", "reason"),
    [
        ("acme_absent:open_iut", "", "ModuleNotFoundError: No module named 'acme_absent'"),
        ("acme_broken:open_iut", "", "AttributeError: module 'acme_broken' has no attribute 'open_iut'"),
        ("acme_broken:open_iut", "1 / 0", "ZeroDivisionError: division by zero"),
        ("acme_broken:open_iut", "open_iut = 3", "it is of type int and cannot be called"),
    ],
)
def test_an_adapter_that_cannot_be_loaded_is_named_with_the_reason(
    installed: Install, capsys: pytest.CaptureFixture[str], value: str, source: str, reason: str
):
    installed("acme-broken", adapters("broken", value), source)
    assert run_command(["smoke", "--iut", "broken:x"]) == 4
    message = capsys.readouterr().err
    assert f"the adapter 'broken' cannot be loaded: {value} of acme-broken 2.0: {reason}" in message
    assert [*ADAPTERS.problems()] == [message.removeprefix("mqconform: ").rstrip("\n")]
