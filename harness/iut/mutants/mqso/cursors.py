"""A queue manager whose cursors stand at messages that nobody may see."""

from functools import partial

from msgspec.structs import replace

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqso.elements import Cursor, Queue
from mqconform.reference.mqso.events import Move
from mqconform.reference.mqso.queue_manager import QueueManager


class _CursorsShowAll(QueueManager):
    """Shows by a cursor what is locked, or not yet committed."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        visible = (replace(entry, locked_by=None, hidden_by=None) for entry in queue.entries)
        return super().place_of(replace(queue, entries=tuple(visible)), cursor, move)


MUTANTS = (
    Mutant(
        "queue-cursors-show-all",
        "Who looks by a cursor is shown what transactions have locked, or have not committed.",
        RoleName.QUEUE_MANAGER,
        partial(ReferenceQueueManager, _CursorsShowAll()),
        ("MQSO-3.3.4.4-01", "MQSO-5.1.1.3-13"),
    ),
)
