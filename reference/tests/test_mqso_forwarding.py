"""Messages between machines that are not neighbours: each hop by a router, streams end to end, faults in between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from mqconform.reference.eod.elements import Numbers
from mqconform.reference.mqso.discovering import DIRECTORY_SERVERS
from mqconform.reference.mqso.elements import (
    HOUR,
    SECOND,
    Access,
    Assurance,
    Handle,
    Key,
    MachineName,
    Message,
    Operation,
    Properties,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    At,
    Begin,
    CreateQueue,
    End,
    Event,
    Got,
    NetworkBecomes,
    Open,
    Receive,
    Send,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.forwarding import Forwarding
from mqconform.reference.mqso.hooks import Hooks, NextHops, ReferenceReceiving, ReferenceSending, reference_hooks
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.packets import Arrived, Mishap, Passage, Routed, Undiscovered, Vanished
from mqconform.reference.mqso.station import far
from mqconform.reference.mqso.system import System, system_of
from mqconform.reference.mqso.topology import SIX_SITES, TWO_SITES, Topology
from mqconform.reference.mqso.wandering import HOP_BY_HOP, wandering_in

A, B, C, D = map(MachineName, "abcd")
QUEUE, SAFE = QueueName("queue"), QueueName("safe")


@dataclass
class Enterprise:
    """Machines that are played with, what passed between them, and the hooks of each."""

    topology: Topology = TWO_SITES
    hooks: dict[MachineName, Hooks] = field(default_factory=dict)
    passed: list[Passage] = field(default_factory=list)
    network: Network = field(default_factory=Network)
    handles: int = 0

    def __post_init__(self) -> None:
        names = [*self.topology.identifiers]
        self.hooks = {name: reference_hooks(self.topology, name) for name in names} | self.hooks
        self.forwarding = Forwarding(self.topology, self.hooks, self.network, _first, self.passed.append)
        self.system = system_of(names)
        for name in names:
            self.happens(At(name, CreateQueue(QUEUE)))
            self.happens(At(name, CreateQueue(SAFE, Properties(transactional=True))))

    def happens(self, event: Event) -> object:
        results = self.network.happens(event, self.system)
        self.system, answer = min(results, key=lambda result: result[0].standing)  # by the text (QM-27)
        self.system = self.forwarding.passed(self.system)
        return answer

    def waits(self, seconds: float) -> None:
        now = next(iter(self.system.machines.values())).now
        until = now + round(seconds * SECOND)
        while (due := self.forwarding.next_due()) is not None and now < due < until:
            self.happens(TimePassed(due - now))
            now = due
        self.happens(TimePassed(until - now))

    def sends(self, key: str, source: MachineName, to: MachineName, assurance: Assurance) -> None:
        self.handles += 1
        handle, transaction = Handle(self.handles), TransactionId(self.handles)
        safe = assurance is Assurance.TRANSACTIONAL
        self.happens(At(source, Open(handle, far(to, SAFE if safe else QUEUE), Access.SEND)))
        if safe:
            self.happens(At(source, Begin(transaction)))
        self.happens(At(source, Send(handle, Message(Key(key), assurance), transaction if safe else None)))
        if safe:
            self.happens(At(source, End(transaction, commit=True)))

    def received(self, machine: MachineName, queue: QueueName) -> list[str]:
        """Take out what a queue holds."""
        keys: list[str] = []
        while True:
            self.handles += 1
            handle, transaction = Handle(self.handles), TransactionId(self.handles)
            self.happens(At(machine, Open(handle, queue, Access.RECEIVE)))
            if queue == SAFE:
                self.happens(At(machine, Begin(transaction)))
            within = transaction if queue == SAFE else None
            answer = self.happens(At(machine, Receive(Operation(self.handles), handle, transaction=within)))
            if queue == SAFE:
                self.happens(At(machine, End(transaction, commit=True)))
            if not isinstance(answer, Got):
                return keys
            keys.append(answer.key)

    def way_of(self, key: str) -> list[str]:
        return [one.at + one.hop for one in self.passed if isinstance(one, Routed) and one.key == key and one.hop]


def _first(systems: Iterable[System]) -> System:
    return next(iter(systems))


def test_neighbours_share_a_site_or_are_gates_of_linked_sites() -> None:
    pairs = {"".join(sorted(pair)) for pair in TWO_SITES.neighbours}
    assert pairs == {"ac", "bd", "cd"}
    assert frozenset("cn") in SIX_SITES.neighbours  # c is of two sites
    assert frozenset("es") in SIX_SITES.neighbours
    assert frozenset("ns") in SIX_SITES.neighbours
    assert frozenset("az") not in SIX_SITES.neighbours


@pytest.mark.parametrize("assurance", [*Assurance])
def test_a_message_goes_by_the_gates_of_both_sites(assurance: Assurance) -> None:
    enterprise = Enterprise()
    enterprise.sends("m1", A, B, assurance)
    assert enterprise.way_of("m1") == ["ac", "cd", "db"]
    queue = SAFE if assurance is Assurance.TRANSACTIONAL else QUEUE
    assert enterprise.received(B, queue) == ["m1"]


def test_a_message_takes_the_way_of_least_cost() -> None:
    enterprise = Enterprise(SIX_SITES)
    enterprise.sends("m1", C, MachineName("m"), Assurance.RECOVERABLE)
    # North to South by East costs 8, directly 65,537.
    assert enterprise.way_of("m1") == ["cn", "ne", "es", "sm"]


def test_a_stream_outlives_the_loss_of_its_packets_and_acknowledgments() -> None:
    enterprise = Enterprise()
    for mishap in (Mishap.LOST, Mishap.LATE):
        enterprise.forwarding.destine(A, B, mishap)
    enterprise.forwarding.destine(B, A, Mishap.LOST)
    for number in range(3):
        enterprise.sends(f"m{number}", A, B, Assurance.TRANSACTIONAL)
    enterprise.waits(100)
    assert enterprise.received(B, SAFE) == ["m0", "m1", "m2"]
    assert enterprise.forwarding.waiting() == ()
    rejected = [one for one in enterprise.passed if isinstance(one, Arrived) and not one.accepted]
    assert rejected, "nothing was sent twice, so that this shows nothing"


@pytest.mark.parametrize(
    ("assurance", "left"), [(Assurance.EXPRESS, []), (Assurance.RECOVERABLE, ["m1"]), (Assurance.TRANSACTIONAL, ["m1"])]
)
def test_who_passes_on_keeps_what_is_recoverable_in_a_crash(assurance: Assurance, left: list[str]) -> None:
    enterprise = Enterprise()
    enterprise.happens(NetworkBecomes(frozenset({C, D}), cut=True))
    enterprise.sends("m1", A, B, assurance)
    enterprise.happens(At(C, Stop(suddenly=True)))
    enterprise.happens(At(C, Start()))
    vanished = [one.at for one in enterprise.passed if isinstance(one, Vanished)]
    assert vanished == (["c"] if not left else [])
    enterprise.happens(NetworkBecomes(frozenset({C, D}), cut=False))
    enterprise.waits(HOUR // SECOND)
    assert enterprise.received(B, SAFE if assurance is Assurance.TRANSACTIONAL else QUEUE) == left


def test_both_ends_may_crash() -> None:
    enterprise = Enterprise()
    enterprise.sends("m1", A, B, Assurance.TRANSACTIONAL)
    for machine in (B, A):
        enterprise.happens(At(machine, Stop(suddenly=True)))
        enterprise.happens(At(machine, Start()))
    enterprise.sends("m2", A, B, Assurance.TRANSACTIONAL)
    enterprise.waits(100)
    assert enterprise.received(B, SAFE) == ["m1", "m2"]


@dataclass(frozen=True, slots=True)
class Always:
    """A router that says the same of every destination."""

    answer: NextHops | None

    def start(self) -> None:
        """Need nothing."""

    def next_hops(self, to: MachineName) -> NextHops | None:
        """Say it; ``to`` is not looked at."""
        del to
        return self.answer


@pytest.mark.parametrize(
    ("hops", "says"),
    [
        ((A,), "d routes to a what is for b, and should to b"),
        ((C,), "d routes to c what is for b, and should to b"),
        (("00000000-0000-0000-0000-000000000000",), "d routes to nobody known what is for b, and should to b"),
        (None, "d routes to nobody what is for b, and should to b"),
    ],
)
def test_a_router_that_misleads_is_told(hops: tuple[str, ...] | None, says: str) -> None:
    answer = hops and tuple(TWO_SITES.identifiers.get(MachineName(hop), hop) for hop in hops)
    wrong = replace(reference_hooks(TWO_SITES, D), routing=Always(answer))
    enterprise = Enterprise(hooks={D: wrong})
    enterprise.sends("m1", A, B, Assurance.RECOVERABLE)
    assert enterprise.received(B, QUEUE) == []
    broken = wandering_in(TWO_SITES)(enterprise.passed)
    assert [(one.says, one.requirements) for one in broken] == [(says, HOP_BY_HOP)]


def test_a_packet_that_circles_ends_after_as_many_hops_as_are_allowed() -> None:
    back = replace(reference_hooks(TWO_SITES, D), routing=Always((TWO_SITES.identifiers[C],)))
    enterprise = Enterprise(hooks={D: back})
    enterprise.sends("m1", A, B, Assurance.RECOVERABLE)
    assert len(enterprise.way_of("m1")) == 30
    assert enterprise.passed[-1] == Vanished(D, Key("m1"), "after 29 hops")


@pytest.mark.parametrize("topology", [TWO_SITES, SIX_SITES])
def test_the_reference_routes_as_its_other_half_allows(topology: Topology) -> None:
    enterprise = Enterprise(topology)
    for source in topology.identifiers:
        for to in topology.identifiers:
            if source != to:
                enterprise.sends(f"{source}{to}", source, to, Assurance.EXPRESS)
    assert wandering_in(topology)(enterprise.passed) == ()
    for machine in topology.identifiers:
        others = {one for one in topology.identifiers if one != machine}
        assert {key[0] for key in enterprise.received(machine, QUEUE)} == others


def test_a_window_that_has_room_again_is_filled_at_once() -> None:
    class OneAtATime(ReferenceSending):
        """Has one message on its way at most."""

        def transmit(self, stream: str) -> Sequence[tuple[str, Numbers]]:
            return ReferenceSending.transmit(self, stream)[:1]

    enterprise = Enterprise(hooks={A: replace(reference_hooks(TWO_SITES, A), sending=OneAtATime())})
    for number in range(8):
        enterprise.sends(f"m{number}", A, B, Assurance.TRANSACTIONAL)
    enterprise.waits(25)  # less than the first wait for an acknowledgment
    assert enterprise.received(B, SAFE) == [f"m{number}" for number in range(8)]


def test_what_takes_a_seat_says_which_numbers_there_are() -> None:
    class FromTen(ReferenceSending):
        """Numbers each message anew."""

        def enqueue(self, stream: str, message: str) -> Numbers:
            numbers = ReferenceSending.enqueue(self, stream, message)
            return replace(numbers, sequence=numbers.sequence + 9)

    class TakesAll(ReferenceReceiving):
        """Accepts whatever comes."""

        def receive(self, stream: str, numbers: Numbers) -> bool:
            ReferenceReceiving.receive(self, stream, numbers)
            return True

    enterprise = Enterprise(
        hooks={
            A: replace(reference_hooks(TWO_SITES, A), sending=FromTen()),
            B: replace(reference_hooks(TWO_SITES, B), receiving=TakesAll()),
        }
    )
    enterprise.sends("m1", A, B, Assurance.TRANSACTIONAL)
    enterprise.sends("m2", A, B, Assurance.TRANSACTIONAL)
    assert enterprise.received(B, SAFE) == ["m1", "m1", "m2"]
    enterprise.waits(20)
    # The acknowledged number is 2, and those that the sender gave are 10 and 11.
    assert [one.key for one in enterprise.forwarding.waiting()] == ["m1", "m2"]


@dataclass
class Finds:
    """Finds one list of directory servers after another, the last again and again."""

    lists: list[tuple[str, ...]]

    def directory_servers(self) -> tuple[str, ...]:
        return self.lists.pop(0) if len(self.lists) > 1 else self.lists[0]


def test_a_machine_without_directory_server_routes_nothing_until_a_start_finds_one() -> None:
    finds = Finds([("nobody",), DIRECTORY_SERVERS])
    enterprise = Enterprise(hooks={A: replace(reference_hooks(TWO_SITES, A), discovering=finds)})
    assert enterprise.passed == [Undiscovered(A, ("nobody",))]
    enterprise.sends("m1", A, C, Assurance.RECOVERABLE)
    enterprise.sends("m2", A, B, Assurance.RECOVERABLE)
    assert enterprise.received(C, QUEUE) == ["m1"]
    assert enterprise.way_of("m2") == []
    enterprise.happens(At(A, Stop(suddenly=False)))
    enterprise.happens(At(A, Start()))
    assert enterprise.way_of("m2") == ["ac", "cd", "db"]
    assert enterprise.received(B, QUEUE) == ["m2"]
