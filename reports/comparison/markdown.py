"""A comparison as Markdown, for a comment on a pull request.

Names of whatever origin stand in ``code`` elements, every character that means something to Markdown or HTML as an
entity: they format nothing, link nowhere and call nobody.
"""

from collections.abc import Iterator

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.compare import Comparison, by_weight
from mqconform.reports.comparison.terminal import arrow

LONGEST = 200
PLAIN = frozenset(" -/,()+;=")
"""Beside letters and digits, what neither Markdown nor HTML reads anything into."""
LISTED = (40, 15, 5)
"""How many changes of one cause are listed, fewer where the comment would grow too long."""
ROOM = 60_000
"""Characters of a comment; GitHub takes 65,536."""
MARKS = {
    Cause.REGRESSION: "regressions",
    Cause.FIX: "fixes",
    Cause.NEW: "new",
    Cause.REMOVED: "removed",
    Cause.RENAMED: "renamed",
    Cause.SPECIFICATION: "the specification changed",
    Cause.SUITE: "the suite changed",
    Cause.IUT: "the implementation is another",
    Cause.PROFILE: "the profile is another",
    Cause.ENVIRONMENT: "the environment is another",
    Cause.FLAKE: "flakes",
}
OPEN = (Cause.REGRESSION, Cause.REMOVED)
"""Causes whose changes are shown at once; the others unfold."""


def markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown."""
    texts = ("\n".join(_lines(comparison, most)) + "\n" for most in LISTED)
    return next((text for text in texts if len(text) <= ROOM), shortest(comparison))


def shortest(comparison: Comparison) -> str:
    """Return the comparison as Markdown without a list of its changes."""
    return "\n".join(_lines(comparison, 0)) + "\n"


def _lines(comparison: Comparison, most: int) -> Iterator[str]:
    counts = comparison.counts()
    yield f"### Conformance: {_headline(comparison)}"
    yield ""
    yield from (f"> {code(remark)}" for remark in comparison.remarks)
    if counts:
        yield "| cause | requirements | cases |"
        yield "| --- | ---: | ---: |"
        for cause in counts:
            kinds = [change.kind for change in comparison.changes if change.cause is cause]
            yield f"| {MARKS[cause]} | {kinds.count('requirement')} | {kinds.count('case')} |"
        yield ""
    for cause in counts:
        yield from _section(cause, by_weight(comparison, cause), most)
    if comparison.differences:
        yield f"The runs differ in {', '.join(code(difference) for difference in comparison.differences)}."


def _headline(comparison: Comparison) -> str:
    counts = comparison.counts()
    worst = [f"{counts[cause]} {MARKS[cause]}" for cause in OPEN if cause in counts]
    return ", ".join(worst) or ("no regression" if counts else "nothing changed")


def _section(cause: Cause, changes: list[Change], most: int) -> Iterator[str]:
    yield f"<details{' open' if cause in OPEN else ''}><summary>{MARKS[cause]}</summary>"
    yield ""
    for change in changes[:most]:
        formerly = f" (was {code(change.formerly)})" if change.formerly else ""
        yield f"- {change.kind} {code(change.id)}{formerly}: {arrow(change)}; {code(change.detail)}"
    if len(changes) > most:
        yield f"- and {len(changes) - most} more"
    yield ""
    yield "</details>"
    yield ""


def code(words: str) -> str:
    """Return text of whatever origin as code that formats nothing."""
    safe = "".join(
        character if character.isalnum() or character in PLAIN else f"&#{ord(character)};"
        for character in shortened(visible(words), LONGEST)
    )
    return f"<code>{safe}</code>"
