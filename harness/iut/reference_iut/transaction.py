"""The reference of transactional sends as an implementation under test: role ``transaction`` of the IUT protocol."""

from collections.abc import Iterable
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import QUEUES, Call, calls_of
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import transaction
from mqconform.reference.eod.transaction import Contents, Network, Queue, Send

EMPTY = Network(queues={})


class UnknownTransaction(Exception):
    """An operation names a transaction that was not begun or is over."""


class ReferenceTransaction:
    """Role ``transaction`` over the pure model of sends to many destinations."""

    def __init__(self) -> None:
        self.network = EMPTY
        self.open: dict[int, list[Send]] = {}
        """What each transaction has sent that is not over."""
        self._begun = 0

    def configure(self, queues: list[Json], lists: list[Json] | None = None) -> Json:
        """Start afresh with target queues and distribution lists."""
        self.reset()
        self.network = Network(
            {queue["name"]: Queue(queue["name"], queue["machine"], queue["transactional"]) for queue in queues},
            {listing["name"]: tuple(listing["elements"]) for listing in lists or ()},
        )
        return {}

    def begin(self) -> Json:
        """Begin a transaction."""
        self._begun += 1
        self.open[self._begun] = []
        return {"transaction": self._begun}

    def send(
        self, transaction: int, message: str | int, destination: list[str], administration_queue: str | None = None
    ) -> Json:
        """Send within a transaction; nothing goes out before it commits."""
        self._sends(transaction).append(Send(message, tuple(destination), administration_queue))
        return {}

    def commit(self, transaction: int) -> Json:
        """End a transaction: all its copies go out, or none (page, section 1)."""
        sends = self._sends(transaction)
        del self.open[transaction]
        self.network, committed = self.put(self.network, sends)
        return {"committed": committed}

    def abort(self, transaction: int) -> Json:
        """End a transaction with nothing sent."""
        self._sends(transaction)
        del self.open[transaction]
        return {}

    def fail_queue(self, queue: str, failing: bool) -> Json:  # noqa: FBT001 (a field of the protocol)
        """Let an outgoing queue take no copies, or heal it."""
        failed = self.network.failing - {queue} | ({queue} if failing else set())
        self.network = replace(self.network, failing=frozenset(failed))
        return {}

    def deliver(self) -> Json:
        """Let every waiting copy reach its computer (page, section 1)."""
        self.network = self.arrive(self.network)
        return {}

    def state(self) -> Json:
        """Show where the copies are."""
        acknowledgments_by_place = {
            place: [
                {"message": acknowledgment.message, "queue": acknowledgment.queue, "class": acknowledgment.reason}
                for acknowledgment in acknowledgments
            ]
            for place, acknowledgments in self.network.acknowledgments.items()
        }
        return {
            "outgoing": _shown(self.network.outgoing),
            "queues": _shown(self.network.delivered),
            "dead_letters": _shown(self.network.dead_letters),
            "acknowledgments": acknowledgments_by_place,
        }

    def reset(self) -> None:
        """Reset to the initial state."""
        self.network = EMPTY
        self.open = {}
        self._begun = 0

    # What follows is what mutants change.

    def put(self, network: Network, sends: Iterable[Send]) -> tuple[Network, bool]:
        """Return the network after the commit of a transaction, and whether it committed."""
        return transaction.commit(network, sends)

    def arrive(self, network: Network) -> Network:
        """Return the network after every waiting copy arrived."""
        return transaction.deliver(network)

    def _sends(self, name: int) -> list[Send]:
        try:
            return self.open[name]
        except KeyError:
            raise UnknownTransaction(f"transaction {name} is not open; call transaction.begin first") from None


def _shown(contents: Contents) -> Json:
    return {place: [copy.message for copy in copies] for place, copies in contents.items() if copies}


ROLE = Role(
    RoleName.TRANSACTION,
    "EOD",
    "Windows Server 2003",
    folder="eod",
    reference=ReferenceTransaction,
    capabilities=(Capability.SEND_FAULTS,),
    smoke_calls=calls_of(
        RoleName.TRANSACTION,
        Call("configure", {"queues": QUEUES, "lists": [{"name": "list", "elements": ["queue"]}]}),
        Call("fail_queue", {"queue": "queue", "failing": False}, capability="send-faults"),
        Call("deliver"),
        Call("state"),
    ),
)
