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
                "finding": violation.finding.name.lower() if violation.finding.name else "",
                "requirement": violation.requirement,
                "role": violation.role,
                "position": violation.position,
                "stream": violation.entry.stream,
                "message": violation.entry.message,
                "says": str(violation),
            }
            for violation in trouble.violations
        ],
        "history": [_entry(entry) for entry in trouble.history],
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
