"""What the tests of matrices share: a matrix file out of targets, played in full."""

from datetime import date
from pathlib import Path

from mqconform.harness.cli.matrix import NETWORKS
from mqconform.harness.explore.matrix.discovery_sides import NetworkMaker
from mqconform.harness.explore.matrix.matrix_cell import KINDS, Result
from mqconform.harness.explore.matrix.matrix_file import MatrixFile, Settings, read_matrix
from mqconform.harness.explore.matrix.matrix_run import Outcome, run_matrix

TODAY = date(2026, 6, 1)


def written(folder: Path, text: str) -> MatrixFile:
    """Write and read a matrix file."""
    path = folder / "matrix.toml"
    path.write_text(text, "utf-8")
    return read_matrix(path)


def implementations(targets: dict[str, str], **roles: str) -> str:
    """Return the tables of implementations by name; ``roles`` restricts some to one role."""
    tables = []
    for name, target in targets.items():
        role = f"\nroles = ['{roles[name]}']" if name in roles else ""
        tables.append(f"[implementations.{name}]\ntarget = '{target}'{role}\n")
    return "\n".join(tables)


def played(
    matrix: MatrixFile,
    out: Path,
    *kinds: str,
    seed: int = 0,
    workers: int = 1,
    networks: NetworkMaker = NETWORKS,
    **otherwise: object,
) -> Outcome:
    """Play some kinds of a matrix; each worker of delivery is an interpreter that has to start."""
    settings = Settings(out, matrix.tried, seed, workers=workers, deadline=10.0)
    return run_matrix(matrix, settings, kinds or KINDS, networks=networks, today=TODAY, **otherwise)  # type: ignore[arg-type]


def of(outcome: Outcome, kind: str, one: str, other: str) -> Result:
    """Return the result of a pair."""
    (found,) = (result for result in outcome.results if result.cell.kind == kind and result.cell.pair == (one, other))
    return found


def requirements(result: Result, side: str) -> set[str]:
    """Return the requirements that a side failed."""
    return {one.requirement for one in result.findings if one.side == side and one.verdict.word == "fail"}
