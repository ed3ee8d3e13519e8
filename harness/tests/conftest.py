"""How the whole test run is divided between processes, so that none has all the waiting at the end, and kept quick."""

import gc
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePath

import pytest
import surroundings
from xdist.scheduler.loadfile import LoadFileScheduling

ONE_WORKER = (
    "test_*_bulk*.py",
    "test_eod_history_check.py",
    "test_captures_*.py",
    "test_audit_*.py",
    "test_history_*.py",
    "test_vectors*.py",
    "test_session.py",
    "test_html_audits.py",
    "test_directory_diff.py",
)
"""What one worker runs, in this order: these share a JVM, and loops that are compiled at their first call."""
LONGEST_FIRST = (
    *ONE_WORKER,
    "test_client_real_time.py",
    "test_docker_samples.py",
    "test_hostile_udp.py",
    "test_triangulation.py",
    "test_docker_left_behind.py",
    "test_matrix_discovery.py",
    "test_bundles_live.py",
    "test_docker_iut.py",
    "test_html_site.py",
    "test_crash_safety.py",
    "test_sample_matrix.py",
    "test_examples.py",
    "test_sharding.py",
    "test_formats.py",
    "test_hostile_iuts.py",
    "test_run_udp.py",
    "test_docs.py",
    "test_mqsd_client_run.py",
    "test_mqbr_run.py",
    "test_cli_audit_captures.py",
    "test_farm.py",
    "test_ci_templates.py",
    "test_eod_simulation.py",
    "test_queue_manager_sentences.py",
    "test_bundles.py",
    "test_resumed_patience.py",
    "test_lua_dissector.py",
    "test_cluster.py",
    "test_cluster_commands.py",
)
"""Files that take or wait longest, measured with ``--durations``; a wrong order costs time and nothing else."""


class ByFile(LoadFileScheduling):
    """Gives whole files to workers, and to one of them all of ``ONE_WORKER``."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "one worker" if any(fnmatch(PurePath(file).name, pattern) for pattern in ONE_WORKER) else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile | None:
    """Divide ``--dist loadfile`` our way."""
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than cores: tests wait for clocks, containers and children as long as they compute."""
    return len(os.sched_getaffinity(0)) + 2


def pytest_configure() -> None:
    """Search for no garbage until all tests are collected: a sixth of that time went into what stays anyway."""
    surroundings.pytest_configure()
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest files begin first; xdist would begin with those of the most tests (see ``addopts``)."""
    items.sort(key=lambda item: _place(item.path.name))


@cache
def _place(file: str) -> int:
    return next((place for place, pattern in enumerate(LONGEST_FIRST) if fnmatch(file, pattern)), len(LONGEST_FIRST))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Writes a module that can be imported, for this test alone, and returns its name."""
    name = f"iut_{tmp_path.name.replace('-', '_')}"
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text: str) -> str:
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), "utf-8")
        return name

    yield write
    sys.modules.pop(name, None)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take the thousands of tests out of what is searched for garbage: each run within a test has it searched twice."""
    del session
    gc.collect()
    gc.freeze()
    gc.enable()
