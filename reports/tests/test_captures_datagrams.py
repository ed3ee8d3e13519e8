"""Datagrams of discovery are found in frames of every link type that carries IP; what is in the way is named."""

from itertools import pairwise

import numpy as np
from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting
from scapy.layers.l2 import ARP, CookedLinux, CookedLinuxV2, Dot1AD, Dot1Q, Ether, Loopback
from scapy.packet import Packet, Padding, Raw

from mqconform.reports.pipeline.arrow_columns import address_texts
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams
from mqconform.reports.pipeline.captures.bulk_records import Frames
from mqconform.reports.pipeline.captures.frames import Broken, Fragment, Whole, put_together
from mqconform.reports.pipeline.captures.judging import Settings

PAYLOAD = Raw(bytes(range(52)))
TO_SERVER = UDP(sport=5000, dport=1801) / PAYLOAD
ENDS = {"src": "10.1.2.3", "dst": "255.255.255.255", "id": 7}
IPV4 = IP(**ENDS)
IPV6 = IPv6(src="fe80::1", dst="ff02::1")

Found = tuple[str, list[tuple[str, str, int, int, bytes, int]]]


def found(frame: bytes, link: int, captured: int | None = None) -> Found:
    """Return what a frame is, and the datagram in it: addresses, ports, payload and direction."""
    octets = np.frombuffer(frame + b"\xee" * 4, np.uint8)
    frames = Frames(
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.full(1, len(frame) if captured is None else captured, np.int32),
        np.zeros(1, np.int64),
        np.zeros(1, np.int32),
    )
    ports, kinds, room = np.zeros(2**16, np.bool_), np.empty(1, np.uint8), datagrams.room_for(1)
    ports[1801] = True
    count = datagrams.find_datagrams(octets, frames, 1, np.array([link], np.int32), ports, kinds, room)
    rows = [
        (
            address_texts(room.source)[row].as_py(),
            address_texts(room.destination)[row].as_py(),
            int(room.source_port[row]),
            int(room.destination_port[row]),
            octets[room.start[row] : room.start[row] + room.captured[row]].tobytes(),
            int(Settings().directions(room.source_port[row], room.destination_port[row])),
        )
        for row in range(count)
        if kinds[0] == datagrams.DISCOVERY
    ]
    return datagrams.KINDS[kinds[0]], rows


OVER_IPV4 = ("discovery", [("10.1.2.3", "255.255.255.255", 5000, 1801, bytes(PAYLOAD), 1)])
OVER_IPV6 = ("discovery", [("fe80::1", "ff02::1", 5000, 1801, bytes(PAYLOAD), 1)])

LINKS: dict[str, tuple[Packet, int, Found]] = {
    "ethernet": (Ether() / IPV4 / TO_SERVER, 1, OVER_IPV4),
    "ethernet, padded": (Ether() / IPV4 / TO_SERVER / Padding(b"\0" * 9), 1, OVER_IPV4),
    "vlan": (Ether() / Dot1Q(vlan=5) / IPV4 / TO_SERVER, 1, OVER_IPV4),
    "vlan in vlan": (Ether() / Dot1AD(vlan=5) / Dot1Q(vlan=6) / IPV4 / TO_SERVER, 1, OVER_IPV4),
    "three tags": (Ether() / Dot1Q() / Dot1Q() / Dot1Q() / IPV6 / TO_SERVER, 1, OVER_IPV6),
    "raw IPv4": (IPV4 / TO_SERVER, 101, OVER_IPV4),
    "raw IPv6": (IPV6 / TO_SERVER, 101, OVER_IPV6),
    "raw of BSD": (IPV4 / TO_SERVER, 12, OVER_IPV4),
    "IPv4 alone": (IPV4 / TO_SERVER, 228, OVER_IPV4),
    "IPv6 alone": (IPV6 / TO_SERVER, 229, OVER_IPV6),
    "linux cooked": (CookedLinux(proto=0x0800) / IPV4 / TO_SERVER, 113, OVER_IPV4),
    "linux cooked, IPv6": (CookedLinux(proto=0x86DD) / IPV6 / TO_SERVER, 113, OVER_IPV6),
    "linux cooked 2": (CookedLinuxV2(proto=0x0800) / IPV4 / TO_SERVER, 276, OVER_IPV4),
    "loopback": (Loopback(type=2) / IPV4 / TO_SERVER, 0, OVER_IPV4),
    "loopback, IPv6": (Loopback(type=30) / IPV6 / TO_SERVER, 0, OVER_IPV6),
    "loopback of OpenBSD": (Raw(b"\0\0\0\x02") / IPV4 / TO_SERVER, 108, OVER_IPV4),
    "options of IPv4": (Ether() / IP(options=[IPOption_NOP()] * 8, **ENDS) / TO_SERVER, 1, OVER_IPV4),
    "options of IPv6": (
        Ether() / IPV6 / IPv6ExtHdrHopByHop() / IPv6ExtHdrRouting() / IPv6ExtHdrDestOpt() / TO_SERVER,
        1,
        OVER_IPV6,
    ),
    "a fragment that is all": (Ether() / IPV6 / IPv6ExtHdrFragment() / TO_SERVER, 1, OVER_IPV6),
}


