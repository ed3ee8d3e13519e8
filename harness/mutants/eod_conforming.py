"""Ends of streams unlike the reference that violate nothing; the readings of ``UNDECIDED`` ones are inconclusive."""

from dataclasses import replace

from mqconform.harness.builtin.ordered_receiver import ReferenceOrderedReceiver
from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender
from mqconform.harness.builtin.transaction import ReferenceTransaction
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_mutant import EndMutant
from mqconform.reference.eod.elements import SECOND, Numbers
from mqconform.reference.eod.readings_of_receivers import (
    Arrivals,
    NewerSequence,
    NothingAccepted,
    ReceiverReadings,
    TenSeconds,
)
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, Intervals, Relinking, Resends, SenderReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement


class WholeSeconds(ReferenceOrderedReceiver):
    """Keeps the time of the last acknowledgment in whole seconds."""

    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        """Cut the time before it is looked at."""
        timer = stream.order_ack_timer
        whole = replace(timer, last_sent=timer.last_sent // SECOND * SECOND)
        return super().react(replace(stream, order_ack_timer=whole), message)


class ShowsWhatIsEmpty(ReferenceTransaction):
    """Shows every place, the empty ones too."""

    def state(self) -> Json:
        """Show where the copies are."""
        shown = super().state()
        queues: dict[str, list[str]] = {name: [] for name in self.network.queues}
        machines: dict[str, list[str]] = {one.machine: [] for one in self.network.queues.values()}
        return shown | {
            "outgoing": queues | shown["outgoing"],
            "queues": queues | shown["queues"],
            "dead_letters": machines | shown["dead_letters"],
        }


class NamesTransactionsOtherwise(ReferenceTransaction):
    """Begins to count its transactions somewhere else."""

    def reset(self) -> None:
        """Become as freshly started."""
        super().reset()
        self._begun = 4_711


def _receiver(name: str, says: str, **readings: object) -> EndMutant:
    chosen = ReceiverReadings(**readings)  # type: ignore[arg-type]  # by name
    return EndMutant(name, says, "ordered_receiver", lambda: ReferenceOrderedReceiver(chosen))


def _sender(name: str, says: str, **readings: object) -> EndMutant:
    chosen = SenderReadings(**readings)  # type: ignore[arg-type]  # by name
    return EndMutant(name, says, "ordered_sender", lambda: ReferenceOrderedSender(chosen))


VARIANTS = (
    _receiver(
        "receiver-silent-before-acceptance",
        "Nothing is acknowledged before the first acceptance.",
        nothing_accepted=NothingAccepted.SILENCE,
    ),
    _receiver(
        "receiver-ten-seconds-since-oldest",
        "The ten seconds count from the oldest arrival.",
        ten_seconds=TenSeconds.SINCE_OLDEST_ARRIVAL,
    ),
    EndMutant("receiver-whole-seconds", "It knows whole seconds only.", "ordered_receiver", WholeSeconds),
    _sender("sender-relinks-on-resends", "Only resends bridge expired messages.", relinking=Relinking.ON_RESENDS),
    _sender(
        "sender-zero-on-resends",
        "A first transmission names the acknowledged message before it.",
        first_of_queue=FirstOfQueue.ZERO_ON_RESENDS,
    ),
    _sender(
        "sender-intervals-anew-with-progress",
        "Progress begins with the first interval again.",
        intervals=Intervals.ANEW_WITH_PROGRESS,
    ),
    _sender(
        "sender-as-the-binary-protocol",
        "First transmissions are linked by the numbers alone.",
        relinking=Relinking.ON_RESENDS,
        first_of_queue=FirstOfQueue.ZERO_ON_RESENDS,
    ),
    EndMutant("transaction-shows-what-is-empty", "Empty places are shown.", "transaction", ShowsWhatIsEmpty),
    EndMutant(
        "transaction-other-numbers", "Transactions have other numbers.", "transaction", NamesTransactionsOtherwise
    ),
)
UNDECIDED = (
    _receiver(
        "receiver-acknowledges-accepted-only", "Rejected arrivals ask for nothing.", arrivals=Arrivals.ACCEPTED_ONLY
    ),
    _receiver(
        "receiver-awaits-older-sequence",
        "A newer sequence waits for the gaps of the older one.",
        newer_sequence=NewerSequence.AWAITS_OLDER,
    ),
    _sender("sender-resends-once", "What is not acknowledged is sent again once.", resends=Resends.ONCE),
    _sender(
        "sender-intervals-with-acknowledgments",
        "Intervals grow with acknowledgments.",
        intervals=Intervals.WITH_ACKNOWLEDGMENTS,
    ),
)
