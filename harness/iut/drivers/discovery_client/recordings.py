"""Scenarios played to discovery clients in real time, all of a run at the same time: waits of 15 seconds overlap.

Scenarios that do the same to a client share one; so do those whose client another scenario goes on with. When each
stimulus comes is for ``stimulus_schedule`` to say.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import innermost
from mqconform.harness.iut.contention import Canary, Contention, stalled
from mqconform.harness.iut.drivers.discovery_client import observations
from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE
from mqconform.harness.iut.drivers.discovery_client.calls import CalledClient, CalledClients
from mqconform.harness.iut.drivers.discovery_client.script import (
    Brings,
    Configuration,
    Passes,
    Script,
    Starts,
    Stimulus,
    event_of,
    network_params,
    scripts_from,
)
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import StimulusSchedule, total
from mqconform.reference.mqsd import client as model

MARGIN: Final = 100_000_000
"""Nanoseconds beyond the tolerance that stimuli keep from the ends of waits."""
PAUSE: Final = 300_000_000
"""Nanoseconds after a stimulus of which nothing is expected."""
REACTION: Final = 2 * model.SECOND
"""Nanoseconds that are given to an effect which is expected, and to the start of a search after the first."""
AFTER: Final = 50_000_000
"""Nanoseconds after an effect, for another one."""
LONGEST_START: Final = 3 * model.SECOND
"""How long one start may hold up others."""
MOST_DEEDS: Final = 150
"""A client that does more is flooding; what follows is not looked at."""
SLICE: Final = model.SECOND
"""Nanoseconds between two looks at whether the run has been given up."""


class GivenUp(Exception):
    """The run was interrupted."""


@dataclass(frozen=True, slots=True)
class Logged:
    """Something that was seen, and after which stimulus, counted from 0."""

    stimulus: int
    item: observations.Arrived | observations.Done


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
    client: interface.LiveClient
    tolerance: int
    patience: int
    shows_completion: bool = True
    gate: Callable[[], AbstractContextManager[object]] = nullcontext
    given_up: threading.Event = field(default_factory=threading.Event)
    _log: list[Logged] = field(default_factory=list)
    _done: list[model.Effect] = field(default_factory=list)
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
        except interface.IutProblem as ended:
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
        event = event_of(stimulus, observations.request_ids_of(self._done))
        if isinstance(stimulus, Brings) and isinstance(event, model.DatagramReceived):
            at = self.client.bring(event.network, event.datagram, stimulus.draft.site) + self._skipped
        elif isinstance(event, model.NetworksChanged):
            self.client.change_networks(network_params(event.networks))
            at = self._now()
        self._note(observations.Arrived(at, event))
        self._settle(expected=schedule.happens(stimulus, at))

    def _start(self, schedule: StimulusSchedule) -> None:
        """Start a search: it begins, for the model, with the first thing that the client does."""
        first_start = self._began is None
        with self.gate() if first_start else nullcontext():
            asked = self._now()
            self.client.start()
            limit = self.patience if first_start else REACTION
            live_effect = self._next(asked + min(LONGEST_START, limit))
        live_effect = live_effect or self._next(asked + limit)
        at = live_effect.at + self._skipped if live_effect else asked
        if self._began is None:
            self._began = at
        self._note(observations.Arrived(at, model.GetDirectoryServerList()))
        schedule.happens(Starts(), at)
        if live_effect:
            self._take(live_effect)
        self._settle(expected=False)

    def _let_pass(self, end: int) -> None:
        """Take what comes until a time; where nothing can come any more, that time has come."""
        while (live_effect := self._next(end)) is not None:
            self._take(live_effect)
        self._skipped += max(0, end - self._now())
        self._note(observations.Arrived(end, model.ClockAdvanced(), self._state()))

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
            self._note(observations.Arrived(self._now(), model.ClockAdvanced(), state))

    def _next(self, until: int) -> interface.LiveEffect | None:
        while len(self._done) < MOST_DEEDS and not self.client.over:
            if self.given_up.is_set():
                raise GivenUp
            now = self._now()
            if (live_effect := self.client.next(min(until, now + SLICE) - self._skipped)) is not None:
                return live_effect
            if self._now() >= until:
                return None
        return None

    def _take(self, live_effect: interface.LiveEffect) -> None:
        effect = observations.effect_from(live_effect.effect)
        self._done.append(effect)
        state = None if live_effect.state is None else observations.shown_from(live_effect.state)
        self._note(observations.Done(live_effect.at + self._skipped, effect, state))

    def _note(self, item: observations.Arrived | observations.Done) -> None:
        self._log.append(Logged(self._current, item))

    def _state(self) -> model.ShownState | None:
        answer = self.client.state()
        return None if answer is None else observations.shown_from(answer)

    def _now(self) -> int:
        return time.monotonic_ns() + self._skipped


TOGETHER = 128
"""How many clients there are at the same time."""
STARTING = 2
"""How many of them start at the same time, for each processor."""
ROLE = "discovery_client"
REAL, VIRTUAL = "real", "virtual"
WIDEST = 0.9
"""Seconds; with a virtual clock scenarios keep a second from the end of each wait."""

Outcome = Recording | Exception
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Recordings:
    """What came of the scenarios.

    Attributes:
        scripts: by the ids of the cases, one for each client that a case configures.
        outcomes: what came of each of them.
    """

    scripts: Mapping[str, tuple[Script, ...]]
    outcomes: Mapping[Script, Outcome]

    def recording_of(self, case: str, number: int, configuration: Configuration) -> Recording:
        """Return what was recorded of a client of a case, its clients being counted from 0.

        Raises:
            Exception: what kept it from being played, or ended it.
        """
        script = self.scripts[case][number]
        assert script.configuration == configuration, "the scenario differs from the played one"
        outcome = self.outcomes[script]
        if isinstance(outcome, Exception):
            raise outcome
        if outcome.problem and len(script.stimuli) > outcome.played:
            raise outcome.problem
        return outcome


@dataclass(slots=True)
class Runner:
    """Plays scripts, each to a client of its own.

    Attributes:
        clients: where clients come from.
        canary: watches how loaded the machine is.
        given_up: set when the run is interrupted.
    """

    clients: interface.LiveClients
    canary: Canary
    given_up: threading.Event = field(default_factory=threading.Event)
    gate: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(STARTING * (os.cpu_count() or 1)))

    def record(self, script: Script) -> Outcome:
        """Play one script to a fresh client, and return what was seen or what went wrong."""
        try:
            return self._recording(script)
        except Exception as problem:  # noqa: BLE001 - each case that it concerns raises it again
            return problem

    def _recording(self, script: Script) -> Recording:
        with self.gate:
            client = self.clients.live_client(script.configuration.params(), name_of(script))
        stalled_before, opened = stalled(), time.monotonic_ns()
        tolerance, patience = (
            round(seconds * model.SECOND) for seconds in (self.clients.tolerance, self.clients.patience)
        )
        shows = self.clients.shows_completion
        player = ScriptPlayer(script, client, tolerance, patience, shows, lambda: self.gate, self.given_up)
        try:
            recording = player.play()
        finally:
            client.close()
        if client.foreign:
            raise interface.ForeignResponder(f"another host sent replies to the client: {', '.join(client.foreign)}")
        contention = self.canary.contention(opened, stalled_before)
        on_networks = not isinstance(client, CalledClient)
        return replace(recording, contention=contention, capture=client.capture, on_networks=on_networks)


def record_cases(
    clients: interface.LiveClients, sentences: Mapping[str, Sequence[str]], progress: Progress | None
) -> Recordings:
    """Play all cases about clients at once, and return what was recorded.

    Args:
        clients: where clients come from.
        sentences: Givens and Whens by the ids of the cases; those that configure no client are left out.
        progress: called with how many clients are finished, and how many there are in all.
    """
    scripts = {case: client_scripts for case, steps in sentences.items() if (client_scripts := scripts_from(steps))}
    all_scripts = [script for of_case in scripts.values() for script in of_case]
    longest = sorted(without_beginnings(all_scripts), key=lambda script: total(script.stimuli), reverse=True)
    with Canary() as canary, ThreadPoolExecutor(min(TOGETHER, len(longest)) or 1) as pool:
        runner = Runner(clients, canary)
        running = {pool.submit(runner.record, script): script for script in longest}
        try:
            left = set(running)
            while left:
                _, left = wait(left, return_when=FIRST_COMPLETED)
                if progress:
                    progress(len(running) - len(left), len(running))
        except BaseException:
            runner.given_up.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        outcomes = {script: future.result() for future, script in running.items()}
    whole = {
        script: next(outcome for longer, outcome in outcomes.items() if _begins(script, longer))
        for script in set(all_scripts)
    }
    return Recordings(scripts, whole)


def without_beginnings(scripts: Iterable[Script]) -> list[Script]:
    """Return the scripts of which no other is a continuation, each once and in their order."""
    distinct = list(dict.fromkeys(scripts))
    return [script for script in distinct if not any(other != script and _begins(script, other) for other in distinct)]


def name_of(script: Script) -> str:
    """Return a name for evidence, the same in each run."""
    sentences = [str(script.configuration), *map(str, script.stimuli)]
    return f"client-{sha256(chr(10).join(sentences).encode()).hexdigest()[:10]}"


def _begins(first: Script, second: Script) -> bool:
    same = first.configuration == second.configuration
    return same and second.stimuli[: len(first.stimuli)] == first.stimuli


def live_clients(
    iut: interface.Iut, options: interface.AdapterOptions, connect: Callable[[], interface.Iut]
) -> interface.LiveClients | None:
    """Return where clients in real time come from, None where the clients of the run have a virtual clock.

    Args:
        iut: the implementation, with the wrappers that check and record.
        options: what the user asked for.
        connect: opens a connection of its own for each client.

    Raises:
        ConfigurationError: a virtual clock is asked for, and the client has none; or the tolerance is too wide for one.
    """
    inner = innermost(iut)
    if isinstance(inner, interface.LiveClients):
        if options.clock == VIRTUAL:
            raise interface.ConfigurationError(
                "--clock virtual: a client that takes no orders has the real clock; leave it out"
            )
        return inner
    has = iut.description.capabilities
    of_its_own = "real-clock" in has and "virtual-clock" not in has
    if ROLE in iut.description.roles and (options.clock == REAL or (of_its_own and options.clock != VIRTUAL)):
        return CalledClients(connect, TOLERANCE if options.tolerance is None else options.tolerance)
    if ROLE in iut.description.roles and options.tolerance is not None and options.tolerance > WIDEST:
        raise interface.ConfigurationError(
            f"--tolerance {options.tolerance:g}: with a virtual clock at most {WIDEST} s"
        )
    return None
