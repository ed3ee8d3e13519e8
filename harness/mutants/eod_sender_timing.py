"""Senders that send again at the wrong time (MS-MQQB 3.1.5.6, 3.1.6.5)."""

from dataclasses import replace

from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_mutant import sending
from mqconform.reference.eod.sender import OutgoingStream


class OtherPace(ReferenceOrderedSender):
    """The waits are half as long."""

    def advance_clock(self, seconds: float) -> Json:
        """Let time pass twice as fast."""
        return super().advance_clock(seconds * 2)


class AlwaysThirty(ReferenceOrderedSender):
    """Every wait is 30 seconds."""

    def advance_clock(self, seconds: float) -> Json:
        """Forget after each step how many waits there were."""
        shown = super().advance_clock(seconds)
        self.streams = {key: replace(one, waits=0) for key, one in self.streams.items()}
        return shown


class NeverResends(ReferenceOrderedSender):
    """Nothing is sent again of itself."""

    def advance_clock(self, seconds: float) -> Json:
        """Stay silent."""
        del seconds
        return {"messages": []}


class ResendsFirst(ReferenceOrderedSender):
    """Only the first unacknowledged message of a stream is sent again."""

    def advance_clock(self, seconds: float) -> Json:
        """Leave the others out."""
        shown = super().advance_clock(seconds)["messages"]
        firsts = {key: one.queue[0].message for key, one in self.streams.items() if one.queue}
        return {"messages": [one for one in shown if one["message"] == firsts.get(one["stream"])]}


class ResendsBackwards(ReferenceOrderedSender):
    """Messages are sent again with the last one first."""

    def advance_clock(self, seconds: float) -> Json:
        """Turn them round."""
        return {"messages": super().advance_clock(seconds)["messages"][::-1]}


class IntervalsStay(ReferenceOrderedSender):
    """Once everything is acknowledged the next interval is as long as the last one was."""

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Keep the count of waits."""
        return replace(super().release(stream, number), waits=stream.waits)


MUTANTS = (
    sending("sender-resends-too-soon", OtherPace, "EOD-3.1.6.5-02", "EOD-3.1.6.5-01"),
    sending("sender-resends-every-thirty-seconds", AlwaysThirty, "EOD-3.1.6.5-02"),
    sending("sender-never-resends", NeverResends, "EOD-3.1.6.5-01"),
    sending("sender-resends-first", ResendsFirst, "EOD-3.1.6.5-01"),
    sending("sender-resends-backwards", ResendsBackwards, "EOD-3.1.6.5-01"),
    sending("sender-intervals-stay", IntervalsStay, "EOD-3.1.5.6-02"),
)
