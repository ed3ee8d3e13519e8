"""A discovery client that is driven call by call, and what the model says of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE, DrivenClient
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_run import JudgedRun
from mqconform.harness.judge.mqsd_client.breach import broken
from mqconform.harness.judge.mqsd_client.client_scene import Expectation, Weighed
from mqconform.harness.judge.mqsd_client.whole_history import first_sentence, judge_run
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.client import SECOND, Contradiction

WATCHED_ON = 60 * SECOND
"""How long a convicted client that is silent is watched beyond the scenario."""


def tolerance_of(run: JudgedRun) -> int:
    """Return by how many nanoseconds the clients of a run with a virtual clock may be early or late."""
    chosen = run.options.tolerance
    return round((TOLERANCE if chosen is None else chosen) * SECOND)


@dataclass(slots=True)
class ClientUnderTest(DrivenClient):
    """One client from ``configure`` on; see ``ObservedClient``.

    Attributes:
        named: the sentences that were broken, by how much had been seen; the search for them takes its time.
        watched: whether it was watched beyond the scenario after it was contradicted.
    """

    named: dict[int, tuple[str, ...]] = field(default_factory=dict)
    watched: bool = False

    @property
    def on_networks(self) -> bool:
        """It tells what it sends."""
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

    def _silent_since(self, contradiction: Contradiction) -> bool:
        since = contradiction.observation.now
        return not any(one.observation.effects for one in self.seen if one.observation.now >= since)
