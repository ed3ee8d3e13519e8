"""Exchanges of datagrams with one host, by a real socket and the real clock."""

import errno
import math
import select
from collections import Counter
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from time import monotonic

from mqconform.adapters.datagrams.arrivals import MAX_DATAGRAMS, Arrivals, ids_of, request_id
from mqconform.adapters.datagrams.endpoint import GONE, QUEUE_READ, Endpoint, open_socket, queued_errors, source_address
from mqconform.adapters.networks.address import host_of, text_of
from mqconform.harness.iut.contention import Deadline
from mqconform.harness.iut.interface import Datagram, Exchange, IutFault, NotApplicable, Silent

LARGEST = 65_536
LOOPBACK_GRACE = 0.03
NETWORK_GRACE = 0.25
"""Least seconds to wait for replies that are not mandatory, after the fence was answered."""
MOST_GRACE = 1.0
"""Most seconds for them: what a server may take for a reply."""
GRACE_FACTOR = 5
"""Between the two: how many times the longest that this server took, or this machine under load."""
DEAF_SECONDS = 1.0
"""How long a host is waited for that was waited for in full once, and of which nothing was ever heard."""
SILENCES = 3
"""Silent exchanges in a row that mean "gone": a wrong server may be silent to one kind of request only."""
FENCES = 6
"""Fences in a row that were waited for in vain, though requests were answered; later ones are waited for briefly."""
SEND_SECONDS = 1.0
SEND_TRIES = 3
"""A send that reports the error of an earlier one has not sent anything and is repeated."""


