"""Where cursors stand: each at its own place, moved by its own operations."""

from collections.abc import Iterator

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import CursorId, Key
from mqconform.reference.mqso.events import Got, Move
from mqconform.reference.mqso_history.findings import Breach, Property, breach
from mqconform.reference.mqso_history.stays import Places

Stood = dict[CursorId, dict[Key, int]]
"""By cursor: where it stood, and at which event it was last seen there."""


def misplaced_cursors(places: Places) -> Iterator[Breach]:
    """Yield looks by a cursor at another message than that of its place, or at one that it went by."""
    stood: Stood = {}
    for place, entry in enumerate(places.line.history):
        event = entry.event
        if isinstance(event, events.CreateCursor):
            stood[event.cursor] = {}
        if not isinstance(event, events.Receive) or event.cursor is None or not isinstance(entry.answer, Got):
            continue
        before = stood.setdefault(event.cursor, {})
        key = entry.answer.key
        last = next(reversed(before), None)
        if event.move is Move.CURRENT and last is not None and key != last:
            says = "a cursor is at another message than before"
            yield breach(Property.CURSOR, says, (before[last], place), "5.1.1.2-15")
        elif event.move is Move.NEXT and key in before:
            says = "a cursor comes to a message that it was at"
            yield breach(Property.CURSOR, says, (before[key], place), "5.1.1-04")
        before.pop(key, None)
        before[key] = place
