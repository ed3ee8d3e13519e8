"""What the steps of one scenario for a receiver of streams share."""

from dataclasses import dataclass, field

import pytest

from mqconform.harness.iut import Json
from mqconform.harness.oracle.eod_order_acks import Arrived, SentAck
from mqconform.harness.oracle.eod_receiver import Answer, ReceiverModels
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.running.session import Case, Session
from mqconform.harness.witness import Judgement


@dataclass(slots=True)
class IncomingScene:
    """The receiver of a scenario, driven together with the models.

    Attributes:
        answers: what became of the messages of the last When.
        arrivals: every message that arrived, with its time.
        acks: every order acknowledgment that went out of itself.
        now: tenths of a second since the start.
    """

    run: Session
    case: Case
    judge: Judge
    models: ReceiverModels = field(default_factory=ReceiverModels)
    answers: list[Answer] = field(default_factory=list)
    arrivals: list[Arrived] = field(default_factory=list)
    acks: list[SentAck] = field(default_factory=list)
    now: int = 0

    def arrive(self, params: Json) -> None:
        """Let a message arrive."""
        within = f" of sequence {params['sequence_id']}" if "sequence_id" in params else ""
        what = f"{params['sequence']} after {params['previous']}{within} in stream {params['stream']}"
        answer = self.ask("receive_in_sequence" if within else "receive", params, what)
        self.answers.append(answer)
        self.arrivals.append(Arrived(self.now, bool(answer.seen["accepted"])))

    def ask(self, operation: str, params: Json, what: str) -> Answer:
        """Perform an operation on receiver and models."""
        seen = self.run.iut.call(f"ordered_receiver.{operation}", params)
        return self.models.compare(operation, params, seen, what)

    def wait(self, tenths: int) -> None:
        """Let virtual time pass, a tenth of a second at a time, and note what goes out."""
        for _ in range(tenths):
            seen = self.run.iut.call("ordered_receiver.advance_clock", {"seconds": 0.1})
            self.now += 1
            self.acks += [SentAck(self.now, str(one["stream"]), one["sequence"]) for one in seen["order_acks"]]

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)


@pytest.fixture
def incoming(run: Session, case: Case) -> IncomingScene:
    """Give a scenario a receiver as freshly started."""
    run.check_alive()
    run.iut.call("reset", {})
    return IncomingScene(run, case, Judge(run.register, run.profile, run.readings))
