"""The second codec of MS-MQSD, judged by the packets of section 4 and by the grammar."""

import struct
import subprocess
import sys
from dataclasses import replace
from uuid import UUID

import pytest
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw

from mqconform.harness.judge.independent import mqsd_scapy as mqsd
from mqconform.harness.judge.independent.mqsd_messages import DecodedReply, DecodedRequest, DecodeProblem

HEADER_OF_REPLY = "00020000 03A191F23CE34FABA930BE3A33E432DD"
REQUEST = bytes.fromhex(
    "00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD F61BC5DCADD4434587397156 8E8F9128"
)
LOCAL_REPLY = bytes.fromhex(HEADER_OF_REPLY + "01000000 00000000 00000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22")
FOREIGN_REPLY = bytes.fromhex(
    HEADER_OF_REPLY + "01000000 00000000 12000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22"
    "60BAEAE6C6D1DB11BAAC0003FF4E2D22 31003000 6E0074003400700065006300 0000"
)
SECTION_4 = {"request": REQUEST, "local reply": LOCAL_REPLY, "foreign reply": FOREIGN_REPLY}
REQUEST_ID = UUID("f291a103-e33c-ab4f-a930-be3a33e432dd")
NETWORK_ID = UUID("e6eaba62-d1c6-11db-baac-0003ff4e2d22")
ARRAY = "DirectoryServiceServerArray"


def reply_with_array(array: str, size: int | None = None) -> bytes:
    """The foreign reply of section 4 with another array, in hexadecimal."""
    octets = bytes.fromhex(array)
    return FOREIGN_REPLY[:28] + struct.pack("<I", len(octets) if size is None else size) + FOREIGN_REPLY[32:64] + octets


@pytest.fixture
def bound():
    mqsd.bind_mqsd_to_udp()
    yield
    mqsd.unbind_mqsd_from_udp()


def run_python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, timeout=600, check=False
    )


# --- section 4 ---


def test_the_request_of_section_4_is_read_field_by_field():
    assert mqsd.decode(REQUEST) == DecodedRequest(
        version=0,
        reserved=0,
        enterprise_id=REQUEST[4:20],
        request_id=REQUEST[20:36],
        site_id=REQUEST[36:52],
    )


def test_the_local_reply_of_section_4_has_neither_site_nor_servers():
    assert mqsd.decode(LOCAL_REPLY) == DecodedReply(
        version=0,
        reserved=0,
        correlation_id=REQUEST[20:36],
        count=1,
        mask=0,
        size=0,
        networks=(LOCAL_REPLY[32:48],),
    )


def test_the_foreign_reply_of_section_4_names_its_one_server():
    assert mqsd.decode(FOREIGN_REPLY) == DecodedReply(
        version=0,
        reserved=0,
        correlation_id=REQUEST[20:36],
        count=1,
        mask=0,
        size=18,
        networks=(FOREIGN_REPLY[32:48],),
        site=FOREIGN_REPLY[48:64],
        names=((1, 0, b"n\0t\x004\0p\0e\0c\0"),),
    )


@pytest.mark.parametrize("octets", SECTION_4.values(), ids=SECTION_4.keys())
def test_the_packets_of_section_4_encode_to_themselves(octets: bytes):
    assert mqsd.encode(mqsd.decode(octets)) == octets


def test_packets_build_from_keywords():
    request = mqsd.MQSDHeader() / mqsd.TopologyClientRequest(
        EnterpriseID="E6EABA61-D1C6-11DB-BAAC-0003FF4E2D22",
        RequestID=REQUEST_ID,
        SiteID="{DCC51BF6-D4AD-4543-8739-71568E8F9128}",
    )
    server = mqsd.DirectoryServiceServer(IP="yes", IPX="no", Name="nt4pec")
    reply = mqsd.MQSDHeader() / mqsd.TopologyServerReply(
        CorrelationID=REQUEST_ID,
        ConnectedNetworkArray=[NETWORK_ID],
        RespondingSiteID="E6EABA60-D1C6-11DB-BAAC-0003FF4E2D22",
        DirectoryServiceServerArray=[server],
    )
    assert bytes(request) == REQUEST
    assert bytes(reply) == FOREIGN_REPLY


