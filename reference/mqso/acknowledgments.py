"""What a queue manager tells of a message: dead letters, source journal, acknowledgments (5.1.1.2, 5.1.1.3, 6.1.6)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import elements
from mqconform.reference.mqso.readings import DeadLetterCause, Journaling, UnaskedDeadLetter
from mqconform.reference.mqso.world import World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def dead_letter_queue(rules: "QueueManager", message: elements.Message) -> elements.QueueName:
    """Return where a dead letter goes: transactional ones have a queue of their own.

    Section 5.1.1.2 (MQSO-5.1.1.2-27, MQSO-5.1.1.2-28).
    """
    return (
        elements.TRANSACTIONAL_DEAD_LETTERS
        if message.assurance is elements.Assurance.TRANSACTIONAL
        else elements.DEAD_LETTERS
    )


def undelivered(rules: "QueueManager", world: World, message: elements.Message) -> Iterator[World]:
    """Yield what may become of a message that was taken on and can never be received.

    Who asked for it finds a dead letter; who did not finds none, and of a transactional message the text says
    both (register QM-11). Sections 4.3.1.2 and 5.1.1.3 (MQSO-4.3.1.2-16, MQSO-5.1.1.3-06, MQSO-5.1.1.3-18).
    """
    with_report = rules.acknowledged(world, message, elements.Asked.NEGATIVE)
    if message.dead_letter:
        yield rules.kept(with_report, rules.dead_letter_queue(message), copy_of(message))
    elif message.assurance is elements.Assurance.TRANSACTIONAL:
        for following, choice in decided(with_report, UnaskedDeadLetter):
            lost = choice is UnaskedDeadLetter.LOST
            yield following if lost else rules.kept(following, rules.dead_letter_queue(message), copy_of(message))
    else:
        yield with_report


def refused(rules: "QueueManager", world: World, message: elements.Message) -> Iterator[World]:
    """Yield what may become of a message that was taken on and then refused by its queue.

    Dead letters are said to be what could not be delivered, and to be what timed out (register QM-13).
    """
    if not message.dead_letter:
        yield from rules.undelivered(world, message)
        return
    for following, cause in decided(world, DeadLetterCause):
        if cause is DeadLetterCause.ANY:
            yield from rules.undelivered(following, message)
        else:
            yield rules.acknowledged(following, message, elements.Asked.NEGATIVE)


def acknowledged(rules: "QueueManager", world: World, message: elements.Message, what: elements.Asked) -> World:
    """Return the world with the acknowledgment that a sender asked for, in the queue that it named.

    It carries the identifier of the message that it is about. Section 6.1.6 (MQSO-6.1.6.5-01, MQSO-6.1.6.5-02).
    """
    if what not in message.asked or message.administration not in world.queues:
        return world
    assert message.administration is not None
    report = elements.Report(message.key, positive=what is not elements.Asked.NEGATIVE)
    letter = elements.Message(report_key(report), message.assurance, report=report)
    return rules.kept(world, message.administration, letter)


def sent_for_journal(rules: "QueueManager", world: World, message: elements.Message) -> Iterator[World]:
    """Yield the worlds with it decided when a message is copied that asked for it (register QM-18)."""
    yield from (following for following, _ in decided(world, Journaling)) if message.journal else (world,)


def copied(rules: "QueueManager", world: World, message: elements.Message, when: Journaling) -> World:
    """Return the world with a copy in the source journal, where this is the occasion for it."""
    occasion = next((choice for choice in world.followed if isinstance(choice, Journaling)), Journaling.ON_ARRIVAL)
    return rules.journaled(world, message) if when is occasion else world


def journaled(rules: "QueueManager", world: World, message: elements.Message) -> World:
    """Return the world with a copy in the source journal, where the sender asked for one.

    Section 5.1.1.2 (MQSO-5.1.1.2-26).
    """
    return rules.kept(world, elements.JOURNAL, copy_of(message)) if message.journal else world


def kept(rules: "QueueManager", world: World, queue: elements.QueueName, message: elements.Message) -> World:
    """Return the world with a message at the end of a queue, where no timer removes it and no report follows."""
    left = replace(message, asked=frozenset(), journal=False, dead_letter=False)
    return world.with_entries(queue, (*world.queues[queue].entries, elements.Entry(left)))


def copy_of(message: elements.Message) -> elements.Message:
    """Return what stands in a queue of the queue manager's own: to receive it is not a receive at its destination."""
    return replace(message, asked=frozenset(), authenticated=None)


def report_key(report: elements.Report) -> elements.Key:
    """Return what an acknowledgment is known by: what it says, and the message it is about."""
    return elements.Key(f"{'positive' if report.positive else 'negative'} acknowledgment of {report.of}")
