"""``directory import --since`` and ``directory diff``: what changed, and which routing tables differ."""

import json
import random
from collections.abc import Callable
from itertools import combinations, permutations
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.tools.enterprise.route_diff import RouteChange, route_diff
from mqconform.reference.directory import Directory, directory_from_document

EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: str) -> tuple[int, str, str]:
        code = run_command([*arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def changed(folder: Path, *replacements: tuple[str, str]) -> str:
    text = EXPORT.read_text("utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    file = folder / "changed.ldf"
    file.write_text(text, "utf-8")
    return f"ldif:{file}"


@pytest.fixture
def snapshot(run: Run, tmp_path: Path) -> str:
    file = tmp_path / "before.json"
    assert run("directory", "import", f"ldif:{EXPORT}", "--snapshot", str(file))[0] == 0
    return str(file)


def test_changes_are_told_in_words(run: Run, snapshot: str, tmp_path: Path):
    source = changed(
        tmp_path,
        ("mSMQCost: 5", "mSMQCost: 50"),
        ("dNSHostName: both.contoso.test", "dNSHostName: two.contoso.test"),
        ("mSMQServices: 1", "mSMQServices: 2"),
    )
    code, said, _ = run("directory", "import", source, "--since", snapshot)
    assert code == 0
    assert "routing link Rome - Kyiv: cost 5 -> 50" in said
    assert "dNSHostName both.contoso.test -> two.contoso.test" in said
    assert "mSMQServices 1 -> 2" in said


def test_equal_versions_differ_in_nothing(run: Run, snapshot: str):
    code, said, _ = run("directory", "diff", snapshot, snapshot, "--routes", "--strict")
    assert (code, said.splitlines()[:2]) == (0, ["nothing changed", "routes of 20 pairs of sites: none changes"])


def test_a_dearer_link_is_a_change_and_no_other_route(run: Run, snapshot: str, tmp_path: Path):
    source = changed(tmp_path, ("mSMQCost: 5", "mSMQCost: 50"))
    code, said, _ = run("directory", "diff", snapshot, source, "--strict")
    assert (code, said.splitlines()) == (1, ["routing link Rome - Kyiv: cost 5 -> 50"])
    code, said, _ = run("directory", "diff", snapshot, source, "--strict", "--routes")
    assert (code, said.splitlines()[1]) == (0, "routes of 20 pairs of sites: none changes")


def test_a_link_that_goes_loses_routes(run: Run, snapshot: str, tmp_path: Path):
    records = [one for one in EXPORT.read_text("utf-8").split("\n\n") if "mSMQCost: 3" not in one]
    file = tmp_path / "less.ldf"
    file.write_text("\n\n".join(records), "utf-8")
    arguments = ["directory", "diff", snapshot, f"ldif:{file}", "--routes", "--pairs", "2"]
    code, said, err = run(*arguments, "--strict")
    assert code == 1
    assert {"routing link Rome - Lima: removed", "routes of 20 pairs of sites: 6 lost"} <= {*said.splitlines()}
    assert said.splitlines()[-2:] == ["Oslo -> Lima: lost: Rome -> none", "Rome -> Lima: lost: Lima -> none"]
    assert "cannot be reached from" in err
    code, said, _ = run(*arguments, "--json")
    report, judge = json.loads(said), validator("directory_diff")
    assert (code, judge is not None and complaint(judge, report, "")) == (0, "")
    assert (report["routes"]["changed"]["lost"], len(report["routes"]["pairs"])) == (6, 2)


def enterprise(links: list[tuple[str, str, int]], sites: str) -> Directory:
    joined = [{"id": f"{here}{there}", "site1": here, "site2": there, "cost": cost} for here, there, cost in links]
    named = [{"name": site} for site in sites]
    return directory_from_document(
        {"enterprise": {"name": "E"}, "sites": named, "routing_links": joined, "queue_managers": []}
    )


def next_sites(links: list[tuple[str, str, int]], source: str, destination: str) -> tuple[str, ...]:
    """The second sites of all simple paths at the least cost, by trying them all."""
    waiting, ends = [((source,), 0)], []
    while waiting:
        path, cost = waiting.pop()
        if path[-1] == destination:
            ends.append((cost, path[1]))
            continue
        for here, there, more in links:
            waiting += [((*path, end), cost + more) for start, end in ((here, there), (there, here))
                        if start == path[-1] and end not in path]  # fmt: skip
    return tuple(sorted({second for cost, second in ends if cost == min(ends)[0]}))


def test_the_rows_that_differ_are_those_of_all_paths_tried():
    kinds = set()
    for seed in range(20):
        choices = random.Random(seed)
        links = [(*pair, choices.randint(1, 3)) for pair in combinations("ABCDEF", 2) if choices.random() < 0.5]
        later = [link for link in links if choices.random() > 0.2 and "A" not in link] + [("B", "G", 2)]
        diff = route_diff(enterprise(links, "ABCDEF"), enterprise(later, "BCDEFG"), 1000)
        rows = {(one.source, one.destination): (one.before, one.after) for one in diff.examples}
        both = {pair: (next_sites(links, *pair), next_sites(later, *pair)) for pair in permutations("ABCDEFG", 2)}
        assert {pair: tuple(map(sorted, sets)) for pair, sets in rows.items()} == {
            pair: tuple(map(sorted, sets)) for pair, sets in both.items() if sets[0] != sets[1]
        }
        assert sum(diff.counts.values()) == len(rows)
        kinds |= {one.kind for one in diff.examples}
    assert kinds == set(RouteChange)
