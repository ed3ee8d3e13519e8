"""A declaration as it was reviewed and probed, and as the result file has it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self


class Probe(StrEnum):
    """What came of trying something."""

    ANSWERS = "answers"
    REFUSED = "refused"
    """Error -32601, as the protocol wants it for what is not offered."""
    BROKEN = "broken"
    """An answer that is none: another error, the wrong shape, silence, the end of the process."""
    NOT_PROBED = "not-probed"


@dataclass(frozen=True, slots=True)
class Feature:
    """One role or capability.

    Attributes:
        kind: ``role`` or ``capability``.
        requirements: how many requirements cannot be judged without it: of a role those that bind it, of a capability
            those of the declared roles each of whose scenarios needs it.
    """

    kind: str
    name: str
    declared: bool
    probe: Probe
    requirements: int

    def record(self) -> dict[str, Any]:
        """Return it as the result schema has it."""
        known = {"kind": self.kind, "name": self.name, "declared": self.declared}
        return known | {"probe": self.probe.value, "requirements": self.requirements}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return what a record says."""
        return cls(**{**record, "probe": Probe(record["probe"])})


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a declaration that its author should know.

    Attributes:
        kind: ``unknown``, ``contradiction``, ``declined``, ``undeclared`` or ``probe``.
        subject: the role, capability, requirement, specification or method that it is about.
        text: what is so, and what to do.
    """

    kind: str
    subject: str
    text: str

    def record(self) -> dict[str, str]:
        """Return it as the result schema has it."""
        return {"kind": self.kind, "subject": self.subject, "text": self.text}


@dataclass(frozen=True, slots=True)
class Declaration:
    """Everything that review and probes came to.

    Attributes:
        features: roles first, then the capabilities that are for a declared role or were declared.
    """

    features: tuple[Feature, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as the header of a result file has it."""
        return {
            "features": [one.record() for one in self.features],
            "remarks": [one.record() for one in self.remarks],
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Return what a header says."""
        features = tuple(map(Feature.of, record["features"]))
        return cls(features, tuple(Remark(**one) for one in record["remarks"]))
