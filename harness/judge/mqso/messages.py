"""The messages of a scenario: what a queue manager is asked to do with them, and which of them it hands out.

A message goes by the name that the scenario gives it. An implementation has identifiers of its own for messages: the
one that a send gave travels with the message (5.1.1, MQSO-5.1.1-03), acknowledgments and answers name it.
"""

from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.iut.interface import IutFault, Json, Unsupported
from mqconform.reference.mqso import elements
from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.elements import (
    QueueName,
)
from mqconform.reference.mqso.events import Failed, Got
from mqconform.reference.mqso.networked_queue_manager import far, is_far, is_multicast, parts_of
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.sending import Proof

MACHINE: Final = "oslo"
STRANGE: Final = elements.Key("a message never sent")
"""What is handed out and was never sent."""
ANOTHER: Final = elements.Key("another")
"""What an acknowledgment is about that names no message of the scenario."""
OTHER_IDENTIFIER: Final = "with an identifier different from its send"
"""How the name of a message ends that is handed out so."""


@dataclass(slots=True)
class Messages:
    """What was sent, and by which identifiers.

    Attributes:
        doubt: why it is not known which message an answer names; empty where it is.
        several: there are several machines, so that a queue is named with its machine.
        bodies: of the messages whose body is not their name.
        registered: the users whose certificates the directory has.
        _sent: each message that was sent, or tried to.
        _ids: the identifiers that sends gave; whether as text or as a number does not matter.
    """

    doubt: str = ""
    several: bool = False
    bodies: dict[elements.Key, str] = field(default_factory=dict)
    registered: frozenset[elements.User] = frozenset()
    _sent: dict[elements.Key, elements.Message] = field(default_factory=dict)
    _ids: dict[elements.Key, object] = field(default_factory=dict)

    def asked_of(self, message: elements.Message) -> Json:
        """Return what a send says of a message."""
        params: Json = {"message": self.bodies.get(message.key, message.key)}
        params["assurance"] = "express" if message.assurance is elements.Assurance.EXPRESS else "recoverable"
        if message.receive_within is not None:
            params["time_to_be_received"] = message.receive_within / elements.SECOND
        if message.reach_within is not None:
            params["time_to_reach_queue"] = message.reach_within / elements.SECOND
        params |= {flag: True for flag in ("dead_letter", "journal") if getattr(message, flag)}
        if message.asked:
            params["acknowledgments"] = sorted(acknowledgment.value for acknowledgment in message.asked)
        if message.administration is not None:
            params["administration_queue"] = address_of(message.administration)
        if message.response is not None:
            params["response_queue"] = address_of(message.response)
        if message.correlation is not None:
            params["correlation"] = self._ids.get(message.correlation, message.correlation)
        params |= {"encrypt": True} if message.encrypted else {}
        if message.seal is not None:
            params |= {"sign": message.seal.signed_by is not None} | ({"altered": True} if message.seal.altered else {})
            if message.seal.identity != sender_of(message):
                params["identity"] = message.seal.identity
        self._sent[message.key] = message
        return params

    def note(self, message: elements.Message, identifier: object) -> None:
        """Remember the identifier that a send gave, None where it gave none."""
        if identifier is not None:
            self._ids[message.key] = identifier

    def identifier_of(self, key: elements.Key) -> object:
        """Return the identifier that the send of a message gave, None where it gave none."""
        return self._ids.get(key)

    def handed_out(self, answer: Json, queue: elements.QueueName | None) -> Got | Failed:
        """Return what an answer hands out.

        Args:
            answer: to an operation, or one of the outcomes.
            queue: from which it comes, None where that is not known.

        Raises:
            IutFault: it says neither.
            Unsupported: it was sent with a word of its sender, and the answer has none. A message that names another
                sender than its own must not be handed out whatever is said of it (MQSO-7.4.1.4.2-03).
        """
        if "message" not in answer:
            if "failed" in answer:
                return Failed()
            raise IutFault(
                "schema", "queue_manager.outcomes: a receive ends with a message or with failed; give exactly one"
            )
        message = answer["message"]
        if "acknowledgment" in message:
            report = message["acknowledgment"]
            return Got(report_key(elements.Report(self._named(report["of"]) or self._refused(), report["positive"])))
        key = self._called(str(message["message"]), message["id"])
        sent = self._sent.get(key)
        if sent is None:
            return Got(STRANGE)
        # What copies in the system's own queues are called is left open.
        if queue not in elements.SYSTEM_QUEUES and str(message["id"]) != str(self._ids.get(key, message["id"])):
            return Got(elements.Key(f"{key} {OTHER_IDENTIFIER}"))
        asked, answered = sent.response is not None, sent.correlation is not None
        seal = None if queue in elements.SYSTEM_QUEUES else sent.seal
        must_be_known = seal is not None and QueueManager().proof(seal, self.registered) is not Proof.ANOTHER
        if must_be_known and "authenticated" not in message:
            raise Unsupported("queue_manager.receive: lacks whether the sender is authenticated")
        correlation = message.get("correlation") if answered else None
        return Got(
            key,
            None if correlation is None else self._named(correlation) or STRANGE,
            _queue_of(message.get("response_queue"), several=self.several) if asked else None,
            None if seal is None else message.get("authenticated", False),
        )

    def _called(self, body: str, identifier: object) -> elements.Key:
        """Return the message of a body; where several have it, the one of an identifier, or else the first."""
        if not self.bodies:
            return elements.Key(body)
        alike = [key for key in self._sent if self.bodies.get(key, key) == body]
        named = [key for key in alike if str(self._ids.get(key)) == str(identifier)]
        return next(iter((*named, *alike)), STRANGE)

    def _refused(self) -> elements.Key:
        """Return the one message whose send gave no identifier: a report that names no other is about that."""
        refused = [key for key in self._sent if key not in self._ids]
        return refused[0] if len(refused) == 1 else ANOTHER

    def _named(self, identifier: object) -> elements.Key | None:
        """Return the message of an identifier, None where it names none."""
        named = [key for key, sent_id in self._ids.items() if str(sent_id) == str(identifier)]
        if len(named) > 1:
            self.doubt = f"{' and '.join(named[:2])} have the same identifier"
        return named[-1] if named else None


def sender_of(message: elements.Message) -> elements.User | None:
    """Return on whose behalf a message is sent: who signs it, or else who is named in it."""
    return None if message.seal is None else message.seal.signed_by or message.seal.identity


def address_of(queue: QueueName, machine: str = MACHINE) -> Json:
    """Return the address of a queue, of a machine unless its name says of which."""
    if is_multicast(queue):
        return {"multicast": parts_of(queue)[1]}
    if is_far(queue):
        machine, queue = parts_of(queue)
    if queue in elements.SYSTEM_QUEUES or queue == elements.CONNECTOR:
        return {"system": queue.removeprefix("*"), "machine": machine}
    return {"direct": {"machine": machine, "queue": queue}}


def _queue_of(address: object, *, several: bool) -> elements.QueueName | None:
    """Return the queue of a direct address, None where it is nothing of the kind: its form is not judged."""
    direct = address.get("direct") if isinstance(address, dict) else None
    queue = direct.get("queue") if isinstance(direct, dict) else None
    if not isinstance(direct, dict) or not isinstance(queue, str):
        return None
    return far(str(direct.get("machine")), queue) if several else elements.QueueName(queue)