def test_a_datagram_is_found():
    for name, (frame, link, wanted) in LINKS.items():
        assert found(bytes(frame), link) == wanted, name


def test_a_length_of_zero_is_left_to_the_network_card():
    frame = bytearray(bytes(IPV4 / TO_SERVER))
    frame[2:4] = b"\0\0"
    assert found(bytes(frame), 101) == OVER_IPV4


def test_the_direction_follows_from_the_ports():
    for source, destination, direction in ((5000, 1801, 1), (1801, 5000, 2), (1801, 1801, 0), (5000, 5001, None)):
        kind, rows = found(bytes(IPV4 / UDP(sport=source, dport=destination) / PAYLOAD), 101)
        expected = ("other_udp", []) if direction is None else ("discovery", [direction])
        assert (kind, [row[5] for row in rows]) == expected, (source, destination)


NONE_OF_DISCOVERY = {
    "arp": (Ether() / ARP(), 1, "other"),
    "tcp": (Ether() / IPV4 / TCP(dport=1801), 1, "other"),
    "tcp over IPv6": (Ether() / IPV6 / TCP(dport=1801), 1, "other"),
    "a link type that nobody knows": (IPV4 / TO_SERVER, 147, "unknown_link_type"),
    "IPv6 in a frame of IPv4": (Ether(type=0x0800) / Raw(bytes(IPV6 / TO_SERVER)), 1, "malformed"),
    "a header shorter than a header": (Ether() / IP(ihl=4, **ENDS) / TO_SERVER, 1, "malformed"),
    "a length shorter than its header": (IP(len=19, **ENDS) / TO_SERVER, 101, "malformed"),
    "UDP longer than IP": (IPV4 / UDP(sport=1, dport=1801, len=200) / PAYLOAD, 101, "malformed"),
    "UDP shorter than its header": (IPV4 / UDP(sport=1, dport=1801, len=7) / PAYLOAD, 101, "malformed"),
    "the first of two fragments": (IP(flags="MF", **ENDS) / TO_SERVER, 101, "fragment"),
    "a later fragment": (IP(frag=3, **ENDS) / TO_SERVER, 101, "fragment"),
    "a fragment of TCP": (IP(frag=3, proto=6, **ENDS) / Raw(b"x" * 20), 101, "other"),
    "a fragment of IPv6": (IPV6 / IPv6ExtHdrFragment(m=1, nh=17) / TO_SERVER, 101, "fragment"),
}


def test_what_is_none_is_named():
    for name, (frame, link, kind) in NONE_OF_DISCOVERY.items():
        assert found(bytes(frame), link) == (kind, []), name


def test_no_cut_makes_a_datagram_longer_than_what_was_captured():
    for name, (frame, link, wanted) in LINKS.items():
        octets = bytes(frame)
        for captured in range(len(octets)):
            kind, rows = found(octets, link, captured)
            assert kind in {"cut_short", "discovery"}, name
            assert all(wanted[1][0][4].startswith(row[4]) for row in rows), name


class TestFragments:
    whole = bytes(UDP(sport=1801, dport=5000) / Raw(b"r" * 3000))

    def parts(self, key: bytes = b"k", time: int = 0) -> list[Fragment]:
        cuts = [0, 1480, 2960, len(self.whole)]
        return [
            Fragment(key, time, "file", at, place + 1, at, end < len(self.whole), self.whole[at:end])
            for place, (at, end) in enumerate(pairwise(cuts))
        ]

    def test_a_datagram_is_put_together_in_whatever_order(self):
        for order in ((0, 1, 2), (1, 2, 0), (0, 0, 1, 1, 2)):
            (made,) = put_together([self.parts()[place] for place in order])
            assert isinstance(made, Whole), order
            assert made.payload == self.whole, order

    def test_one_that_lacks_a_part_is_told(self):
        (made,) = put_together(self.parts()[:2])
        assert isinstance(made, Broken)
        assert len(made.fragments) == 2

    def test_a_number_used_again_later_is_another_datagram(self):
        later = self.parts(time=61 * 10**9)
        made = [*put_together([*self.parts()[:1], *later])]
        assert [type(one) for one in made] == [Broken, Whole]

    def test_parts_that_overlap_are_not_believed(self):
        first, second, third = self.parts()
        forged = second._replace(at=1000)
        made = [*put_together([first, forged, third])]
        assert {type(one) for one in made} == {Broken}
