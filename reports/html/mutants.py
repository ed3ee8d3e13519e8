"""What the kill matrix of ``mqconform mutants`` says of each requirement."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mqconform.reports.html.documents import read_document

MATRIX: Final = "write it with `mqconform mutants`"


class Killer(NamedTuple):
    """A wrong implementation that the scenarios of a requirement convict."""

    name: str
    says: str
    aimed: bool
    """Whether it is there to break this requirement."""


def killers(file: Path) -> Mapping[str, tuple[Killer, ...]]:
    """Return, by requirement, the mutants that are convicted of violating it.

    Raises:
        DocumentFault: the file holds no kill matrix.
    """
    matrix = read_document(file, "kill_matrix", MATRIX)
    says = {name: mutant["says"] for name, mutant in matrix["mutants"].items()}
    return {
        requirement: tuple(
            Killer(name, says.get(name, ""), name in row["aimed"])
            for name in sorted({*row["aimed"], *(name for names in row["killed_by"].values() for name in names)})
        )
        for requirement, row in matrix["requirements"].items()
    }
