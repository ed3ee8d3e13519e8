"""Text of an implementation in a terminal and in the log of a CI service."""

import json
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.printable import harmless, quoted_lines, visible

ESCAPES = "\x1b]0;owned\x07\x9b2J\u202e"


def test_no_command_of_a_ci_service_remains():
    assert visible("::set-output name=a::b") == "\\u003a:set-output name=a::b"
    assert visible(" \u00a0::stop-commands::x").lstrip()[:2] != "::"
    assert visible("late ##[error]x ##vso[task.complete] ##teamcity[a] ## [b] std::io") == (
        "late \\u0023#[error]x \\u0023#vso[task.complete] \\u0023#teamcity[a] ## [b] std::io"
    )


def test_lines_of_an_implementation_begin_with_a_bar():
    assert quoted_lines("a\n  ::error::b\n--- c\r\x1b[2K", "    ") == (
        "a\n    |   \\u003a:error::b\n    | --- c\\u000d\\u001b[2K"
    )


def test_a_message_is_changed_once_and_only_where_it_acts():
    message = "C:\\srv\\u001b is \x1b no\n  ::error::name\n"
    shown = "C:\\srv\\u001b is \\u001b no\n  \\u003a:error::name\n"
    assert harmless(message) == harmless(shown) == shown


@pytest.mark.parametrize(
    "command",
    [
        "directory check FILE",
        "directory import ldif:FILE",
        "next-hops --enterprise FILE a b",
        "simulate --schedule @FILE",
        "simulate --system --schedule @FILE",
        "matrix FILE",
        "run --facts FILE",
        "run --baseline FILE",
        "run --features FILE",
        "--config FILE run",
        "report FILE",
        "diff FILE FILE",
        "merge FILE --out FILE",
        "replay FILE",
        "dissect FILE",
        "lint FILE",
        "spec check FILE",
        "migrate FILE FILE",
        "smoke --iut stdio:FILE",
        "audit deliveries --log FILE --out FILE",
        "audit captures --captures FILE --out FILE",
        "audit routes --directory FILE --decisions FILE --out FILE",
        "history add FILE --store FILE.new",
        "history trend --store FILE",
        "triangulate --replay FILE --iut ref: --iut ref:",
        "directory check ldif:FILE",
        "report FILE --report junit=FILE.xml",
        "run --seed FILE",
    ],
)
@pytest.mark.parametrize("kind", ["json", "toml", "text"])
def test_no_reader_passes_an_escape_on_to_the_terminal(
    command: str, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    text = {
        "json": json.dumps({ESCAPES: [ESCAPES], "record": ESCAPES, "version": ESCAPES}, ensure_ascii=False),
        "toml": '"\\u001b[2J\\u009b" = "\\u001b[2J\\u202e"\n[implementations."\\u001b[2J"]\ntarget = "\\u001b[2J"\n',
        "text": f"Feature: {ESCAPES}\n  Scenario: {ESCAPES}\n    Given {ESCAPES}\n",
    }[kind]
    file = tmp_path / f"hostile{ESCAPES}.feature"
    file.write_text(text, "utf-8")
    assert run_command([str(file) if word == "FILE" else word.replace("FILE", str(file)) for word in command.split()])
    shown = "".join(capfd.readouterr())
    assert shown
    assert not [character for character in shown if character != "\n" and not character.isprintable()], repr(shown)
