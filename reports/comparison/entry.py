"""The comparison behind ``mqconform diff``."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from mqconform.reports.comparison.compare import Comparison, compare_files
from mqconform.reports.comparison.document import json_text
from mqconform.reports.comparison.markdown import markdown
from mqconform.reports.comparison.terminal import text

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
