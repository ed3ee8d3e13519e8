"""When the stimuli of a scenario come with a real clock: never so near to the end of a wait that it decides by chance.

A scenario is written for a virtual clock: "14.9 seconds pass" ends just before the wait does, "0.1 seconds pass" at
its end. With a real clock an end is known to the tolerance only. So the model plays along twice, once by the clock of
the scenario and once by the real one: as many waits end in the one as in the other, and stimuli keep their distance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.observations import request_ids_of
from mqconform.harness.iut.drivers.discovery_client.script import Configuration, Passes, Starts, Stimulus, event_of
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid

PRESETS: Final = (client.UNDISPUTED, client.SENSIBLE, client.LITERAL)
IDLE: Final = 20 * client.SECOND
"""How long a client is watched that has nothing to wait for; more than one wait."""
MOST_WAITS: Final = 100
"""How many ends of waits are looked at in one stretch of time: a client that waits for ever has one each 15 s."""


@dataclass(slots=True)
class _Model:
    """The model's client with one preset of readings, by one clock."""

    configuration: Configuration
    readings: client.Readings
    sent: list[client.Effect] = field(default_factory=list)
    state: client.ClientState = field(init=False)

    def __post_init__(self) -> None:
        configuration = self.configuration
        self.state = client.initialize(configuration.enterprise, configuration.site, configuration.networks)

    @property
    def timer(self) -> int | None:
        """When its wait ends."""
        return self.state.wait_for_response_timer

    def meet(self, stimulus: Stimulus, now: int) -> int:
        """Let something happen to it, replies being to its own requests; return how many effects it has."""
        event = event_of(stimulus, request_ids_of(self.sent))
        self.state, effects = client.step(self.state, event, now, _guid, self.readings)
        self.sent += effects
        return len(effects)


class StimulusSchedule:
    """Plans one scenario as it is played; times are nanoseconds of the clock that the caller goes by.

    Args of the constructor:
        configuration: of the client.
        margin: distance from the ends of waits, more than the tolerance.
        now: when the scenario begins.
    """

    def __init__(self, configuration: Configuration, margin: int, now: int) -> None:
        self._pairs = [(_Model(configuration, preset), _Model(configuration, preset)) for preset in PRESETS]
        self._margin = margin
        self._origin = now
        self._written = 0
        self._started = False

    def happens(self, stimulus: Stimulus, at: int) -> bool:
        """Take note of a stimulus, and return whether an effect is to be expected of it.

        The time of the scenario counts from the first start.
        """
        if isinstance(stimulus, Starts) and not self._started:
            self._started, self._origin = True, at - self._written
        expected = False
        for written, played in self._pairs:
            written.meet(stimulus, self._written)
            expected |= played.meet(stimulus, at) > 0
        return expected

    def end_of(self, passing: Passes, now: int) -> int:
        """Return when a stretch of time that begins now is to end."""
        self._written += passing.nanoseconds
        earliest, latest = now, None
        for written, played in self._pairs:
            ended, pending = _let_pass(written, played, self._written)
            earliest = max(earliest, ended + self._margin) if ended is not None else earliest
            if pending is not None:
                latest = pending - self._margin if latest is None else min(latest, pending - self._margin)
        wished = max(now, self._origin + self._written)
        if latest is not None:
            return max(earliest, min(wished, latest))
        # No model waits any more; IDLE leaves a faulty client enough time to show its fault.
        end = max(earliest, min(wished, earliest + IDLE))
        self._origin -= max(0, wished - end)
        return end


def _let_pass(written: _Model, played: _Model, until: int) -> tuple[int | None, int | None]:
    """End the same waits by both clocks; return when the last of them ended and when the next will, by the real one."""
    last: int | None = None
    for _ in range(MOST_WAITS):
        if written.timer is None or written.timer > until:
            break
        written.meet(Passes(0), written.timer)
        if played.timer is not None:
            last = played.timer
            played.meet(Passes(0), last)
    return last, played.timer


def total(stimuli: Sequence[Stimulus]) -> int:
    """Return how much time passes in a scenario."""
    return sum(stimulus.nanoseconds for stimulus in stimuli if isinstance(stimulus, Passes))


def _guid(request: int) -> Guid:
    return Guid(sha256(f"pacing {request}".encode()).digest()[:GUID_SIZE])
