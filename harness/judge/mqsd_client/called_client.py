"""A discovery client that is driven call by call, and what the model says of it."""

from collections.abc import Iterator

from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE, DrivenClient
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_run import JudgedRun
from mqconform.harness.judge.mqsd_client.client_scene import Expectation, Weighed
from mqconform.harness.judge.mqsd_client.whole_history import judge_run
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.client import SECOND


def tolerance_of(run: JudgedRun) -> int:
    """Return by how many nanoseconds the clients of a run with a virtual clock may be early or late."""
    chosen = run.options.tolerance
    return round((TOLERANCE if chosen is None else chosen) * SECOND)


class ClientUnderTest(DrivenClient):
    """One client from ``configure`` on; see ``ObservedClient``."""

    __slots__ = ()

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation of the scenario; a loaded machine cannot spoil a virtual clock."""
        return judge.says(expectation.met, expectation.expected, f"{expectation.observed}\n{self.timeline()}")

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen."""
        at_the_end = self.contradicted_at == len(self.stimuli) - 1
        yield from judge_run(judge, self.explanation, self.timeline(), tagged, at_the_end=at_the_end)
