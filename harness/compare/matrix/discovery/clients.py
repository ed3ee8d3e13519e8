"""The client's side of a scenario: a program of its own, or an implementation that takes orders."""

import selectors
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from mqconform.harness.compare.matrix.discovery.computers import Computers, Limits, Program
from mqconform.harness.compare.matrix.implementation import Implementation
from mqconform.harness.iut.interface import ClientFacts, IutFault, Json, Unsupported
from mqconform.harness.tools.serve.discovery_client import Networks
from mqconform.reference.mqsd.specification import FACTS

TICK: Final = 0.1
"""Seconds by which a client that takes orders is told the time."""
SLICE: Final = 0.5
"""Seconds for which nobody looks whether the networks are flooded."""
MOST_SENDS: Final = 50
"""A client that sends more in one search is flooding."""
MOST_SAID: Final = 1024 * 1024
"""Octets that a program writes in one search; a line for each event has some hundreds."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a client told of one search.

    Attributes:
        at: when it told, in nanoseconds since 1970.
        complete: the completion, as the IUT protocol has it; None where it told none.
        state: what it showed of itself, as ``discovery_client.state`` has it.
    """

    at: int
    complete: Json | None = None
    state: Json | None = None


class Client(Protocol):
    """A discovery client on the client's computer."""

    shows_completion: bool

    def begin(self) -> None:
        """Make it search."""

    def search(self, seconds: float) -> Told:
        """Return what it told at the end of its search, after waiting for so long at most.

        Raises:
            IutFault: it ended as no search ends, or did not end in time.
        """

    def end(self) -> None:
        """End it; never raises."""


def client_of(one: Implementation, computers: Computers, enterprise: str, site: str, limits: Limits) -> Client:
    """Return the client of an implementation, as freshly started."""
    if one.client:
        return ProgramClient(one.client, computers, {"enterprise": enterprise, "site": site}, limits)
    return CalledClient(one, computers, {"enterprise": enterprise, "site": site}, limits)


class ProgramClient:
    """A program that searches once and ends."""

    def __init__(self, facts: ClientFacts, computers: Computers, ids: Json, limits: Limits) -> None:
        self.shows_completion = facts.outcome != "none"
        self._facts, self._computers = facts, computers
        self._said, self._limits = ids, limits
        self._program: Program | None = None

    def begin(self) -> None:
        """Start it; see ``Client.begin``."""
        self.end()
        self._program = self._computers.start_client(self._words())

    def search(self, seconds: float) -> Told:
        """Wait for its end; see ``Client.search``."""
        program = self._program
        assert program is not None, "a search begins first"
        until = time.monotonic() + seconds
        while program.ended is None and (left := until - time.monotonic()) > 0:
            _wait(program.descriptors(), min(left, SLICE))
            program.look()
            self._limits.go_on()
            _refuse_flood(self._computers)
            if program.said > MOST_SAID:
                raise IutFault("oversize", f"the client wrote more than {MOST_SAID} octets to its standard output")
        if program.ended is None:
            raise IutFault("deadline", f"the client still runs {seconds:g} s after it was started")
        found = program.result(self._facts.outcome)
        at = found[0] if found else program.ended
        epoch = at + time.time_ns() - time.monotonic_ns()
        return Told(epoch, found[1], found[2]) if found else Told(epoch)

    def end(self) -> None:
        """See ``Client.end``."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _words(self) -> list[str]:
        words: list[str] = []
        for word in self._facts.start:
            if word == "{networks}":
                words += [
                    _filled(one, {**self._said, **each}) for each in self._computers.each for one in self._facts.network
                ]
            else:
                words.append(_filled(word, self._said))
        return words


class CalledClient:
    """An implementation that says what it sends and is told what arrives; the harness has the sockets and the clock."""

    shows_completion = True

    def __init__(self, one: Implementation, computers: Computers, ids: Json, limits: Limits) -> None:
        self._by_address = {f"{each['address']}/{each['prefix']}": each["network"] for each in computers.each}
        self._computers, self._limits = computers, limits
        self._configuration = {**ids, "networks": [{"address": name} for name in self._by_address.values()]}
        self._iut = computers.at_client(lambda: one.connect(limits.deadline))
        try:
            self._sockets = self._opened()
        except BaseException:
            self._iut.close()
            raise
        self._addresses = {name: address for address, name in self._by_address.items()}
        self._told = 0.0
        self._sent = 0
        self._complete: Told | None = None

    def begin(self) -> None:
        """Make it search as freshly started; see ``Client.begin``."""
        self._iut.call("reset", {})
        self._iut.call("discovery_client.configure", self._configuration)
        # A reply that came late for the search before must not wait in a socket for this one.
        self._sockets.close()
        self._sockets = self._opened()
        self._complete, self._sent = None, 0
        self._told = time.monotonic()
        self._call("start", {})

    def search(self, seconds: float) -> Told:
        """Carry datagrams and time until it is over; see ``Client.search``."""
        until = time.monotonic() + seconds
        while self._complete is None and time.monotonic() < until:
            arrived = self._sockets.receive(TICK)
            self._let_pass()
            self._limits.go_on()
            _refuse_flood(self._computers)
            if arrived is not None and self._complete is None:
                address, octets, _ = arrived
                self._call("receive", {"network": self._by_address[address], "datagram": octets.hex()})
        if self._complete is None:
            raise IutFault("deadline", f"the client told no end of its search within {seconds:g} s")
        return self._complete

    def end(self) -> None:
        """See ``Client.end``."""
        self._sockets.close()
        self._iut.close()

    def _opened(self) -> Networks:
        return self._computers.broadcast([*self._by_address], FACTS.udp_port)

    def _let_pass(self) -> None:
        now = time.monotonic()
        passed, self._told = now - self._told, now
        self._call("advance_clock", {"seconds": passed})

    def _call(self, operation: str, params: Json) -> None:
        for effect in self._iut.call(f"discovery_client.{operation}", params).get("effects", ()):
            if "send" in effect:
                self._send(effect["send"])
            elif self._complete is None:
                self._complete = Told(time.time_ns(), effect, self._state())

    def _send(self, sent: Json) -> None:
        self._sent += 1
        if self._sent > MOST_SENDS:
            raise IutFault("oversize", f"the client sent more than {MOST_SENDS} datagrams in one search")
        address = self._addresses.get(sent["network"])
        if address is None:
            raise IutFault("schema", f"the client sends on network {sent['network'][:80]!r}, which it was not given")
        self._sockets.send(address, bytes.fromhex(sent["datagram"]))

    def _state(self) -> Json | None:
        try:
            return self._iut.call("discovery_client.state", {})
        except Unsupported:
            return None


def _filled(word: str, said: Json) -> str:
    for name, value in said.items():
        word = word.replace(f"{{{name}}}", str(value))
    return word


def _refuse_flood(computers: Computers) -> None:
    """End a search in which more passes than any search takes; the capture tells who sent it."""
    if computers.flooded:
        raise IutFault("oversize", "more passed on the networks than any search takes")


def _wait(descriptors: Sequence[int], seconds: float) -> None:
    with selectors.DefaultSelector() as selector:
        for one in descriptors:
            selector.register(one, selectors.EVENT_READ)
        selector.select(seconds)
