"""Faulty queue managers: the reference with one rule of its model replaced, each fault of ``reference.mqso.faults``."""

from functools import partial

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqso.faults import FAULTS, Fault


def _mutant(fault: Fault) -> Mutant:
    make = partial(ReferenceQueueManager, fault.model)
    return Mutant(f"queue-{fault.name}", fault.says, RoleName.QUEUE_MANAGER, make, fault.breaks)


MUTANTS = tuple(_mutant(fault) for fault in FAULTS)
