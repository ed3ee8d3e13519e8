"""Which tables each command shows of a history, by the names that its document has for them."""

from typing import TYPE_CHECKING

from mqconform.reports.pipeline.history import frames, regressions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    Tables = dict[str, "DataFrame"]


def trend_tables(runs: "DataFrame", scores: "DataFrame") -> "Tables":
    """Return what ``trend`` shows, from rows of ``RUNS`` and ``SCORES``."""
    findings = frames.findings(runs)
    return {
        "coverage": frames.coverage(runs),
        "first_bad": frames.first_bad(findings),
        "matrix": frames.matrix(findings),
        "flakes": frames.flakes(frames.answers(runs)),
        "mutation": frames.mutation(scores),
    }


def regress_tables(runs: "DataFrame", between: tuple[str, str] | None, *, every: bool) -> "Tables":
    """Return what ``regress`` shows, from rows of ``RUNS``.

    Args:
        runs: the history, or the part that is looked at.
        between: identities of two runs, which may be shortened, or None.
        every: whether, without two runs, each is compared with the one before it, not the latest alone.
    """
    if between:
        pairs = regressions.chosen_pair(runs, *between)
    else:
        pairs = regressions.all_pairs(runs) if every else regressions.latest_pairs(runs)
    return {
        "pairs": regressions.run_pairs(pairs),
        "changes": regressions.changes(pairs),
        "first_bad": frames.first_bad(frames.findings(runs)),
    }
