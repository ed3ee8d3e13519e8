"""What a run established about one requirement."""

from dataclasses import dataclass
from typing import Any

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

    def record(self) -> dict[str, Any]:
        """Return the finding as the result schema has it."""
        known = self.requirement
        line: dict[str, Any] = {
            "record": "requirement",
            "id": known.id,
            "section": known.section,
            "level": known.level,
            "kind": known.kind,
            "roles": sorted(known.roles),
            "summary": known.summary,
            "judged": known.judged,
            "standing": self.standing.value,
            "witnesses": self.witnesses,
            "source": requirement_fingerprint(known),
        }
        return line | ({"reason": self.reason} if self.reason else {})
