"""The same command writes the same octets, whatever the seed of hashes, the language and the time zone."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from long_tier import long

EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
CAPTURE = Path(__file__).parent / "fuzz_seeds" / "capture" / "server.pcapng"
MATRIX = """
[implementations.ref]
target = "ref:"
[implementations.hops]
target = "mutant:hop-count-for-cost"
roles = ["router"]
[routing]
generated = 2
questions = 20
[delivery]
schedules = 5
"""
OSLO, BERGEN, CLIENT = (f"0000000{number}-abcd-4000-8000-00000000beef" for number in (1, 2, 3))
ENTERPRISE = {
    "enterprise": {"name": "Nordic \u0130"},
    "sites": [{"name": "Istanbul \u0130\u0131", "site_gates": [OSLO]}, {"name": "Bod\u00f8", "site_gates": [BERGEN]}],
    "routing_links": [{"id": "a", "site1": "Istanbul \u0130\u0131", "site2": "Bod\u00f8", "cost": 1}],
    "queue_managers": [
        {"id": OSLO, "name": "gate-\u0130", "sites": ["Istanbul \u0130\u0131"], "routing_server": True},
        {"id": BERGEN, "name": "gate-\u00f8", "sites": ["Bod\u00f8"], "routing_server": True},
        {"id": CLIENT, "name": "client-\u0131", "sites": ["Istanbul \u0130\u0131"], "routing_server": False},
    ],
}
DECISIONS = [
    {"source": CLIENT, "destination": BERGEN, "next_hops": [hop], "time": f"2026-01-31T0{hour}:30:00", "note": "\u0130"}
    for hour in range(10)
    for hop in (OSLO, BERGEN, OSLO.upper())
]
ENTRIES = [
    {
        "stream": stream,
        "event": event,
        "message": f"m{number}",
        "sequence": number,
        "previous": number - 1,
        "time": time,
    }
    for stream in ("\u0130", "i", "\u0131", "I")
    for number, time in ((1, "2026-03-29 02:30:00"), (3, "2026-03-29 03:30:00"))
    for event in ("sent", "accepted")
]
FILES = {
    "matrix.toml": MATRIX,
    "enterprise.json": json.dumps(ENTERPRISE),
    "decisions.jsonl": "".join(json.dumps(line) + "\n" for line in DECISIONS),
    "log.jsonl": "".join(json.dumps(line) + "\n" for line in ENTRIES),
}
COMMANDS = {
    "import": ("directory", "import", f"ldif:{EXPORT}", "--out", "enterprise.yaml", "--snapshot", "snapshot.json"),
    "server": ("run", "--iut", "mutant:zero-site-is-own", "--req", "MQSD-3.2.5.1-12", "--report", "junit"),
    "client": ("run", "--iut", "mutant:client-starts-successful", "--req", "MQSD-3.1.5.2-01"),
    "router": ("run", "--iut", "mutant:hop-count-for-cost", "--req", "MQBR-3.1.5.3-01"),
    "sender": ("run", "--iut", "mutant:sender-resends-too-soon", "--req", "EOD-3-02"),
    "queue manager": ("run", "--iut", "mutant:queue-abort-puts-last", "--req", "MQSO-5.1.1.2-01"),
    "matrix": ("matrix", "matrix.toml", "--kind", "routing", "--kind", "delivery"),
    "triangulate": ("triangulate", "--iut", "ref:", "--iut", "mutant:hop-count-for-cost", "--role", "router",
                    "--inputs", "10"),
    "migrate": ("migrate", "ref:", "mutant:queue-abort-puts-last", "--format", "json", "--out", "guarantees.json"),
    "routes": ("audit", "routes", "--directory", "enterprise.json", "--decisions", "decisions.jsonl",
               "--out", "audited"),
    "captures": ("audit", "captures", "--captures", str(CAPTURE), "--out", "audited"),
    "deliveries": ("audit", "deliveries", "--log", "log.jsonl", "--complete", "--out", "audited"),
    "vectors": ("vectors", "--enterprises", "20", "--packets", "200", "--out", "vectors"),
}  # fmt: skip
TURKISH = "-Duser.language=tr -Duser.country=TR"
PLAIN = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
OTHER = (
    {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "JDK_JAVA_OPTIONS": TURKISH},
    {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "TZ": "America/St_Johns"},
)
"""Another seed each, an i without a dot, no more than ASCII, and times that are no whole hours from UTC.

Java is told of Turkish in its own way: it does not believe in a language that is not installed.
"""
TIMES = re.compile(rb'"(?:read_at|seconds)": ?"?[^",}]*|timestamp="[^"]*"|\btime="[^"]*"|[0-9.]+ s\b')
"""What tells when something was or how long it took."""
OF_THE_MACHINE = {"environment.json", ".lock"}


def written(folder: Path, words: tuple[str, ...], surroundings: Mapping[str, str]) -> dict[str, bytes]:
    """What a command writes in a folder of its own; what it prints depends on what the terminal can show."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    left = {name: value for name, value in os.environ.items() if name not in {"LANG", "LANGUAGE", *PLAIN}}
    main = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
    done = subprocess.run([*main, *words], cwd=folder, env=left | surroundings, capture_output=True, check=False)
    assert done.returncode in {0, 1, 2}, done.stderr
    others = {*OF_THE_MACHINE, *FILES}
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name not in others]
    assert files
    here = os.fsencode(folder)
    return {str(file.relative_to(folder)): TIMES.sub(b"", file.read_bytes().replace(here, b"")) for file in files}


@long
@pytest.mark.parametrize("kind", COMMANDS)
def test_surroundings_change_no_octet(kind: str, tmp_path: Path):
    if COMMANDS[kind][0] in {"audit", "vectors"}:
        pytest.importorskip("pyspark", reason="the extra spark is not installed")
    plain = written(tmp_path / "plain", COMMANDS[kind], PLAIN)
    for number, surroundings in enumerate(OTHER):
        assert written(tmp_path / str(number), COMMANDS[kind], surroundings) == plain
