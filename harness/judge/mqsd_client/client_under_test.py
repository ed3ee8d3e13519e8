"""A discovery client as the steps of a scenario see it: driven call by call, or from its recording with the real clock.

Both are judged by the model. With the real clock the end of a wait is known to the tolerance. Beyond it a client is
wrong only where the machine delayed no other program as long: else the case is undecided.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE, DrivenClient, explained_after
from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done, Timed, Told, timeline
from mqconform.harness.iut.drivers.discovery_client.recordings import Logged, Recording
from mqconform.harness.iut.drivers.discovery_client.script import Passes, Stimulus
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_client.breach import broken
from mqconform.harness.judge.mqsd_client.breaches import Repair
from mqconform.harness.judge.mqsd_client.discovery_trace import explain_seen
from mqconform.harness.judge.mqsd_client.whole_history import EXPECTED, Weighed, first_sentence, judge_run
from mqconform.harness.judge.session import Session
from mqconform.harness.records.results import Timing
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.client import (
    PERMITTED,
    SECOND,
    ClockAdvanced,
    Contradiction,
    Explanation,
    Observation,
    ShownState,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.client.explain.hypothesis import Rules, Space
from mqconform.reference.mqsd.client.step import transition

MOST_STATES = 48
"""The most states that are followed in the search for the sentence that is broken, which bounds what it costs."""
WATCHED_ON = 60 * SECOND
"""How long a convicted client that is silent is watched beyond the scenario."""
TOO_LOADED: Final = "the machine was overloaded"
LOADED = 4
"""A machine is too loaded to judge a time where it lets a canary wait for more than this part of the tolerance."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a scenario writes out, and what was seen.

    Attributes:
        timed: whether a loaded machine can be why it is not met.
    """

    met: bool
    expected: str
    observed: str
    timed: bool = True


def tolerance_of(run: Session) -> int:
    """Return by how many nanoseconds the clients of a run with a virtual clock may be early or late."""
    chosen = run.plan.options.tolerance
    return round((TOLERANCE if chosen is None else chosen) * SECOND)


@dataclass(slots=True)
class ClientUnderTest(DrivenClient):
    """One client from ``configure`` on.

    Attributes:
        named: the sentences that were broken, by how much had been seen; the search for them takes its time.
        watched: whether it was watched beyond the scenario after it was contradicted.
    """

    named: dict[int, tuple[str, ...]] = field(default_factory=dict)
    watched: bool = False

    @property
    def on_networks(self) -> bool:
        """False: it reports what it sends."""
        return False

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation of the scenario; a loaded machine cannot spoil a virtual clock."""
        return judge.says(expectation.met, expectation.expected, f"{expectation.observed}\n{self.timeline()}")

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen."""
        convicted = self.convicted(judge, tagged)
        yield from judge_run(judge, self.explanation, self.timeline(), tagged, convicted=convicted)

    def convicted(self, judge: Judge, tagged: tuple[str, ...]) -> tuple[str, ...]:
        """Return the requirements that were broken, none where what was seen can be explained."""
        contradiction = self.explanation.contradiction
        if contradiction is None:
            return ()
        if not self.watched and self._silent_since(contradiction):
            # What a silence meant: whether the client does later what it should have done, or never.
            self.wait_for_effects(WATCHED_ON)
        self.watched = True
        if len(self.seen) not in self.named:
            earlier = self.explanation.applied if self.contradicted_at == len(self.stimuli) - 1 else frozenset()
            silent = self._silent_since(contradiction)
            named = broken(self, self.explanation, judge.register, tagged, stays_silent=silent)
            self.named[len(self.seen)] = named or first_sentence(contradiction, tagged, earlier)
        return self.named[len(self.seen)]

    def explained_by(
        self,
        rules: tuple[Rules, ...],
        space: Space = PERMITTED,
        repair: Repair | None = None,
    ) -> Explanation:
        """Return what a model with other rules or readings makes of everything that was seen, repaired if wanted."""
        client = self.start.hypotheses[0].state
        explanation = explanation_from(client, space=space, tolerance=self.tolerance, rules=rules)
        for look in _without_silence(self.looks):
            repaired = (
                look
                if repair is None
                else tuple(replace(observation, effects=repair(observation.effects)) for observation in look)
            )
            explanation = explained_after(explanation, repaired)
            explanation = replace(explanation, hypotheses=explanation.hypotheses[:MOST_STATES])
        return explanation

    def _silent_since(self, contradiction: Contradiction) -> bool:
        since = contradiction.observation.now
        return not any(record.observation.effects for record in self.seen if record.observation.now >= since)


@dataclass(slots=True)
class RecordedClient:
    """One client, from what was recorded of it."""

    recording: Recording
    met: int = 0

    @property
    def shows_completion(self) -> bool:
        """Whether it tells that a search is over."""
        return self.recording.shows_completion

    @property
    def on_networks(self) -> bool:
        """Whether its datagrams are captured on networks, not only reported by itself."""
        return self.recording.on_networks

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the scenario has done so far."""
        return self.recording.script.stimuli[: self.met]

    @property
    def shown(self) -> ShownState | None:
        """What it has shown of itself last."""
        states = [logged.item.shown for logged in self._log() if logged.item.shown is not None]
        return states[-1] if states else None

    def configure(self) -> None:
        """Do nothing: it was configured when it was played to."""

    def meet(self, stimulus: Stimulus) -> None:
        """Go on by one stimulus, which is the one that was played."""
        assert stimulus == self.recording.script.stimuli[self.met], "the scenario differs from the played one"
        self.met += 1

    def effects(self) -> list[Timed]:
        """Return its effects, in order."""
        return [
            Timed(logged.item.effect, logged.stimulus, self._since(logged.item.at))
            for logged in self._log()
            if isinstance(logged.item, Done)
        ]

    def is_at(self, effect: Timed, tenths: int) -> bool:
        """Return whether an effect was seen at that time, give or take what the scenario does not speak of."""
        before = sum(other.at <= effect.at for other in self.effects())
        slack = self.recording.tolerance * before + self.recording.pauses
        return abs(effect.at - tenths * SECOND // 10) <= slack

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation of the scenario; one that a loaded machine may spoil is undecided."""
        observed = f"{expectation.observed}\n{self.timeline()}"
        lag = self.recording.contention.lag
        spoilt = not expectation.met and expectation.timed and lag * LOADED > self.recording.tolerance
        if spoilt and self._explanation(widened(self.recording.tolerance, lag)).holds:
            return self._timed(judge.undecided(expectation.expected, f"{too_loaded(lag)}: {observed}"))
        return self._timed(judge.says(expectation.met, expectation.expected, observed))

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen."""
        lag = self.recording.contention.lag
        explanation = self._explanation(self.recording.tolerance)
        if not explanation.holds and lag and self._explanation(widened(self.recording.tolerance, lag)).holds:
            yield tagged, self._timed(judge.undecided(EXPECTED, f"{too_loaded(lag)}: {self.timeline()}"))
            return
        convicted = self.convicted(judge, tagged)
        for requirements, judgement in judge_run(judge, explanation, self.timeline(), tagged, convicted=convicted):
            yield requirements, self._timed(judgement)

    def convicted(self, judge: Judge, tagged: tuple[str, ...]) -> tuple[str, ...]:
        """Return the requirements that were broken, none where what was seen can be explained."""
        explanation = self._explanation(self.recording.tolerance)
        if explanation.contradiction is None:
            return ()
        last = [logged.item.at for logged in self._log() if logged.stimulus == self.met - 1]
        at_the_end = last and explanation.contradiction.observation.now >= min(last) - self.recording.tolerance
        earlier = explanation.applied if at_the_end else frozenset()
        return broken(self, explanation, judge.register, tagged) or first_sentence(
            explanation.contradiction, tagged, earlier
        )

    def explained_by(
        self, rules: tuple[Rules, ...], space: Space = PERMITTED, repair: Repair | None = None
    ) -> Explanation:
        """Return what a model with other rules or readings makes of everything that was seen, or was repaired to."""
        return self._explanation(self.recording.tolerance, rules, space, repair)

    def timeline(self) -> str:
        """Return the stimuli and effects with their times."""
        rows = []
        for number, stimulus in enumerate(self.stimuli):
            items = [logged.item for logged in self._log() if logged.stimulus == number]
            begun = next((item.at for item in items if isinstance(item, Arrived)), self.recording.began)
            ends = isinstance(stimulus, Passes)
            if not ends:
                rows.append(Told(self._since(begun), stimulus))
            rows += [Told(self._since(item.at), item.effect) for item in items if isinstance(item, Done)]
            if ends:
                rows.append(Told(self._since(items[-1].at), stimulus))
        return timeline(self.recording.script.configuration.networks, rows)

    def _log(self) -> list[Logged]:
        return [logged for logged in self.recording.log if logged.stimulus < self.met]

    def _since(self, at: int) -> int:
        return at - self.recording.began

    def _explanation(
        self,
        tolerance: int,
        rules: tuple[Rules, ...] = (transition,),
        space: Space = PERMITTED,
        repair: Repair | None = None,
    ) -> Explanation:
        configuration = self.recording.script.configuration
        # What a list holds at the start is the computer's own affair (register SD-64).
        client = initialize(configuration.enterprise, configuration.site, configuration.networks)
        explanation = explanation_from(
            client, space=space, tolerance=tolerance, completions=self.shows_completion, rules=rules
        )
        items = [logged.item for logged in self._log()]
        return explain_seen(explanation, [*_repaired(items, repair)] if repair else items)

    def _timed(self, judgement: Judgement) -> Judgement:
        """Return a judgement with what its times are worth beside it."""
        lag, tolerance = self.recording.contention.lag / SECOND, self.recording.tolerance / SECOND
        timing = Timing(tolerance, round(lag, 3), self.recording.contention.pressure, self.recording.capture)
        return replace(judgement, timing=timing)


def _repaired(items: Iterable[Arrived | Done], repair: Repair) -> Iterator[Arrived | Done]:
    """Yield what was seen with each effect made right again; here every datagram was seen by itself."""
    for item in items:
        if isinstance(item, Done):
            yield from (replace(item, effect=effect) for effect in repair((item.effect,)))
        else:
            yield item


def widened(tolerance: int, lag: int) -> int:
    """Return a tolerance with what the machine may have added, once to the client's time and once to the harness's."""
    return min(tolerance + 2 * lag, RESPONSE_TIMEOUT - 1)


def too_loaded(lag: int) -> str:
    """Return why a time decides nothing, ``lag`` being how long a canary had to wait in nanoseconds."""
    return f"{TOO_LOADED}: the harness itself was delayed by {lag / SECOND:.2f} s"


def _without_silence(looks: Sequence[tuple[Observation, ...]]) -> list[tuple[Observation, ...]]:
    """Leave out looks at which time had passed and nothing was done, where the next one says the same."""
    left: list[tuple[Observation, ...]] = []
    for look in looks:
        if left and _silent(left[-1]) and _silent(look) and left[-1][0].shown in (None, look[0].shown):
            left.pop()
        left.append(look)
    return left


def _silent(look: tuple[Observation, ...]) -> bool:
    return len(look) == 1 and isinstance(look[0].event, ClockAdvanced) and not look[0].effects


ObservedClient = ClientUnderTest | RecordedClient
"""One client from ``configure`` on."""
