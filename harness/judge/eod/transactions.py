"""Transactional sends in a scenario: queues and lists, transactions and how they end, failures and delivery.

Where the copies of the messages are is judged in ``copies``.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import SearchingScene, fresh_judge
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.eod.transaction import Network, Queue, Send, commit, deliver

_AND = re.compile(r", | and ")
_SENDS = r"m\d+ to [\w-]+(?:(?:, | and )[\w-]+)*(?:; m\d+ to [\w-]+(?:(?:, | and )[\w-]+)*)*"


@dataclass(slots=True)
class TransactionScene(SearchingScene):
    """The queue manager of a scenario, driven together with the model.

    Attributes:
        model: where the copies have to be.
        committed: whether the last transaction of the implementation went through, and whether it has to.
        sends: what the last transaction sent.
        ended: what each of several transactions sent that were open at once, and whether it went through.
    """

    run: Session
    case: Case
    judge: Judge
    model: Network = field(default_factory=lambda: Network(queues={}))
    committed: tuple[bool, bool] = (False, False)
    sends: list[Send] = field(default_factory=list)
    ended: list[tuple[list[Send], bool]] = field(default_factory=list)
    configured: bool = False
    begun: dict[int, list[Send]] = field(default_factory=dict)
    """What each transaction has sent that is open."""
    trouble: tuple[str, Judgement] | None = None

    def with_queues(self, queues: dict[str, Queue]) -> None:
        """Let there be these target queues."""
        self.model = replace(self.model, queues=queues)

    def with_list(self, name: str, elements: tuple[str, ...]) -> None:
        """Let there be a distribution list besides."""
        self.model = replace(self.model, lists={**self.model.lists, name: elements})

    def transact(self, sends: list[Send], *, abort: bool = False, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Send messages within one transaction, let something happen, and end it."""
        self.sends = sends
        transaction = self.begin()
        for send in sends:
            self.send_within(transaction, send)
        meanwhile()
        if abort:
            self.abort(transaction)
        else:
            self.committed = self.commit(transaction)

    def begin(self) -> int:
        """Begin a transaction."""
        self._configure()
        transaction: int = self._call("begin", {})["transaction"]
        self.begun[transaction] = []
        return transaction

    def send_within(self, transaction: int, send: Send) -> None:
        """Send within a transaction that was begun."""
        self.begun[transaction].append(send)
        self._send(transaction, send)

    def commit(self, transaction: int) -> tuple[bool, bool]:
        """End a transaction; return whether it went through, and whether it has to."""
        observed = self._call("commit", {"transaction": transaction})["committed"]
        self.model, expected = commit(self.model, self.begun.pop(transaction))
        return bool(observed), expected

    def abort(self, transaction: int) -> None:
        """End a transaction as its user does who wants nothing sent."""
        self._call("abort", {"transaction": transaction})
        del self.begun[transaction]

    def transact_at_once(self, several: list[list[Send]]) -> None:
        """Begin several transactions, let them send in turn, and end them with the last one first."""
        self._configure()
        begun = [self._call("begin", {})["transaction"] for _ in several]
        for turn in range(max(map(len, several))):
            for transaction, sends in zip(begun, several, strict=True):
                for send in sends[turn : turn + 1]:
                    self._send(transaction, send)
        for transaction, sends in reversed([*zip(begun, several, strict=True)]):
            observed = self._call("commit", {"transaction": transaction})["committed"]
            self.ended.append((sends, bool(observed)))

    def fail(self, queue: str, *, failing: bool) -> None:
        """Let an outgoing queue take no copies, or heal it."""
        self._configure()
        self._call("fail_queue", {"queue": queue, "failing": failing})
        failed = self.model.failing - {queue} | ({queue} if failing else set())
        self.model = replace(self.model, failing=frozenset(failed))

    def deliver(self) -> None:
        """Let every waiting copy reach its computer."""
        self._call("deliver", {})
        self.model = deliver(self.model)

    def state(self) -> Json:
        """Return where the implementation has the copies."""
        return self._call("state", {})

    def abort_empty(self) -> None:
        """Begin a transaction and abort it."""
        self.abort(self.begin())

    def _send(self, transaction: object, send: Send) -> None:
        params: Json = {"transaction": transaction, "message": send.message, "destination": [*send.destination]}
        if send.administration_queue:
            params["administration_queue"] = send.administration_queue
        self._call("send", params)

    def _configure(self) -> None:
        if self.configured:
            return
        queues = [
            {"name": queue.name, "machine": queue.machine, "transactional": queue.transactional}
            for queue in self.model.queues.values()
        ]
        lists = [{"name": name, "elements": [*elements]} for name, elements in self.model.lists.items()]
        self._call("configure", {"queues": queues, "lists": lists})
        self.configured = True

    def _call(self, operation: str, params: Json) -> Json:
        return self.run.iut.call(f"transaction.{operation}", params)


