"""How the whole test run is divided between processes, so that none has all the waiting at the end, and kept quick."""

import gc
import os

import pytest

LONGEST_FIRST = (
    "test_client_real_time.py",
    "test_docker_samples.py",
    "test_docker_iut.py",
    "test_html_site.py",
    "test_seeded_defects.py",
    "test_crash_safety.py",
    "test_audit_deliveries.py",
    "test_sample_matrix.py",
    "test_history_store.py",
    "test_matrix_discovery.py",
    "test_examples.py",
    "test_sharding.py",
    "test_readme.py",
    "test_formats.py",
    "test_audit_routes_refusals.py",
    "test_hostile_iuts.py",
    "test_hostile_udp.py",
    "test_triangulation.py",
    "test_docs.py",
    "test_sample_javascript.py",
    "test_audit_captures.py",
    "test_samples_misused.py",
    "test_discovery_end_to_end.py",
    "test_bundles.py",
    "test_samples_with_faults.py",
    "test_mqsd_client_run.py",
    "test_mqbr_run.py",
    "test_audit_frames.py",
    "test_audit_routes.py",
    "test_bundles_live.py",
    "test_cluster.py",
    "test_cluster_commands.py",
)
"""Files that take longest, measured with ``--durations``; a wrong order costs time and nothing else."""


def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: some tests wait for real clocks and real containers most of their time."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the longest files begin first; xdist would begin with those of the most tests (see ``addopts``)."""
    rank = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take the thousands of tests out of what is searched for garbage: each run within a test has it searched twice."""
    del session
    gc.collect()
    gc.freeze()
