"""What happens to a queue manager in a scenario: applications, transactions, time, faults."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from mqconform.harness.judge.mqso.history_text import SYSTEM
from mqconform.harness.judge.mqso.scenes import QueueManagerScene
from mqconform.harness.suite.steps import given, when
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.elements import (
    QueueName,
)
from mqconform.reference.mqso.networked_queue_manager import far

ANYBODY: Final = "anybody"
"""In place of a list of users."""
ASKED: Final = {"arrival": elements.Asked.REACH, "receive": elements.Asked.RECEIVE, "failure": elements.Asked.NEGATIVE}
AND: Final = re.compile(r", | and ")
LIST: Final = r"m\d+(?:(?:, | and )m\d+)*"
QUEUE: Final = r"the connector queue|the dead-letter queue|the transactional dead-letter queue|the journal|\w+"
_WITHIN: Final = r"(?: in (?P<transaction>t\d+))?"
_AS: Final = r"(?: as (?P<user>ann|bob|eve))?"

BODIES: Final = {
    "a long body": "{0} " + "text " * 26_000 + "{0}",
    "a body beyond ASCII": "{0} e\u0301 \u00e9 \u4f3a \U0001d516 \r\n\t {0}",
    "an empty body": "",
    "a body of signs": " \r\n\"{0}\" \\ 'null' <&amp;> %20 \0 {0}\t\n ",
}
"""Bodies around the name of their message: more than two octets count, and what a conversion of texts changes."""
EVERYTHING: Final = (
    "asking for a dead letter, asking for a copy in the journal, asking for an answer at acks, "
    "asking for acknowledgment of its arrival at acks, asking for acknowledgment of its receive at acks, "
    "asking for acknowledgment of its failure at acks"
)
"""What ``asking for everything`` stands for: the more of a message there is, the more shows what becomes of it."""
_RUNS: Final = r"the queue manager runs for (?P<seconds>\d+) seconds"


def waits_in(steps: Iterable[str]) -> int:
    """Return for how many seconds steps let a queue manager run."""
    return sum(int(match["seconds"]) for step in steps if (match := re.fullmatch(_RUNS, step)))


def queue_of(name: str) -> elements.QueueName:
    """Return the queue that a step names."""
    return SYSTEM.get(name, elements.QueueName(name))


@given("its queues")
@given("a queue manager with the queues")
def with_queues(queue_manager: QueueManagerScene, datatable: list[list[str]]) -> None:
    """Create queues: name, whether it is transactional, its room in messages or kilobytes where it has one, lists."""
    for row in datatable[1:]:
        of = dict(zip(datatable[0], row, strict=True))
        number, _, unit = of.get("room", "any").partition(" ")
        holds = int(number) if number.isdigit() else None
        queue_manager.create(
            of["queue"],
            elements.Properties(
                of.get("transactional") == "yes",
                holds,
                unit == "kilobytes",
                _users(of.get("writers", ANYBODY)),
                _users(of.get("readers", ANYBODY)),
                of.get("authenticated only") == "yes",
            ),
        )


def _users(names: str) -> frozenset[elements.User] | None:
    return None if names == ANYBODY else frozenset(map(elements.User, names.split(", ")))


@given(r"a (?P<kind>plain|transactional) queue (?P<queue>\w+) with room for (?P<room>\d+) (?P<unit>messages|kilobytes)")
def with_small_queue(queue_manager: QueueManagerScene, kind: str, queue: str, room: str, unit: str) -> None:
    """Create a queue of limited room where a scenario is about room: not every implementation limits it."""
    queue_manager.create(queue, elements.Properties(kind == "transactional", int(room), unit == "kilobytes"))


@given("no coordinator was ever there")
def without_coordinator(queue_manager: QueueManagerScene) -> None:
    queue_manager.begin_without_coordinator()


@when(rf"(?P<messages>{LIST}) (?:is|are) sent to (?P<queue>{QUEUE}){_WITHIN}(?P<wishes>(?:, .+)?)")
def are_sent(queue_manager: QueueManagerScene, messages: str, queue: str, transaction: str | None, wishes: str) -> None:
    for key in AND.split(messages):
        if (body := body_of(key, wishes)) is not None:
            queue_manager.write(elements.Key(key), body)
        queue_manager.send(message_of(key, wishes), queue_of(queue), transaction)


def body_of(key: str, wishes: str) -> str | None:
    """Return what a step says of the body of a message, None where that is its name."""
    same = re.search(r"with the body of (m\d+)", wishes)
    if same:
        return same[1]
    return next((body.format(key) for kind, body in BODIES.items() if f"with {kind}" in wishes), None)


def message_of(key: str, wishes: str) -> elements.Message:
    """Return a message with what a step says that its sender wishes."""
    wishes = wishes.replace("asking for everything", EVERYTHING)
    within = re.search(r"to be received within ([\d.]+) seconds", wishes)
    reached = re.search(r"to reach it within (\d+) seconds", wishes)
    answered = re.search(r"asking for an answer at (\w+)", wishes)
    answers = re.search(r"in answer to (\w+)", wishes)
    reports = re.findall(r"acknowledgment of its (arrival|receive|failure) at (\w+)(?: at (\w+))?", wishes)
    return elements.Message(
        elements.Key(key),
        elements.Assurance.RECOVERABLE if "recoverable" in wishes else elements.Assurance.EXPRESS,
        reach_within=int(reached[1]) * elements.SECOND if reached else None,
        receive_within=int(Decimal(within[1]) * elements.SECOND) if within else None,
        dead_letter="asking for a dead letter" in wishes,
        journal="asking for a copy in the journal" in wishes,
        asked=frozenset(ASKED[what] for what, _, _ in reports),
        administration=_administration(*reports[0][1:]) if reports else None,
        correlation=elements.Key(answers[1]) if answers else None,
        response=elements.QueueName(answered[1]) if answered else None,
        size=elements.kilobytes(body_of(key, wishes) or key),
        seal=_seal(wishes),
        encrypted="encrypted" in wishes,
    )


def _administration(queue: str, machine: str) -> elements.QueueName:
    return far(machine, queue) if machine else elements.QueueName(queue)


def _seal(wishes: str) -> elements.Seal | None:
    signed = re.search(r"signed by (\w+)", wishes)
    named = re.search(r"in the name of (\w+)", wishes)
    if not signed and not named:
        return None
    identity = named[1] if named else signed[1] if signed else None
    return elements.Seal(
        elements.User(signed[1]) if signed else None,
        None if identity in {None, "nobody"} else elements.User(str(identity)),
        altered="altered" in wishes,
    )


@when(r"(?P<kind>transaction|external transaction) (?P<transaction>t\d+) begins")
def begins(queue_manager: QueueManagerScene, kind: str, transaction: str) -> None:
    queue_manager.begin_transaction(
        transaction, elements.Kind.EXTERNAL if kind.startswith("external") else elements.Kind.INTERNAL
    )


@when(r"(?P<transaction>t\d+) (?P<how>commits|aborts)")
def ends(queue_manager: QueueManagerScene, transaction: str, how: str) -> None:
    queue_manager.end(transaction, commit=how == "commits")


@when(rf"(?P<number>a|all|\d+) messages? (?:is|are) received from (?P<queue>{QUEUE}){_WITHIN}{_AS}")
def are_received(
    queue_manager: QueueManagerScene, number: str, queue: str, transaction: str | None, user: elements.User | None
) -> None:
    if number == "all":
        queue_manager.receive_all(queue_of(queue), transaction, user)
        return
    for _ in range(1 if number == "a" else int(number)):
        queue_manager.receive(queue_of(queue), transaction=transaction, user=user)


@when(r"a message is received from (?P<queue>\w+) through a handle for (?P<access>sending|looking)")
def received_by_wrong_handle(queue_manager: QueueManagerScene, queue: str, access: str) -> None:
    queue_manager.receive(queue, access=elements.Access.SEND if access == "sending" else elements.Access.PEEK)


@when(rf"(?P<message>m\d+) of (?P<queue>{QUEUE}) is (?P<how>received|looked at) by its identifier{_WITHIN}{_AS}")
def is_received_by_identifier(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    queue_manager: QueueManagerScene,
    message: str,
    queue: str,
    how: str,
    transaction: str | None,
    user: elements.User | None,
) -> None:
    takes = how == "received"
    queue_manager.receive(queue_of(queue), takes=takes, transaction=transaction, message=message, user=user)


@when(r"(?P<message>m\d+) is sent to (?P<queue>\w+) through a handle for receiving")
def sent_by_wrong_handle(queue_manager: QueueManagerScene, message: str, queue: str) -> None:
    queue_manager.send(elements.Message(elements.Key(message)), queue, access=elements.Access.RECEIVE)


@when(r"the application that (?P<what>sent to|receives from|looks at) (?P<queue>\w+) ends")
def application_ends(queue_manager: QueueManagerScene, what: str, queue: str) -> None:
    access = {
        "sent to": elements.Access.SEND,
        "receives from": elements.Access.RECEIVE,
        "looks at": elements.Access.PEEK,
    }[what]
    queue_manager.close(elements.QueueName(queue), access)


@when(rf"an application looks at (?P<queue>{QUEUE}){_AS}")
def is_looked_at(queue_manager: QueueManagerScene, queue: str, user: elements.User | None) -> None:
    queue_manager.receive(queue_of(queue), takes=False, user=user)


@when(rf"(?P<reader>r\d+) (?P<how>waits|looks out) (?P<seconds>\d+) seconds for (?P<queue>{QUEUE}){_WITHIN}{_AS}")
def waits(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    queue_manager: QueueManagerScene,
    reader: str,
    how: str,
    seconds: str,
    queue: str,
    transaction: str | None,
    user: elements.User | None,
) -> None:
    asked, takes = queue_of(queue), how == "waits"
    queue_manager.receive(asked, takes=takes, wait=int(seconds), transaction=transaction, label=reader, user=user)


@when(r"r1 to r(?P<last>\d+) wait (?P<seconds>\d+) seconds for (?P<queue>\w+)")
def many_wait(queue_manager: QueueManagerScene, last: str, seconds: str, queue: str) -> None:
    for number in range(1, int(last) + 1):
        queue_manager.receive(queue, wait=int(seconds), label=f"r{number}")


@when(r"(?P<reader>r\d+) gives up")
def gives_up(queue_manager: QueueManagerScene, reader: str) -> None:
    queue_manager.cancel(reader)


@when("an application asks what became of the waits")
def waits_are_asked_for(queue_manager: QueueManagerScene) -> None:
    queue_manager.outcomes()


@when(_RUNS)
def seconds_pass(queue_manager: QueueManagerScene, seconds: str) -> None:
    queue_manager.advance(int(seconds))


@when(r"(?P<queue>\w+) is (?P<how>purged|deleted)")
def is_purged(queue_manager: QueueManagerScene, queue: str, how: str) -> None:
    if how == "purged":
        queue_manager.perform(events.Purge(QueueName(queue)))
    else:
        queue_manager.delete(queue)


@when(
    r"a (?P<kind>plain|transactional|public) queue (?P<queue>\w+) is created"
    r"(?:, with room for (?P<room>\d+) messages?)?(?:, for (?P<users>ann|bob) alone)?"
)
def is_created(queue_manager: QueueManagerScene, kind: str, queue: str, room: str | None, users: str | None) -> None:
    listed = _users(users or ANYBODY)
    properties = elements.Properties(
        kind == "transactional", None if room is None else int(room), writers=listed, readers=listed
    )
    queue_manager.create(queue, properties, public=kind == "public")


@when(r"(?P<queue>\w+) gets room for (?P<room>\d+|any number of) messages?")
def gets_room(queue_manager: QueueManagerScene, queue: str, room: str) -> None:
    """Change how much a queue takes."""
    queue_manager.perform(events.SetQueue(QueueName(queue), int(room) if room.isdigit() else None))


@when(r"an application counts (?P<queue>\w+)")
def counts(queue_manager: QueueManagerScene, queue: str) -> None:
    """Ask how many messages a queue has."""
    queue_manager.perform(events.Count(QueueName(queue)))


@when(r"the queue manager (?P<how>stops|crashes|starts|is restarted|is restarted after a crash)")
def stops(queue_manager: QueueManagerScene, how: str) -> None:
    if how != "starts":
        queue_manager.stop(suddenly="crash" in how)
    if how not in {"stops", "crashes"}:
        queue_manager.start()


@when("handles from before the restart are used")
def earlier_handles(queue_manager: QueueManagerScene) -> None:
    queue_manager.use_earlier_handles()


@when(r"the coordinator is (?P<how>lost|back)")
def coordinator(queue_manager: QueueManagerScene, how: str) -> None:
    """Let the external coordinator go away, or come back."""
    queue_manager.perform(events.CoordinatorBecomes(lost=how == "lost"))


@when(r"the store (?P<how>is full|has room again)")
def store(queue_manager: QueueManagerScene, how: str) -> None:
    """Let the store be full, or have room again."""
    queue_manager.perform(events.StoreBecomes(full=how == "is full"))


@when(r"the store (?P<how>becomes inconsistent|is damaged beyond repair|is repaired)")
def store_breaks(queue_manager: QueueManagerScene, how: str) -> None:
    """Make the store inconsistent, or repair it."""
    repaired = how == "is repaired"
    queue_manager.perform(events.StoreMended() if repaired else events.StoreBreaks(how.endswith("repair")))


@when("an application asks for the state")
def state_is_asked(queue_manager: QueueManagerScene) -> None:
    """Ask for the state of the queue manager."""
    queue_manager.perform(events.ShowState())


@when(r"throttling (?P<how>begins|ends)")
def throttling(queue_manager: QueueManagerScene, how: str) -> None:
    """Let memory or storage be scarce, or sufficient again."""
    queue_manager.perform(events.Throttle(on=how == "begins"))


@when(rf"cursor (?P<cursor>c\d+) is made for (?P<queue>{QUEUE}){_AS}")
def cursor_is_made(queue_manager: QueueManagerScene, cursor: str, queue: str, user: elements.User | None) -> None:
    queue_manager.create_cursor(cursor, queue_of(queue), user)


@when(r"cursor (?P<cursor>c\d+) is closed")
def cursor_is_closed(queue_manager: QueueManagerScene, cursor: str) -> None:
    queue_manager.close_cursor(cursor)


@when(rf"(?P<cursor>c\d+) (?P<how>looks at|takes) (?P<move>its|the next) message of (?P<queue>{QUEUE}){_WITHIN}{_AS}")
def cursor_looks(  # noqa: PLR0913, PLR0917 - the parts of the sentence
    queue_manager: QueueManagerScene,
    cursor: str,
    how: str,
    move: str,
    queue: str,
    transaction: str | None,
    user: elements.User | None,
) -> None:
    takes, moved = how == "takes", "current" if move == "its" else "next"
    queue_manager.receive(queue_of(queue), takes=takes, cursor=cursor, move=moved, transaction=transaction, user=user)


@when(r"(?P<number>\d+) queues are created, and each is sent a message that is received from it")
def many_queues(queue_manager: QueueManagerScene, number: str) -> None:
    names = [f"queue_{place}" for place in range(1, int(number) + 1)]
    for name in names:
        queue_manager.create(name, elements.Properties())
    for place, name in enumerate(names, 1):
        queue_manager.send(elements.Message(elements.Key(f"m{place}")), name)
    for name in names:
        queue_manager.receive(name)


@when(
    r"(?P<number>\d+) messages are sent to (?P<queue>\w+), and each is received by its identifier, and not found "
    r"any more"
)
def many_identifiers(queue_manager: QueueManagerScene, number: str, queue: str) -> None:
    keys = [f"m{place}" for place in range(1, int(number) + 1)]
    for key in keys:
        queue_manager.send(elements.Message(elements.Key(key)), queue)
    for key in keys:
        for _ in range(2):
            queue_manager.receive(queue, message=key)


@when(r"(?P<number>\d+) cursors are made for (?P<queue>\w+), and each is moved on to the second message")
def many_cursors(queue_manager: QueueManagerScene, number: str, queue: str) -> None:
    labels = [f"c{place}" for place in range(1, int(number) + 1)]
    for label in labels:
        queue_manager.create_cursor(label, queue)
    for move in ("current", "next"):
        for label in labels:
            queue_manager.receive(queue, takes=False, cursor=label, move=move)


@when(r"(?P<number>\d+) messages are sent to (?P<queue>\w+), and a cursor goes through them all")
def goes_through_many(queue_manager: QueueManagerScene, number: str, queue: str) -> None:
    for place in range(1, int(number) + 1):
        queue_manager.send(elements.Message(elements.Key(f"m{place}")), queue)
    queue_manager.create_cursor("c1", queue)
    for move in ("current", *["next"] * int(number)):
        queue_manager.receive(queue, takes=False, cursor="c1", move=move)


@when(r"(?P<number>\d+) transactions are open at once that send a message each to (?P<queue>\w+), and then all commit")
def many_transactions(queue_manager: QueueManagerScene, number: str, queue: str) -> None:
    labels = [f"t{place}" for place in range(1, int(number) + 1)]
    for label in labels:
        queue_manager.begin_transaction(label)
    for place, label in enumerate(labels, 1):
        queue_manager.send(elements.Message(elements.Key(f"m{place}")), queue, label)
    for label in labels:
        queue_manager.end(label, commit=True)


@when(r"a transaction sends (?P<number>\d+) messages to (?P<queue>\w+) and commits")
def sends_many(queue_manager: QueueManagerScene, number: str, queue: str) -> None:
    queue_manager.begin_transaction("sends")
    for place in range(1, int(number) + 1):
        queue_manager.send(elements.Message(elements.Key(f"m{place}")), queue, "sends")
    queue_manager.end("sends", commit=True)


@when(r"a transaction receives them all from (?P<queue>\w+) and aborts")
def receives_all(queue_manager: QueueManagerScene, queue: str) -> None:
    queue_manager.begin_transaction("receives")
    queue_manager.receive_all(elements.QueueName(queue), "receives")
    queue_manager.end("receives", commit=False)
