"""The history of queue managers in words for a reader: events and answers, and the rows of a time line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec.structs import asdict

from mqconform.harness.records.printable import shortened
from mqconform.harness.records.results import Moment
from mqconform.reference.allowed import Reading
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.elements import (
    SECOND,
    Asked,
    Kind,
    Properties,
)
from mqconform.reference.mqso.events import Event, Failed
from mqconform.reference.mqso.explanation import Contradiction, Seen
from mqconform.reference.mqso.networked_queue_manager import is_far, is_public, parts_of

SYSTEM: Final = {
    "the connector queue": elements.CONNECTOR,
    "the dead-letter queue": elements.DEAD_LETTERS,
    "the transactional dead-letter queue": elements.TRANSACTIONAL_DEAD_LETTERS,
    "the journal": elements.JOURNAL,
}
CHECK: Final = "check"
"""How the names of transactions begin in which a Then step looks into a queue."""
_SYSTEM_NAMES: Final = {name: word for word, name in SYSTEM.items()}
_BARE: Final = {events.Failed: "failure", events.Done: "success", events.Pending: "waits"}
_REPORTS: Final = {Asked.REACH: "arrival", Asked.RECEIVE: "receive", Asked.NEGATIVE: "failure"}
_THINGS: Final = ("queue manager", "store", "coordinator", "network", "directory")
_ANYBODY: Final = ("application", "clock", "administrator")
_ACCESS: Final = {
    elements.Access.SEND: "to send",
    elements.Access.RECEIVE: "to receive",
    elements.Access.PEEK: "to peek",
}


@dataclass(frozen=True, slots=True)
class Names:
    """What a scenario calls the things of its history."""

    readers: Mapping[elements.Operation, str]
    transactions: Mapping[elements.TransactionId, str]
    cursors: Mapping[elements.CursorId, str]
    queues: Mapping[elements.Handle, elements.QueueName]
    machines: "Mapping[elements.MachineName, Names]" = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        history: Iterable[Seen],
        readers: Mapping[elements.Operation, str],
        transactions: Mapping[str, elements.TransactionId],
        cursors: Mapping[str, elements.CursorId],
    ) -> "Names":
        """Return the names of a history; which queue a handle stands for is in the history itself."""
        opened = (exchange.event for exchange in history if isinstance(exchange.event, events.Open))
        return cls(
            dict(readers),
            {number: label for label, number in transactions.items()},
            {number: label for label, number in cursors.items()},
            {event.handle: event.queue for event in opened},
        )

    def queue(self, handle: elements.Handle) -> str:
        """Return the name of the queue that was opened."""
        return queue_words(self.queues[handle])


def queue_words(name: elements.QueueName) -> str:
    """Return the name of a queue as a scenario has it."""
    if is_far(name):
        machine, queue = parts_of(name)
        return f"{'public queue ' if is_public(name) else ''}{queue_words(queue)} at {machine}"
    return _SYSTEM_NAMES.get(name, name)


def who_acts(event: events.Event, names: Names) -> str:
    """Return whose doing an event is."""
    if isinstance(event, events.At):
        who = who_acts(event.event, names.machines.get(event.machine, names))
        return event.machine if who in {*_ANYBODY, "queue manager"} else f"{who} at {event.machine}"
    if isinstance(event, events.Receive | events.Cancel) and event.operation in names.readers:
        return f"reader {names.readers[event.operation]}"
    if isinstance(event, events.Begin | events.End | events.Send | events.Receive) and event.transaction is not None:
        label = names.transactions[event.transaction]
        return CHECK if label.startswith(CHECK) else f"transaction {label}"
    return event.who


def words_of(event: events.Event, names: Names) -> str:
    """Return an event in a few words that also say who acts: ``send m1 to inbox (transaction t1)``."""
    who, deed = who_acts(event, names), deed_of(event, names)
    if who in _THINGS:
        return f"the {who} {deed}"
    return deed if who in _ANYBODY else f"{deed} ({who})"


def deed_of(event: Event, names: Names) -> str:  # noqa: PLR0911, C901 - a table of events
    """Return what is done, without who does it: ``send m1 to inbox``."""
    match event:
        case events.At(machine, inner, on):
            return f"{deed_of(inner, names.machines.get(machine, names))}{f' at {on}' if on else ''}"
        case events.ChangeDomain(machine, domain):
            return f"take {machine} into domain {domain}" if domain else f"take {machine} out of its domain"
        case events.PutObject(machine, domain, own):
            which = f"an object with the identifier of {machine}" if own else f"another object for {machine}"
            return f"has {which}{f' in domain {domain}' if domain else ''}"
        case events.CreateQueue(queue, properties, public):
            kind = "public" if public else _kind(properties)
            return f"create {kind} queue {queue}{_room(properties)}{_rights(properties)}"
        case events.SetQueue(queue, room):
            return f"give {queue_words(queue)} room for {'any number of' if room is None else room} messages"
        case events.Open(_, queue, access, user):
            return f"open {queue_words(queue)} {_ACCESS[access]}{f' for {user}' if user else ''}"
        case events.Send(handle, message):
            return f"send {message.key} to {names.queue(handle)}{_wishes(message)}"
        case events.Receive():
            return _receive(event, names)
        case events.Begin(kind=kind):
            return "begin as an external transaction" if kind is Kind.EXTERNAL else "begin"
        case events.Together(lanes):
            calls = (", then ".join(words_of(call, names) for call in lane) for lane in lanes)
            return f"at the same time: {'; '.join(calls)}"
        case events.JoinDomain(registered):
            return f"is in a domain with certificates of {' and '.join(sorted(registered)) or 'nobody'}"
        case _:
            return _by_template(event, names)


def _by_template(event: Event, names: Names) -> str:
    fields = asdict(event)
    words = event.words
    if isinstance(words, tuple):
        words = words[0] if any(value is True for value in fields.values()) else words[1]
    return words.format_map({name: _field(event, name, value, names) for name, value in fields.items()})


def _field(event: Event, name: str, value: Any, names: Names) -> str:
    """Return what a field of an event is called."""
    match name:
        case "by":
            return f"{value / SECOND:g}"
        case "handle":
            return names.queue(value)
        case "cursor":
            return names.cursors[value]
        case "machines":
            alone = len(value) == 1 and isinstance(event, events.NetworkBecomes)
            return " and ".join([*sorted(value), *["all others"] * alone])
        case "queue" | "address":
            return queue_words(value)
        case _:
            return str(value)


def _object(entry: events.ShownObject) -> str:
    """Return what the directory has of a queue manager: ``host in north, identifier 1 which is its own``."""
    own = {None: "", True: " which is its own", False: " which is not its own"}[entry.own]
    roles = [name for name, has in (("routing", entry.routing), ("directory", entry.directory)) if has]
    kind = f", {' and '.join(roles)} server" if roles else ""
    return f"{entry.machine} in {entry.domain}, identifier {entry.number + 1}{own}{kind}"


def _kind(properties: Properties) -> str:
    return "transactional" if properties.transactional else "plain"


def _room(properties: Properties) -> str:
    if properties.room is None:
        return ""
    return f" with room for {properties.room} {'kilobytes' if properties.in_kilobytes else 'messages'}"


def _rights(properties: elements.Properties) -> str:
    rights = [] if properties.writers is None else [f"written to by {' and '.join(sorted(properties.writers))}"]
    rights += [] if properties.readers is None else [f"read by {' and '.join(sorted(properties.readers))}"]
    rights += ["for authenticated senders"] * properties.authenticated_only
    return "".join(f", {right}" for right in rights)


def _wishes(message: elements.Message) -> str:
    wishes = ["recoverable"] if message.assurance is elements.Assurance.RECOVERABLE else []
    if message.reach_within is not None:
        wishes.append(f"to reach it within {message.reach_within / elements.SECOND:g} s")
    if message.receive_within is not None:
        wishes.append(f"to be received within {message.receive_within / elements.SECOND:g} s")
    wishes += ["asking for a dead letter"] * message.dead_letter
    wishes += ["encrypted"] * message.encrypted
    if message.seal is not None:
        wishes.append(f"signed by {message.seal.signed_by}" if message.seal.signed_by else "unsigned")
        wishes.append(f"in the name of {message.seal.identity or 'nobody'}")
        wishes += ["altered"] * message.seal.altered
    wishes += ["asking for a copy in the journal"] * message.journal
    if message.administration is not None and message.asked:
        reports = " and ".join(_REPORTS[asked] for asked in sorted(message.asked))
        wishes.append(f"asking for acknowledgment of its {reports} at {message.administration}")
    return "".join(f", {wish}" for wish in wishes)


def _receive(event: events.Receive, names: Names) -> str:
    queue = names.queue(event.handle)
    if event.cursor is not None:
        which = "the next message" if event.move is events.Move.NEXT else "the message"
        deed = f"{'receive' if event.takes else 'look at'} {which} of cursor {names.cursors[event.cursor]} in {queue}"
    elif event.key is not None:
        deed = f"{'receive' if event.takes else 'look at'} {event.key} by its identifier in {queue}"
    else:
        deed = f"receive from {queue}" if event.takes else f"look at the first message in {queue}"
    # Who acts is the reader, so that its transaction has to be said here.
    within = event.transaction is not None and event.operation in names.readers
    where = f" in {names.transactions[event.transaction]}" if within and event.transaction is not None else ""
    return f"{deed}{where}{f', waiting up to {event.wait / elements.SECOND:g} s' if event.wait else ''}"


def said_of(answer: events.Answer, names: Names | None = None) -> str:  # noqa: C901 - a table of answers
    """Return an answer in a few text; with names, it says which reader has got what."""
    match answer:
        case events.Got(key=said):
            text: str = said if answer.correlation is None else f"{said}, an answer to {answer.correlation}"
            text += "" if answer.response is None else f", to be answered at {queue_words(answer.response)}"
            marks = {None: "", True: " of an authenticated sender", False: " of an unauthenticated sender"}
            text += marks[answer.authenticated]
        case events.Counted(messages=1):
            text = "1 message"
        case events.Counted(messages=number):
            text = f"{number} messages"
        case events.Committed(committed=committed):
            text = "committed" if committed else "not committed"
        case events.Ended(outcomes=outcomes):
            text = ", ".join(sorted(_outcome(*outcome, names) for outcome in outcomes)) or "no wait has ended"
        case events.Shown(state=state, mode=mode, directory_offline=offline):
            text = state.value if mode is None else f"{state.value}, {mode}"
            text += {None: "", True: ", without directory", False: ", with directory"}[offline]
        case events.Found(queues=queues):
            text = ", ".join(f"{queue_words(name)}{_room(Properties(room=room))}" for name, room in sorted(queues))
            text = text or "no public queue"
        case events.Objects(objects=objects):
            return (
                "; ".join(map(_object, sorted(objects, key=lambda entry: (entry.number, entry.domain)))) or "no objects"
            )
        case events.Outgoing(messages=messages):
            text = ", ".join(f"{count} for {queue_words(name)}" for name, count in sorted(messages)) or "nothing"
        case events.Answers(lanes=lanes):
            text = "; ".join(", then ".join(said_of(answer, names) for answer in lane) for lane in lanes)
        case Failed() | events.Done() | events.Pending():
            text = _BARE[type(answer)]
    return text


def _outcome(operation: elements.Operation, outcome: events.Got | events.Failed, names: Names | None) -> str:
    reader = names.readers.get(operation, "another") if names else ""
    return f"{reader}: {said_of(outcome)}" if reader else said_of(outcome)


def at_odds(contradiction: Contradiction, names: Names) -> str:
    """Return which answer nothing allows, and what might have been answered instead."""
    allowed = " or ".join(sorted(said_of(answer, names) for answer in contradiction.allowed)) or "nothing"
    exchange = contradiction.seen
    return f"{words_of(exchange.event, names)}: {said_of(exchange.answer, names)} (allowed: {allowed})"


FIRST: Final = 15
LAST: Final = 45
"""Rows that are kept of a long history, from its beginning and from its end."""
AFTER: Final = 5
"""Events after the contradiction that are kept."""
LONGEST: Final = 200
"""Characters of an answer that are kept: an implementation may have made it as long as it likes."""
MOST_ALLOWED: Final = 8
"""Allowed answers that are named."""


def timeline(
    history: Sequence[Seen],
    names: Names,
    contradiction: Contradiction | None = None,
    broken: tuple[str, ...] = (),
) -> tuple[Moment, ...]:
    """Return the rows of a history.

    Args:
        history: what happened and what was answered.
        names: what the scenario calls the things in it.
        contradiction: the first answer that nothing allows, None without.
        broken: ids of the requirements that it breaks.
    """
    exchanges = history if contradiction is None else history[: contradiction.place + 1 + AFTER]
    rows, now = [], 0
    for place, exchange in enumerate(exchanges):
        if isinstance(exchange.event, events.TimePassed):
            now += exchange.event.by
        contradicted = contradiction is not None and place == contradiction.place
        # Before each first use of a queue the harness opens it.
        if contradicted or not (isinstance(_done_at(exchange.event), events.Open) and exchange.answer == events.Done()):
            row = _row(now, exchange, names)
            rows.append(_contradicted(row, contradiction, names, broken) if contradiction and contradicted else row)
    return _without_middle(rows)


def _done_at(event: events.Event) -> events.Event:
    """Return what is done, at whichever machine."""
    return event.event if isinstance(event, events.At) else event


def _row(now: int, exchange: Seen, names: Names) -> Moment:
    answer = (
        "" if _goes_without_saying(exchange.event, exchange) else shortened(said_of(exchange.answer, names), LONGEST)
    )
    return Moment(
        now / SECOND, who_acts(exchange.event, names), shortened(deed_of(exchange.event, names), LONGEST), answer
    )


def _goes_without_saying(event: events.Event, exchange: Seen) -> bool:
    deed = _done_at(event)
    on_store = isinstance(deed, events.StoreBreaks | events.StoreMended)
    return isinstance(deed, events.Circumstance | events.Start) and not on_store and exchange.answer == events.Done()


def _contradicted(row: Moment, contradiction: Contradiction, names: Names, broken: tuple[str, ...]) -> Moment:
    allowed = sorted(said_of(answer, names) + _needing(readings) for answer, readings in contradiction.allowed.items())
    outcomes = tuple(shortened(text, LONGEST) for text in allowed[:MOST_ALLOWED]) or ("nothing",)
    more = (f"{len(allowed) - MOST_ALLOWED} more",) if len(allowed) > MOST_ALLOWED else ()
    return Moment(row.at, row.who, row.what, row.answer, outcomes + more, broken)


def _needing(readings: Iterable[Reading]) -> str:
    named = ", ".join(sorted(map(str, readings)))
    return f" ({named})" if named else ""


def _without_middle(rows: list[Moment]) -> tuple[Moment, ...]:
    left_out = len(rows) - FIRST - LAST
    if left_out <= 1:
        return tuple(rows)
    gap = Moment(rows[FIRST].at, "", f"{left_out} rows omitted")
    return (*rows[:FIRST], gap, *rows[-LAST:])
