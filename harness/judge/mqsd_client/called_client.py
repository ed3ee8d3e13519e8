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
from mqconform.reference.mqsd.client import SECOND


def tolerance_of(run: JudgedRun) -> int:
    """Return by how many nanoseconds the clients of a run with a virtual clock may be early or late."""
    chosen = run.options.tolerance
    return round((TOLERANCE if chosen is None else chosen) * SECOND)


@dataclass(slots=True)
class ClientUnderTest(DrivenClient):
    """One client from ``configure`` on; see ``ObservedClient``.

    Attributes:
        named: the sentences that were broken, by how much had been seen; the search for them takes its time.
    """

    named: dict[int, tuple[str, ...]] = field(default_factory=dict)

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
        if len(self.seen) not in self.named:
            earlier = self.explanation.applied if self.contradicted_at == len(self.stimuli) - 1 else frozenset()
            named = broken(self, self.explanation, judge.register, tagged)
            self.named[len(self.seen)] = named or first_sentence(contradiction, tagged, earlier)
        return self.named[len(self.seen)]
