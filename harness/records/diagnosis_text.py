"""What a diagnosis says, in the same words on a terminal and in every report."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mqconform.harness.records.results import Diagnosed

BEHAVES_LIKE: Final = "behaves like"


class Likeness(NamedTuple):
    """One known fault that failed cases behave like.

    Attributes:
        where: whom the implementation behaves like, and in how many of its failed cases.
        says: what is wrong with it, and the name it can be run by.
        others: likewise of faults that no failed case tells from it.
    """

    where: str
    says: str
    others: tuple[str, ...]


def likenesses(diagnosis: Sequence[Diagnosed], failed: int) -> Iterator[Likeness]:
    """Yield what a diagnosis says of ``failed`` cases; never as a certainty, since another fault may look the same."""
    for fault in diagnosis:
        cases = "failed case" if failed == 1 else "failed cases"
        role = fault.role.replace("_", " ")
        where = f"{BEHAVES_LIKE} a known faulty {role}, in {len(fault.cases)} of {failed} {cases}"
        others = tuple(f"{other.says} (mutant:{other.fault})" for other in fault.others)
        yield Likeness(where, f"{fault.says} (mutant:{fault.fault})", others)