def test_a_reply_built_without_servers_has_no_site():
    reply = mqsd.TopologyServerReply(
        CorrelationID=REQUEST_ID, ConnectedNetworkArray=[NETWORK_ID], RespondingSiteID=UUID(int=7)
    )
    assert bytes(mqsd.MQSDHeader() / reply) == LOCAL_REPLY


def test_ipx_networks_bring_their_count_and_go_out_little_endian():
    request = mqsd.TopologyClientRequest(IPXNetworkNumberArray=[0x01020304, 5])
    assert bytes(request)[48:] == bytes.fromhex("02000000 04030201 05000000")


# --- inside scapy ---


@pytest.mark.parametrize(("sport", "dport"), [(1801, 4000), (4000, 1801)], ids=["from the port", "to the port"])
@pytest.mark.usefixtures("bound")
def test_datagrams_of_port_1801_are_dissected(sport: int, dport: int):
    packet = IP(bytes(IP() / UDP(sport=sport, dport=dport) / FOREIGN_REPLY))
    assert packet[mqsd.TopologyServerReply].ConnectedNetworkArray == [NETWORK_ID]
    assert packet[mqsd.DirectoryServiceServer].Name == "nt4pec"
    assert packet.summary().endswith(
        "MQSD reply to f291a103-e33c-ab4f-a930-be3a33e432dd, 1 network(s), servers: 'nt4pec'"
    )


def test_nothing_is_bound_before_it_is_asked_for_or_after_it_is_undone():
    before = IP(bytes(IP() / UDP(sport=1801, dport=1801) / REQUEST))
    mqsd.bind_mqsd_to_udp()
    bindings = len(UDP.payload_guess)
    mqsd.bind_mqsd_to_udp()
    assert len(UDP.payload_guess) == bindings
    mqsd.unbind_mqsd_from_udp()
    after = IP(bytes(IP() / UDP(sport=1801, dport=1801) / REQUEST))
    assert before[UDP].payload.load == after[UDP].payload.load == REQUEST


@pytest.mark.usefixtures("bound")
def test_a_built_message_goes_to_port_1801():
    packet = IP(bytes(IP() / UDP() / mqsd.MQSDHeader() / mqsd.TopologyClientRequest(RequestID=REQUEST_ID)))
    assert packet[UDP].dport == 1801
    assert packet[mqsd.TopologyClientRequest].RequestID == REQUEST_ID


@pytest.mark.usefixtures("bound")
def test_a_reply_answers_the_request_with_its_correlation_id():
    request = IP() / UDP() / mqsd.MQSDHeader(REQUEST)
    stranger = REQUEST[:20] + bytes(16) + REQUEST[36:]
    reply = mqsd.MQSDHeader(LOCAL_REPLY)
    assert reply.answers(request[mqsd.MQSDHeader])
    assert reply.hashret() == request[mqsd.MQSDHeader].hashret()
    assert not reply.answers(mqsd.MQSDHeader(stranger))


def test_show_spells_names_with_controls_and_lone_surrogates_escaped():
    shown = mqsd.MQSDHeader(reply_with_array("31003000 1B00 00D8 0000")).show(dump=True)
    assert r"'\x1b\ud800'" in shown


def test_the_summary_of_a_request_tells_its_site_and_its_ipx_networks():
    octets = REQUEST + bytes.fromhex("01000000 0A000000")
    assert "from site dcc51bf6-d4ad-4543-8739-71568e8f9128, 1 IPX network(s)" in mqsd.MQSDHeader(octets).summary()


def test_dissection_shows_what_it_can_of_a_broken_array_and_keeps_every_octet():
    octets = reply_with_array("3100 2C00 31003000 6100 2C01")
    reply = mqsd.MQSDHeader(octets)
    first, second = reply.DirectoryServiceServerArray
    assert (type(first), second.Name) == (Raw, "a\u012c")
    assert bytes(reply) == octets


