"""Faults of senders and of access to queues."""

from mqconform.reference.mqso.elements import Properties, Seal, User
from mqconform.reference.mqso.faults.fault import breaks
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.senders import Proof


@breaks("7.4.1.4.1-01", "7.4.1.2-01", "7.4.1.4.2-01")
class AlteredAccepted(QueueManager):
    """A message is authenticated that was altered after it was signed."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.SENDER if proof is Proof.BROKEN else proof


@breaks("7.4.1.4.2-03", "7.4.1.2-01")
class OtherIdentityAccepted(QueueManager):
    """A message is authenticated that names another sender than the one who signed it."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.SENDER if proof is Proof.ANOTHER else proof


@breaks("7.4.1.4.2-03")
class OtherIdentityDelivered(QueueManager):
    """A message is delivered as unauthenticated that names another sender than the one who signed it."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.NOTHING if proof is Proof.ANOTHER else proof


@breaks("7.4.1.4.2-04", "7.4.1.4.2-02")
class UnknownAuthenticated(QueueManager):
    """A message is authenticated whose certificate no user has."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.SENDER if proof is Proof.STRANGER else proof


@breaks("7.4.1.4.2-05")
class UnsignedAuthenticated(QueueManager):
    """A message is authenticated that has no signature or names no sender."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.SENDER if proof is Proof.NOTHING else proof


@breaks("7.4.1.4.2-03", "7.4.1.4.2-01", "7.4.1.4.2-02", "7.3-04")
class AuthenticatesNobody(QueueManager):
    """No sender is authenticated."""

    def proof(self, seal: Seal, registered: frozenset[User]) -> Proof:
        proof = super().proof(seal, registered)
        return Proof.NOTHING if proof is Proof.SENDER else proof


@breaks("7.3-03", "7.3-02")
class AnybodyWrites(QueueManager):
    """Everybody may add messages to every queue."""

    def may_write(self, properties: Properties, identity: User | None) -> bool:
        return True


@breaks("7.3-03")
class NobodyWrites(QueueManager):
    """A queue with a list of writers takes messages from none of them."""

    def may_write(self, properties: Properties, identity: User | None) -> bool:
        return properties.writers is None


@breaks("7.3-02")
class AnybodyReads(QueueManager):
    """Everybody may receive from every queue."""

    def may_read(self, properties: Properties, user: User | None) -> bool:
        return True


@breaks("7.3-02")
class NobodyReads(QueueManager):
    """A queue with a list of readers hands out messages to none of them."""

    def may_read(self, properties: Properties, user: User | None) -> bool:
        return properties.readers is None
