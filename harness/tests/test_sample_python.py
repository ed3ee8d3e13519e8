"""The sample IUT in Python conforms: over calls, over UDP, and as a client that broadcasts."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_tier import long
from sample_iuts import EXAMPLES, WITH_QUEUE_MANAGER, build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

pytestmark = pytest.mark.samples


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("python", tmp_path_factory)


@long
def test_the_whole_suite_finds_nothing_to_object_to(program: Path, tmp_path: Path):
    judge_by_calls(program, tmp_path / "out", roles=WITH_QUEUE_MANAGER)


@long
def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


@long
def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


def test_it_stands_on_the_standard_library_alone():
    known = sys.stdlib_module_names | {"mqsample"}
    sources = sorted((EXAMPLES / "iut" / "python" / "mqsample").rglob("*.py"))
    imported = {name for source in sources for name in _imports(ast.parse(source.read_text("utf-8")))}
    assert len(sources) > 20
    assert {"json", "mqsample"} <= imported <= known


def _imports(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            yield node.module.partition(".")[0]
