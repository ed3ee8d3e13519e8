"""Captures as sequence diagrams."""

from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.harness.tools.packets.sequence_diagram import sequence_diagram

# The packets of MS-MQSD 4.
REQUEST = bytes.fromhex(
    "0001000061baeae6c6d1db11baac0003ff4e2d2203a191f23ce34faba930be3a33e432ddf61bc5dcadd4434587397156 8e8f9128"
)
LOCAL = bytes.fromhex(
    "0002000003a191f23ce34faba930be3a33e432dd01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
)
FOREIGN = bytes.fromhex(
    "0002000003a191f23ce34faba930be3a33e432dd01000000000000001200000062baeae6c6d1db11baac0003ff4e2d22"
    "60baeae6c6d1db11baac0003ff4e2d223100300 06e0074003400700065006300 0000".replace(" ", "")
)
HOSTS = {"192.0.2.10/24": "client", "192.0.2.1/24": "local", "192.0.2.2/24": "foreign", "198.51.100.1/24": "elsewhere"}


def datagram(time_ns: int, source: str, destination: str, octets: bytes) -> CapturedDatagram:
    return CapturedDatagram(1, time_ns, source, destination, 1801, 1801, octets, complete=True)


EXAMPLE = [
    datagram(2_000_900_000, "192.0.2.2", "192.0.2.10", FOREIGN),
    datagram(2_000_000_000, "192.0.2.10", "255.255.255.255", REQUEST),
    datagram(2_000_400_000, "192.0.2.1", "192.0.2.10", LOCAL),
]
DRAWN = """\
sequenceDiagram
    participant client
    participant local
    participant foreign
    participant elsewhere
    client->>local: 0.000000 s TopologyClientRequest, 52 octets
    client->>foreign: 0.000000 s TopologyClientRequest, 52 octets
    local->>client: 0.000400 s TopologyServerReply, 48 octets
    foreign->>client: 0.000900 s TopologyServerReply, 82 octets
"""


def test_the_example_of_section_4_is_drawn_in_order_of_time() -> None:
    assert sequence_diagram(EXAMPLE, HOSTS) == DRAWN


def test_who_is_no_known_host_is_called_by_its_address() -> None:
    stranger = datagram(0, "2001:db8::9", "192.0.2.10", LOCAL)
    assert "    2001.db8..9->>client: 0.000000 s" in sequence_diagram([stranger], HOSTS)


def test_a_name_cannot_act_on_a_terminal() -> None:
    assert "\\u001b" in sequence_diagram([], {"192.0.2.10/24": "\x1b[2J"})
