"""How a queue manager ends and starts again, and what outlives it (5.1.1.1, 5.5.1)."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import HOUR, SYSTEM_QUEUES, Assurance, Cursor, CursorId, Entry, Queue, State
from mqconform.reference.mqso.events import Answer, Done, Failed
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.world import World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager

LONGEST_RETRY: Final = 6 * HOUR
"""By when a start that failed is judged to have been tried again, as transfers are (registers QM-34 and QM-58)."""
LONGEST_STOP: Final = 6 * HOUR
"""By when a queue manager that stops is judged to have stopped, as the text gives no time for that (5.1.1.1)."""


def outlives(rules: "QueueManager", entry: Entry) -> bool:
    """Return whether a message in its queue is there after a restart.

    Express messages are not, recoverable and transactional ones are, but for those that no commit has shown yet.
    Sections 3.2.1 and 5.5.1 (MQSO-3.2.1-01, MQSO-3.2.1-02, MQSO-5.5.1-04, MQSO-5.5.1-07, MQSO-5.5.1-08).
    """
    return entry.hidden_by is None and entry.message.assurance is not Assurance.EXPRESS


def stopped(rules: "QueueManager", world: World, *, suddenly: bool) -> Iterator[World]:
    """Yield the worlds after an end, in order or not: open transactions are undone, cursors gone.

    What an implementation tells those who wait, and whether handles are of use afterwards, is open (register
    QM-10). Section 5.5.1 (MQSO-5.5.1-01, MQSO-5.5.1-02), 5.1.1 (MQSO-5.1.1-05).
    """
    for reported in rules.with_reports(world):
        for before in _with_letters(reported):
            yield from _ended(rules, before)


def with_reports(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds with it decided which acknowledgments outlive the end (register QM-50)."""
    if not any(entry.message.report for queue in world.queues.values() for entry in queue.entries):
        yield world
        return
    for following, choice in decided(world, readings.ReportsAtRestart):
        queues = {name: replace(queue, entries=tuple(_for_restart(entry, choice) for entry in queue.entries))
                  for name, queue in world.queues.items()}  # fmt: skip
        yield replace(following, queues=FrozenMap(queues))


def _with_letters(world: World) -> Iterator[World]:
    """Yield the worlds with it decided whether letters of express messages outlive the end (register QM-09)."""
    if not any(_is_express_letter(entry) for name in SYSTEM_QUEUES for entry in world.queues[name].entries):
        yield world
        return
    for following, choice in decided(world, readings.ExpressLetters):
        after = following
        for name in SYSTEM_QUEUES if choice is readings.ExpressLetters.KEPT else ():
            after = after.with_entries(name, map(_stored, world.queues[name].entries))
        yield after


