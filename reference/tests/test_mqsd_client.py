"""The discovery client of MS-MQSD 3.1: IPX, ends of waits, and readings that share their name in the register."""

from dataclasses import replace

from mqconform.reference.mqsd.client import (
    LITERAL,
    SECOND,
    UNDISPUTED,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    NewGuid,
    Readings,
    Result,
    Send,
    initialize,
    step,
)
from mqconform.reference.mqsd.client.readings import (
    EventWhileRunning,
    LaterEvent,
    NetworkAddresses,
    NoNetwork,
    NothingStored,
)
from mqconform.reference.mqsd.guid import Guid, guid_from_text

# The request of section 4, and the reply of the local site to it.
REQUEST = bytes.fromhex(
    "00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD F61BC5DCADD44345873971568E8F9128"
)
LOCAL_REPLY = bytes.fromhex(
    "00020000 03A191F23CE34FABA930BE3A33E432DD 01000000 00000000 00000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22"
)
ENTERPRISE = guid_from_text("e6eaba61-d1c6-11db-baac-0003ff4e2d22")
SITE = guid_from_text("dcc51bf6-d4ad-4543-8739-71568e8f9128")
REQUEST_ID = guid_from_text("f291a103-e33c-ab4f-a930-be3a33e432dd")
FIRST, SECOND_NETWORK = NetworkAddress("192.168.1.0"), NetworkAddress("192.168.2.0")
SUCCESS, FAILURE = (Complete(Result.SUCCESS),), (Complete(Result.FAILURE),)
TENTH = SECOND // 10


def example_id(_: int) -> Guid:
    return REQUEST_ID


class Client:
    """A client with a clock of its own, in tenths of a second."""

    def __init__(
        self,
        *networks: NetworkAddress,
        readings: Readings = LITERAL,
        new_guid: NewGuid = example_id,
        servers: tuple[str, ...] = (),
    ) -> None:
        self.state = initialize(ENTERPRISE, SITE, networks, servers)
        self.readings, self.new_guid, self.tenths = readings, new_guid, 0

    def meets(self, event: Event, after_tenths: int = 0):
        self.tenths += after_tenths
        now = self.tenths * TENTH
        self.state, effects = step(self.state, event, now, self.new_guid, self.readings)
        return effects

    def starts(self):
        return self.meets(GetDirectoryServerList())

    def waits(self, tenths: int):
        return self.meets(ClockAdvanced(), tenths)

    def receives(self, network: NetworkAddress, datagram: bytes):
        return self.meets(DatagramReceived(network.address, datagram))


def test_a_reply_at_the_end_of_the_wait_comes_after_it():
    client = Client(FIRST, SECOND_NETWORK)
    client.starts()
    effects = client.meets(DatagramReceived(FIRST.address, LOCAL_REPLY), 150)
    assert effects == (Send("192.168.2.0", REQUEST),)
    assert not client.state.valid_last_successful_network_address


def test_over_ipx_the_request_carries_the_ipx_networks_and_over_ip_it_does_not():
    ipx = NetworkAddress("0000002A:0003FF4E2D22", ipx_network_number=0x2A)
    other_ipx = NetworkAddress("0000002B:0003FF4E2D22", ipx_network_number=0x2B)
    client = Client(ipx, FIRST, other_ipx)
    assert client.starts() == (Send(ipx.address, REQUEST + bytes.fromhex("02000000 2A000000 2B000000")),)
    assert client.waits(150) == (Send(FIRST.address, REQUEST),)


def test_over_ipx_a_reply_has_a_mask_bit_for_each_network():
    ipx = NetworkAddress("0000002A:0003FF4E2D22", ipx_network_number=0x2A)
    client = Client(ipx)
    client.starts()
    assert client.receives(ipx, LOCAL_REPLY) == ()
    assert client.receives(ipx, LOCAL_REPLY[:24] + b"\1\0\0\0" + LOCAL_REPLY[28:]) == SUCCESS


def test_events_that_join_one_in_progress_end_with_it_and_as_it_does():
    client = Client(FIRST, readings=replace(UNDISPUTED, event_while_running=EventWhileRunning.JOINED))
    client.starts()
    assert client.starts() == client.starts() == ()
    assert client.waits(150) == 3 * FAILURE
    assert client.starts() == (Send(FIRST.address, REQUEST),)


def test_a_failure_for_want_of_a_stored_reply_need_not_forget_the_network():
    for nothing_stored, known in ((NothingStored.FAILURE, False), (NothingStored.FAILURE_REMEMBERING, True)):
        client = Client(FIRST, SECOND_NETWORK, readings=replace(UNDISPUTED, nothing_stored=nothing_stored))
        client.starts()
        client.receives(FIRST, LOCAL_REPLY)
        assert client.waits(150) == FAILURE
        assert client.state.valid_last_successful_network_address is known


def test_a_failure_for_want_of_a_network_need_not_forget_the_last_one():
    asks_anew = replace(
        UNDISPUTED, later_event=LaterEvent.NEW_DISCOVERY, network_addresses=NetworkAddresses.LIST_REBUILT
    )
    for no_network, known in ((NoNetwork.FAILURE_AT_ONCE, False), (NoNetwork.FAILURE_REMEMBERING, True)):
        client = Client(FIRST, readings=replace(asks_anew, no_network=no_network))
        client.starts()
        client.receives(FIRST, LOCAL_REPLY)
        client.meets(NetworksChanged(()))
        assert client.starts() == FAILURE
        assert client.state.valid_last_successful_network_address is known
