"""The check of histories of queue managers: silent where the model allows, and it finds each fault by itself."""

from typing import Final

from long_tier import long
from mqso_histories import DEAD_LETTERS, MODEL, ORDERS, PLAIN, SMALL, START, history_of, receive, send

from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso.elements import SECOND, Key, Kind, TransactionId
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Committed,
    CoordinatorBecomes,
    Done,
    End,
    Ended,
    Event,
    Failed,
    Got,
    Outcomes,
    Pending,
    Purge,
    SetQueue,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults import FAULTS

DONE, FAILED, PENDING = Done(), Failed(), Pending()
COMMITTED = Committed(committed=True)
T1, T2, T3 = TransactionId(1), TransactionId(2), TransactionId(3)
HERE = len(START)


def got(key: str) -> Got:
    return Got(Key(key))


def history(*seen: tuple[Event, Answer]) -> list[Seen]:
    return [*(Seen(event, DONE) for event in START), *(Seen(event, answer) for event, answer in seen)]


SENT_IN_ORDERS = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (send("b", ORDERS, 1), DONE)]
COMMITTED_IN_ORDERS = [*SENT_IN_ORDERS, (End(T1, commit=True), COMMITTED), (Begin(T2), DONE), (Begin(T3), DONE)]
BROKEN = {
    "received twice": (
        [(send("a"), DONE), (receive(1), got("a")), (receive(2), got("a"))],
        (0, 1, 2), "MQSO-3.3.4.6-02",
    ),
    "not the first": (
        [(send("a"), DONE), (send("b"), DONE), (receive(1), got("b"))],
        (0, 1, 2), "MQSO-5.1.1.2-01",
    ),
    "not committed": (
        [*SENT_IN_ORDERS, (receive(1, ORDERS, takes=False), got("a"))],
        (1, 3), "MQSO-3.3.4.4-01",
    ),
    "with another": (
        [*COMMITTED_IN_ORDERS, (receive(1, ORDERS, 2), got("a")), (receive(2, ORDERS, 3), got("a"))],
        (1, 6, 7), "MQSO-3.3.4.7-04",
    ),
    "not in its old place after an abort": (
        [*COMMITTED_IN_ORDERS, (receive(1, ORDERS, 2), got("a")), (End(T2, commit=False), DONE),
         (receive(2, ORDERS, 3), got("b"))],
        (1, 2, 8), "MQSO-5.1.1.2-01",
    ),
    "nowhere": ([(send("a"), DONE), (receive(1), FAILED)], (0, 1), "MQSO-3.3.4.6-02"),
    "there after a purge": (
        [(send("a"), DONE), (Purge(PLAIN), DONE), (receive(1), got("a"))],
        (0, 1, 2), "MQSO-5.1.1.2-12",
    ),
    "answered while stopped": ([(Stop(), DONE), (send("a"), DONE)], (0, 1), "MQSO-6.7.1-01"),
    "a change that fails": ([(SetQueue(SMALL, 2), FAILED)], (0,), "MQSO-3.3.4.1-05"),
    "a transaction that does not begin": ([(Begin(T1), FAILED)], (0,), "MQSO-5.5.3-06"),
    "a start that fails": ([(Stop(), DONE), (Start(), FAILED)], (1,), "MQSO-5.1.1.1-04"),
    "a transaction without coordinator": (
        [(CoordinatorBecomes(lost=True), DONE), (Begin(T1, Kind.EXTERNAL), DONE)],
        (0, 1), "MQSO-5.5.3-04",
    ),
    "a wait without end": (
        [(receive(1, wait=SECOND), PENDING), (TimePassed(3 * SECOND), DONE), (Outcomes(), Ended(frozenset()))],
        (0, 2), "MQSO-3.3.4.6-05",
    ),
    "a wait beside a message": (
        [(receive(1, wait=SECOND), PENDING), (send("a"), DONE), (Outcomes(), Ended(frozenset()))],
        (0, 1, 2), "MQSO-5.1.1.2-08",
    ),
    "a dead letter that nobody wanted": (
        [(send("a", receive_within=SECOND), DONE), (TimePassed(3 * SECOND), DONE),
         (receive(1, DEAD_LETTERS), got("a"))],
        (0, 2), "MQSO-5.1.1.3-18",
    ),
}  # fmt: skip
"""What is broken, as a history -> the events that show it, and the first requirement."""


def test_a_breach_names_events_and_requirement() -> None:
    for name, (seen, events, requirement) in BROKEN.items():
        first = check_history(history(*seen))[0]
        assert first.requirements[0] == requirement, name
        assert first.places == tuple(HERE + event for event in events), name


