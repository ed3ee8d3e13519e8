"""Faults of numbers beyond the usual: the forty-first message, the eleventh send, times beyond 32 bits."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import SECOND, Message, QueueName, TransactionId
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

_MESSAGES: Final = 40
_SENDS: Final = 10
_MILLISECONDS: Final = (1 << 32) * SECOND // 1000
_MINUTE: Final = 60 * SECOND


KEEPS_FORTY = fault("keeps-forty", "3.3.4.3-07 5.1.1.2-01",
    "A queue keeps forty messages, and loses what comes when it has them.",
    arrived=lambda self, queue, entry: (
        QueueManager.arrived(self, queue, entry) if len(queue.entries) < _MESSAGES else queue
    ))  # fmt: skip


@breaks("3.3.4.4-04", "4.3.1.2-01")
class CommitsTenSends(QueueManager):
    """Of a transaction ten sends are committed, and the others are lost."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        of_transaction = [entry for entry in world.queues[name].entries if entry.hidden_by == transaction]
        if transaction is not None and len(of_transaction) >= _SENDS:
            yield world, True
        else:
            yield from super().put(world, name, message, transaction)


@breaks("5.1.1.3-04")
class TimesOf32Bits(QueueManager):
    """Times are counted in milliseconds of 32 bits, which 49.7 days are too many for."""

    def until(self, message: Message, now: int) -> int | None:
        until = super().until(message, now)
        return until if until is None else now + (until - now) % _MILLISECONDS


ZERO_IS_NO_LIMIT = fault("zero-is-no-limit", "5.1.1.3-04", "A message without any time to be received keeps for good.",
    until=lambda self, message, now: (
        QueueManager.until(self, message, now) if message.receive_within else None
    ))  # fmt: skip
WAITS_A_MINUTE = fault("waits-a-minute", "3.3.4.6-04", "An operation waits for a minute at most.",
    waits=lambda self, world, name, event: (
        QueueManager.waits(self, world, name, replace(event, wait=min(event.wait, _MINUTE)))
    ))  # fmt: skip
