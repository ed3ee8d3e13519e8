"""Who sent a message, and who may use a queue (7.3, 7.4.1.4).

No cryptography: a seal says what was signed and by whom, and what that is worth follows from it.
"""

from collections.abc import Iterator
from enum import StrEnum

from msgspec.structs import replace

from mqconform.reference.mqso.cursors import Cursors
from mqconform.reference.mqso.elements import Access, Message, Opened, Properties, QueueName, Seal, User
from mqconform.reference.mqso.readings import BrokenSignature, DemandedAuthentication, UnknownSender, UnverifiedSender
from mqconform.reference.mqso.world import World, decided


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


class Senders(Cursors):
    """Rules of senders and of access; each is a method, so that a faulty queue manager differs in one of them."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
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

    def admitted(self, world: World, name: QueueName, message: Message) -> Iterator[tuple[World, Message | None]]:
        """Yield a message as its queue takes it, marked with what is known of its sender; None where it is rejected.

        In Workgroup mode there is no directory to look a sender up in (1.1), and nothing is said of senders.
        """
        if world.registered is None:
            yield world, message
            return
        proof = self.proof(message.seal or Seal(), world.registered)
        marked = replace(message, authenticated=proof is Proof.SENDER if message.seal else None)
        for verified, passes in self.verified(world, proof):
            for following, admits in self.authorised(verified, name, marked) if passes else ((verified, False),):
                yield following, marked if admits else None

    def verified(self, world: World, proof: Proof) -> Iterator[tuple[World, bool]]:
        """Yield whether a message passes by what it proves of its sender (register QM-37, QM-38).

        Who is another is rejected; of who is not known it is only said that he is unauthenticated. Section 7.4.1.4.2
        (MQSO-7.4.1.4.2-03, MQSO-7.4.1.4.2-04).
        """
        match proof:
            case Proof.NOTHING:
                yield from (
                    (following, choice is UnverifiedSender.DELIVERED)
                    for following, choice in decided(world, UnverifiedSender)
                )
            case Proof.BROKEN:
                yield from (
                    (following, choice is BrokenSignature.DELIVERED)
                    for following, choice in decided(world, BrokenSignature)
                )
            case Proof.STRANGER:
                yield from (
                    (following, choice is UnknownSender.DELIVERED)
                    for following, choice in decided(world, UnknownSender)
                )
            case Proof.ANOTHER | Proof.SENDER:
                yield world, proof is Proof.SENDER

    def authorised(self, world: World, name: QueueName, message: Message) -> Iterator[tuple[World, bool]]:
        """Yield whether a queue takes a message from its sender, by the identity that the message carries.

        Section 7.3 (MQSO-7.3-03). Whether a claim that nothing proves is enough is left open.
        """
        properties = world.queues[name].properties
        if properties.authenticated_only and not message.authenticated:
            for following, choice in decided(world, DemandedAuthentication):
                yield following, choice is DemandedAuthentication.DELIVERED
            return
        identity = message.seal.identity if message.seal else None
        listed = self.may_write(properties, identity)
        yield world, listed
        if properties.writers is not None and not message.authenticated and (listed or identity is None):
            yield world, not listed

    def may_write(self, properties: Properties, identity: User | None) -> bool:
        """Return whether a user may add messages to a queue (7.3, MQSO-7.3-03)."""
        return properties.writers is None or identity in properties.writers

    def may_read(self, properties: Properties, user: User | None) -> bool:
        """Return whether a user may look into a queue and receive from it (7.3, MQSO-7.3-02)."""
        return properties.readers is None or user in properties.readers

    def may_use(self, world: World, opened: Opened) -> bool:
        """Return whether a user may use a queue for what it was opened for."""
        properties = world.queues[opened.queue].properties
        if opened.access is Access.SEND:
            return self.may_write(properties, opened.user)
        return self.may_read(properties, opened.user)
