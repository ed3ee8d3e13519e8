"""A discovery client that is driven call by call, and what the oracle says of it."""

from collections.abc import Iterator

from mqconform.harness.iut.drivers.discovery_client.called import DrivenClient
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_client.client_scene import Expectation, Weighed
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.witness import Judgement


class ClientUnderTest(DrivenClient):
    """One client from ``configure`` on; see ``ObservedClient``."""

    __slots__ = ()

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation of the scenario; the time of a virtual clock is not in doubt."""
        return judge.says(expectation.met, expectation.expected, f"{expectation.observed}\n{self.timeline()}")

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen."""
        at_the_end = self.contradicted_at_the_end
        yield from judge_run(judge, self.explanation, self.timeline(), tagged, at_the_end=at_the_end)

    @property
    def contradicted_at_the_end(self) -> bool:
        """Whether what no reading explains came with the last stimulus."""
        contradiction = self.explanation.contradiction
        return contradiction is not None and self.seen[contradiction.number].stimulus == len(self.stimuli) - 1
