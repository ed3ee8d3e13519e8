"""What the steps of one discovery-client scenario share."""

from dataclasses import dataclass

import pytest

from mqconform.harness.mqsd.client_observed import ObservedClient
from mqconform.harness.mqsd.client_script import Configuration
from mqconform.harness.mqsd.client_stimuli import Stimulus
from mqconform.harness.mqsd.client_under_test import ClientUnderTest
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqsd_client_seen import Expectation, Timed, essential
from mqconform.harness.running.session import Case, Session
from mqconform.harness.witness import Judgement


@dataclass(slots=True)
class ClientScene:
    """The client of a scenario and what it was seen to do.

    Attributes:
        client: made by the Given.
        mark: how many stimuli there were before the last When.
        configured: how many clients there were.
        found: what convicts the client in a generated history, with the requirements that it bears on.
        played: how many histories were generated.
    """

    run: Session
    case: Case
    judge: Judge
    client: ObservedClient | None = None
    mark: int = 0
    configured: int = 0
    found: tuple[tuple[str, ...], Judgement] | None = None
    played: int = 0

    @property
    def known(self) -> ObservedClient:
        """The client, which the scenario has to have."""
        assert self.client is not None, "the scenario has no Given that configures a client"
        return self.client

    def use(self, configuration: Configuration) -> None:
        """Configure a client and work with it from now on."""
        performances = self.run.performances
        if performances is None:
            self.client = ClientUnderTest(self.run, configuration)
        else:
            self.client = performances.client_of(self.case.id, self.configured, configuration)
        self.configured += 1
        self.client.configure()

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to the client."""
        self.mark = len(self.known.stimuli)
        self.known.meet(stimulus)

    def effects(self) -> list[Timed]:
        """Return all that the client did, in order, repetitions of a request left out."""
        return essential(self.known.effects())

    def last_effects(self) -> list[Timed]:
        """Return what the client did after the last When."""
        return [one for one in self.effects() if one.stimulus >= self.mark]

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)

    def says(self, met: bool, expected: str, observed: str, *, timed: bool = True) -> None:  # noqa: FBT001 - the one thing it is about
        """Record whether an expectation that the scenario writes out is met, with what led there."""
        self.witness(self.known.says(self.judge, Expectation(met, expected, observed, timed)))

    def judge_run(self) -> None:
        """Record what the model says of everything that was seen."""
        for requirements, judgement in self.known.judgements(self.judge, self.case.requirements):
            self.run.witness(self.case, requirements, judgement)


@pytest.fixture
def discovery(run: Session, case: Case) -> ClientScene:
    """Give a scenario a client as freshly started."""
    run.check_alive()
    if run.performances is None:
        run.iut.call("reset", {})
    return ClientScene(run, case, Judge(run.register, run.profile, run.readings))
