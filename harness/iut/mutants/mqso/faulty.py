"""Faulty queue managers: the reference with one rule of its model replaced, each fault of ``reference.mqso.faults``."""

from functools import partial

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqso.faults import FAULTS, Fault

_EVERYWHERE = ("hands-out-nothing", "arrivals-vanish", "needs-a-directory")
_ALSO = {
    "asked-and-lost": "5.5.1-07 5.1.1.2-32",
    "beyond-its-room": "5.5.1-02",
    "identifier-leaves-it": "6.1.6.5-01",
    "loses-transactional": "5.5.1-02",
    "loses-recoverable": "4.3.1.2-16 5.1.1.3-06",
    "forgets-requests": "4.3.1.2-16 5.1.1.3-06",
    "acknowledges-on-arrival-as-received": "5.5.1-02 5.5.1-07",
    "receive-untold": "5.5.1-02 5.5.1-07",
    "dead-letters-in-one-queue": "5.1.1.3-06",
    "forgets-queues-at-stop": "5.5.1 1.1-05 3.2.1-02 5.1.1.1-06 6.4.4.1 6.6.2-11",
    "lost-in-a-crash": "1.1 3.2.1 5.5.1",
    "repaired-store-is-empty": "5.5.1-07",
    "shown-at-once": "5.5.1-02",
    "received-not-locked": "6.1.6.5-01 5.5.1-04 1.1-02 3.2.1-04",
    "abort-sends": "3.3.4.4-01 4.3.1.2-01 4.3.1-02 5.5.5-01",
    "commits-in-part": "5.5.1-04",
    "commit-shows-nothing": "5.1.1.2 4.3.1.2 5.1.1.3-04 5.1.1.3-06 5.5.1-04 5.5.3-06",
    "nobody-writes": "7.3-02 7.4.1.4.2-03",
    "nobody-reads": "7.3-03",
    "kinds-do-not-mix": "3.3.4.4-04 3.3.4.7-01",
    "stops-without-coordinator": "3.3.4.4-05",
    "receive-leaves-it": "5.1.1.2-26",
    "peek-takes": "3.3.4.6-04 6.1.6.5-01 5.1.1.2-32 5.5.1-02",
    "readers-never-woken": "3.3.4.7-02 5.5.1-01 5.1.1.2-32",
    "takes-any-kind": "5.5.1-02",
    "serves-all-readers": "3.3.4.6-02 3.3.4.7-02 4.3.1.2-11 5.1.1.3-15",
    "forgets-properties": "3.2.1-07",
    "creates-nothing": "7.3-02 4.3.1-01 5.5.1-02 5.1.1.1 6.4.4.1 6.6.2-11",
    "rejected-yet-told": "6.1.6.5-01",
    "serves-while-stopped": "5.1.1.1-02 6.4.4.1-02 6.6.2-10",
}
"""What a fault may be taken for in situations where a fault of another rule shows the same; ids or their beginnings."""


def _mutant(fault: Fault) -> Mutant:
    make = partial(ReferenceQueueManager, fault.model)
    also = (f"MQSO-{number}" for number in _ALSO.get(fault.name, "").split())
    return Mutant(
        f"queue-{fault.name}",
        fault.says,
        RoleName.QUEUE_MANAGER,
        make,
        fault.breaks,
        ("MQSO",) if fault.name in _EVERYWHERE else tuple(also),
    )


MUTANTS = tuple(_mutant(fault) for fault in FAULTS)
