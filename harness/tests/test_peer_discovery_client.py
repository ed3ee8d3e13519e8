"""The reference client between sockets and a clock, here made of lists."""

from dataclasses import dataclass, field
from uuid import UUID

import pytest

from mqconform.harness.iut.drivers.discovery_client.calls import Received
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_client import NotConfigured, ReferenceDiscoveryClient
from mqconform.harness.tools.serve.discovery_peers import search
from mqconform.reference.mqsd.client import SECOND, NetworkAddress, initialize
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


def happenings(world: World, readings: str = "undisputed") -> list[Json]:
    client = initialize(ENTERPRISE, SITE, [NetworkAddress("north"), NetworkAddress("south")])
    return list(search(client, world, world.clock, lambda _: REQUEST_ID, readings))


def test_without_answers_it_waits_15_seconds_on_each_network_and_fails() -> None:
    world = World()
    *events, last = happenings(world)
    assert [(one["at"], one["event"]) for one in events] == [(0, "start"), (15, "wait ended"), (30, "wait ended")]
    assert [network for network, _ in world.sent] == ["north", "south"]
    assert events[-1]["effects"] == [{"complete": {"result": "failure"}}]
    assert last["result"] == "failure"


def test_what_arrives_is_taken_in_with_its_network_and_source() -> None:
    world = World([(0.5, ("north", LOCAL, "192.0.2.1:1801")), (0.25, ("south", LOCAL, "198.51.100.1:1801"))])
    _, first, second, last = happenings(world)
    assert (first["network"], first["datagram"]) == ("north", LOCAL.hex())
    assert [(one["at"], one["source"]) for one in (first, second)] == [
        (0.5, "192.0.2.1:1801"),
        (0.75, "198.51.100.1:1801"),
    ]
    assert (last["result"], last["last_successful_network_address"]) == ("success", "south")


def test_a_stream_of_noise_does_not_keep_a_wait_from_ending() -> None:
    *_, before, _ = happenings(World([(0.5, ("north", b"noise", "192.0.2.9:9"))] * 60))
    assert before["at"] == 30


@pytest.mark.parametrize(("readings", "seconds"), [("undisputed", 30), ("sensible", 15)])
def test_a_request_that_cannot_be_sent_is_an_event(readings: str, seconds: int) -> None:
    world = World(down={"north"})
    *events, _ = happenings(world, readings)
    assert [one["event"] for one in events[:2]] == ["start", "send failed"]
    assert events[-1]["at"] == seconds
    assert [network for network, _ in world.sent] == ["south"]


def test_the_client_of_calls_says_so_where_it_is_not_configured() -> None:
    client = ReferenceDiscoveryClient()
    with pytest.raises(NotConfigured, match=r"call discovery_client\.configure first"):
        client.start()
    client.configure(enterprise=str(UUID(int=1)), site=str(UUID(int=2)), networks=[{"address": "192.0.2.0"}])
    client.reset()
    with pytest.raises(NotConfigured):
        client.state()
