"""Faults of senders and of access to queues."""

from mqconform.reference.mqso.elements import Seal, User
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.sending import Proof


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


ANYBODY_WRITES = fault("anybody-writes", "7.3-03 7.3-02", "Everybody may add messages to every queue.",
    may_write=lambda self, properties, identity: True)  # fmt: skip
NOBODY_WRITES = fault("nobody-writes", "7.3-03", "A queue with a list of writers takes messages from none of them.",
    may_write=lambda self, properties, identity: properties.writers is None)  # fmt: skip
ANYBODY_READS = fault("anybody-reads", "7.3-02", "Everybody may receive from every queue.",
    may_read=lambda self, properties, user: True)  # fmt: skip
NOBODY_READS = fault("nobody-reads", "7.3-02", "A queue with a list of readers hands out messages to none of them.",
    may_read=lambda self, properties, user: properties.readers is None)  # fmt: skip
