"""The page on notebooks: each block of Python does what the page says, in one session, from top to bottom."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_tier import long
from pyspark.sql import SparkSession
from test_audit_captures import spoiled_traffic

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "audit-in-a-notebook.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
"""Python, and what it prints where the next block has that."""
LOG = """stream,event,message,sequence,position
bills,sent,a,1,1
orders,sent,b,1,1
bills,accepte
orders,accepted,b,1,2
"""
BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


@pytest.fixture
def folder(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a reader who has the examples, captures and a log; the session is given back as it was."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "captures").mkdir()
    traffic, _ = spoiled_traffic(30, 1)
    (tmp_path / "captures" / "monday.pcap").write_bytes(traffic.pcap()[:-7])
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "monday.csv").write_text(LOG)
    monkeypatch.chdir(tmp_path)
    before = spark.conf.get(BATCH)
    yield tmp_path
    spark.conf.set(BATCH, before)


@long
def test_the_page_can_be_followed_from_top_to_bottom(folder: Path, capsys: pytest.CaptureFixture[str]):
    page, names = PAGE.read_text("utf-8"), dict[str, object]()
    for name in ("captures/", "lake/", "logs/"):  # relative ones are meant from where the JVM was started
        page = page.replace(f'"{name}', f'"{folder}/{name}')
    for code, shown in BLOCK.findall(page):
        exec(compile(code, PAGE.name, "exec"), names)  # noqa: S102 - the page is ours
        printed = capsys.readouterr().out
        for line in shown.splitlines():
            assert line.rstrip() in printed, printed
    assert shown == "", "the page ends with what it keeps"
    assert (folder / "lake" / "verdicts" / "_SUCCESS").is_file()
