"""The history of a queue manager as a time line: who did what when, what was answered, and what was allowed."""

from collections.abc import Iterable, Sequence
from typing import Final

from mqconform.harness.judge.mqso.history_text import Names, deed_of, said_of, who_acts
from mqconform.harness.records.printable import shortened
from mqconform.harness.records.results import Moment
from mqconform.reference.allowed import Reading
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import SECOND
from mqconform.reference.mqso.events import At, Circumstance, Done, Event, Open, TimePassed
from mqconform.reference.mqso.explanation import Contradiction, Seen

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
        if isinstance(exchange.event, TimePassed):
            now += exchange.event.by
        at_odds = contradiction is not None and place == contradiction.place
        if at_odds or not _is_plain_open(exchange):
            row = _row(now, exchange, names)
            rows.append(_contradicted(row, contradiction, names, broken) if contradiction and at_odds else row)
    return _without_middle(rows)


def _is_plain_open(exchange: Seen) -> bool:
    """Tell whether a queue was opened with success, which the harness does before each first use of a queue."""
    return isinstance(_done_at(exchange.event), Open) and exchange.answer == Done()


def _done_at(event: Event) -> Event:
    """Return what is done, at whichever machine."""
    return event.event if isinstance(event, At) else event


def _row(now: int, exchange: Seen, names: Names) -> Moment:
    answer = (
        "" if _goes_without_saying(exchange.event, exchange) else shortened(said_of(exchange.answer, names), LONGEST)
    )
    return Moment(
        now / SECOND, who_acts(exchange.event, names), shortened(deed_of(exchange.event, names), LONGEST), answer
    )


def _goes_without_saying(event: Event, exchange: Seen) -> bool:
    deed = _done_at(event)
    on_store = isinstance(deed, events.StoreBreaks | events.StoreMended)
    return isinstance(deed, Circumstance | events.Start) and not on_store and exchange.answer == Done()


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
