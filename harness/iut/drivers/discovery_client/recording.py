"""One scenario played to one discovery client in real time, and what was seen."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.iut.contention import Contention
from mqconform.harness.iut.drivers.discovery_client.observations import (
    Arrived,
    Done,
    effect_from,
    request_ids_of,
    shown_from,
)
from mqconform.harness.iut.drivers.discovery_client.script import (
    Brings,
    Passes,
    Script,
    Starts,
    Stimulus,
    event_of,
    network_params,
)
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import StimulusSchedule
from mqconform.harness.iut.interface import IutProblem, LiveClient, LiveEffect
from mqconform.reference.mqsd.client import (
    SECOND,
    ClockAdvanced,
    DatagramReceived,
    Effect,
    GetDirectoryServerList,
    NetworksChanged,
    ShownState,
)

MARGIN: Final = 100_000_000
"""Nanoseconds beyond the tolerance that stimuli keep from the ends of waits."""
PAUSE: Final = 300_000_000
"""Nanoseconds after a stimulus of which nothing is expected."""
REACTION: Final = 2 * SECOND
"""Nanoseconds that are given to an effect which is expected, and to the start of a search after the first."""
AFTER: Final = 50_000_000
"""Nanoseconds after an effect, for another one."""
STARTING: Final = 3 * SECOND
"""How long one start may hold up others."""
MOST_DEEDS: Final = 150
"""A client that does more is flooding; what follows is not looked at."""
SLICE: Final = SECOND
"""Nanoseconds between two looks at whether the run has been given up."""


class GivenUp(Exception):
    """The run was interrupted."""


@dataclass(frozen=True, slots=True)
class Logged:
    """Something that was seen, and after which stimulus, counted from 0."""

    stimulus: int
    item: Arrived | Done


@dataclass(frozen=True, slots=True)
class Recording:
    """What was seen of a client.

    Attributes:
        began: when the scenario's time began, in nanoseconds of ``time.monotonic_ns`` as all times here.
        pauses: nanoseconds that the scenario does not speak of.
        problem: what ended it before the script did; ``played`` stimuli had their time.
        capture: file with all that passed, empty where there is none.
        on_networks: whether its datagrams were seen on networks, not only told by itself.
    """

    script: Script
    log: tuple[Logged, ...]
    began: int
    pauses: int
    tolerance: int
    shows_completion: bool
    played: int
    problem: Exception | None = None
    contention: Contention = field(default=Contention(0))
    capture: str = ""
    on_networks: bool = False


@dataclass(slots=True)
class ScriptPlayer:
    """Plays a script to a client.

    Attributes:
        patience: nanoseconds from the first start to the first effect.
        gate: held while the client starts, so that not too many do so at once.
        given_up: set when the run is interrupted.
    """

    script: Script
    client: LiveClient
    tolerance: int
    patience: int
    shows_completion: bool = True
    gate: Callable[[], AbstractContextManager[object]] = nullcontext
    given_up: threading.Event = field(default_factory=threading.Event)
    _log: list[Logged] = field(default_factory=list)
    _done: list[Effect] = field(default_factory=list)
    _began: int | None = None
    _skipped: int = 0
    _pauses: int = 0
    _current: int = 0

    def play(self) -> Recording:
        """Return what was seen, up to the end or to what went wrong."""
        started, played, problem = self._now(), 0, None
        schedule = StimulusSchedule(self.script.configuration, self.tolerance + MARGIN, started)
        try:
            for played, stimulus in enumerate(self.script.stimuli):
                self._current = played
                self._apply(stimulus, schedule)
            played = len(self.script.stimuli)
        except IutProblem as ended:
            problem = ended
        return Recording(
            script=self.script,
            log=tuple(self._log),
            began=started if self._began is None else self._began,
            pauses=self._pauses,
            tolerance=self.tolerance,
            shows_completion=self.shows_completion,
            played=played,
            problem=problem,
        )

    def _apply(self, stimulus: Stimulus, schedule: StimulusSchedule) -> None:
        if isinstance(stimulus, Starts):
            self._start(schedule)
            return
        if isinstance(stimulus, Passes):
            self._let_pass(schedule.end_of(stimulus, self._now()))
            return
        event = event_of(stimulus, request_ids_of(self._done))
        if isinstance(stimulus, Brings) and isinstance(event, DatagramReceived):
            at = self.client.bring(event.network, event.datagram, stimulus.draft.site) + self._skipped
        elif isinstance(event, NetworksChanged):
            self.client.change_networks(network_params(event.networks))
            at = self._now()
        self._note(Arrived(at, event))
        self._settle(expected=schedule.happens(stimulus, at))

    def _start(self, schedule: StimulusSchedule) -> None:
        """Start a search: it begins, for the model, with the first thing that the client does."""
        first_start = self._began is None
        with self.gate() if first_start else nullcontext():
            asked = self._now()
            self.client.start()
            limit = self.patience if first_start else REACTION
            live_effect = self._next(asked + min(STARTING, limit))
        live_effect = live_effect or self._next(asked + limit)
        at = live_effect.at + self._skipped if live_effect else asked
        if self._began is None:
            self._began = at
        self._note(Arrived(at, GetDirectoryServerList()))
        schedule.happens(Starts(), at)
        if live_effect:
            self._take(live_effect)
        self._settle(expected=False)

    def _let_pass(self, end: int) -> None:
        """Take what comes until a time; where nothing can come any more, that time has come."""
        while (live_effect := self._next(end)) is not None:
            self._take(live_effect)
        self._skipped += max(0, end - self._now())
        self._note(Arrived(end, ClockAdvanced(), self._state()))

    def _settle(self, *, expected: bool) -> None:
        """Give the client time to react before anything else happens."""
        before, longest = self._now(), REACTION if expected else PAUSE
        until = before + longest
        while (live_effect := self._next(until)) is not None:
            self._take(live_effect)
            until = min(until, self._now() + AFTER)
        # Where the machine stood still meanwhile, the rest is contention, and no part of the scenario.
        self._pauses += min(self._now() - before, longest)
        if (state := self._state()) is not None:
            self._note(Arrived(self._now(), ClockAdvanced(), state))

    def _next(self, until: int) -> LiveEffect | None:
        while len(self._done) < MOST_DEEDS and not self.client.over:
            if self.given_up.is_set():
                raise GivenUp
            now = self._now()
            if (live_effect := self.client.next(min(until, now + SLICE) - self._skipped)) is not None:
                return live_effect
            if self._now() >= until:
                return None
        return None

    def _take(self, live_effect: LiveEffect) -> None:
        effect = effect_from(live_effect.effect)
        self._done.append(effect)
        state = None if live_effect.state is None else shown_from(live_effect.state)
        self._note(Done(live_effect.at + self._skipped, effect, state))

    def _note(self, item: Arrived | Done) -> None:
        self._log.append(Logged(self._current, item))

    def _state(self) -> ShownState | None:
        answer = self.client.state()
        return None if answer is None else shown_from(answer)

    def _now(self) -> int:
        return time.monotonic_ns() + self._skipped
