"""What a check of a history may find, and which requirements say so."""

from dataclasses import dataclass
from enum import IntFlag
from types import MappingProxyType
from typing import Final


class Finding(IntFlag):
    """What is wrong at one entry of a history; several things may be.

    The values stay as they are: result files and compiled forms hold them.
    """

    DELIVERED_TWICE = 1 << 0
    OUT_OF_ORDER = 1 << 1
    NEVER_DELIVERED = 1 << 2
    RENUMBERED = 1 << 3
    NUMBER_NOT_GREATER = 1 << 4
    SENT_AFTER_DISCARD = 1 << 5
    SENT_AFTER_RELEASE = 1 << 6
    WRONG_LINK = 1 << 7
    NOT_RELINKED = 1 << 8
    FIRST_NOT_ZERO = 1 << 9
    DUPLICATE_ACCEPTED = 1 << 10
    GAP_ACCEPTED = 1 << 11
    REJECTED_IN_ORDER = 1 << 12
    ACKNOWLEDGED_TOO_MUCH = 1 << 13
    ACKNOWLEDGED_TOO_LITTLE = 1 << 14
    NEVER_SENT = 1 << 15


@dataclass(frozen=True, slots=True)
class Rule:
    """What a finding means."""

    requirement: str
    role: str
    """Whose fault it is; ``""`` where the history alone does not tell."""
    says: str


RULES: Final = MappingProxyType(
    {
        Finding.DELIVERED_TWICE: Rule("EOD-2-01", "", "delivered a second time"),
        Finding.OUT_OF_ORDER: Rule("EOD-2-02", "", "delivered after a message that was queued later"),
        Finding.NEVER_DELIVERED: Rule("EOD-2-03", "", "neither delivered nor discarded, though faults healed"),
        Finding.RENUMBERED: Rule("EOD-3-10", "ordered_sender", "sent under another number than before"),
        Finding.NUMBER_NOT_GREATER: Rule("EOD-3-01", "ordered_sender", "its number is not above those before it"),
        Finding.SENT_AFTER_DISCARD: Rule("EOD-3-04", "ordered_sender", "sent although it was discarded"),
        Finding.SENT_AFTER_RELEASE: Rule("EOD-3-07", "ordered_sender", "sent although it was acknowledged"),
        Finding.WRONG_LINK: Rule("EOD-3-02", "ordered_sender", "its previous number is not of the message before it"),
        Finding.NOT_RELINKED: Rule("EOD-3-05", "ordered_sender", "sent again and not linked to the message before it"),
        Finding.FIRST_NOT_ZERO: Rule("EOD-3-09", "ordered_sender", "first of the queue, and previous is not zero"),
        Finding.DUPLICATE_ACCEPTED: Rule("EOD-4-04", "ordered_receiver", "accepted although its number was reached"),
        Finding.GAP_ACCEPTED: Rule("EOD-4-05", "ordered_receiver", "accepted although messages before it are missing"),
        Finding.REJECTED_IN_ORDER: Rule("EOD-4-06", "ordered_receiver", "rejected although it is in order"),
        Finding.ACKNOWLEDGED_TOO_MUCH: Rule("EOD-2-11", "ordered_receiver", "acknowledges what was not accepted"),
        Finding.ACKNOWLEDGED_TOO_LITTLE: Rule("EOD-2-10", "ordered_receiver", "acknowledges less than was accepted"),
        Finding.NEVER_SENT: Rule("EOD-2-01", "ordered_receiver", "delivered although it was never sent"),
    }
)
"""Each single finding with what it means."""


def single_findings(flags: int) -> tuple[Finding, ...]:
    """Return the findings in a sum of them, in the order of declaration."""
    return tuple(finding for finding in Finding if flags & finding)