class Conversation:
    """One socket that talks to one IUT from the opening to the end of a run.

    Attributes:
        own_address: ``host:port`` of the harness's end.
        lossless: whether the way to the IUT does not leave this machine, as addresses or the caller tell.
        strays: how many datagrams arrived between exchanges, or answered an earlier one.
    """

    def __init__(self, endpoint: Endpoint, reply_timeout: float, *, lossless: bool = False) -> None:
        self.endpoint = endpoint
        self._reply_timeout = reply_timeout
        source = source_address(endpoint)
        self.lossless = lossless or endpoint.host.is_loopback or ip_address(source.partition("%")[0]) == endpoint.host
        self._grace = LOOPBACK_GRACE if self.lossless else NETWORK_GRACE
        self._socket = open_socket(endpoint, source)
        self.own_address = text_of(self._socket.getsockname())
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self._earlier: set[bytes] = set()
        self._overdue: set[bytes] = set()
        self._refusal = ""
        self._slowest = 0.0
        """Longest wait for what had to come so far; replies after that time are known to be slow ones."""
        self._heard = False
        self._deaf = False
        """Nothing was ever heard although it was waited for in full once: later waits are short until it is."""
        self._dead = False
        self._silences = 0
        self._unanswered_fences = 0
        self.strays = 0

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> Exchange:
        """Send datagrams and a fence and return what came back; see ``DatagramCarrier.exchange``."""
        if self._socket.fileno() < 0:
            raise IutFault("exited", f"udp:{self.endpoint}: the connection is closed")
        arrivals = self._arrivals(datagrams, fence, expected)
        if not self._drained():
            return Exchange((), overflow=True)
        self._refusal = ""
        if self._dead:
            self._send(fence)  # an answer to it, found by a later exchange, revives the IUT
            return Exchange((), alive=False)
        for datagram in (*datagrams, fence):
            if not self._refusal:
                self._send(datagram)
        if not self._await(arrivals) or arrivals.fence_hopeless:
            self._overdue.update(arrivals.unanswered())
        self._note_late(arrivals)
        self._earlier.update(ids_of([*datagrams, fence]))
        self._judge_life(arrivals)
        self._unanswered_fences = 0 if arrivals.fenced else self._unanswered_fences + 1
        return arrivals.result(refused=bool(self._refusal))

    def knock(self, datagrams: Sequence[bytes], seconds: float) -> bool:
        """Send requests and tell whether the IUT sends anything within that time, be it refused meanwhile or not.

        Replies that come later are known as replies to an earlier exchange.
        """
        until = monotonic() + seconds
        self._earlier.update(ids_of(datagrams))
        for datagram in datagrams:
            self._send(datagram)
        while True:
            self._note_errors()
            if any(from_iut for _, from_iut in self._received()):
                self._heard = True
                return True
            if (left := until - monotonic()) <= 0:
                return False
            self._poll.poll(left * 1_000)

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _arrivals(self, datagrams: Sequence[bytes], fence: bytes, expected: int) -> Arrivals:
        fence_id, current = request_id(fence), Counter(ids_of(datagrams))
        if fence_id is None:
            raise ValueError(f"the fence has {len(fence)} octets, too few for a RequestID")
        if fence_id in current:
            raise ValueError("the fence has the RequestID of a datagram; their answers cannot be distinguished")
        hopeless = self._unanswered_fences >= FENCES
        return Arrivals(
            len(datagrams), fence_id, expected, current, self._earlier, self._overdue, fence_hopeless=hopeless
        )

    def _drained(self) -> bool:
        """Throw away what arrived since the last exchange; False where it does not end."""
        for count, (_, from_iut) in enumerate(self._received()):
            self.strays += 1
            if from_iut:
                self._heard, self._deaf, self._dead, self._silences = True, False, False, 0
            if count >= MAX_DATAGRAMS:
                return False
        return True

    def _send(self, datagram: bytes) -> None:
        for _ in range(SEND_TRIES):
            try:
                self._socket.sendto(datagram, self.endpoint.address)
            except BlockingIOError:
                select.select([], [self._socket], [], SEND_SECONDS)
            except OSError as error:
                if error.errno == errno.EMSGSIZE:
                    raise NotApplicable(f"{len(datagram)} octets do not fit into one UDP datagram") from error
                if not self._note_errors():
                    self._refusal = f"{error.strerror}"
            else:
                return

    def _await(self, arrivals: Arrivals) -> bool:
        """Collect until nothing more is to be waited for; False where ``reply_timeout`` ends that before."""
        began, deadline = monotonic(), Deadline(min(self._reply_timeout, DEAF_SECONDS if self._deaf else math.inf))
        settled = False
        while True:
            left = deadline.left()
            self._collect(arrivals)
            if arrivals.complete or arrivals.overflow or self._refusal or left <= 0:
                # after the time was up, one last look was taken: a busy machine is not the IUT's fault
                return arrivals.complete or settled or left > 0
            if arrivals.settled and not settled:
                settled = True
                self._slowest = max(self._slowest, monotonic() - began)
                deadline = Deadline(min(deadline.left(), self._grace_now()))
            self._poll.poll(max(0.0, deadline.left()) * 1_000)

    def _grace_now(self) -> float:
        """Return how long to wait for what need not come, given how long the rest has taken so far."""
        return min(MOST_GRACE, max(self._grace, GRACE_FACTOR * self._slowest))

    def _note_late(self, arrivals: Arrivals) -> None:
        """Count replies to earlier exchanges, and wait longer from now on: the server was too slow for one."""
        if arrivals.late:
            self.strays += arrivals.late
            self._slowest = max(self._slowest, MOST_GRACE)

    def _collect(self, arrivals: Arrivals) -> None:
        """Take what has arrived. Errors first: what came before them is then still taken."""
        self._note_errors()
        for datagram, from_iut in self._received():
            arrivals.take(datagram, from_iut=from_iut)
            if arrivals.overflow:
                return

    def _received(self) -> Iterator[tuple[Datagram, bool]]:
        """Yield what can be received without waiting, and whether it came from the IUT's host."""
        errors = 0
        while errors < QUEUE_READ:
            try:
                octets, address = self._socket.recvfrom(LARGEST)
            except BlockingIOError:
                return
            except OSError:
                errors += 1
                self._note_errors()  # the call reports the error of an earlier send, once
                continue
            yield Datagram(octets, text_of(address)), host_of(address) == self.endpoint.host

    def _note_errors(self) -> bool:
        """Empty the error queue; return whether it says that the IUT cannot be reached."""
        gone = [
            error
            for error in queued_errors(self._socket)
            if error.number in GONE and error.destination[:2] == self.endpoint.address[:2]
        ]
        if gone:
            self._refusal = str(gone[0])
        return bool(gone)

    def _judge_life(self, arrivals: Arrivals) -> None:
        """Remember whether the IUT has ever been heard, and whether it is gone now.

        Raises:
            Silent: it was never heard.
        """
        if arrivals.silent and not self._heard:
            self._deaf = True
            why = self._refusal or f"nothing heard within {self._reply_timeout:g} s"
            others = sorted({arrival.source for arrival in arrivals.foreign})[:5]
            answered = f"; {', '.join(others)} answered instead" if others else ""
            raise Silent(f"udp:{self.endpoint}: {why}{answered}; check that the server runs and listens there")
        self._heard, self._deaf = True, False
        self._silences = self._silences + 1 if arrivals.silent else 0
        refused = bool(self._refusal) and not arrivals.fenced
        self._dead = refused or self._silences >= SILENCES
