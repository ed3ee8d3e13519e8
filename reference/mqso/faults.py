"""Queue managers that break one sentence each: what a contradiction is explained by, and what mutants are made of.

A fault replaces one rule of ``QueueManager``. A history that the text does not explain and a fault does is told as a
breach of the sentences of that fault.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    Asked,
    Assurance,
    Cursor,
    Entry,
    Key,
    Message,
    Queue,
    QueueName,
    Report,
    TransactionId,
)
from mqconform.reference.mqso.events import Counted, Done, Move, Receive, Send
from mqconform.reference.mqso.letters import report_key
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.timers import TOLERANCE
from mqconform.reference.mqso.world import Branches, World


@dataclass(frozen=True)
class Fault:
    """A rule that is broken.

    Attributes:
        name: of the faulty queue manager; ``says``: what it does.
        breaks: ids of the requirements that it breaks, the one that it breaks most plainly first.
        rule: the method of ``QueueManager`` that it replaces; ``by``: what takes its place, ``self`` first.
    """

    name: str
    says: str
    breaks: tuple[str, ...]
    rule: str
    by: Callable[..., Any]

    @cached_property
    def model(self) -> QueueManager:
        """The rules of the text with this one replaced."""
        made: QueueManager = type(self.name, (QueueManager,), {self.rule: self.by})()
        return made


def _fault(name: str, says: str, breaks: str, rule: str, by: Callable[..., Any]) -> Fault:
    return Fault(name, says, tuple(f"MQSO-{one}" for one in breaks.split()), rule, by)


def _without_room(self: QueueManager, queue: Queue, message: Message) -> bool:
    return True


def _last_available(self: QueueManager, queue: Queue, transaction: TransactionId | None) -> int | None:
    places = [place for place, entry in enumerate(queue.entries) if entry.available]
    return places[-1] if places else None


def _first_unhidden(self: QueueManager, queue: Queue, transaction: TransactionId | None) -> int | None:
    return next((place for place, entry in enumerate(queue.entries) if entry.hidden_by is None), None)


def _first_of_all(self: QueueManager, queue: Queue, transaction: TransactionId | None) -> int | None:
    return next((place for place, entry in enumerate(queue.entries) if entry.locked_by is None), None)


def _stays(self: QueueManager, world: World, name: QueueName, place: int, transaction: TransactionId | None) -> World:
    entry = world.queues[name].entries[place]
    if transaction is not None:
        return QueueManager.received(self, world, name, place, transaction)
    return self.consumed(world, entry.message)


def _unlocked(
    self: QueueManager, world: World, name: QueueName, place: int, transaction: TransactionId | None
) -> World:
    return QueueManager.received(self, world, name, place, None)


def _peek_takes(self: QueueManager, world: World, event: Receive) -> Branches:
    yield from QueueManager.asked_for(self, world, event if event.takes else replace(event, takes=True))


def _nobody_served(self: QueueManager, world: World, name: QueueName) -> Iterator[World]:
    yield world


def _never_waited(self: QueueManager, world: World) -> Iterator[World]:
    yield world


def _purge_leaves_the_last(self: QueueManager, world: World, name: QueueName) -> Iterator[World]:
    yield world.with_entries(name, world.queues[name].entries[-1:])


def _purge_ends_readers(self: QueueManager, world: World, name: QueueName) -> Iterator[World]:
    readers = world.queues[name].readers
    for after in QueueManager.purged(self, world, name):
        yield failed(after.with_queue(name, replace(after.queues[name], readers=())), readers)


def _purge_spares_all(self: QueueManager, world: World, name: QueueName) -> Iterator[World]:
    yield world


def _reader_forgotten(self: QueueManager, world: World, name: QueueName) -> Iterator[World]:
    yield replace(world, queues=world.queues.without(name))


def _counting_consumes(self: QueueManager, world: World, name: QueueName) -> Branches:
    queue = world.queues[name]
    place = self.first(queue, None)
    after = world if place is None else self.received(world, name, place, None)
    yield after, Counted(len(queue.available))


def _system_queue_takes_sends(self: QueueManager, name: QueueName) -> bool:
    return True


def _one_place(self: QueueManager, world: World, cursor: Any, place: int) -> World:
    after = QueueManager.moved(self, world, cursor, place)
    here = after.cursors[cursor]
    for other, one in after.cursors.items():
        if one.queue == here.queue:
            after = replace(after, cursors=after.cursors.having(other, here))
    return after


def _cursors_kept(self: QueueManager, cursors: Any) -> Any:
    return cursors


def _never_moves(self: QueueManager, queue: Queue, cursor: Cursor, move: Move) -> int | None:
    return QueueManager.place_of(self, queue, cursor, Move.CURRENT)


def _abort_commits_sends(self: QueueManager, world: World, transaction: TransactionId) -> Iterator[World]:
    for after in QueueManager.aborted(self, world, transaction):
        shown = after
        for name, queue in world.queues.items():
            mine = [replace(one, hidden_by=None) for one in queue.entries if one.hidden_by == transaction]
            shown = shown.with_entries(name, (*shown.queues[name].entries, *mine))
        yield shown


def _only_first_queue(self: QueueManager, world: World, transaction: TransactionId) -> Iterator[World]:
    for after in QueueManager.committed(self, world, transaction):
        sent = [
            (name, one) for name, queue in world.queues.items() for one in queue.entries if one.hidden_by == transaction
        ]
        lost = {one.message.key for _, one in sent[1:]}
        for name, queue in after.queues.items():
            after = after.with_entries(name, (one for one in queue.entries if one.message.key not in lost))  # noqa: PLW2901
        yield after


def _abort_loses(self: QueueManager, queue: Queue, transaction: TransactionId, *, last: bool) -> tuple[Entry, ...]:
    return tuple(one for one in queue.entries if transaction not in {one.hidden_by, one.locked_by})


def _abort_puts_last(self: QueueManager, queue: Queue, transaction: TransactionId, *, last: bool) -> tuple[Entry, ...]:
    return QueueManager.given_back(self, queue, transaction, last=True)


def _abort_keeps_locked(
    self: QueueManager, queue: Queue, transaction: TransactionId, *, last: bool
) -> tuple[Entry, ...]:
    return tuple(one for one in queue.entries if one.hidden_by != transaction)


def _commit_keeps(self: QueueManager, queue: Queue, transaction: TransactionId, *, last: bool) -> Queue:
    given_back = tuple(replace(one, locked_by=None) if one.locked_by == transaction else one for one in queue.entries)
    return QueueManager.shown(self, replace(queue, entries=given_back), transaction, last=last)


def _needs_coordinator(self: QueueManager, world: World, transaction: TransactionId) -> bool:
    return not world.coordinator_lost


def _needs_no_coordinator(self: QueueManager, world: World, transaction: TransactionId) -> bool:
    return True


def _pending_outlive(self: QueueManager, world: World, *, lost: bool) -> Iterator[World]:
    yield replace(world, coordinator_lost=lost)


def _coordinator_gone_for_good(self: QueueManager, world: World, *, lost: bool) -> Iterator[World]:
    yield from QueueManager.coordinator_becomes(self, world, lost=True)


def _all_outlive(self: QueueManager, entry: Entry) -> bool:
    return entry.hidden_by is None


def _hidden_shown(self: QueueManager, queue: Queue) -> Queue:
    kept = [replace(one, hidden_by=None, locked_by=None) for one in queue.entries]
    return Queue(queue.properties, tuple(one for one in kept if one.message.assurance is not Assurance.EXPRESS))


def _recoverable_lost(self: QueueManager, entry: Entry) -> bool:
    return entry.hidden_by is None and entry.message.assurance is Assurance.TRANSACTIONAL


def _transactional_lost(self: QueueManager, entry: Entry) -> bool:
    return entry.hidden_by is None and entry.message.assurance is Assurance.RECOVERABLE


def _locked_gone(self: QueueManager, entry: Entry) -> bool:
    return QueueManager.outlives(self, entry) and entry.locked_by is None


def _queues_gone(self: QueueManager, world: World, *, suddenly: bool) -> Iterator[World]:
    for after in QueueManager.stopped(self, world, suddenly=suddenly):
        gone = after
        for name in after.queues:
            if not name.startswith("*"):
                gone = replace(gone, queues=gone.queues.without(name))
        yield gone


def _lost_in_crash(self: QueueManager, world: World, *, suddenly: bool) -> Iterator[World]:
    for after in QueueManager.stopped(self, world, suddenly=suddenly):
        emptied = after
        for name in after.queues if suddenly else ():
            emptied = emptied.with_entries(name, ())
        yield emptied


def _serves_while_stopped(self: QueueManager) -> bool:
    return False


def _deaf_to_throttling(self: QueueManager, world: World) -> bool:
    return False


def _throttled_for_ever(self: QueueManager, world: World, *, on: bool) -> World:
    return replace(world, throttled=world.throttled or on)


def _never_expires(self: QueueManager, entry: Entry) -> int | None:
    return None


def _late_expiry(self: QueueManager, entry: Entry) -> int | None:
    until = QueueManager.expires(self, entry)
    return None if until is None else until + 4 * TOLERANCE


def _dead_letters_unasked(self: QueueManager, world: World, message: Message) -> Iterator[World]:
    told = self.acknowledged(world, message, Asked.NEGATIVE)
    yield self.kept(told, self.dead_letter_queue(message), message)


def _asked_and_lost(self: QueueManager, world: World, message: Message) -> Iterator[World]:
    yield self.acknowledged(world, message, Asked.NEGATIVE)


def _one_dead_letter_queue(self: QueueManager, message: Message) -> QueueName:
    return DEAD_LETTERS


def _nothing_journaled(self: QueueManager, world: World, message: Message) -> World:
    return world


def _all_journaled(self: QueueManager, world: World, message: Message) -> World:
    return QueueManager.journaled(self, world, replace(message, journal=True))


def _received_on_arrival(self: QueueManager, world: World, message: Message, what: Asked) -> World:
    if what is Asked.RECEIVE:
        return world
    if what is Asked.REACH and Asked.RECEIVE in message.asked:
        world = QueueManager.acknowledged(self, world, message, Asked.RECEIVE)
    return QueueManager.acknowledged(self, world, message, what)


def _untold(what: Asked) -> Callable[..., World]:
    def acknowledged(self: QueueManager, world: World, message: Message, asked: Asked) -> World:
        return world if asked is what else QueueManager.acknowledged(self, world, message, asked)

    return acknowledged


def _of_the_last(self: QueueManager, world: World, message: Message, what: Asked) -> World:
    """Acknowledge another message than the one that it is about: the last that stands in any queue."""
    others = [one.message.key for queue in world.queues.values() for one in queue.entries if one.message.report is None]
    wrong = next((key for key in reversed(others) if key != message.key), Key("another"))
    if what not in message.asked or message.administration not in world.queues:
        return world
    assert message.administration is not None
    report = Report(wrong, positive=what is not Asked.NEGATIVE)
    return self.kept(world, message.administration, Message(report_key(report), report=report))


def _full_half(self: QueueManager, world: World, message: Message) -> Iterator[tuple[World, bool]]:
    yield world, True


def _any_kind(self: QueueManager, world: World, name: QueueName, event: Send) -> Branches:
    yield from self.put_and_served(world, name, event)


def _fails_silently(self: QueueManager, world: World, name: QueueName, event: Send) -> Branches:
    yield world, Done()


def _shown_at_once(
    self: QueueManager, world: World, name: QueueName, message: Message, transaction: TransactionId | None
) -> Iterator[tuple[World, bool]]:
    yield from QueueManager.put(self, world, name, message, None)


def _never_hands_out(self: QueueManager, world: World, name: QueueName, event: Receive) -> Branches:
    if event.key is None and event.cursor is None and self.first(world.queues[name], event.transaction) is not None:
        yield from self.waits(world, name, event)
        return
    yield from QueueManager.looked_for(self, world, name, event)


FAULTS: Final = (
    _fault("beyond-its-room", "A queue takes what it has no room for.", "5.1.1.2-07", "has_room", _without_room),
    _fault("last-first", "The last message is handed out first.", "5.1.1.2-01 1.1-04", "first", _last_available),
    _fault(
        "two-readers-one-message",
        "What one transaction has received another receives again.",
        "3.3.4.7-04 1.1-04 5.1.1.2-09",
        "first",
        _first_unhidden,
    ),
    _fault(
        "seen-before-commit", "Messages are received before their commit.", "3.3.4.4-01", "first", _first_of_all
    ),
    _fault("shown-at-once", "What a transaction sends shows at once.", "3.3.4.4-01 3.3.4.4-02", "put", _shown_at_once),
    _fault("receive-leaves-it", "A received message stays.", "3.3.4.6-02", "received", _stays),
    _fault("received-not-locked", "A receive in a transaction takes at once.", "3.3.4.7-01", "received", _unlocked),
    _fault("peek-takes", "Looking at a message takes it.", "5.1.1.3-12", "asked_for", _peek_takes),
    _fault("readers-never-woken", "Who waits gets nothing.", "5.1.1.2-08", "served", _nobody_served),
    _fault("wait-without-end", "A wait never ends.", "3.3.4.6-05", "waited", _never_waited),
    _fault("hands-out-nothing", "A receive waits beside messages.", "3.3.4.6-02", "looked_for", _never_hands_out),
    _fault("purge-leaves-the-last", "A purge leaves the last message.", "5.1.1.2-12", "purged", _purge_leaves_the_last),
    _fault("purge-does-nothing", "A purge leaves all messages.", "5.1.1.2-12", "purged", _purge_spares_all),
    _fault("purge-ends-readers", "A purge ends who waits.", "5.1.1.2-13", "purged", _purge_ends_readers),
    _fault("reader-of-deleted-forgotten", "Who waits at a deleted queue is never told.", "3.3.4.6-05", "deleted",
           _reader_forgotten),
    _fault("counting-consumes", "Asking for the number takes a message.", "3.3.4.2-05", "counted", _counting_consumes),
    _fault("system-queue-takes-sends", "Applications send to system queues.", "5.1.1.2-25", "takes_sends",
           _system_queue_takes_sends),
    _fault("cursors-share-a-place", "Cursors of a queue move together.", "5.1.1.2-15", "moved", _one_place),
    _fault("cursor-never-moves", "A cursor stays where it is.", "5.1.1-04", "place_of", _never_moves),
    _fault("cursor-survives", "Cursors outlive a restart.", "5.1.1-05 5.1.1.2-16", "cursors_after", _cursors_kept),
    _fault("abort-sends", "An aborted transaction sends.", "3.3.4.4-02 4.3.1.2-05", "aborted", _abort_commits_sends),
    _fault("commits-in-part", "Only the first message of a transaction shows.", "3.3.4.4-04", "committed",
           _only_first_queue),
    _fault("abort-loses", "What an aborted transaction received is lost.", "3.3.4.7-02 4.3.1.2-11", "given_back",
           _abort_loses),
    _fault("abort-puts-last", "What an aborted transaction received comes last.", "5.1.1.2-01", "given_back",
           _abort_puts_last),
    _fault("abort-keeps-locked", "What an aborted transaction received stays hidden.", "3.3.4.7-02 4.3.1.2-11",
           "given_back", _abort_keeps_locked),
    _fault("commit-keeps", "What a transaction received is there after its commit.", "4.3.1.2-10 3.3.4.7-01", "shown",
           _commit_keeps),
    _fault("internal-needs-the-coordinator", "Internal transactions fail without a coordinator.",
           "4.3.1.2-14 4.3.3-02", "can_commit", _needs_coordinator),
    _fault("sends-go-on-without-it", "External transactions go on without a coordinator.", "5.5.3-04", "can_commit",
           _needs_no_coordinator),
    _fault("pending-outlive-it", "External transactions outlive the loss of the coordinator.", "5.5.3-03",
           "coordinator_becomes", _pending_outlive),
    _fault("coordinator-needs-restart", "External transactions never work again.", "5.5.3-06", "coordinator_becomes",
           _coordinator_gone_for_good),
    _fault("keeps-express", "Express messages survive.", "5.5.1-08 1.1-03 3.2.1-01", "outlives", _all_outlive),
    _fault("loses-recoverable", "Recoverable messages are lost in a restart.", "5.5.1-07 1.1-05 3.2.1-02", "outlives",
           _recoverable_lost),
    _fault("loses-transactional", "Transactional messages are lost in a restart.", "5.5.1-04", "outlives",
           _transactional_lost),
    _fault("commits-what-was-open", "What was sent and not committed shows after a restart.", "5.5.1-02 3.3.4.4-01",
           "restored", _hidden_shown),
    _fault("locked-are-gone", "What was received and not committed is gone after a restart.", "5.5.1-04", "outlives",
           _locked_gone),
    _fault("forgets-queues-at-stop", "Queues are gone after a restart.", "4.3.1-01 5.1.1.1-03", "stopped",
           _queues_gone),
    _fault("lost-in-a-crash", "A sudden end loses all messages.", "5.5.1-01", "stopped", _lost_in_crash),
    _fault("serves-while-stopped", "Calls succeed while it is stopped.", "6.7.1-01 5.1.1.1-03", "refuses_while_stopped",
           _serves_while_stopped),
    _fault("deaf-to-throttling", "Messages are accepted while it is throttled.", "5.1.1.1-11", "refuses_all",
           _deaf_to_throttling),
    _fault("throttled-for-ever", "Throttling never ends.", "5.1.1.1-13", "throttled", _throttled_for_ever),
    _fault("never-expires", "Time to be received is not counted.", "5.1.1.3-04 4.3.1.2-16", "expires", _never_expires),
    _fault("expires-late", "Messages expire two seconds late.", "5.1.1.3-04", "expires", _late_expiry),
    _fault("dead-letters-unasked", "What nobody asked for is a dead letter.", "5.1.1.3-18", "undelivered",
           _dead_letters_unasked),
    _fault("asked-and-lost", "A dead letter that was asked for is lost.", "5.1.1.3-06 4.3.1.2-16", "undelivered",
           _asked_and_lost),
    _fault("dead-letters-in-one-queue", "All dead letters are in one queue.", "5.1.1.2-28", "dead_letter_queue",
           _one_dead_letter_queue),
    _fault("journals-nothing", "Nothing is in the source journal.", "5.1.1.2-26", "journaled", _nothing_journaled),
    _fault("journals-all", "Everything is in the source journal.", "5.1.1.2-26", "journaled", _all_journaled),
    _fault("acknowledges-on-arrival-as-received", "A receive is acknowledged on arrival.", "6.1.6.5-01", "acknowledged",
           _received_on_arrival),
    _fault("receive-untold", "A receive is not acknowledged.", "6.1.6.5-01", "acknowledged", _untold(Asked.RECEIVE)),
    _fault("expiry-untold", "An expiry is not told.", "6.1.6.5-02", "acknowledged", _untold(Asked.NEGATIVE)),
    _fault("acknowledges-another", "It names another message.", "6.1.6.5-01", "acknowledged", _of_the_last),
    _fault("full-store-takes-on", "A full store takes messages on and keeps them.", "5.5.5-01", "can_keep", _full_half),
    _fault("takes-any-kind", "A transactional queue takes any message.", "3.2.1-07", "to_wrong_kind",
           _any_kind),
    _fault("refuses-silently", "What is refused is told as taken on.", "3.3.4.3-06", "to_wrong_kind",
           _fails_silently),
)  # fmt: skip
"""One for each rule that one machine can be seen to break."""