def test_octets_behind_a_message_are_shown_as_padding():
    packet = mqsd.MQSDHeader(REQUEST + b"\x01\x02\x03")
    assert packet.lastlayer().load == b"\x01\x02\x03"


# --- what 2.2 allows ---

LEGAL_NAMES = {
    "low octet of a comma": "2C01",
    "high octet of a comma": "012C",
    "a comma across two characters": "612C 0061",
    "a null across two characters": "6100 0061 0100",
    "lone high surrogate": "00D8",
    "lone low surrogate": "00DC",
    "surrogates the wrong way round": "00DC 00D8",
    "line feed": "0A00",
    "digits that look like flags": "3100 3000",
    "byte order mark": "FFFE",
    "last code unit": "FFFF",
}


@pytest.mark.parametrize("name", LEGAL_NAMES.values(), ids=LEGAL_NAMES.keys())
def test_every_other_code_unit_may_stand_in_a_name(name: str):
    octets = reply_with_array("31003000" + name + "0000")
    message = mqsd.decode(octets)
    assert message.names == ((1, 0, bytes.fromhex(name)),)
    assert mqsd.encode(message) == octets


def test_several_entries_are_told_apart():
    octets = reply_with_array("30003000 6100 2C00 30003100 2C01 2C00 31003100 6200 0000")
    assert mqsd.decode(octets).names == ((0, 0, b"a\0"), (0, 1, b"\x2c\x01"), (1, 1, b"b\0"))


@pytest.mark.parametrize("surplus", range(1, 8))
def test_a_request_too_short_for_ipx_fields_is_an_ip_request(surplus: int):
    assert mqsd.decode(REQUEST + b"\xff" * surplus) == mqsd.decode(REQUEST)


@pytest.mark.parametrize("count", [1, 2, 32])
def test_a_request_may_list_up_to_32_ipx_networks(count: int):
    numbers = tuple(range(1000, 1000 + count))
    octets = REQUEST + struct.pack(f"<{count + 1}I", count, *numbers)
    message = mqsd.decode(octets)
    assert (message.count, message.ipx_networks) == (count, numbers)
    assert mqsd.encode(message) == octets


def test_version_reserved_and_mask_are_taken_as_they_come():
    octets = b"\xff\x02\x01\xfe" + LOCAL_REPLY[4:24] + b"\x78\x56\x34\x12" + LOCAL_REPLY[28:]
    message = mqsd.decode(octets)
    assert (message.version, message.reserved, message.mask) == (255, 0xFE01, 0x12345678)
    assert mqsd.encode(message) == octets


# --- what 2.2 forbids ---

