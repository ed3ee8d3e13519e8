"""What has arrived so far in one exchange of datagrams, and whether it is worth waiting for more. No sockets here."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from mqconform.harness.iut.interface import Datagram, Exchange

REQUEST_ID = slice(20, 36)
"""Octets of a TopologyClientRequest that hold its RequestID (MS-MQSD 2.2.2)."""
CORRELATION_ID = slice(4, 20)
"""Octets of a TopologyServerReply that hold its CorrelationID (MS-MQSD 2.2.3)."""
ID_SIZE = 16

MAX_DATAGRAMS = 4_096
MAX_OCTETS = 32 * 1024 * 1024
"""More than this is not kept of one exchange: a flood must not fill the harness's memory."""


def request_id(datagram: bytes) -> bytes | None:
    """Return the RequestID of what may be a request; None where it is too short to have one."""
    identifier = datagram[REQUEST_ID]
    return identifier if len(identifier) == ID_SIZE else None


@dataclass(slots=True)
class Arrivals:
    """The datagrams of one exchange.

    Attributes:
        sent: how many datagrams were sent, the fence not counted.
        fence_id: RequestID of the fence.
        expected: how many replies are due.
        current: how often each RequestID was sent in this exchange.
        earlier: RequestIDs of earlier exchanges; replies to them fill no gap in this one.
        overdue: those that were waited for in full, in vain: what answers them now is not a slow reply but a wrong one.
        counted: replies that can be replies to this exchange, the fence's own not among them.
        fence_answer: the octets of the first answer to the fence.
        copies: the same octets again: doubled on the way, or what a server says in answer to something else.
        late: how many datagrams answered earlier exchanges, or did so once more: slow or doubled on the way, they are
            no replies here.
        impersonated: whether another host has answered the fence.
        fence_hopeless: whether the IUT answered none of many fences before, though it answered requests.
    """

    sent: int
    fence_id: bytes
    expected: int
    current: Counter[bytes]
    earlier: Collection[bytes]
    overdue: Collection[bytes] = ()
    replies: list[Datagram] = field(default_factory=list)
    foreign: list[Datagram] = field(default_factory=list)
    octets: int = 0
    counted: int = 0
    late: int = 0
    fence_answer: bytes | None = None
    copies: list[Datagram] = field(default_factory=list)
    impersonated: bool = False
    fence_hopeless: bool = False
    answered: Counter[bytes] = field(default_factory=Counter)

    def take(self, datagram: Datagram, *, from_iut: bool) -> None:
        """Add one datagram."""
        self.octets += len(datagram.octets)
        correlation = datagram.octets[CORRELATION_ID]
        if not from_iut:
            self.foreign.append(datagram)
            self.impersonated = self.impersonated or correlation == self.fence_id
            return
        if correlation == self.fence_id:
            if self.fence_answer is None:
                self.fence_answer = datagram.octets
                return
            if self.fence_answer == datagram.octets:
                self.copies.append(datagram)
                return
        due = correlation not in self.earlier or self.answered[correlation] < self.current[correlation]
        if not due and correlation not in self.overdue:
            self.late += 1
            return
        self.answered[correlation] += 1
        self.counted += due
        self.replies.append(datagram)

    def unanswered(self) -> Iterator[bytes]:
        """Yield the RequestIDs of this exchange, the fence's among them, that no reply has named."""
        yield from (identifier for identifier in self.current if not self.answered[identifier])
        if not self.fenced:
            yield self.fence_id

    @property
    def fenced(self) -> bool:
        """Whether the fence was answered."""
        return self.fence_answer is not None

    @property
    def overflow(self) -> bool:
        """Whether as much has arrived as is kept."""
        return (
            len(self.replies) + len(self.copies) + len(self.foreign) + self.late >= MAX_DATAGRAMS
            or self.octets >= MAX_OCTETS
        )

    @property
    def complete(self) -> bool:
        """Whether the fence and as many replies as datagrams are there: nothing more is waited for."""
        return self.fenced and self.counted >= max(self.sent, self.expected)

    @property
    def settled(self) -> bool:
        """Whether what is still missing need not come at all.

        More replies than datagrams stand for the fence too: one of them may be its answer, garbled. Where another
        host answers in the IUT's place, what the IUT has not said by then is not waited for. Nor is the fence, once
        an IUT that answers requests has left many fences unanswered.
        """
        if self.impersonated:
            return True
        stands_for_fence = self.fenced or self.counted > self.sent or (self.fence_hopeless and self.counted > 0)
        return self.counted >= self.expected and stands_for_fence

    @property
    def silent(self) -> bool:
        """Whether nothing at all came from the IUT."""
        return not (self.fenced or self.replies or self.late)

    def result(self, *, refused: bool) -> Exchange:
        """Return the exchange as it stands, ``refused`` telling that the IUT's port turned out closed.

        Copies of the answer to the fence are replies only where a reply that was due did not come.
        """
        alive: bool | None = self.fenced
        if not self.fenced and not refused and (self.overflow or self.counted > self.sent):
            alive = None
        replies = (*self.replies, *(self.copies if self.counted < self.expected else ()))
        return Exchange(replies, tuple(self.foreign), alive, self.overflow)


def ids_of(datagrams: Sequence[bytes]) -> Iterator[bytes]:
    """Yield the RequestIDs of datagrams that are long enough to have one."""
    return (identifier for datagram in datagrams if (identifier := request_id(datagram)))
