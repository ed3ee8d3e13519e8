"""What is observed of a discovery client: what reached it, what it did, and when."""

from dataclasses import dataclass

from mqconform.reference.mqsd.client import SECOND, Effect, Event, ShownState


@dataclass(frozen=True, slots=True)
class Timed:
    """One effect and when it was seen.

    Attributes:
        stimulus: number of the stimulus after which it was seen, counted from 0.
        at: nanoseconds since the client was configured.
    """

    effect: Effect
    stimulus: int
    at: int

    @property
    def seconds(self) -> str:
        """When it was seen, in words."""
        return f"at {self.at / SECOND:.1f} s"


@dataclass(frozen=True, slots=True)
class Arrived:
    """A datagram arrived, or the client was started, or nothing but time had passed."""

    at: int
    """Nanoseconds."""
    event: Event
    shown: ShownState | None = None
    """State that it showed, where it did nothing else."""


@dataclass(frozen=True, slots=True)
class Done:
    """The client did something."""

    at: int
    """Nanoseconds."""
    effect: Effect
    shown: ShownState | None = None
    """State that it showed afterwards."""
