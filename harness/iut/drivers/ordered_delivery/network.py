"""The network between two ends: what it does with each packet, one direction at a time."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.schedule import Action
from mqconform.reference.eod.elements import SECOND

LATENCY: Final = SECOND // 100
"""On the way where nothing is wrong, in nanoseconds."""

_FATES: Final = {
    Action.LOSE_MESSAGE: "lost",
    Action.LOSE_ACKNOWLEDGMENT: "lost",
    Action.DUPLICATE_MESSAGE: "doubled",
    Action.DUPLICATE_ACKNOWLEDGMENT: "doubled",
    Action.DELAY_MESSAGE: "late",
    Action.DELAY_ACKNOWLEDGMENT: "late",
}


@dataclass(slots=True)
class Direction:
    """One way through the network; fates wait for packets, and each meets one."""

    _fates: deque[tuple[str, int]] = field(default_factory=deque)

    def destine(self, action: Action, lasting: int) -> None:
        """Give the next packet without a fate one."""
        self._fates.append((_FATES[action], lasting))

    def heal(self) -> None:
        """Let every further packet arrive as it should."""
        self._fates.clear()

    def carried(self, now: int, partitioned_until: int) -> tuple[int, ...]:
        """Return when a packet sent ``now`` arrives: never, once, or several times, in nanoseconds."""
        fate, lasting = self._fates.popleft() if self._fates else ("", 0)
        if now < partitioned_until or fate == "lost":
            return ()
        match fate:
            case "doubled":
                return now + LATENCY, now + LATENCY + lasting
            case "late":
                return (now + LATENCY + lasting,)
            case _:
                return (now + LATENCY,)
