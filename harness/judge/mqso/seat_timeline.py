"""What happened in a system of queue managers, hop by hop, as lines of text."""

from collections.abc import Iterator
from typing import Final

from mqconform.harness.judge.mqso.schedule_search import Trouble
from mqconform.harness.records.printable import visible
from mqconform.reference.mqso.packets import Arrived, Routed, Vanished
from mqconform.reference.mqso.promises import DeadLettered, Failure, Received, Refused, Sent, SentAgain, Waits
from mqconform.reference.mqso.topology import Topology
from mqconform.reference.mqso.wandering import names_of

MOST_LINES: Final = 60
"""Of a timeline; messages that wander make thousands."""
MOST_CHARACTERS: Final = 120
"""Of a line that tells what an implementation said."""
AN_ACKNOWLEDGMENT: Final = "an acknowledgment"


def timeline_lines(trouble: Trouble, topology: Topology) -> Iterator[str]:
    """Yield what happened, a line for each event; what shows a broken promise is marked with ``>``."""
    marks = {place for broken in trouble.broken for place in broken.places}
    lines: list[tuple[bool, str]] = []
    before: object = None
    latest: dict[tuple[object, ...], object] = {}
    for place, happened in enumerate(trouble.history):
        if place not in marks and _repeats(happened, latest):
            continue
        if lines and not lines[-1][0] and place not in marks and _goes_on(before, happened):
            lines[-1] = (False, f"{lines[-1][1]}, {getattr(happened, 'hop', '')}")
        else:
            lines.append((place in marks, words(happened, topology)))
        before = happened
    left_out = 0
    for number, (marked, line) in enumerate(lines):
        if number < MOST_LINES or marked:
            yield f"{'>' if marked else ' '} {line}"
        else:
            left_out += 1
    if left_out:
        yield f"  and {left_out} more events"


def _goes_on(before: object, happened: object) -> bool:
    """Return whether a packet is handed on by the machine that has just got it: one line tells its way."""
    match before, happened:
        case Routed(to=to, key=key, hop=hop), Routed(at=at, hop=onward) if hop and onward:
            return (at, happened.to, happened.key) == (hop, to, key)
        case _:
            return False


def _repeats(happened: object, latest: dict[tuple[object, ...], object]) -> bool:
    """Return whether a packet is said once more to have no way: each moment the router is asked again."""
    if not isinstance(happened, Routed):
        return False
    question = (happened.at, happened.to, happened.key)
    repeats = not happened.hop and latest.get(question) == happened
    latest[question] = happened
    return repeats


def words(happened: object, topology: Topology) -> str:
    """Return an event in words."""
    match happened:
        case Sent(key, source, to):
            kind = "in a transaction" if happened.transactional else "plain"
            briefly = "" if happened.timer is None else "briefly, "
            return f"{source} sends {key} to {to}, {briefly}{kind}{'' if happened.committed else ' that aborts'}"
        case Refused(key, at):
            return f"{at} refuses {key}"
        case Received(key, at):
            return f"{at} receives {key}"
        case DeadLettered(key, at):
            return f"{at} finds {key} among its dead letters"
        case Failure(machines):
            names = sorted(machines)
            return f"{names[0]} crashes" if len(names) == 1 else f"{names[0]} is cut from {names[1]}"
        case _:
            return _of_passage(happened, topology)


def _of_passage(happened: object, topology: Topology) -> str:
    match happened:
        case Routed(at, to, key, answer, hop):
            what = f"{key or AN_ACKNOWLEDGMENT} for {to}"
            if hop:
                return f"{at} hands {what} to {hop}"
            hops = names_of(answer, topology)
            where = f"to {' or '.join(hops)}, out of reach" if hops else "nowhere"
            return f"{at} routes {what} {where}"
        case Arrived(at, key, numbers, accepted):
            return f"{at} {'accepts' if accepted else 'rejects'} {key}, {numbers}"
        case SentAgain(key, at) | Waits(key, at):
            again = isinstance(happened, SentAgain)
            return f"{at} sends {key} again, which has left its queue" if again else f"{key} still waits at {at}"
        case Vanished(at, key, why):
            return f"{key or AN_ACKNOWLEDGMENT} vanishes at {at}, {why}"
        case _:
            return visible(str(happened))[:MOST_CHARACTERS]
