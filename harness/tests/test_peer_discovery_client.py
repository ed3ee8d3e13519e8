"""The reference client between sockets and a clock, here made of lists."""

from dataclasses import dataclass, field

import pytest

from mqconform.harness.iut.drivers.discovery_client.calls import Received
from mqconform.harness.tools.serve.discovery_client import DiscoveryClientPeer, Happening
from mqconform.reference.mqsd.client import (
    SECOND,
    SENSIBLE,
    UNDISPUTED,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    GetDirectoryServerList,
    NetworkAddress,
    Readings,
    Result,
    Send,
    SendFailed,
    initialize,
)
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import TopologyServerReply, encode_reply

ENTERPRISE, SITE, NETWORK, REQUEST_ID = (Guid(bytes([octet]) * 16) for octet in range(1, 5))
LOCAL = encode_reply(TopologyServerReply(REQUEST_ID, (NETWORK,)))


@dataclass
class World:
    """Networks and clock in one; each datagram comes some seconds after the one before."""

    arrivals: list[tuple[float, Received]] = field(default_factory=list)
    down: set[str] = field(default_factory=set)
    sent: list[tuple[str, bytes]] = field(default_factory=list)
    now: int = 1000 * SECOND

    def clock(self) -> int:
        return self.now

    def send(self, network: str, datagram: bytes) -> None:
        if network in self.down:
            raise OSError("network is unreachable")
        self.sent.append((network, datagram))

    def receive(self, timeout: float) -> Received | None:
        if not self.arrivals or self.arrivals[0][0] > timeout:
            self.now += round(timeout * SECOND)
            return None
        after, received = self.arrivals.pop(0)
        self.now += round(after * SECOND)
        return received

    def close(self) -> None:
        """Nothing is open."""


def search(world: World, readings: Readings = UNDISPUTED) -> tuple[DiscoveryClientPeer, list[Happening]]:
    client = initialize(ENTERPRISE, SITE, [NetworkAddress("north"), NetworkAddress("south")])
    peer = DiscoveryClientPeer(client, world, world.clock, lambda _: REQUEST_ID, readings)
    return peer, list(peer.discover())


def test_without_answers_it_waits_15_seconds_on_each_network_and_fails() -> None:
    world = World()
    _, happened = search(world)
    assert [(one.at / SECOND, type(one.event)) for one in happened] == [
        (0, GetDirectoryServerList),
        (15, ClockAdvanced),
        (30, ClockAdvanced),
    ]
    assert [network for network, _ in world.sent] == ["north", "south"]
    assert happened[-1].effects == (Complete(Result.FAILURE),)


def test_what_arrives_is_taken_in_with_its_network_and_source() -> None:
    world = World([(0.5, ("north", LOCAL, "192.0.2.1:1801")), (0.25, ("south", LOCAL, "198.51.100.1:1801"))])
    peer, happened = search(world)
    assert happened[1].event == DatagramReceived("north", LOCAL)
    assert [(one.at, one.source) for one in happened[1:]] == [
        (SECOND // 2, "192.0.2.1:1801"),
        (SECOND * 3 // 4, "198.51.100.1:1801"),
    ]
    assert happened[-1].effects == (Complete(Result.SUCCESS),)
    assert peer.client.last_successful_network_address == "south"


def test_a_stream_of_noise_does_not_keep_a_wait_from_ending() -> None:
    noise = ("north", b"noise", "192.0.2.9:9")
    world = World([(0.5, noise)] * 60)
    _, happened = search(world)
    assert happened[-1].at == 30 * SECOND


@pytest.mark.parametrize(("readings", "seconds"), [(UNDISPUTED, 30), (SENSIBLE, 15)])
def test_a_request_that_cannot_be_sent_is_an_event(readings: Readings, seconds: int) -> None:
    world = World(down={"north"})
    _, happened = search(world, readings)
    assert [type(one.event) for one in happened[:2]] == [GetDirectoryServerList, SendFailed]
    assert happened[-1].at == seconds * SECOND
    assert [network for network, _ in world.sent] == ["south"]


def test_where_no_request_can_be_sent_the_search_ends() -> None:
    _, happened = search(World(down={"north", "south"}), SENSIBLE)
    requests = [effect for one in happened for effect in one.effects if isinstance(effect, Send)]
    assert len(requests) == 2
    assert happened[-1].effects == (Complete(Result.FAILURE),)
