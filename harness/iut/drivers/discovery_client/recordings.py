"""All scenarios of a run played to discovery clients at the same time: waits of 15 seconds overlap.

Scenarios that do the same to a client share one; so do those whose client another scenario goes on with.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from hashlib import sha256

from mqconform.harness.iut.connect import innermost
from mqconform.harness.iut.contention import Canary, stalled
from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE
from mqconform.harness.iut.drivers.discovery_client.calls import CalledClient, CalledClients
from mqconform.harness.iut.drivers.discovery_client.recording import Recording, ScriptPlayer
from mqconform.harness.iut.drivers.discovery_client.script import Configuration, Script, scripts_from
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import total
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, ForeignResponder, Iut, LiveClients
from mqconform.reference.mqsd.client import SECOND

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

    clients: LiveClients
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
        tolerance, patience = (round(seconds * SECOND) for seconds in (self.clients.tolerance, self.clients.patience))
        shows = self.clients.shows_completion
        player = ScriptPlayer(script, client, tolerance, patience, shows, lambda: self.gate, self.given_up)
        try:
            recording = player.play()
        finally:
            client.close()
        if client.foreign:
            raise ForeignResponder(f"another host sent replies to the client: {', '.join(client.foreign)}")
        contention = self.canary.contention(opened, stalled_before)
        on_networks = not isinstance(client, CalledClient)
        return replace(recording, contention=contention, capture=client.capture, on_networks=on_networks)


def record_all(
    clients: LiveClients, scripts: Mapping[str, tuple[Script, ...]], progress: Progress | None = None
) -> Recordings:
    """Play the scripts of many cases at the same time.

    Args:
        clients: where clients come from.
        scripts: by the ids of the cases, one for each client that a case configures.
        progress: called with how many clients are finished, and how many there are in all.
    """
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
    whole = {script: outcomes[_whole(script, outcomes)] for script in set(all_scripts)}
    return Recordings(scripts, whole)


def without_beginnings(scripts: Iterable[Script]) -> list[Script]:
    """Return the scripts of which no other is a continuation, each once and in their order."""
    distinct = list(dict.fromkeys(scripts))
    return [script for script in distinct if not any(other != script and _begins(script, other) for other in distinct)]


def name_of(script: Script) -> str:
    """Return a name for evidence, the same in each run."""
    sentences = [str(script.configuration), *map(str, script.stimuli)]
    return f"client-{sha256(chr(10).join(sentences).encode()).hexdigest()[:10]}"


def _whole(script: Script, played: Iterable[Script]) -> Script:
    return next(longer for longer in played if _begins(script, longer))


def _begins(first: Script, second: Script) -> bool:
    same = first.configuration == second.configuration
    return same and second.stimuli[: len(first.stimuli)] == first.stimuli


def live_clients(iut: Iut, options: AdapterOptions, connect: Callable[[], Iut]) -> LiveClients | None:
    """Return where clients in real time come from, None where the clients of the run have a virtual clock.

    Args:
        iut: the implementation, with the wrappers that check and record.
        options: what the user asked for.
        connect: opens a connection of its own for each client.

    Raises:
        ConfigurationError: a virtual clock is asked for, and the client has none; or the tolerance is too wide for one.
    """
    inner = innermost(iut)
    if isinstance(inner, LiveClients):
        if options.clock == VIRTUAL:
            raise ConfigurationError("--clock virtual: a client that takes no orders has the real clock; leave it out")
        return inner
    has = iut.description.capabilities
    of_its_own = "real-clock" in has and "virtual-clock" not in has
    if ROLE in iut.description.roles and (options.clock == REAL or (of_its_own and options.clock != VIRTUAL)):
        return CalledClients(connect, TOLERANCE if options.tolerance is None else options.tolerance)
    if ROLE in iut.description.roles and options.tolerance is not None and options.tolerance > WIDEST:
        raise ConfigurationError(f"--tolerance {options.tolerance:g}: with a virtual clock at most {WIDEST} s")
    return None


def record_cases(live: LiveClients, sentences: Mapping[str, Sequence[str]], progress: Progress | None) -> Recordings:
    """Play all cases about clients at once, and return what was recorded.

    Args:
        live: where clients come from.
        sentences: Givens and Whens by the ids of the cases; those that configure no client are left out.
        progress: see ``record_all``.
    """
    scripts = {case: client_scripts for case, steps in sentences.items() if (client_scripts := scripts_from(steps))}
    return record_all(live, scripts, progress)
