"""What the pipeline refuses on account of what it was given; the command line shows the text and exits with 4."""

from collections.abc import Sequence
from typing import Final

from mqconform.reference.errors import ModelError

CORRUPT: Final = "_corrupt_record"
"""Where Spark puts lines that are no JSON."""
LONGEST: Final = 300
"""Characters of a reason that a library gives."""
ROW: Final = "_row_in_its_file"
"""Where rows come from files, their order within each file."""


def without_columns(where: str, missing: Sequence[str], or_else: str, names: Sequence[str]) -> "UnusableInput":
    """Return the refusal of a table that lacks columns, or where none does, the one that ``or_else`` says."""
    what = or_else
    if missing:
        what = f"column {missing[0]} is missing" if len(missing) == 1 else f"columns {', '.join(missing)} are missing"
    present = [name for name in names if name not in {CORRUPT, ROW}]
    remedy = "rename or add it" if len(missing) == 1 else "rename or add what is missing"
    return UnusableInput(f"{where}: {what}; the columns are {', '.join(present) or 'none'}; {remedy}")


def unreadable(file: str, reason: object) -> "UnusableInput":
    """Return the refusal of a file that is damaged, or not of the form that its name says; the reason on one line."""
    text = " ".join(str(reason).split())[:LONGEST].rstrip(".")
    return UnusableInput(f"{file}: cannot be read: {text}; write the file again, or leave it out")


class UnusableInput(ModelError):
    """A file, a column or an option cannot be used; the text names it, and the remedy."""


class NoSpark(ModelError):
    """Spark or the Java that it needs is missing or does not start; the text lists what was tried."""
