"""The sample IUT in JavaScript conforms: over calls, over UDP, and as a client that broadcasts."""

import re
from pathlib import Path

import pytest
from long_tier import long
from sample_iuts import EXAMPLES, WITH_QUEUE_MANAGER, build, judge_by_broadcast, judge_by_calls, judge_by_datagrams

pytestmark = pytest.mark.samples


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("javascript", tmp_path_factory)


@long
@pytest.mark.parametrize("cases", ["not generated", pytest.param("", id="all")])
def test_the_suite_finds_nothing_to_object_to(program: Path, cases: str, tmp_path: Path):
    """Searches take half of the time and establish nothing that no other case establishes."""
    judge_by_calls(program, tmp_path / "out", roles=WITH_QUEUE_MANAGER, expression=cases)


@long
def test_its_server_answers_datagrams_as_its_facts_say(program: Path, tmp_path: Path):
    judge_by_datagrams(program, tmp_path / "out")


def test_its_client_broadcasts_and_waits_by_the_real_clock(program: Path, tmp_path: Path):
    judge_by_broadcast(program, tmp_path / "out")


def test_it_stands_on_node_alone():
    sources = sorted((EXAMPLES / "iut" / "javascript" / "src").rglob("*.mjs"))
    imported = {name for source in sources for name in re.findall(r'from "([^"]+)"', source.read_text("utf-8"))}
    assert len(sources) > 15
    assert {name for name in imported if not name.startswith(("node:", "./", "../"))} == set()
    assert "node:dgram" in imported