@pytest.fixture
def transactions(run: Session, case: Case) -> TransactionScene:
    """Give a scenario a queue manager as freshly started."""
    return TransactionScene(run, case, fresh_judge(run))


@given("target queues")
def target_queues(transactions: TransactionScene, datatable: list[list[str]]) -> None:
    """Let there be target queues: name, computer, and whether they are transactional."""
    rows = [(name, machine, kind == "yes") for name, machine, kind in datatable[1:]]
    transactions.with_queues({name: Queue(name, machine, transactional) for name, machine, transactional in rows})


@given(r"a distribution list (?P<name>[\w-]+) of (?P<elements>.+)")
def distribution_list(transactions: TransactionScene, name: str, elements: str) -> None:
    transactions.with_list(name, names_in(elements))


@given(
    r"(?P<number>\d+) transactional queues, (?P=number) nontransactional ones, a list of each two, "
    r"and a list of all transactional ones"
)
def many_queues_and_lists(transactions: TransactionScene, number: str) -> None:
    """Let there be queues orders_1, notes_1 and so on, on as many computers, with lists two_1 and so on, and all."""
    queues = dict(transactions.model.queues)
    orders = [_alike("orders", index) for index in range(1, int(number) + 1)]
    for index, name in enumerate(orders, start=1):
        machine, notes = _alike("host", index), _alike("notes", index)
        queues |= {name: Queue(name, machine, transactional=True), notes: Queue(notes, machine, transactional=False)}
        transactions.with_list(f"two_{index}", (name, notes))
    transactions.with_queues(queues)
    transactions.with_list("all", tuple(orders))


@when(r"a transaction sends m1 to all (?P<number>\d+) lists of two, with acknowledgments to admin")
def transaction_sends_to_many(transactions: TransactionScene, number: str) -> None:
    lists = tuple(f"two_{index}" for index in range(1, int(number) + 1))
    transactions.transact([Send("m1", lists, "admin")])


@when(
    r"a transaction sends m(?P<first>\d+) to m(?P<last>\d+) to (?P<destination>\w+)"
    r"(?P<acknowledged>, each with acknowledgments to another queue)?"
)
def transaction_sends_many(
    transactions: TransactionScene, first: str, last: str, destination: str, acknowledged: str | None
) -> None:
    numbers = range(int(first), int(last) + 1)
    transactions.transact(
        [Send(f"m{number}", (destination,), acknowledged and f"admin_{number}") for number in numbers]
    )


@when(r"(?P<number>\d+) transactions are begun and aborted")
def transactions_are_aborted(transactions: TransactionScene, number: str) -> None:
    for _ in range(int(number)):
        transactions.abort_empty()


@when("each of the queues takes no copies while a transaction sends to it")
def queues_fail_in_turn(transactions: TransactionScene) -> None:
    for name in transactions.model.queues:
        transactions.fail(name, failing=True)
        _sent_to(transactions, name)
        transactions.fail(name, failing=False)


@when("none of the queues takes copies, and a transaction sends to each")
def queues_fail_at_once(transactions: TransactionScene) -> None:
    for name in transactions.model.queues:
        transactions.fail(name, failing=True)
    for name in transactions.model.queues:
        _sent_to(transactions, name)


