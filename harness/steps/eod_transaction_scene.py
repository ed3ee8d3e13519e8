"""What the steps of one scenario for transactional sends share."""

from dataclasses import dataclass, field, replace

import pytest

from mqconform.harness.iut import Json
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.running.session import Case, Session
from mqconform.harness.witness import Judgement
from mqconform.reference.eod import transaction
from mqconform.reference.eod.transaction import Network, Queue, Send


@dataclass(slots=True)
class SendingScene:
    """The queue manager of a scenario, driven together with the model.

    Attributes:
        model: where the copies have to be.
        committed: whether the last transaction of the implementation went through, and whether it has to.
    """

    run: Session
    case: Case
    judge: Judge
    model: Network = field(default_factory=lambda: Network(queues={}))
    committed: tuple[bool, bool] = (False, False)
    configured: bool = False

    def with_queues(self, queues: dict[str, Queue]) -> None:
        """Let there be these target queues."""
        self.model = replace(self.model, queues=queues)

    def with_list(self, name: str, elements: tuple[str, ...]) -> None:
        """Let there be a distribution list besides."""
        self.model = replace(self.model, lists={**self.model.lists, name: elements})

    def transact(self, sends: list[Send], *, abort: bool = False) -> None:
        """Send messages within one transaction, and end it."""
        self._configure()
        begun = self._call("begin", {})["transaction"]
        for send in sends:
            params: Json = {"transaction": begun, "message": send.message, "destination": [*send.destination]}
            if send.administration_queue:
                params["administration_queue"] = send.administration_queue
            self._call("send", params)
        if abort:
            self._call("abort", {"transaction": begun})
            return
        seen = self._call("commit", {"transaction": begun})["committed"]
        self.model, wanted = transaction.commit(self.model, sends)
        self.committed = (bool(seen), wanted)

    def fail(self, queue: str, *, failing: bool) -> None:
        """Let an outgoing queue take no copies, or heal it."""
        self._configure()
        self._call("fail_queue", {"queue": queue, "failing": failing})
        failed = self.model.failing - {queue} | ({queue} if failing else set())
        self.model = replace(self.model, failing=frozenset(failed))

    def deliver(self) -> None:
        """Let every waiting copy reach its computer."""
        self._call("deliver", {})
        self.model = transaction.deliver(self.model)

    def state(self) -> Json:
        """Return where the implementation has the copies."""
        return self._call("state", {})

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)

    def _configure(self) -> None:
        if self.configured:
            return
        queues = [
            {"name": one.name, "machine": one.machine, "transactional": one.transactional}
            for one in self.model.queues.values()
        ]
        lists = [{"name": name, "elements": [*elements]} for name, elements in self.model.lists.items()]
        self._call("configure", {"queues": queues, "lists": lists})
        self.configured = True

    def _call(self, operation: str, params: Json) -> Json:
        return self.run.iut.call(f"transaction.{operation}", params)


@pytest.fixture
def sending(run: Session, case: Case) -> SendingScene:
    """Give a scenario a queue manager as freshly started."""
    run.check_alive()
    run.iut.call("reset", {})
    return SendingScene(run, case, Judge(run.register, run.profile, run.readings))
