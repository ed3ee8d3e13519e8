"""What a run established about one requirement."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from mqconform.harness.records import results
from mqconform.harness.records.fingerprint import requirement_fingerprint
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.verdict import Standing


@dataclass(frozen=True, slots=True)
class Finding:
    """The standing of one requirement, with the reason where it was not judged.

    Attributes:
        cause: of an affected requirement, the violated one that explains its failures; of others empty.
    """

    requirement: Requirement
    standing: Standing
    reason: str
    witnesses: int
    cause: str = ""

    def record(self) -> results.Finding:
        """Return the finding as the result file has it."""
        requirement = self.requirement
        return results.Finding(
            id=requirement.id,
            section=requirement.section,
            level=requirement.level,
            kind=requirement.kind,
            roles=tuple(sorted(requirement.roles)),
            summary=requirement.summary,
            judged=requirement.judged,
            standing=self.standing,
            witnesses=self.witnesses,
            source=requirement_fingerprint(requirement),
            reason=self.reason,
            cause=self.cause,
        )


class Caused(Protocol):
    """What names the violated requirement that explains its failures."""

    @property
    def cause(self) -> str:
        """Id of that requirement, empty for a violated one."""


AnyCaused = TypeVar("AnyCaused", bound=Caused)


def by_cause(
    violated: Iterable[AnyCaused], id_of: Callable[[AnyCaused], str], likeliest: Sequence[str] = ()
) -> list[tuple[AnyCaused, list[AnyCaused]]]:
    """Return each violated requirement with the affected ones.

    Those of ``likeliest`` come first, as they stand there; then those with most affected ones, else in the order given.
    What is affected by something that is not among them stands for itself.
    """
    violations = list(violated)
    ids = {id_of(violation) for violation in violations}
    groups: dict[str, tuple[AnyCaused, list[AnyCaused]]] = {
        id_of(violation): (violation, []) for violation in violations if violation.cause not in ids
    }
    for violation in violations:
        if violation.cause in groups:
            groups[violation.cause][1].append(violation)
    places = {requirement: place for place, requirement in enumerate(likeliest)}
    return sorted(groups.values(), key=lambda group: (places.get(id_of(group[0]), len(places)), -len(group[1])))
