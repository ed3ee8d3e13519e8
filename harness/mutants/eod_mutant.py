"""What a mutant of exactly-once delivery is: one end, or the sender to many destinations, made wrong in one thing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from mqconform.harness.builtin.discovery_server import ReferenceIut
from mqconform.harness.builtin.ordered_receiver import ReferenceOrderedReceiver
from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender
from mqconform.harness.builtin.transaction import ReferenceTransaction
from mqconform.harness.iut import Json
from mqconform.harness.mutants.eod_consequences import ALSO

EndRole = Literal["ordered_receiver", "ordered_sender", "transaction"]
CAPABILITIES: dict[EndRole, list[str]] = {
    "ordered_receiver": ["virtual-clock", "restart", "sequences"],
    "ordered_sender": ["virtual-clock", "restart"],
    "transaction": ["send-faults"],
}


@dataclass(frozen=True, slots=True)
class EndMutant:
    """An implementation of one role of exactly-once delivery, with one known peculiarity.

    Attributes:
        name: after ``mutant:`` on the command line.
        says: what is peculiar, in one sentence.
        end: makes the role.
        breaks: requirements of which at least one has to be found violated; none where it conforms.
        capabilities: what it offers beyond what it has to; None for all that there is.
    """

    name: str
    says: str
    role: EndRole
    end: Callable[[], Any]
    breaks: tuple[str, ...] = ()
    capabilities: tuple[str, ...] | None = None

    @property
    def also(self) -> tuple[str, ...]:
        """Requirements, or prefixes of ids, that the same defect violates inevitably."""
        return ALSO.get(self.name, ())

    def iut(self) -> "EndMutantIut":
        """Return the implementation, freshly started."""
        return EndMutantIut(self)


class EndMutantIut(ReferenceIut):
    """The reference with one role made otherwise, and no other role."""

    def __init__(self, mutant: EndMutant) -> None:
        self.name = f"mutant {mutant.name}"
        self._mutant = mutant
        super().__init__()

    def description(self) -> Json:
        """Return the reference's description with the one role that is changed."""
        offered = self._mutant.capabilities
        return super().description() | {
            "roles": [self._mutant.role],
            "capabilities": CAPABILITIES[self._mutant.role] if offered is None else [*offered],
            "specs": {"EOD": "Windows Server 2003"},
        }

    def make_ordered_receiver(self) -> ReferenceOrderedReceiver:
        """Return the mutant's receiver, if it is one."""
        if self._mutant.role != "ordered_receiver":
            return super().make_ordered_receiver()
        receiver: ReferenceOrderedReceiver = self._mutant.end()
        return receiver

    def make_ordered_sender(self) -> ReferenceOrderedSender:
        """Return the mutant's sender, if it is one."""
        if self._mutant.role != "ordered_sender":
            return super().make_ordered_sender()
        sender: ReferenceOrderedSender = self._mutant.end()
        return sender

    def make_transaction(self) -> ReferenceTransaction:
        """Return the mutant's sender to many destinations, if it is one."""
        if self._mutant.role != "transaction":
            return super().make_transaction()
        transaction: ReferenceTransaction = self._mutant.end()
        return transaction


def receiving(name: str, receiver: type[ReferenceOrderedReceiver], *breaks: str) -> EndMutant:
    """Return the mutant of a receiver class, which says in its docstring what is peculiar about it."""
    return EndMutant(name, _first_line(receiver), "ordered_receiver", receiver, breaks)


def sending(name: str, sender: type[ReferenceOrderedSender], *breaks: str) -> EndMutant:
    """Return the mutant of a sender class."""
    return EndMutant(name, _first_line(sender), "ordered_sender", sender, breaks)


def transacting(name: str, transaction: type[ReferenceTransaction], *breaks: str) -> EndMutant:
    """Return the mutant of a class that sends to many destinations."""
    return EndMutant(name, _first_line(transaction), "transaction", transaction, breaks)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]
