"""What an import of a directory finds: codes, each with its meaning, and findings that name an object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from mqconform.reference.directory.findings import Severity


class Code(StrEnum):
    """What kind of finding it is; numbers are never reused."""

    ENTERPRISE = "DIR-01"
    FOREIGN = "DIR-02"
    COST = "DIR-03"
    LINK_NAME = "DIR-04"
    LINK_END = "DIR-05"
    GATE_GONE = "DIR-06"
    GATE_ELSEWHERE = "DIR-07"
    NO_SITE = "DIR-08"
    ROUTING_BIT = "DIR-09"
    SERVER_GONE = "DIR-10"
    COMPUTER = "DIR-11"
    SETTINGS_OWNER = "DIR-12"
    SETTINGS_FLAGS = "DIR-13"
    STUB = "DIR-14"
    OBJECT = "DIR-15"
    INCOMPLETE = "DIR-16"
    SAME_IDENTIFIER = "DIR-17"
    SAME_NAME = "DIR-18"
    SAME_ENDS = "DIR-19"


MEANINGS: Final[Mapping[Code, str]] = MappingProxyType(
    {
        Code.ENTERPRISE: "The forest has no object of enterprise settings, or several.",
        Code.FOREIGN: "A site has several values of mSMQSiteForeign; any TRUE counts.",
        Code.COST: "A routing link has no cost, or one outside 1 to 999,999.",
        Code.LINK_NAME: "A routing link is not named after the GUIDs of its two sites.",
        Code.LINK_END: "A routing link names a site that was not read; it is left out.",
        Code.GATE_GONE: "A routing link names a gate that is deleted or was not read; the gate is left out.",
        Code.GATE_ELSEWHERE: "A gate of a routing link is in neither of its two sites.",
        Code.NO_SITE: "A queue manager is in no site, or in a site that was not read.",
        Code.ROUTING_BIT: "Bit 1 of mSMQServiceType contradicts mSMQRoutingServices, which alone counts.",
        Code.SERVER_GONE: "A list of routing servers names a queue manager that was not read; the entry is left out.",
        Code.COMPUTER: "The computer of a queue manager has no dNSHostName or no servicePrincipalName.",
        Code.SETTINGS_OWNER: "Settings below a site belong to no queue manager or another server; a server has none.",
        Code.SETTINGS_FLAGS: "Settings below a site contradict the queue manager that they belong to.",
        Code.STUB: "A site has no mSMQNt4Stub; read to the letter, no site can be read then.",
        Code.OBJECT: "An object or a value cannot be used as it is.",
        Code.INCOMPLETE: "Parts of the directory were not read.",
        Code.SAME_IDENTIFIER: "Two objects have the same identifier: the addressee of a message is ambiguous.",
        Code.SAME_NAME: "Two sites or two queue managers have one name.",
        Code.SAME_ENDS: "Two routing links join the same sites.",
    }
)


@dataclass(frozen=True, slots=True)
class DirectoryFinding:
    """One thing worth saying about what was read."""

    code: Code
    severity: Severity
    name: str
    """Distinguished name of the object, empty for the whole directory."""
    text: str

    def record(self) -> dict[str, Any]:
        """Return the finding as JSON has it."""
        return {"code": self.code.value, "severity": self.severity.value, "dn": self.name, "text": self.text}


@dataclass
class Notes:
    """Findings as an import comes by them.

    Attributes:
        literal: whether what MS-MQDSSM takes for a failure spoils the reading of all objects of a class.
        spoiled: names of the classes of which nothing can be read.
    """

    literal: bool = False
    findings: list[DirectoryFinding] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)

    def warn(self, code: Code, name: str, text: str) -> None:
        """Note what routing does not depend on, or what has a usual reading."""
        self.findings.append(DirectoryFinding(code, Severity.WARNING, name, text))

    def fail(self, code: Code, name: str, text: str) -> None:
        """Note what routing cannot do without."""
        self.findings.append(DirectoryFinding(code, Severity.ERROR, name, text))

    def spoil(self, kind: str, code: Code, name: str, text: str) -> None:
        """Note what makes the reading of a whole class fail where it is done to the letter (BR-18)."""
        if self.literal:
            self.spoiled.add(kind)
            self.fail(code, name, f"{text}; read to the letter, no {kind} can be read then")
        else:
            self.warn(code, name, text)

    def errors_first(self) -> tuple[DirectoryFinding, ...]:
        """Return all findings in an order that does not depend on the order of reading."""
        order = sorted(
            self.findings,
            key=lambda finding: (finding.severity is not Severity.ERROR, finding.code, finding.name, finding.text),
        )
        return tuple(order)
