"""What a run established about one requirement."""

from dataclasses import dataclass

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
