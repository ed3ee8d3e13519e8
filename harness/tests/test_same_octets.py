"""The same command writes the same octets, whatever the seed of hashes, the language and the time zone."""

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
COMMANDS = {
    "import": ("directory", "import", f"ldif:{EXPORT}", "--out", "enterprise.yaml", "--snapshot", "snapshot.json"),
    "server": ("run", "--iut", "mutant:zero-site-is-own", "--req", "MQSD-3.2.5.1-12", "--report", "junit"),
    "queue manager": ("run", "--iut", "mutant:queue-abort-puts-last", "--req", "MQSO-5.1.1.2-01"),
    "matrix": ("matrix", "matrix.toml", "--kind", "routing", "--kind", "delivery"),
    "triangulate": ("triangulate", "--iut", "ref:", "--iut", "mutant:hop-count-for-cost", "--role", "router",
                    "--inputs", "10"),
    "captures": ("audit", "captures", "--captures", str(CAPTURE), "--out", "audited"),
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
TIMES = re.compile(rb'"(?:read_at|began|seconds)": ?"?[^",}]*|timestamp="[^"]*"|\btime="[^"]*"|[0-9.]+ s\b')
"""What tells when something was or how long it took."""
DRAWN = re.compile(r"-[0-9a-f]{8}-[0-9a-f-]{27}")
"""What Spark draws for the name of a file."""
OF_THE_MACHINE = {"environment.json", ".lock", "matrix.toml"}


def written(folder: Path, words: tuple[str, ...], surroundings: Mapping[str, str]) -> dict[str, bytes]:
    """What a command writes in a folder of its own; what it prints depends on what the terminal can show."""
    folder.mkdir()
    (folder / "matrix.toml").write_text(MATRIX, "utf-8")
    left = {name: value for name, value in os.environ.items() if name not in {"LANG", "LANGUAGE", *PLAIN}}
    main = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
    done = subprocess.run([*main, *words], cwd=folder, env=left | surroundings, capture_output=True, check=False)
    assert done.returncode in {0, 1, 2}, done.stderr
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file.name not in OF_THE_MACHINE]
    files = [file for file in files if not file.name.endswith(".parquet.crc")]  # sums of the notes as well
    assert files
    here = os.fsencode(folder)
    names = [DRAWN.sub("", str(file.relative_to(folder))) for file in files]
    return {name: TIMES.sub(b"", octets_of(file).replace(here, b"")) for name, file in zip(names, files, strict=True)}


def octets_of(file: Path) -> bytes:
    """Return what a file says; Spark's own notes in Parquet have the time zone of the machine."""
    if file.suffix != ".parquet":
        return file.read_bytes()
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(file)
    return repr((table.schema.names, table.to_pylist())).encode()


@long
@pytest.mark.parametrize("kind", COMMANDS)
def test_surroundings_change_no_octet(kind: str, tmp_path: Path):
    if COMMANDS[kind][0] in {"audit", "vectors"}:
        pytest.importorskip("pyspark", reason="the extra spark is not installed")
    plain = written(tmp_path / "plain", COMMANDS[kind], PLAIN)
    for number, surroundings in enumerate(OTHER):
        assert written(tmp_path / str(number), COMMANDS[kind], surroundings) == plain
