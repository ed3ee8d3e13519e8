"""What a simulation found, as JSON and logs have it."""

import shlex
from collections.abc import Iterable, Iterator

from mqconform.harness.iut.drivers.ordered_delivery.schedule import written
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Trouble
from mqconform.harness.judge.mqso.schedule_search import Trouble as SystemTrouble
from mqconform.reference.history.streams import Entry
from mqconform.reference.history.system import Aside, EventWord, Failure, Happened, Sent


def trouble_record(trouble: Trouble | None) -> Json:
    """Return schedule, violations and history; times are in nanoseconds, and nothing is empty but for no trouble."""
    if trouble is None:
        return {"holds": True}
    return {
        "holds": False,
        "schedule": written(trouble.schedule),
        "steps": len(trouble.schedule),
        "violations": [
            {
                "finding": violation.finding.name.lower(),
                "requirement": violation.finding.requirement,
                "role": violation.finding.role,
                "position": violation.position,
                "stream": violation.entry.stream,
                "message": violation.entry.message,
                "says": str(violation),
            }
            for violation in trouble.violations
        ],
        "history": [_entry(entry) for entry in trouble.history],
    }


def delivery_rows(history: Iterable[Entry]) -> Iterator[Json]:
    """Yield a history in the form that ``mqconform audit deliveries`` reads."""
    for position, entry in enumerate(history):
        row = {"sequence" if name == "number" else name: value for name, value in _entry(entry).items()}
        yield row | {"position": position}


def _entry(entry: Entry) -> Json:
    return {
        "event": entry.kind.word,
        "stream": entry.stream,
        "message": entry.message,
        "number": entry.number,
        "previous": entry.previous,
        "time": entry.time,
    }


def system_record(trouble: SystemTrouble) -> Json:
    """Return the schedule of queue managers, what happened in words, and what of it is broken."""
    return {
        "schedule": written(trouble.schedule),
        "history": [*map(event_words, trouble.history)],
        "broken": [{"says": breach.says, "requirements": [*breach.requirements]} for breach in trouble.all_broken()],
    }


def event_words(event: Sent | Happened | Failure | Aside) -> str:
    """Return in words what happened to a message or a machine."""
    match event:
        case Sent(key, source, to):
            kind = "in a transaction" if event.transactional else f"plain and {event.assurance}"
            return f"{source} sends {key} to {to}, {kind}{'' if event.committed else ' that aborts'}"
        case Aside(says):
            return says
        case Happened(EventWord.REFUSED, key, at):
            return f"{at} refuses {key}"
        case Happened(EventWord.DEAD_LETTERED, key, at):
            return f"{at} finds {key} among its dead letters"
        case Happened(_, key, at):
            return f"{at} receives {key}"
        case Failure(machines):
            names = sorted(machines)
            return f"{names[0]} crashes" if len(names) == 1 else f"{' and '.join(names)} are cut off from each other"


def again(named: Iterable[str], schedule: str) -> str:
    """Return the command that plays a schedule once more."""
    return shlex.join(["mqconform", "simulate", *named, "--schedule", schedule])
