"""What may come of a send, who sent a message, and who may use a queue (3.3.4.3, 3.3.4.4, 7.3, 7.4.1.4).

No cryptography: a seal says what was signed and by whom, and what that is worth follows from it.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import (
    Access,
    Assurance,
    Message,
    Opened,
    Properties,
    QueueName,
    Seal,
    TransactionId,
    User,
)
from mqconform.reference.mqso.events import Done, Failed, Pending, Send
from mqconform.reference.mqso.world import Branches, World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def sent(rules: "QueueManager", world: World, event: Send) -> Branches:
    """Yield what may come of a send: one that does not pass the checks fails (3.3.4.3, MQSO-3.3.4.3-06)."""
    opened = world.handles.get(event.handle)
    if opened is None or opened.access is not Access.SEND or not rules.takes_sends(opened.queue):
        yield world, Failed()
    elif rules.refuses_all(world):
        yield from rules.not_accepted(world, event)
    elif opened.queue not in world.queues:
        yield world, Failed()
        if event.transaction is None or rules.can_work(world, event.transaction):
            refused = rules.refused_within(world, _as_sent(event), event.transaction)
            yield from ((after, Done()) for after in refused)
    elif event.transaction is None or rules.can_work(world, event.transaction):
        yield from _stored(rules, world, opened.queue, replace(event, message=_as_sent(event)))
    else:
        yield world, Failed()


def _as_sent(event: Send) -> Message:
    """Return a message with its assurance: what is sent in a transaction is transactional (3.2.1)."""
    return event.message if event.transaction is None else replace(event.message, assurance=Assurance.TRANSACTIONAL)


def refuses_all(rules: "QueueManager", world: World) -> bool:
    """Return whether no message is accepted: while throttled (5.1.1.1, MQSO-5.1.1.1-11)."""
    return world.throttled


def not_accepted(rules: "QueueManager", world: World, event: Send) -> Branches:
    """Yield what comes of a send while no message is accepted: it fails, or waits for the end of throttling.

    Section 5.1.1.1 (MQSO-5.1.1.1-11), register QM-20.
    """
    for following, choice in (
        decided(world, readings.WhileThrottled) if world.throttled else [(world, readings.WhileThrottled.REFUSED)]
    ):
        if choice is readings.WhileThrottled.REFUSED:
            yield following, Failed()
        else:
            yield replace(following, blocked=(*following.blocked, event)), Pending()


def unblocked(rules: "QueueManager", world: World) -> Iterator[World]:
    """Yield what may come of the sends that waited, now that throttling has ended: each is done, or fails."""
    worlds = {replace(world, blocked=())}
    for event in world.blocked:
        worlds = {after for current in worlds for after, _ in rules.sent(current, event)}
    yield from worlds


def can_keep(rules: "QueueManager", world: World, message: Message) -> Iterator[tuple[World, bool]]:
    """Yield whether a message can be kept: with a full store nothing that has to be stored can.

    Section 5.5.5 (MQSO-5.5.5-01), register QM-41.
    """
    if not world.full:
        yield world, True
    elif message.assurance is not Assurance.EXPRESS:
        yield world, False
    else:
        yield from (
            (after, choice is readings.FullStore.TAKES_EXPRESS) for after, choice in decided(world, readings.FullStore)
        )


def _stored(rules: "QueueManager", world: World, name: QueueName, event: Send) -> Branches:
    for following, storable in rules.can_keep(world, event.message):
        if storable:
            yield from rules.of_kind(following, name, event)
        else:
            yield following, Failed()


def of_kind(rules: "QueueManager", world: World, name: QueueName, event: Send) -> Branches:
    """Yield what comes of a send to a queue of one kind or the other.

    Messages go to a transactional queue within transactions only (3.2.1, MQSO-3.2.1-07).
    """
    transactional = world.queues[name].properties.transactional
    if transactional and event.transaction is None:
        yield from rules.to_wrong_kind(world, name, event)
    elif not transactional and event.transaction is not None:
        for following, choice in decided(world, readings.TransactionalToPlain):
            if choice is readings.TransactionalToPlain.REFUSED:
                yield following, Failed()
            else:
                yield from rules.put_and_served(following, name, event)
    else:
        yield from rules.put_and_served(world, name, event)


def to_wrong_kind(rules: "QueueManager", world: World, name: QueueName, event: Send) -> Branches:
    """Yield what comes of a send to a transactional queue without a transaction: it never arrives.

    The send fails, or the message is refused later. Section 3.2.1 (MQSO-3.2.1-07), register QM-12.
    """
    for following, choice in decided(world, readings.WrongKindOfQueue):
        if choice is readings.WrongKindOfQueue.SEND_FAILS:
            yield following, Failed()
        else:
            yield from ((after, Done()) for after in rules.refused_later(following, event.message))


def put_and_served(rules: "QueueManager", world: World, name: QueueName, event: Send) -> Branches:
    """Yield what comes of a message that passed the checks: it is in its queue, or a waiting reader has it."""
    for following, message in rules.admitted(world, name, event.message):
        if message is None:
            yield from rules.sender_rejected(following, event.message, event.transaction)
            continue
        for after, taken in rules.put(following, name, message, event.transaction):
            if taken:
                yield from ((served, Done()) for served in rules.served(after, name))
            else:
                yield after, Failed()


def sender_rejected(
    rules: "QueueManager", world: World, message: Message, transaction: TransactionId | None
) -> Branches:
    """Yield what comes of a message that is rejected for its sender: it never arrives.

    The send fails, or the message is refused later (register QM-51). Sections 7.3 and 7.4.1.4.2 (MQSO-7.3-03,
    MQSO-7.4.1.4.2-03).
    """
    for following, choice in decided(world, readings.RejectedSender):
        if choice is readings.RejectedSender.SEND_FAILS:
            yield following, Failed()
        else:
            yield from ((after, Done()) for after in rules.refused_within(following, message, transaction))


class Proof(StrEnum):
    """What the seal of a message proves of its sender (7.4.1.4)."""

    NOTHING = "nothing"
    """Signature, certificate or identity are missing."""
    BROKEN = "broken"
    """The message is not what was signed."""
    STRANGER = "stranger"
    """No user in the directory has the certificate."""
    ANOTHER = "another"
    """The user who has the certificate is not the one whom the message names."""
    SENDER = "sender"


def proof(rules: "QueueManager", seal: Seal, registered: frozenset[User]) -> Proof:
    """Return what a seal proves, in the order of the text.

    Sections 7.4.1.2 (MQSO-7.4.1.2-01), 7.4.1.4.1 (MQSO-7.4.1.4.1-01) and 7.4.1.4.2 (MQSO-7.4.1.4.2-01 to -05).
    """
    if seal.signed_by is None or seal.identity is None:
        return Proof.NOTHING
    if seal.altered:
        return Proof.BROKEN
    if seal.signed_by not in registered:
        return Proof.STRANGER
    return Proof.SENDER if seal.identity == seal.signed_by else Proof.ANOTHER


def admitted(
    rules: "QueueManager", world: World, name: QueueName, message: Message
) -> Iterator[tuple[World, Message | None]]:
    """Yield a message as its queue takes it, marked with what is known of its sender; None where it is rejected.

    In Workgroup mode there is no directory to look a sender up in (1.1), and nothing is said of senders.
    """
    if world.registered is None:
        yield world, message
        return
    proof = rules.proof(message.seal or Seal(), world.registered)
    marked = replace(message, authenticated=proof is Proof.SENDER if message.seal else None)
    for verified, passes in rules.verified(world, proof):
        for following, admits in rules.authorised(verified, name, marked) if passes else ((verified, False),):
            yield following, marked if admits else None


def verified(rules: "QueueManager", world: World, proof: Proof) -> Iterator[tuple[World, bool]]:
    """Yield whether a message passes by what it proves of its sender (register QM-37, QM-38).

    Who is another is rejected; of who is not known it is only said that he is unauthenticated. Section 7.4.1.4.2
    (MQSO-7.4.1.4.2-03, MQSO-7.4.1.4.2-04).
    """
    match proof:
        case Proof.NOTHING:
            yield from (
                (following, choice is readings.UnverifiedSender.DELIVERED)
                for following, choice in decided(world, readings.UnverifiedSender)
            )
        case Proof.BROKEN:
            yield from (
                (following, choice is readings.BrokenSignature.DELIVERED)
                for following, choice in decided(world, readings.BrokenSignature)
            )
        case Proof.STRANGER:
            yield from (
                (following, choice is readings.UnknownSender.DELIVERED)
                for following, choice in decided(world, readings.UnknownSender)
            )
        case Proof.ANOTHER | Proof.SENDER:
            yield world, proof is Proof.SENDER


def authorised(rules: "QueueManager", world: World, name: QueueName, message: Message) -> Iterator[tuple[World, bool]]:
    """Yield whether a queue takes a message from its sender, by the identity that the message carries.

    Section 7.3 (MQSO-7.3-03). Whether a claim that nothing proves is enough is left open.
    """
    properties = world.queues[name].properties
    if properties.authenticated_only and not message.authenticated:
        for following, choice in decided(world, readings.DemandedAuthentication):
            yield following, choice is readings.DemandedAuthentication.DELIVERED
        return
    identity = message.seal.identity if message.seal else None
    listed = rules.may_write(properties, identity)
    yield world, listed
    if properties.writers is not None and not message.authenticated and (listed or identity is None):
        yield world, not listed


def may_write(rules: "QueueManager", properties: Properties, identity: User | None) -> bool:
    """Return whether a user may add messages to a queue (7.3, MQSO-7.3-03)."""
    return properties.writers is None or identity in properties.writers


def may_read(rules: "QueueManager", properties: Properties, user: User | None) -> bool:
    """Return whether a user may look into a queue and receive from it (7.3, MQSO-7.3-02)."""
    return properties.readers is None or user in properties.readers


def may_use(rules: "QueueManager", world: World, opened: Opened) -> bool:
    """Return whether a user may use a queue for what it was opened for."""
    properties = world.queues[opened.queue].properties
    if opened.access is Access.SEND:
        return rules.may_write(properties, opened.user)
    return rules.may_read(properties, opened.user)
