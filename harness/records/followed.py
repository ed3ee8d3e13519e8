"""The reading of an ambiguous place that an implementation followed on one occasion."""

from dataclasses import dataclass
from typing import Self

from mqconform.harness.records.results import FollowedReading


@dataclass(frozen=True, slots=True)
class Followed:
    """A reading that an IUT followed on one occasion; ``situation`` may be empty."""

    ambiguity: str
    reading: str
    situation: str

    def record(self) -> FollowedReading:
        """Return it as the result file has it."""
        return FollowedReading(f"{self.ambiguity}/{self.reading}", self.situation)

    @classmethod
    def of(cls, record: FollowedReading) -> Self:
        """Return what a record says."""
        ambiguity, _, reading = record.reading.partition("/")
        return cls(ambiguity, reading, record.situation)
