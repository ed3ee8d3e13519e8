"""A queue manager among others: messages for their queues wait in outgoing queues, theirs arrive (5.1.1.2, 3.3.4.5).

An outgoing queue is a queue of its own, named by the machine and the queue that its messages are for. So transactions,
timers and restarts have one set of rules for messages that wait and messages that have arrived.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import elements
from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.events import Failed, Receive, Send
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.readings import DeadLetterOfHeld, InternalSendAfar, TransactionalToPlain
from mqconform.reference.mqso.world import Branches, World, decided

EVERYBODY: Final = elements.MachineName("*everybody")
"""Stands for the machines that have queues of a multicast address."""


def far(machine: str, queue: str) -> elements.QueueName:
    """Return the name of a queue of another machine."""
    return elements.QueueName(f"{machine}/{queue}")


def public(machine: str, queue: str) -> elements.QueueName:
    """Return the name by which a public queue is addressed by way of the directory."""
    return elements.QueueName(f"{machine}/{queue}/public")


def is_public(name: elements.QueueName) -> bool:
    """Return whether a name is one that only the directory can resolve."""
    return name.count("/") > 1


def multicast(address: str) -> elements.QueueName:
    """Return the name by which all queues of a multicast address are addressed, as if a machine had them."""
    return elements.QueueName(f"{EVERYBODY}/{address}")


def is_multicast(name: elements.QueueName) -> bool:
    """Return whether a name is a multicast address."""
    return name.startswith(EVERYBODY)


def is_far(name: elements.QueueName) -> bool:
    """Return whether a name is one of a queue of another machine."""
    return "/" in name


@lru_cache(maxsize=1024)
def parts_of(name: elements.QueueName) -> tuple[elements.MachineName, elements.QueueName]:
    """Return the machine and the queue of a name."""
    machine, queue, *_ = (*name.split("/"), "")
    return elements.MachineName(machine), elements.QueueName(queue)


class NetworkedQueueManager(QueueManager):
    """What a queue manager among others may do: the rules in which it differs from one alone."""

    def __init__(self, here: elements.MachineName = elements.HERE) -> None:
        self.here = here

    def sent(self, world: World, event: Send) -> Branches:
        """Yield what may come of a send; one to another machine's queue waits in the outgoing queue for that queue.

        Sections 3.3.4.3 and 5.1.1.2 (MQSO-3.3.4.3-08, MQSO-5.1.1.2-17, MQSO-6.1.2.5-01).
        """
        opened = world.handles.get(event.handle)
        if opened is None or not is_far(opened.queue):
            yield from super().sent(world, event)
            return
        if event.transaction is None or world.transactions.get(event.transaction) is not elements.Kind.INTERNAL:
            yield from self.sent_afar(world, event, opened)
            return
        for following, choice in decided(world, InternalSendAfar):
            if choice is InternalSendAfar.FAILS:
                yield following, Failed()
            else:
                yield from self.sent_afar(following, event, opened)

    def sent_afar(self, world: World, event: Send, opened: elements.Opened) -> Branches:
        """Yield what may come of a send to a queue of another machine: the message waits in its outgoing queue."""
        name = self.outgoing_queue(opened.queue)
        made = world if name in world.queues else world.with_queue(name, elements.Queue())
        administration = event.message.administration
        if administration is not None and not is_far(administration):
            administration = far(self.here, administration)
        message = replace(event.message, to=opened.queue, administration=administration)
        made = replace(made, handles=made.handles.having(event.handle, replace(opened, queue=name)))
        for after, answer in super().sent(made, replace(event, message=message)):
            yield replace(after, handles=world.handles), answer

    def outgoing_queue(self, to: elements.QueueName) -> elements.QueueName:
        """Return the outgoing queue for a queue: each has its own (5.1.1.2, MQSO-5.1.1.2-17)."""
        return to

    def takes_sends(self, name: elements.QueueName) -> bool:
        """Return whether applications may send to a queue: not to any queue manager's own (MQSO-5.1.1.2-25)."""
        return super().takes_sends(parts_of(name)[1] if is_far(name) else name)

    def of_kind(self, world: World, name: elements.QueueName, event: Send) -> Branches:
        """Yield what comes of a send to a queue of one kind or the other; that of another machine it alone knows."""
        yield from self.put_and_served(world, name, event) if is_far(name) else super().of_kind(world, name, event)

    def in_its_queue(self, world: World, message: elements.Message) -> World:
        """Return the world where a message was sent: one for another machine is not in its queue yet."""
        return world if message.to is not None else super().in_its_queue(world, message)

    def touched(self, world: World, event: object) -> tuple[elements.QueueName, ...]:
        """Return the queues that an event looks at; a look for dead letters is one at all that waits (QM-45)."""
        names = super().touched(world, event)  # type: ignore[arg-type]  # singledispatch leaves it open
        if isinstance(event, Receive) and any(name in elements.SYSTEM_QUEUES for name in names):
            names = (*names, *(name for name in world.queues if is_far(name)))
        return names

    def forwarded(self, world: World, to: elements.QueueName, message: elements.Message) -> World:
        """Return the world where a message of the queue manager's own waits for another machine."""
        name = self.outgoing_queue(to)
        queue = world.queues.get(name) or elements.Queue()
        return world.with_queue(name, replace(queue, entries=(*queue.entries, elements.Entry(replace(message, to=to)))))

    def acknowledged(self, world: World, message: elements.Message, what: elements.Asked) -> World:
        """Return the world with the acknowledgment that a sender asked for, or with it on its way there (6.1.6)."""
        name = message.administration
        if name is None or what not in message.asked or not is_far(name):
            return super().acknowledged(world, message, what)
        machine, queue = parts_of(name)
        if machine == self.here:
            return super().acknowledged(world, replace(message, administration=queue), what)
        report = elements.Report(message.key, positive=what is not elements.Asked.NEGATIVE)
        return self.forwarded(world, name, elements.Message(report_key(report), message.assurance, report=report))

    def undelivered(self, world: World, message: elements.Message) -> Iterator[World]:
        """Yield what may become of a message that can never be received; one from elsewhere has two homes (QM-14).

        Section 6.1.1.5 (MQSO-6.1.1.5-02).
        """
        open_place = message.source and (message.dead_letter or message.assurance is elements.Assurance.TRANSACTIONAL)
        for following in (after for after, _ in decided(world, DeadLetterOfHeld)) if open_place else (world,):
            yield from super().undelivered(following, message)

    def kept(self, world: World, queue: elements.QueueName, message: elements.Message) -> World:
        """Return the world with a message in a queue where no timer takes it away; that queue may be its source's."""
        at_source = queue == elements.JOURNAL or DeadLetterOfHeld.AT_THE_SOURCE in world.followed
        if message.source and queue in elements.SYSTEM_QUEUES and at_source:
            left = replace(message, asked=frozenset(), journal=False, dead_letter=False)
            return self.forwarded(world, far(message.source, queue), left)
        return super().kept(world, queue, replace(message, to=None, source=elements.HERE))

    def arrives(self, world: World, name: elements.QueueName, entry: elements.Entry) -> Iterator[World]:
        """Yield what may become of a message of another machine: it is in its queue, or refused.

        Sections 3.3.4.5 and 5.1.1.2 (MQSO-3.3.4.5-02, MQSO-3.3.4.5-04, MQSO-3.2.1-07).
        """
        message = entry.message
        queue = world.queues.get(name)
        if name in elements.SYSTEM_QUEUES:
            yield self.kept(world, name, replace(message, source=elements.HERE))
        elif queue is None:
            yield from () if message.report else self.refused_here(world, message)
            yield from (world,) if message.report else ()
        elif message.report:
            yield from self.served(self.kept(world, name, message), name)
        elif queue.properties.transactional and message.assurance is not elements.Assurance.TRANSACTIONAL:
            yield from self.refused_here(world, message)
        elif not queue.properties.transactional and message.assurance is elements.Assurance.TRANSACTIONAL:
            for following, choice in decided(world, TransactionalToPlain):
                refused = choice is TransactionalToPlain.REFUSED
                yield from self.refused_here(following, message) if refused else self.taken_in(following, name, entry)
        else:
            yield from self.taken_in(world, name, entry)

    def taken_in(self, world: World, name: elements.QueueName, entry: elements.Entry) -> Iterator[World]:
        """Yield the worlds with an arrived message in its queue, if that has room (MQSO-5.1.1.2-07)."""
        queue = world.queues[name]
        if not self.has_room(queue, entry.message):
            yield from self.refused_here(world, entry.message)
            return
        message = self.as_it_arrives(entry.message)
        taken = world.with_queue(name, self.arrived(queue, replace(entry, message=message)))
        yield from self.served(self.in_its_queue(taken, message), name)

    def as_it_arrives(self, message: elements.Message) -> elements.Message:
        """Return a message as it is in its queue: with all that its sender said of it (5.1.1, MQSO-5.1.1-03)."""
        return message

    def refused_here(self, world: World, message: elements.Message) -> Iterator[World]:
        """Yield what may become of a message that fails the checks of its destination (MQSO-3.3.4.5-04)."""
        yield from self.refused(world, message)
