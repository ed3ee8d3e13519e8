"""All mutants of exactly-once delivery: faulty ones, conforming ones, and those that do what no rule settles."""

from mqconform.harness.mutants import (
    eod_conforming,
    eod_receiver,
    eod_receiver_timing,
    eod_sender,
    eod_sender_numbers,
    eod_sender_timing,
    eod_transaction,
)
from mqconform.harness.mutants.eod_mutant import EndMutant

FAULTY: tuple[EndMutant, ...] = (
    *eod_receiver.MUTANTS,
    *eod_receiver_timing.MUTANTS,
    *eod_sender_numbers.MUTANTS,
    *eod_sender.MUTANTS,
    *eod_sender_timing.MUTANTS,
    *eod_transaction.MUTANTS,
)
VARIANTS: tuple[EndMutant, ...] = eod_conforming.VARIANTS
UNDECIDED: tuple[EndMutant, ...] = eod_conforming.UNDECIDED
ENDS: tuple[EndMutant, ...] = FAULTY + VARIANTS + UNDECIDED
