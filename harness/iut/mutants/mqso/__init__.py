"""Mutants of the queue manager: faults of the model, what the text leaves open, calls at once, cursors, encryption."""

from dataclasses import replace

from mqconform.harness.iut.mutants.mqso import concurrent, conforming, cursors, encryption, faulty, network
from mqconform.harness.iut.reference_iut.one_machine import ONE_MACHINE

_ALONE = (*faulty.MUTANTS, *conforming.MUTANTS, *concurrent.MUTANTS, *cursors.MUTANTS, *encryption.MUTANTS)
"""Those that know of no other machine."""
MUTANTS = (*(replace(mutant, capabilities=tuple(ONE_MACHINE.offered)) for mutant in _ALONE), *network.MUTANTS)
