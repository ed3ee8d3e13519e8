"""The comparison behind ``mqconform diff``, as JSON (features/schemas/comparison.schema.json) and as Markdown.

In Markdown names of whatever origin stand in ``code`` elements, each character that means something to it or to HTML
as an entity: they format nothing, link nowhere and call nobody.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mqconform.harness.records.printable import shortened, visible
from mqconform.harness.records.results import Header
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.compare import Comparison, by_weight, compare_files

LONGEST_TEXT = 300
MOST = 50
"""Changes of one cause that are listed; JSON has all."""


def text(comparison: Comparison) -> str:
    """Return the comparison as lines of text; what an implementation sent is made visible."""
    return "\n".join(_text_lines(comparison)) + "\n"


def _text_lines(comparison: Comparison) -> Iterator[str]:
    for remark in comparison.remarks:
        yield f"note: {visible(remark)}"
    if comparison.differences:
        yield "the runs differ in"
        yield from (f"  {safe_text(difference)}" for difference in comparison.differences)
    for cause in comparison.counts():
        yield ""
        yield cause.value.upper()
        changes = by_weight(comparison, cause)
        yield from map(_change_text, changes[:MOST])
        if len(changes) > MOST:
            yield f"  and {len(changes) - MOST} more, all of them with --format json"
    yield ""
    yield totals(comparison)


def totals(comparison: Comparison) -> str:
    """Return how many changes there are of each cause, on one line."""
    counted = ", ".join(f"{number} {cause.value}" for cause, number in comparison.counts().items())
    return f"changes: {counted or 'none'}"


def _change_text(change: Change) -> str:
    formerly = f" (was {safe_text(change.formerly)})" if change.formerly else ""
    return f"  {change.kind:<11} {safe_text(change.id)}{formerly}: {arrow(change)}; {safe_text(change.detail)}"


def arrow(change: Change) -> str:
    """Return what the verdict was and is."""
    match change.cause:
        case Cause.NEW:
            return change.after
        case Cause.REMOVED:
            return f"was {change.before}"
        case _ if change.before == change.after:
            return f"still {change.after}"
        case _:
            return f"{change.before or 'absent'} -> {change.after or 'absent'}"


def safe_text(original: str) -> str:
    """Return text of whatever origin, visible and not too long."""
    return shortened(visible(original), LONGEST_TEXT)


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


def code(text: str) -> str:
    """Return text of whatever origin as code that formats nothing."""
    safe = "".join(
        character if character.isalnum() or character in PLAIN else f"&#{ord(character)};"
        for character in shortened(visible(text), LONGEST)
    )
    return f"<code>{safe}</code>"


SCHEMA = 1


def document(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as a JSON object."""
    return {
        "schema": SCHEMA,
        "then": _run(comparison.setting.then),
        "now": _run(comparison.setting.now),
        "differences": list(comparison.differences),
        "remarks": list(comparison.remarks),
        "counts": {cause.value: number for cause, number in comparison.counts().items()},
        "changes": [_change(change) for change in comparison.changes],
    }


def json_text(comparison: Comparison) -> str:
    """Return the comparison as JSON text, ASCII and with sorted keys."""
    return json.dumps(document(comparison), indent=2, sort_keys=True) + "\n"


def _run(header: Header) -> dict[str, Any]:
    made_by = {"name": header.iut.name, "version": header.iut.version, "build": header.iut.build}
    return {"implementation": made_by, "profile": header.profile, "seed": header.seed, "harness": header.harness}


def _change(change: Change) -> dict[str, Any]:
    record = {
        "kind": change.kind,
        "id": change.id,
        "cause": change.cause.value,
        "detail": change.detail,
        "worse": change.worse,
    }
    extra = {"before": change.before, "after": change.after, "formerly": change.formerly}
    return record | {key: value for key, value in extra.items() if value}


WRITERS = {"text": text, "json": json_text, "markdown": markdown}


class RunDifference:
    """Two runs beside each other, in every format."""

    formats = tuple(WRITERS)

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison

    def write(self, form: str) -> str:
        """Return the comparison as ``text``, ``json`` or ``markdown``."""
        return WRITERS[form](self.comparison)

    @property
    def whole(self) -> bool:
        """Whether both runs came to their end, so that what is alike was compared."""
        return not self.comparison.remarks

    def worse(self) -> Mapping[str, int]:
        """Return cause -> number of changes for the worse."""
        causes = [change.cause.value for change in self.comparison.changes if change.worse]
        return {cause: causes.count(cause) for cause in sorted(set(causes))}


def diff(then: Path, now: Path, again: Sequence[Path] = ()) -> RunDifference:
    """Compare the results of two runs.

    Raises:
        ValueError: a result file cannot be used; the message says which and why.
    """
    return RunDifference(compare_files(then, now, again))
