"""A queue manager that does not decrypt: encryption is no part of the model, which has messages in plain."""

from typing import Any

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName


class HandsOutEncrypted(ReferenceQueueManager):
    """Hands out what was encrypted as it is."""

    def send(self, handle: int, message: str, assurance: str, **asked: Any) -> Json:
        """Send a message."""
        return super().send(handle, message[::-1] if asked.pop("encrypt", False) else message, assurance, **asked)


MUTANTS = (
    Mutant(
        "queue-hands-out-encrypted",
        "What was encrypted is handed out as it is.",
        RoleName.QUEUE_MANAGER,
        HandsOutEncrypted,
        ("MQSO-5.1.1-03",),
    ),
)
