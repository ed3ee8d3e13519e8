"""The log of a system of queue managers: what happened to messages, as rows that any writer can give.

``mqconform simulate --system --log`` writes such logs, and ``mqconform audit deliveries --system`` reads them.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from mqconform.reference.mqso.promises import (
    Acknowledged,
    Aside,
    DeadLettered,
    Failure,
    PutBack,
    Received,
    Refused,
    Sent,
    SentAgain,
    Waits,
)

Cell = str | int | bool | None
Row = dict[str, Cell]


class EventWord(StrEnum):
    """What the column ``event`` says."""

    SENT = "sent"
    REFUSED = "refused"
    ROUTED = "routed"
    ARRIVED = "arrived"
    REJECTED = "rejected"
    RECEIVED = "received"
    PUT_BACK = "put_back"
    DEAD_LETTERED = "dead_lettered"
    ACKNOWLEDGED = "acknowledged"
    JOURNALED = "journaled"
    VANISHED = "vanished"
    SENT_AGAIN = "sent_again"
    WAITS = "waits"
    FAILED = "failed"
    RECOVERED = "recovered"


_AT_A_MACHINE = {
    Refused: EventWord.REFUSED,
    Received: EventWord.RECEIVED,
    PutBack: EventWord.PUT_BACK,
    DeadLettered: EventWord.DEAD_LETTERED,
    Acknowledged: EventWord.ACKNOWLEDGED,
    SentAgain: EventWord.SENT_AGAIN,
    Waits: EventWord.WAITS,
}


def rows_of(history: Sequence[object], name: str) -> Iterator[Row]:
    """Yield the rows of one history; columns that a row does not have are empty.

    Args:
        history: what happened, each a ``Happened``.
        name: of the history, so that one log can have several.
    """
    for place, event in enumerate(history):
        if isinstance(event, Aside):
            continue  # no rule looks at it
        row: Row = {"history": name, "position": place}
        yield row | _cells(event)


def _cells(event: object) -> Row:
    match event:
        case Sent():
            return {
                "event": EventWord.SENT,
                "message": event.key,
                "machine": event.source,
                "to": event.to,
                "queue": event.queue or None,
                "assurance": event.assurance,
                "committed": event.committed,
                "timer": event.timer,
                "dead_letter": event.dead_letter,
            }
        case Refused() | Received() | PutBack() | DeadLettered() | Acknowledged() | SentAgain() | Waits():
            return {"event": _AT_A_MACHINE[type(event)], "message": event.key, "machine": event.at}
        case Failure(machines):
            machine, *others = sorted(machines)
            return {"event": EventWord.FAILED, "machine": machine, "to": others[0] if others else None}
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of a system of queue managers")