def _ended(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds after an end: state and what is stored stay (4.3.1, MQSO-4.3.1-01)."""
    queues = FrozenMap({name: rules.restored(queue) for name, queue in world.queues.items()})
    readers = (*world.bereft, *chain.from_iterable(queue.readers for queue in world.queues.values()))
    ended = replace(
        world,
        running=False,
        retrying=False,
        ended_at=world.now,
        queues=queues,
        transactions=FrozenMap(),
        curtailed=frozenset(),
        cursors=rules.cursors_after(world.cursors),
        bereft=(),
        blocked=(),
        refused=(),
    )
    for following in _handles(ended):
        if not readers:
            yield following
            continue
        for after, choice in decided(following, readings.ReadersAtStop):
            match choice:
                case readings.ReadersAtStop.FAIL:
                    yield failed(after, readers)
                case readings.ReadersAtStop.FORGOTTEN:
                    yield after
                case readings.ReadersAtStop.GO_ON:
                    yield _with_readers_of(world, after)


def begun(rules: "QueueManager", world: World) -> Iterator[tuple[World, Answer]]:
    """Yield what comes of a start: it runs, or initialisation fails and is tried again.

    Section 5.1.1.1 (MQSO-5.1.1.1-02, MQSO-5.1.1.1-04, MQSO-5.1.1.1-05), 6.4.4.1 (MQSO-6.4.4.1-01), 6.6.2
    (MQSO-6.6.2-09, MQSO-6.6.2-10).
    """
    if world.damaged:
        yield replace(world, retrying=True), Failed()
        return
    if world.running and world.contact is None:  # the text starts only what is stopped; the rest is left open
        yield world, Done()
        yield world, Failed()
        return
    for after, starts in rules.initialized(world):
        if starts:
            yield from ((running, Done()) for running in rules.starts_running(after))
        else:
            yield replace(after, retrying=True), Failed()


def retried(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where a start that failed was tried again, or not yet.

    How long it waits is its own affair (register QM-34), and that it is tried at all is recommended (register
    QM-58). Sections 5.1.1.1, 6.4.4.1 and 6.6.2 (MQSO-5.1.1.1-06, MQSO-6.4.4.1-02, MQSO-6.6.2-11).
    """
    if world.running or world.damaged or not world.retrying:
        yield world
        return
    if world.contact is not None and world.contact.lost:
        yield world
        return
    if world.now < world.repaired_at + LONGEST_RETRY:
        yield from rules.tried(world)
        yield world
        return
    for following, choice in decided(world, readings.Retries):
        yield from rules.tried(following)
        if choice is readings.Retries.UNTRIED:
            yield following


def tried(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where a start was tried again, and nothing keeps it from success."""
    for after, _ in rules.initialized(world):
        yield from rules.starts_running(after)


def starts_running(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield the worlds where a queue manager runs: what timed out meanwhile may leave at once (5.1.1.3, QM-45).

    To start may be to look at all queues: one that discards when it looks may have waited for that.
    """
    running = replace(world, running=True, retrying=False)
    looked = [running]
    for name in running.queues:
        looked = [after for current in looked for after in rules.expired(current, name, touched=True)]
    yield from dict.fromkeys(chain(rules.expired_everywhere(running), looked))


def broken(rules: "QueueManager", world: World, *, beyond_repair: bool) -> Iterator[World]:
    """Yield the worlds with an inconsistent store: it is repaired, or the queue manager shuts down.

    Section 5.5.5 (MQSO-5.5.5-02, MQSO-5.5.5-03, MQSO-5.1.1.1-10).
    """
    if not beyond_repair:
        yield world
        return
    damaged = replace(world, damaged=True)
    yield from rules.stopped(damaged, suddenly=True) if world.running else iter((damaged,))


def states(rules: "QueueManager", world: World) -> tuple[State, ...]:
    """Return what may be told of the state; for some time after an end it may still be stopping.

    Sections 5.1.1.1, 6.6 and 6.6.1 (MQSO-5.1.1.1-04, MQSO-5.1.1.1-10, MQSO-5.1.1.1-18, MQSO-6.6-06, MQSO-6.6.1-08).
    """
    if world.running:
        return (State.RUNNING,)
    stopping = world.now == world.ended_at or (not world.retrying and world.now < world.ended_at + LONGEST_STOP)
    return (State.STOPPED, State.STOPPING) if stopping else (State.STOPPED,)


def modes(rules: "QueueManager", world: World) -> tuple[str, ...]:
    """Return what may be told of the mode (4.3.1.3, MQSO-4.3.1.3-01, MQSO-6.6.1-06)."""
    if world.contact is None:
        return ("workgroup",) if world.registered is None else ("integrated",)
    return ("integrated",) if world.contact.integrated else ("workgroup",)


def shows_offline(rules: "QueueManager", world: World) -> tuple[bool, ...]:
    """Return what may be told of DirectoryOffline, which says nothing in Workgroup mode.

    Sections 5.1.1.1 and 5.5.4 (MQSO-5.1.1.1-15, MQSO-5.5.4-06).
    """
    contact = world.contact
    return (contact.offline,) if contact is not None and contact.integrated else (False, True)


def restored(rules: "QueueManager", queue: Queue) -> Queue:
    """Return a queue as it is found after a restart."""
    entries = (replace(entry, locked_by=None) for entry in queue.entries if rules.outlives(entry))
    return replace(queue, entries=tuple(entries), readers=())


def cursors_after(rules: "QueueManager", cursors: FrozenMap[CursorId, Cursor]) -> FrozenMap[CursorId, Cursor]:
    """Return what is left of the cursors after a restart: nothing (5.1.1, MQSO-5.1.1-05)."""
    return FrozenMap()


def _handles(world: World) -> Iterator[World]:
    if not world.handles:
        yield world
        return
    for following, choice in decided(world, readings.HandlesAfterRestart):
        handles_stay = choice is readings.HandlesAfterRestart.KEPT
        yield following if handles_stay else replace(following, handles=FrozenMap())


def _is_express_letter(entry: Entry) -> bool:
    return entry.message.assurance is Assurance.EXPRESS and entry.message.report is None


def _stored(entry: Entry) -> Entry:
    """Return a letter as one that outlives a restart."""
    express = _is_express_letter(entry)
    return replace(entry, message=replace(entry.message, assurance=Assurance.RECOVERABLE)) if express else entry


def _with_readers_of(before: World, after: World) -> World:
    """Return the world after an end where all wait on who waited before it."""
    for name, queue in before.queues.items():
        after = after.with_queue(name, replace(after.queues[name], readers=queue.readers)) if queue.readers else after
    return replace(after, bereft=before.bereft)


def _for_restart(entry: Entry, choice: readings.ReportsAtRestart) -> Entry:
    """Return an entry that a restart treats as a reading says of acknowledgments."""
    if entry.message.report is None or choice is readings.ReportsAtRestart.LIKE_THEIR_MESSAGE:
        return entry
    assurance = Assurance.EXPRESS if choice is readings.ReportsAtRestart.LOST else Assurance.RECOVERABLE
    return replace(entry, message=replace(entry.message, assurance=assurance))


def throttled(rules: "QueueManager", world: World, *, on: bool) -> World:
    """Return the world where throttling has begun or ended, with its cause (5.1.1.1, MQSO-5.1.1.1-13)."""
    return replace(world, throttled=on)
