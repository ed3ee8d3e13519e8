"""One finding in a packet: the rule and the octets that show it."""

from dataclasses import dataclass

from mqconform.reference.mqsd.audit.wire_rules import Rule


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule of ``wire_rules`` that a packet breaks or leaves open, and where."""

    rule: Rule
    offset: int
    """First octet, counted from the start of the packet; its end where something is missing there."""
    length: int
    """Octets that show it, 0 where something is missing."""