TWO_NETWORKS = LOCAL_REPLY[:20] + b"\x02" + LOCAL_REPLY[21:]
PROBLEMS = {
    "nothing": (b"", 0, "Version"),
    "header cut off": (REQUEST[:3], 3, "Reserved"),
    "no such type": (b"\x00\x03\x00\x00" + REQUEST[4:], 1, "Type"),
    "type zero": (bytes(52), 1, "Type"),
    "request cut off in its last octet": (REQUEST[:51], 51, "SiteID"),
    "request cut off in its id": (REQUEST[:20], 20, "RequestID"),
    "no IPX network": (REQUEST + bytes(8), 52, "IPXNetworkCount"),
    "33 IPX networks": (REQUEST + b"\x21\0\0\0" + bytes(132), 52, "IPXNetworkCount"),
    "IPX network missing": (REQUEST + b"\x02\0\0\0" + bytes(4), 60, "IPXNetworkNumberArray"),
    "IPX network too many": (REQUEST + b"\x01\0\0\0" + bytes(8), 60, "trailing octets"),
    "IPX network and a bit": (REQUEST + b"\x01\0\0\0" + bytes(5), 60, "trailing octets"),
    "reply cut off": (LOCAL_REPLY[:31], 31, "DirectoryServiceServerSize"),
    "no connected network": (LOCAL_REPLY[:20] + b"\x00" + LOCAL_REPLY[21:], 20, "ConnectedNetworkCount"),
    "33 connected networks": (
        LOCAL_REPLY[:20] + b"\x21" + LOCAL_REPLY[21:32] + bytes(33 * 16),
        20,
        "ConnectedNetworkCount",
    ),
    "big-endian count": (LOCAL_REPLY[:20] + b"\0\0\0\x01" + LOCAL_REPLY[24:], 20, "ConnectedNetworkCount"),
    "connected network missing": (TWO_NETWORKS, 48, "ConnectedNetworkArray"),
    "site without servers": (FOREIGN_REPLY[:28] + bytes(4) + FOREIGN_REPLY[32:64], 48, "trailing octets"),
    "size odd": (reply_with_array("31003000 6100 00", size=7), 28, "DirectoryServiceServerSize"),
    "size less than the array": (reply_with_array("31003000 6100 0000", size=6), 70, "trailing octets"),
    "size more than the array": (reply_with_array("31003000 6100 0000", size=10), 72, ARRAY),
    "largest size": (reply_with_array("31003000 6100 0000", size=0xFFFFFFFE), 72, ARRAY),
    "site missing": (FOREIGN_REPLY[:50], 50, "RespondingSiteID"),
    "terminator alone": (reply_with_array("0000"), 64, ARRAY),
    "terminator missing": (reply_with_array("31003000 6100"), 70, ARRAY),
    "second terminator": (reply_with_array("31003000 6100 0000 0000"), 72, ARRAY),
    "entry behind the terminator": (reply_with_array("31003000 6100 0000 31003000 6100 0000"), 72, ARRAY),
    "IP flag neither 0 nor 1": (reply_with_array("32003000 6100 0000"), 64, ARRAY),
    "IPX flag neither 0 nor 1": (reply_with_array("31006100 6100 0000"), 66, ARRAY),
    "big-endian flags": (reply_with_array("00310030 0061 0000"), 64, ARRAY),
    "name empty": (reply_with_array("31003000 0000"), 68, ARRAY),
    "second name empty": (reply_with_array("31003000 6100 2C00 31003000 0000"), 76, ARRAY),
    "comma before the terminator": (reply_with_array("31003000 6100 2C00 0000"), 72, ARRAY),
    "two commas": (reply_with_array("31003000 6100 2C00 2C00 31003000 6100 0000"), 72, ARRAY),
    "comma at the end": (reply_with_array("31003000 6100 2C00"), 72, ARRAY),
}


@pytest.mark.parametrize(("octets", "offset", "field"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_packet_that_breaks_a_rule_is_refused_where_it_breaks_it(octets: bytes, offset: int, field: str):
    problem = mqsd.decode(octets)
    assert isinstance(problem, DecodeProblem)
    assert (problem.offset, problem.field) == (offset, field)
    assert str(problem).startswith(f"octet {offset}, {field}: ")


def test_encode_does_not_repair_a_message_that_contradicts_itself():
    wrong = replace(mqsd.decode(LOCAL_REPLY), count=2)
    assert mqsd.encode(wrong) == TWO_NETWORKS


# --- the cost and noise of scapy ---


def test_the_harness_loads_scapy_only_when_it_is_needed():
    program = (
        "import sys, mqconform.harness, mqconform.harness.tools.packets.pcap_messages;"
        "import mqconform.harness.judge.independent;"
        "print([name for name in sys.modules if name.split('.')[0] == 'scapy'])"
    )
    assert run_python(program).stdout == "[]\n"


def test_importing_the_codec_is_silent_and_leaves_logging_as_scapy_sets_it():
    program = (
        "import logging, warnings; filters = list(warnings.filters);"
        "import mqconform.harness.judge.independent.mqsd_scapy;"
        "loading = logging.getLogger('scapy.loading');"
        "print(logging.root.handlers, logging.root.level, loading.filters, loading.level, warnings.filters == filters)"
    )
    done = run_python(program)
    assert (done.stdout, done.stderr) == ("[] 30 [] 0 True\n", "")
