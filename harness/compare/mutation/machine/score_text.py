"""The mutation score for people."""

from collections.abc import Iterator

from mqconform.harness.compare.mutation.machine.score import MISSED, Fate, Score, share

SHOWN = 40


def text_of(score: Score) -> Iterator[str]:
    """Yield the lines of the summary: a row for each module, then what was not convicted."""
    width = max((len(name) for name in score.modules()), default=0)
    yield f"{'module':<{width}} {'score':>6} " + " ".join(f"{fate.value:>10}" for fate in Fate)
    for name in [*score.modules(), ""]:
        counts = score.counts(name)
        got = share(counts)
        shown = "-" if got is None else f"{got:.0%}"
        yield f"{name or 'all':<{width}} {shown:>6} " + " ".join(f"{counts[fate] or '-':>10}" for fate in Fate)
    missed = [one for one in score.results if one.fate in {*MISSED, Fate.ERROR}]
    for one in missed[:SHOWN]:
        yield f"{one.fate}: {one.place.id} (line {one.place.line}){f': {one.by}' if one.by else ''}"
    if len(missed) > SHOWN:
        yield f"and {len(missed) - SHOWN} more in the score file"
    yield f"{len(score.results)} of {score.total} places"
