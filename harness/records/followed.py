"""The reading of an ambiguous place that an implementation followed on one occasion."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Followed:
    """A reading that an IUT followed on one occasion; ``situation`` may be empty."""

    ambiguity: str
    reading: str
    situation: str

    def record(self) -> dict[str, str]:
        """Return it as the result schema has it."""
        line = {"reading": f"{self.ambiguity}/{self.reading}"}
        return line | ({"situation": self.situation} if self.situation else {})

    @classmethod
    def of(cls, record: Mapping[str, str]) -> "Followed":
        """Return what a record says."""
        ambiguity, _, reading = record["reading"].partition("/")
        return cls(ambiguity, reading, record.get("situation", ""))
