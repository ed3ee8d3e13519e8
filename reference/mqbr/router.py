"""A concrete router, for use as an implementation under test: the procedures with a timer and a changing directory.

The methods mirror the role ``router`` of the IUT protocol: same names, the protocol's parameters, and as results what
its result objects hold. A wrong router for testing tests is a subclass that overrides one procedure.
"""

from typing import Any
from zlib import crc32

from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.reading import DirectoryView, ReadEvent
from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.procedures import Policy, Procedures, RoutingAttemptFails
from mqconform.reference.mqbr.specification import FACTS

__all__ = ["ReferenceRouter", "RoutingAttemptFails", "first", "last", "seeded"]


class MisusedRouter(ModelError):
    """An operation was asked for that has no meaning, or not at this moment."""


def first(_choice: str, _options: int) -> int:
    """Take the first option: what a literal reading in the directory's order gives."""
    return 0


def last(_choice: str, options: int) -> int:
    """Take the last option."""
    return options - 1


def seeded(seed: int) -> Policy:
    """Return a policy that spreads its choices, always the same for one seed, register entry and number of options."""

    def pick(choice: str, options: int) -> int:
        return crc32(f"{seed}:{choice}:{options}".encode()) % options

    return pick


class ReferenceRouter(Procedures):
    """One queue manager that routes."""

    QUERY_TIMER: float = FACTS.query_timer
    """Seconds (3.1.3)."""

    def __init__(self, policy: Policy = first) -> None:
        super().__init__(policy)
        self.local: str | None = None
        self.clock = 0.0

    def load_directory(self, directory: object) -> None:
        """Take an enterprise document as the whole directory; nothing is computed yet.

        Raises:
            UnreadableDocument: if the document cannot be understood.
        """
        self.view = DirectoryView(directory_from_document(directory))

    def initialize(self, local: str) -> None:
        """Become a queue manager, start the timer and build the table (MS-MQBR 3.1.3)."""
        self.local = local
        self.clock = 0.0
        self.initialize_routing_table(local)

    def change_directory(self, directory: object) -> None:
        """Change the directory's content; the table stays until the timer fires.

        Raises:
            UnreadableDocument: if the document cannot be understood.
        """
        self.view = self.view.holding(directory_from_document(directory))

    def advance_clock(self, seconds: float) -> None:
        """Let virtual time pass; the table is built anew if the timer fired (MS-MQBR 3.1.6.1).

        Raises:
            MisusedRouter: if the router is not initialised or time would run backwards.
        """
        if self.local is None or not seconds >= 0:
            raise MisusedRouter(f"{seconds} seconds cannot pass; initialise the router and give a number from 0 up")
        later = round(self.clock + seconds, 6)
        fired = later // self.QUERY_TIMER > self.clock // self.QUERY_TIMER
        self.clock = later
        if fired:
            self.initialize_routing_table(self.local)

    def fail_directory(self, object_type: str, at: str | None) -> None:
        """Let readings of an object type fail at ``begin`` or ``next``, or at none.

        Raises:
            MisusedRouter: if ``at`` is something else.
            UnknownObjectType: if routing reads no such type.
        """
        if at not in {None, *ReadEvent}:
            raise MisusedRouter(f"a reading cannot fail at {at!r:.60}; use begin, next, end or null")
        self.view = self.view.failing(object_type, None if at is None else ReadEvent(at))

    def routing_table(self) -> list[dict[str, Any]]:
        """Return the rows of the routing table (MS-MQBR 3.1.1.2)."""
        return [{"destination_site": site, "next_hop_site": hop} for site, hop in self.table.items()]
