"""What Hypothesis draws in a run depends on the seed alone."""

import os
import subprocess
import sys
from pathlib import Path

DRAW = """
import sys
sys.path.insert(0, ".")
import local_module
from hypothesis import strategies as st
from mqconform.harness.judge.search import search

drawn = []
search(st.integers(), drawn.append, seed=3, examples=400, size=lambda _: 1)
print(sorted(set(drawn)))
"""


def drawn_beside(folder: Path, source: str) -> str:
    folder.mkdir()
    (folder / "local_module.py").write_text(source, "utf-8")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", DRAW], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert [entry.name for entry in folder.iterdir()] == ["local_module.py"]
    return ran.stdout


def test_constants_in_source_files_change_nothing_and_no_folder_is_left(tmp_path: Path) -> None:
    numbers = ", ".join(str(number) for number in range(777_000, 777_200))
    assert drawn_beside(tmp_path / "few", "") == drawn_beside(tmp_path / "many", f"NUMBERS = [{numbers}]\n")
