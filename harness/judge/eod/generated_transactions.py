"""Generated transactions: several at once, to lists within lists, with deliveries, failures and aborts between them.

A destination leads to each queue once (register EOD-31), and no outgoing queue fails or heals while a transaction is
open: whether it aborts with the send or with the commit is not said.
"""

from collections.abc import Iterator, Mapping
from itertools import starmap
from random import Random
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability
from mqconform.harness.judge.eod.copies import (
    contents,
    copies_taken_in_are,
    dead_letters_hold,
    waiting_copies_are,
)
from mqconform.harness.judge.eod.transactions import TransactionScene, committed
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.eod.transaction import NOT_TRANSACTIONAL_QUEUE, Network, Queue, Send, targets

CALLS: Final = 300
MOST_OPEN: Final = 3
_NAMES: Final = ("orders", "Orders", "orders_1", "orders_12", "oslo\\orders", "notes", "notes_1", "rome\\orders")
_HOSTS: Final = ("oslo", "rome")
_REFUSING: Final = 5
"""The first of the queues that are not transactional."""


@given("a queue manager without any queue")
def queue_manager_without_queues(transactions: TransactionScene) -> None:
    del transactions


@when("generated transactions send, end and are delivered")
@from_seed
def generated_transactions(transactions: TransactionScene) -> None:
    random = Random(transactions.run.plan.seed)
    transactions.with_queues(
        {name: Queue(name, _HOSTS[place % 2], place < _REFUSING) for place, name in enumerate(_NAMES)}
    )
    for level in range(5):
        transactions.with_list(f"level_{level}", (_NAMES[level], *([f"level_{level - 1}"] * bool(level))))
    failures = ["fail"] * (Capability.SEND_FAULTS in transactions.run.iut.description.capabilities)
    groups: dict[str, str] = {}
    for number in range(CALLS * transactions.run.plan.thorough):
        begun = [*transactions.begun]
        calls = ["begin"] * (len(begun) < MOST_OPEN) + ["deliver"] * 2
        calls += ["send"] * 6 + ["commit", "commit", "abort"] if begun else failures
        call = random.choice(calls)
        if call in {"send", "commit", "abort"}:
            _go_on(random, transactions, call, random.choice(begun), number)
        elif call == "begin":
            transactions.begin()
        elif call == "deliver":
            transactions.deliver()
        else:
            for queue in transactions.model.failing or {random.choice(_NAMES)}:
                transactions.fail(queue, failing=not transactions.model.failing)
        groups |= {str(send.message): str(sends[0].message) for sends in transactions.begun.values() for send in sends}
        transactions.trouble = transactions.trouble or _wrong(transactions, call, groups)
        if transactions.trouble:
            return


def _go_on(random: Random, transactions: TransactionScene, call: str, transaction: int, number: int) -> None:
    """Let a transaction that is open send a message, or end."""
    match call:
        case "send":
            transactions.send_within(
                transaction, _draw(random, transactions.model, f"m{number // CALLS * CALLS + number * 101 % CALLS}")
            )
        case "abort":
            transactions.abort(transaction)
        case _:
            observed, expected = transactions.commit(transaction)
            transactions.trouble = _violation("EOD-1-03", committed(transactions.judge, expected, observed))


def _draw(random: Random, network: Network, message: str) -> Send:
    """Return a send to queues and lists that share no queue."""
    destination: list[str] = []
    for name in random.sample([*network.queues, *network.lists], 3):
        if not {*targets(network, destination)} & {*targets(network, (name,))}:
            destination.append(name)
    return Send(message, tuple(destination), random.choice((None, "admin", "desk")))


def _violation(requirement: str, judgement: Judgement) -> tuple[str, Judgement] | None:
    return (requirement, judgement) if judgement.verdict is Verdict.FAIL else None


def _wrong(transactions: TransactionScene, call: str, groups: Mapping[str, str]) -> tuple[str, Judgement] | None:
    """Return what the state violates; copies that wait before the commit, or after an abort, are of no transaction."""
    judged = _judged(transactions, groups, ends="EOD-1-02" if call == "commit" else "EOD-1-03")
    return next(filter(None, starmap(_violation, judged)), None)


def _judged(transactions: TransactionScene, groups: Mapping[str, str], ends: str) -> Iterator[tuple[str, Judgement]]:
    judge, model, state = transactions.judge, transactions.model, transactions.state()
    yield ends, waiting_copies_are(judge, state, contents(model, "outgoing"))
    refused = any(state.get("queues", {}).get(name) for name, queue in model.queues.items() if not queue.transactional)
    taken_in = contents(model, "queues")
    yield "EOD-1-06" if refused else ends, copies_taken_in_are(judge, state, taken_in)
    for queue, messages in taken_in.items():
        observed = [str(message) for message in state["queues"][queue]]
        in_order = all(
            [message for message in observed if groups[message] == one]
            == [message for message in messages if groups[message] == one]
            for one in {groups[message] for message in messages}
        )
        yield "EOD-1-02", judge.says(in_order, f"{queue}: {', '.join(messages)}", ", ".join(observed))
    yield "EOD-1-07", dead_letters_hold(judge, state, contents(model, "dead_letters"))
    yield "EOD-1-08", _refusals(transactions, state)


def _refusals(transactions: TransactionScene, state: Json) -> Judgement:
    """Judge all negative acknowledgments, in any order."""
    due = sorted(
        (place, str(ack.message), ack.queue, NOT_TRANSACTIONAL_QUEUE)
        for place, acks in transactions.model.acknowledgments.items()
        for ack in acks
    )
    observed = sorted(
        (place, str(ack["message"]), ack["queue"], ack["class"])
        for place, acks in state.get("acknowledgments", {}).items()
        for ack in acks
    )
    missing, more = (
        [entry for entry in one if entry not in other] for one, other in ((due, observed), (observed, due))
    )
    return transactions.judge.says(
        due == observed, f"{len(due)} refusals, with {missing}", f"{len(observed)}, with {more}"
    )


@then("what they sent is where it should be, after each call")
def all_is_where_it_should_be(transactions: TransactionScene) -> None:
    passed = f"{CALLS * transactions.run.plan.thorough} calls, each followed by the state of the model"
    transactions.witness_search(lambda: transactions.judge.says(True, passed, passed))
