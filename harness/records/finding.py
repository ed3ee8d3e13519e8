"""What a run established about one requirement."""

from dataclasses import dataclass

from mqconform.harness.records import results
from mqconform.harness.records.fingerprint import requirement_fingerprint
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.verdict import Standing


@dataclass(frozen=True, slots=True)
class Finding:
    """The standing of one requirement, with the reason where it was not judged."""

    requirement: Requirement
    standing: Standing
    reason: str
    witnesses: int

    def record(self) -> results.Finding:
        """Return the finding as the result file has it."""
        known = self.requirement
        return results.Finding(
            id=known.id,
            section=known.section,
            level=known.level,
            kind=known.kind,
            roles=tuple(sorted(known.roles)),
            summary=known.summary,
            judged=known.judged,
            standing=self.standing,
            witnesses=self.witnesses,
            source=requirement_fingerprint(known),
            reason=self.reason,
        )
