"""A discovery client that has lived already: what was seen of it, step by step of the scenario, and what that is worth.

The end of a wait is known to the tolerance. Beyond it a client is wrong only where the machine let nobody else wait
as long: else the case is undecided.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mqconform.harness.mqsd.client_stimuli import Passes, Stimulus
from mqconform.harness.mqsd.client_timeline import Told, timeline
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqsd_client import EXPECTED, Weighed, judge_run
from mqconform.harness.oracle.mqsd_client_seen import Expectation, Timed
from mqconform.harness.peers.discovery_trace import Arrived, Done, explain_seen
from mqconform.harness.realtime.performance import Logged, Performance
from mqconform.harness.witness import Judgement, Timing
from mqconform.reference.mqsd.client import SECOND, Explanation, ShownState, explanation_from, initialize
from mqconform.reference.mqsd.client.sending import RESPONSE_TIMEOUT

LOADED = 4
"""A machine is too loaded to judge a time where it lets a canary wait for more than this part of the tolerance."""


@dataclass(slots=True)
class RecordedClient:
    """One client, from what a performance has recorded; see ``ObservedClient``."""

    performance: Performance
    met: int = 0

    @property
    def shows_completion(self) -> bool:
        """Whether it tells that a search is over."""
        return self.performance.shows_completion

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """What the scenario has done so far."""
        return self.performance.script.stimuli[: self.met]

    @property
    def shown(self) -> ShownState | None:
        """What it has shown of itself last."""
        known = [logged.item.shown for logged in self._log() if logged.item.shown is not None]
        return known[-1] if known else None

    def configure(self) -> None:
        """Do nothing: it was configured when it was played to."""

    def meet(self, stimulus: Stimulus) -> None:
        """Go on by one stimulus, which is the one that was played."""
        assert stimulus == self.performance.script.stimuli[self.met], "the scenario is not the one that was played"
        self.met += 1

    def effects(self) -> list[Timed]:
        """Return all that it did, in order."""
        return [
            Timed(logged.item.effect, logged.stimulus, self._since(logged.item.at))
            for logged in self._log()
            if isinstance(logged.item, Done)
        ]

    def is_at(self, effect: Timed, tenths: int) -> bool:
        """Return whether an effect was seen at that time, give or take what the scenario does not speak of."""
        slack = self.performance.tolerance + self.performance.pauses
        return abs(effect.at - tenths * SECOND // 10) <= slack

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation of the scenario; one that a loaded machine may spoil is undecided."""
        observed = f"{expectation.observed}\n{self.timeline()}"
        lag = self.performance.contention.lag
        spoilt = not expectation.met and expectation.timed and lag * LOADED > self.performance.tolerance
        if spoilt and self._explanation(self._wider).holds:
            return self._timed(judge.undecided(expectation.expected, f"{_too_loaded(lag)}: {observed}"))
        return self._timed(judge.says(expectation.met, expectation.expected, observed))

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen."""
        lag = self.performance.contention.lag
        explanation = self._explanation(self.performance.tolerance)
        if not explanation.holds and lag and self._explanation(self._wider).holds:
            yield tagged, self._timed(judge.undecided(EXPECTED, f"{_too_loaded(lag)}: {self.timeline()}"))
            return
        at_the_end = self._contradicted_at_the_end(explanation)
        for requirements, judgement in judge_run(judge, explanation, self.timeline(), tagged, at_the_end=at_the_end):
            yield requirements, self._timed(judgement)

    def timeline(self) -> str:
        """Return what happened and what the client did, with the times at which that was."""
        told = []
        for number, stimulus in enumerate(self.stimuli):
            items = [logged.item for logged in self._log() if logged.stimulus == number]
            begun = next((one.at for one in items if isinstance(one, Arrived)), self.performance.began)
            ends = isinstance(stimulus, Passes)
            if not ends:
                told.append(Told(self._since(begun), stimulus))
            told += [Told(self._since(one.at), one.effect) for one in items if isinstance(one, Done)]
            if ends:
                told.append(Told(self._since(items[-1].at), stimulus))
        return timeline(self.performance.script.configuration.networks, told)

    @property
    def _wider(self) -> int:
        """The tolerance with what the machine may have added, once to the client's time and once to the harness's."""
        return min(self.performance.tolerance + 2 * self.performance.contention.lag, RESPONSE_TIMEOUT - 1)

    def _log(self) -> list[Logged]:
        return [one for one in self.performance.log if one.stimulus < self.met]

    def _since(self, at: int) -> int:
        return at - self.performance.began

    def _explanation(self, tolerance: int) -> Explanation:
        known = self.performance.script.configuration
        # What a list holds at the start is the computer's own affair (register SD-64).
        client = initialize(known.enterprise, known.site, known.networks)
        explanation = explanation_from(client, tolerance=tolerance, completions=self.shows_completion)
        return explain_seen(explanation, [one.item for one in self._log()])

    def _contradicted_at_the_end(self, explanation: Explanation) -> bool:
        if explanation.contradiction is None:
            return False
        last = [one.item.at for one in self._log() if one.stimulus == self.met - 1]
        return bool(last) and explanation.contradiction.observation.now >= min(last) - self.performance.tolerance

    def _timed(self, judgement: Judgement) -> Judgement:
        """Return a judgement with what its times are worth beside it."""
        seen = self.performance
        lag, tolerance = seen.contention.lag / SECOND, seen.tolerance / SECOND
        timing = Timing(tolerance, round(lag, 3), seen.contention.pressure, seen.capture)
        return replace(judgement, timing=timing)


def _too_loaded(lag: int) -> str:
    return f"the machine was too loaded to tell, and let a canary wait {lag / SECOND:.2f} s"
