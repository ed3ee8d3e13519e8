"""What the steps of one discovery-client scenario share."""

from dataclasses import dataclass

import pytest

from mqconform.harness.iut import Unreachable
from mqconform.harness.mqsd.client_stimuli import Stimulus
from mqconform.harness.mqsd.client_under_test import ClientUnderTest
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqsd_client import judge_run
from mqconform.harness.oracle.mqsd_client_seen import Timed, essential
from mqconform.harness.running.session import Case, Session
from mqconform.harness.witness import Judgement


@dataclass(slots=True)
class ClientScene:
    """The client of a scenario and what it was seen to do.

    Attributes:
        client: made by the Given.
        mark: how many calls had been made before the last When.
        found: what convicts the client in a generated history, with the requirements that it bears on.
        played: how many histories were generated.
    """

    run: Session
    case: Case
    judge: Judge
    client: ClientUnderTest | None = None
    mark: int = 0
    found: tuple[tuple[str, ...], Judgement] | None = None
    played: int = 0

    @property
    def known(self) -> ClientUnderTest:
        """The client, which the scenario has to have."""
        assert self.client is not None, "the scenario has no Given that configures a client"
        return self.client

    def use(self, client: ClientUnderTest) -> None:
        """Configure a client and work with it from now on."""
        self.client = client
        client.configure()

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to the client."""
        self.mark = len(self.known.seen)
        self.known.meet(stimulus)

    def effects(self) -> list[Timed]:
        """Return all that the client did, in order, repetitions of a request left out."""
        return essential(
            [
                Timed(effect, number, one.observation.now)
                for number, one in enumerate(self.known.seen)
                for effect in one.observation.effects
            ]
        )

    def last_effects(self) -> list[Timed]:
        """Return what the client did after the last When."""
        return [one for one in self.effects() if one.call >= self.mark]

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)

    def says(self, holds: bool, expected: str, observed: str) -> None:  # noqa: FBT001 - the one thing it is about
        """Record whether an expectation that the scenario writes out is met, with what led there."""
        self.witness(self.judge.says(holds, expected, f"{observed}\n{self.known.timeline()}"))

    def judge_run(self) -> None:
        """Record what the model says of everything that was seen."""
        client = self.known
        tagged, timeline = self.case.requirements, client.timeline()
        judgements = judge_run(
            self.judge, client.explanation, timeline, tagged, at_the_end=client.contradicted_at_the_end
        )
        for requirements, judgement in judgements:
            self.run.witness(self.case, requirements, judgement)


@pytest.fixture
def discovery(run: Session, case: Case) -> ClientScene:
    """Give a scenario a client as freshly started."""
    if run.dead_since:
        raise Unreachable(f"the implementation has not answered since case {run.dead_since}")
    run.iut.call("reset", {})
    return ClientScene(run, case, Judge(run.register, run.profile, run.readings))
