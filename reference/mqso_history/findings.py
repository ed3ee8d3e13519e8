"""What a check of a queue manager's history may find, and which requirements say so."""

from enum import StrEnum

from mqconform.reference.mqso.value import Value


class Property(StrEnum):
    """What every history of a queue manager has."""

    ANSWERS = "a call succeeds or fails as its conditions say"
    VISIBLE = "what is handed out was sent, is committed, and no other receive has it"
    ONCE = "a message is received at most once"
    ORDER = "what came first is handed out first"
    FATE = "a message that is there is handed out"
    RESTART = "a restart keeps what is recoverable and drops what is express"
    TIME = "a message stays until its time expires and no longer"
    COUNT = "the number of messages is that of those that are there"
    WAITS = "a wait ends with a message, or in its time"
    TOLD = "dead letters, copies and acknowledgments are as requested"
    SENDERS = "senders are shown as their seals prove, and queues refuse users without access"
    CURSOR = "a cursor has a place of its own until a restart"


class Breach(Value, frozen=True):
    """A property that a history does not have.

    Attributes:
        says: what is wrong, in one sentence.
        events: places in the history of the events that show it, in ascending order; the last is where it shows.
        requirements: ids of the requirements that say so, the plainest first.
    """

    broken: Property
    says: str
    events: tuple[int, ...]
    requirements: tuple[str, ...]


def breach(broken: Property, says: str, events: tuple[int, ...], requirements: str) -> Breach:
    """Return a breach; requirements are sections and numbers, separated by blanks."""
    return Breach(broken, says, tuple(sorted(set(events))), tuple(f"MQSO-{number}" for number in requirements.split()))
