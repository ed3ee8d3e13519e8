"""What a simulation found, as JSON has it."""

import json
from collections.abc import Iterable, Iterator

from mqconform.harness.iut.drivers.ordered_delivery.schedule import written
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Trouble
from mqconform.reference.eod.history import Entry


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
                "finding": one.finding.name.lower() if one.finding.name else "",
                "requirement": one.requirement,
                "role": one.role,
                "position": one.position,
                "stream": one.entry.stream,
                "message": one.entry.message,
                "says": str(one),
            }
            for one in trouble.violations
        ],
        "history": [_entry(one) for one in trouble.history],
    }


def delivery_log(history: Iterable[Entry]) -> Iterator[str]:
    """Yield a history as lines of JSON, in the form that ``mqconform audit deliveries`` reads."""
    for position, entry in enumerate(history):
        row = {"sequence" if name == "number" else name: value for name, value in _entry(entry).items()}
        yield json.dumps(row | {"position": position})


def _entry(entry: Entry) -> Json:
    return {
        "event": entry.kind.word,
        "stream": entry.stream,
        "message": entry.message,
        "number": entry.number,
        "previous": entry.previous,
        "time": entry.time,
    }