def _sent_to(transactions: TransactionScene, name: str) -> None:
    transactions.transact([Send("m1", (name,))])
    transactions.ended.append((transactions.sends, transactions.committed[0]))


@when(rf"a transaction sends (?P<sends>{_SENDS})(?:, with acknowledgments to (?P<administration>[\w-]+))?")
def transaction_sends(transactions: TransactionScene, sends: str, administration: str | None) -> None:
    transactions.transact(_sends(sends, administration))


@when(
    rf"a transaction sends (?P<sends>{_SENDS}), and the outgoing queue for (?P<queue>[\w-]+) takes "
    r"(?P<copies>no copies|copies again) before it commits"
)
def transaction_is_disturbed(transactions: TransactionScene, sends: str, queue: str, copies: str) -> None:
    failing = copies == "no copies"
    transactions.transact(_sends(sends, None), meanwhile=lambda: transactions.fail(queue, failing=failing))


@when(
    r"(?P<number>\d+) transactions that are open at once send to both and to bills, "
    r"every third of them to stock instead"
)
def transactions_are_open_at_once(transactions: TransactionScene, number: str) -> None:
    several = [
        [Send(f"m{index}", ("both",)), Send(f"n{index}", ("stock",) if index % 3 == 0 else ("bills",))]
        for index in range(1, int(number) + 1)
    ]
    transactions.transact_at_once(several)


@when(rf"a transaction sends (?P<sends>{_SENDS}), and another one is aborted before it commits")
def another_is_aborted(transactions: TransactionScene, sends: str) -> None:
    transactions.transact(_sends(sends, None), meanwhile=transactions.abort_empty)


@when(
    rf"a transaction that sends (?P<sends>{_SENDS}) is aborted"
    r"(?P<late>, after what can has reached its computer)?"
)
def transaction_is_aborted(transactions: TransactionScene, sends: str, late: str | None) -> None:
    meanwhile = transactions.deliver if late else lambda: None
    transactions.transact(_sends(sends, None), abort=True, meanwhile=meanwhile)


@when(r"the outgoing queue for (?P<queue>[\w-]+) takes (?P<copies>no copies|copies again)")
def outgoing_queue_fails(transactions: TransactionScene, queue: str, copies: str) -> None:
    transactions.fail(queue, failing=copies == "no copies")


@when("the copies reach their computers")
def copies_arrive(transactions: TransactionScene) -> None:
    transactions.deliver()


@then(r"the transaction (?P<end>commits|aborts)")
def transaction_ends(transactions: TransactionScene, end: str) -> None:
    observed, expected = transactions.committed
    assert expected == (end == "commits"), f"the feature disagrees with the model: the transaction {end}"
    transactions.witness(committed(transactions.judge, expected, observed))


@then("none of the transactions committed")
def no_transaction_committed(transactions: TransactionScene) -> None:
    through = [", ".join(sends[0].destination) for sends, committed in transactions.ended if committed]
    observed = f"{len(through)} of {len(transactions.ended)} committed, to {', '.join(through) or 'none'}"
    transactions.witness(transactions.judge.says(not through, "all aborted", observed))


def committed(judge: Judge, expected: bool, observed: bool) -> Judgement:  # noqa: FBT001 - the one thing it is about
    """Judge whether a transaction went through."""
    ends = {True: "committed", False: "aborted"}
    return judge.says(observed == expected, ends[expected], ends[observed])


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list such as ``a, b and c``."""
    return tuple(_AND.split(text))


def _alike(word: str, index: int) -> str:
    """Return a name whose first half, or every second time whose second half, is that of others."""
    return f"{word}_{index}" if index % 2 else f"{index:02}_{word}"


def _sends(text: str, administration: str | None) -> list[Send]:
    pairs = (send.split(" to ", 1) for send in text.split("; "))
    return [Send(message, names_in(destination), administration) for message, destination in pairs]
