"""Datagrams found in captured frames, and what must not be taken for one."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment
from scapy.layers.l2 import ARP, CookedLinux, CookedLinuxV2, Dot1AD, Dot1Q, Ether, Loopback
from scapy.packet import Packet, Raw

from mqconform.harness.tools.packets.ip_reassembly import Reassembly, UdpDatagram, knows_link_type, udp_datagram

ETHERNET, RAW_IP, COOKED, COOKED_2, LOOPBACK, RAW_IPV4, RAW_IPV6, BLUETOOTH = 1, 101, 113, 276, 0, 228, 229, 201
FROM, TO = "192.0.2.1", "192.0.2.255"
FROM_6, TO_6 = "2001:db8::1", "ff02::1"
PORTS = UDP(sport=4000, dport=1801)
PAYLOAD = b"discovery"
DATAGRAM = IP(src=FROM, dst=TO) / PORTS / Raw(PAYLOAD)
DATAGRAM_6 = IPv6(src=FROM_6, dst=TO_6) / PORTS / Raw(PAYLOAD)
PADDING = b"\xaa\xbb\xcc\xdd"


def datagrams(*frames: Packet, link_type: int = ETHERNET) -> list[UdpDatagram]:
    """The datagrams of the frames of one capture."""
    reassembly = Reassembly()
    found = [udp_datagram(bytes(frame), link_type, reassembly) for frame in frames]
    return [datagram for datagram in found if datagram is not None]


FRAMES = {
    "Ethernet": (ETHERNET, Ether() / DATAGRAM),
    "one VLAN tag": (ETHERNET, Ether() / Dot1Q(vlan=5) / DATAGRAM),
    "two VLAN tags": (ETHERNET, Ether() / Dot1AD(vlan=5) / Dot1Q(vlan=6) / DATAGRAM),
    "raw IP": (RAW_IP, DATAGRAM),
    "raw IPv4": (RAW_IPV4, DATAGRAM),
    "Linux cooked": (COOKED, CookedLinux(proto=0x0800) / DATAGRAM),
    "Linux cooked, version 2": (COOKED_2, CookedLinuxV2(proto=0x0800) / DATAGRAM),
    "loopback": (LOOPBACK, Loopback() / DATAGRAM),
    "IP options": (ETHERNET, Ether() / IP(src=FROM, dst=TO, options=[b"\x01"] * 4) / PORTS / Raw(PAYLOAD)),
}
FRAMES_6 = {
    "Ethernet": (ETHERNET, Ether() / DATAGRAM_6),
    "raw IPv6": (RAW_IPV6, DATAGRAM_6),
    "Linux cooked": (COOKED, CookedLinux(proto=0x86DD) / DATAGRAM_6),
    "extension header": (ETHERNET, Ether() / IPv6(src=FROM_6, dst=TO_6) / IPv6ExtHdrDestOpt() / PORTS / Raw(PAYLOAD)),
}


def test_datagrams_are_found_below_every_link_layer_without_padding(subtests: pytest.Subtests):
    assert not knows_link_type(BLUETOOTH)
    for frames, ends in ((FRAMES, (FROM, TO)), (FRAMES_6, (FROM_6, TO_6))):
        for name, (link_type, frame) in frames.items():
            with subtests.test(name=name):
                assert knows_link_type(link_type)
                expected = UdpDatagram(*ends, 4000, 1801, PAYLOAD, complete=True)
                assert udp_datagram(bytes(frame) + PADDING, link_type, Reassembly()) == expected


WHOLE = bytes(Ether() / DATAGRAM)
NO_DATAGRAMS = {
    "ARP": Ether() / ARP(),
    "TCP": Ether() / IP() / TCP(dport=1801) / Raw(PAYLOAD),
    "ICMP error that quotes a datagram": Ether() / IP() / ICMP(type=3, code=3) / DATAGRAM,
    "UDP header cut off": Raw(WHOLE[:40]),
    "UDP length below eight": Ether() / IP() / UDP(len=5) / Raw(PAYLOAD),
    "IP header cut off": Raw(WHOLE[:20]),
    "frame of one octet": Raw(b"\xff"),
    "first fragment alone": Ether() / IP(flags="MF") / PORTS / Raw(PAYLOAD),
    "last fragment alone": Ether() / IP(frag=1, proto=17) / Raw(bytes(PORTS) + PAYLOAD),
}


def test_what_is_no_datagram_gives_none(subtests: pytest.Subtests):
    for frame in NO_DATAGRAMS.values():
        with subtests.test(frame=frame.summary()):
            assert datagrams(frame) == []


def test_every_beginning_of_a_frame_can_be_read():
    for length in range(1, len(WHOLE)):
        datagram = udp_datagram(WHOLE[:length], ETHERNET, Reassembly())
        assert datagram is None or not datagram.complete


def test_a_frame_captured_in_part_gives_an_incomplete_datagram():
    datagram = udp_datagram(WHOLE[:-4], ETHERNET, Reassembly())
    assert datagram == UdpDatagram(FROM, TO, 4000, 1801, PAYLOAD[:-4], complete=False)


def test_a_datagram_ends_where_its_own_length_says():
    (datagram,) = datagrams(Ether() / IP() / UDP(len=12) / Raw(PAYLOAD))
    assert (datagram.octets, datagram.complete) == (PAYLOAD[:4], True)


# --- fragments ---

LONG_PAYLOAD = bytes(range(200))
SEGMENT = bytes(UDP(sport=4000, dport=1801, len=208) / Raw(LONG_PAYLOAD))


def fragments(size: int, segment: bytes = SEGMENT, identification: int = 7) -> list[Packet]:
    """A UDP segment in IPv4 fragments of ``size`` octets, a multiple of eight."""
    return [
        Ether()
        / IP(src=FROM, dst=TO, id=identification, proto=17, frag=at // 8, flags=int(at + size < len(segment)))
        / Raw(segment[at : at + size])
        for at in range(0, len(segment), size)
    ]


def fragments_6(size: int) -> list[Packet]:
    """A UDP segment in IPv6 fragments of ``size`` octets, a multiple of eight."""
    return [
        Ether()
        / IPv6(src=FROM_6, dst=TO_6)
        / IPv6ExtHdrFragment(id=7, nh=17, offset=at // 8, m=int(at + size < len(SEGMENT)))
        / Raw(SEGMENT[at : at + size])
        for at in range(0, len(SEGMENT), size)
    ]


def test_fragments_make_one_datagram(subtests: pytest.Subtests):
    for parts in [fragments(80), fragments_6(80)]:
        for order in [(0, 1, 2), (2, 1, 0), (1, 0, 1, 2)]:
            with subtests.test(order=order):
                (datagram,) = datagrams(*(parts[at] for at in order))
                assert datagram[2:] == (4000, 1801, LONG_PAYLOAD, True)
                assert datagram[:2] in {(FROM, TO), (FROM_6, TO_6)}


def test_a_datagram_of_which_a_fragment_is_missing_never_appears():
    for first, second in ((0, 1), (0, 2), (1, 2)):
        assert datagrams(fragments(80)[first], fragments(80)[second]) == []


def test_fragments_of_different_datagrams_do_not_mix():
    other = fragments(80, segment=SEGMENT[:8] + bytes(200), identification=8)
    mixed = [part for pair in zip(fragments(80), other, strict=True) for part in pair]
    assert [datagram.octets for datagram in datagrams(*mixed)] == [LONG_PAYLOAD, bytes(200)]


def test_fragments_that_overlap_make_no_datagram():
    first, second, last = fragments(80)
    second[IP].frag = 9
    assert datagrams(first, second, last) == []
