"""What happened to the messages of some streams, in order: the history that a check runs over."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from mqconform.reference.eod.sender import Message

Stream = str | int


class Kind(IntEnum):
    """What an entry of a history tells."""

    ENQUEUED = 1
    """The sender took a message on."""
    SENT = 2
    """A message went out with its numbers, for the first time or again."""
    ACCEPTED = 3
    """A message arrived and was delivered."""
    REJECTED = 4
    """A message arrived and was not delivered."""
    ACKNOWLEDGED = 5
    """The receiver sent an order acknowledgment."""
    RELEASED = 6
    """An order acknowledgment arrived at the sender."""
    DISCARDED = 7
    """A message expired at the sender."""
    RECEIVER_LOST_STATE = 8
    """The receiver of the stream forgot its numbers."""
    SENDER_LOST_STATE = 9
    """The sender of the stream forgot its queue; it never sends in this stream again."""

    @property
    def word(self) -> str:
        """The name that delivery logs use, such as ``receiver_lost_state``."""
        return self.name.lower()


NOT_RECORDED: Final = -1
"""The previous number of a message whose log has none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a history; what does not apply is left at its default."""

    kind: Kind
    stream: Stream
    message: Message | None = None
    number: int = 0
    """Sequence number of the message, or the number that an acknowledgment carries."""
    previous: int = NOT_RECORDED
    """Previous number of the message; what it would decide is not judged where it was not recorded."""
    time: int = 0
    """Nanoseconds; the check goes by the order of entries alone."""