def test_the_model_explains_what_it_answers_and_the_check_is_silent() -> None:
    for seed in (0, 3, 10, 13, 27, 33, 103):
        assert_right(seed)


@long
def test_so_it_does_with_many_more_seeds() -> None:
    for seed in (*range(60), *range(100, 250)):
        assert_right(seed)


def assert_right(seed: int) -> None:
    seen = history_of(MODEL, seed)
    explanation = explain(seen)
    assert explanation.worlds or explanation.undecided, f"seed {seed}: {explanation.contradiction}"
    assert check_history(seen) == (), f"seed {seed}"  # the model draws nothing that the register does not permit


SAYS: Final = {
    "messages are counted": ("purge-does-nothing", 42),
    "a call fails although nothing is in its way": ("forgets-queues-at-stop", 42),
    "a call succeeds although its cursor is gone": ("cursor-survives", 30),
    "a call succeeds although its queue is not open for that": ("any-handle-receives", 14),
    "a call succeeds although its transaction cannot go on": ("ended-transactions-receive", 5),
    "a call succeeds although its transaction is gone": ("sends-go-on-without-it", 55),
    "a call succeeds although public queues are not for Workgroup mode": ("public-in-a-workgroup", 14),
    "a call succeeds although the coordinator is away": ("sends-go-on-without-it", 55),
    "a call succeeds although the queue is the queue manager's own": ("system-queue-takes-sends", 45),
    "a call succeeds although the queue manager does not run": ("serves-while-stopped", 42),
    "a call succeeds although the queue manager is throttled": ("deaf-to-throttling", 55),
    "a call succeeds although the store is beyond repair": ("runs-after-failed-start", 53),
    "a call succeeds although the store is full": ("full-store-takes-on", 42),
    "a call succeeds although there is no such queue": ("failed-create-leaves-a-queue", 57),
    "a call succeeds although who wants to receive may not": ("anybody-reads", 0),
    "a cursor comes to a message that it was at": ("cursor-never-moves", 42),
    "a cursor is at another message than before": ("peek-takes", 8),
    "a dead letter is in the queue of the other kind": ("dead-letters-in-one-queue", 7),
    "a message does not say what its sender said of answers": ("forgets-what-is-answered", 19),
    "a message is a dead letter that did not ask for it": ("dead-letters-unasked", 16),
    "a message is handed out that names another sender than its signature": ("other-identity-accepted", 0),
    "a message is lost in a restart": ("counting-consumes", 41),
    "a message is received twice": ("serves-all-readers", 55),
    "a message is there after a purge": ("purge-does-nothing", 42),
    "a message is there after its queue was deleted": ("delete-keeps-messages", 45),
    "a message is there after its time": ("never-expires", 41),
    "a message shows before its commit": ("seen-before-commit", 8),
    "a message shows that was received": ("receive-leaves-it", 55),
    "a message shows whose transaction was undone": ("external-sends-at-once", 57),
    "a message that is there is not handed out": ("nobody-reads", 0),
    "the reported mode is wrong": ("says-it-is-integrated", 1),
    "a queue has a message of who may not write to it": ("anybody-writes", 0),
    "a queue has what it cannot take": ("forgets-properties", 6),
    "a receive does not wait": ("peek-takes", 8),
    "a sender is said to be authenticated and is not, or the other way round": ("unsigned-authenticated", 0),
    "the reported state is wrong": ("runs-after-the-wait-without-the-steps", 1),
    "a wait does not end in its time": ("wait-without-end", 16),
    "a wait ends before its time": ("purge-ends-readers", 8),
    "an acknowledgment has no cause": ("acknowledges-another", 14),
    "an express message is there after a restart": ("keeps-express", 14),
    "an operation waits though there is a message": ("deaf-after-restart", 6),
    "the journal has what did not ask for it": ("journals-all", 51),
    "what a transaction gave back is gone": ("abort-loses", 40),
    "what came later is handed out first": ("loses-recoverable", 2),
    "what was asked for is not there": ("refuses-silently", 57),
    "what was committed does not show": ("commit-shows-nothing", 0),
}
"""What the check says of a queue manager -> a fault that it says this of, and the seed of a history that shows it."""


def test_what_the_check_says_it_says_of_a_fault() -> None:
    """The mutants show that the model explains none of them; the check has to see them by itself."""
    faults = {fault.name: fault.model for fault in FAULTS}
    silent = []
    for words, (fault, seed) in SAYS.items():
        if not any(words in breach.says for breach in check_history(history_of(faults[fault], seed))):
            silent.append(f"{fault}, seed {seed}: {words}")
    assert silent == []
