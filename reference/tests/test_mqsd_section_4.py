"""The three packets that MS-MQSD shows in section 4."""

from mqconform.reference.mqsd.guid import guid_from_text
from mqconform.reference.mqsd.layout import read_layout
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    TopologyClientRequest,
    TopologyServerReply,
    decode_message,
    encode_message,
)

REQUEST = bytes.fromhex(
    "00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD F61BC5DCADD4434587397156 8E8F9128"
)
LOCAL_REPLY = bytes.fromhex(
    "00020000 03A191F23CE34FABA930BE3A33E432DD 01000000 00000000 00000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22"
)
FOREIGN_REPLY = bytes.fromhex(
    "00020000 03A191F23CE34FABA930BE3A33E432DD 01000000 00000000 12000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22"
    "60BAEAE6C6D1DB11BAAC0003FF4E2D22 3100 3000 6E00 7400 3400 7000 6500 6300 0000"
)

REQUEST_ID = guid_from_text("f291a103-e33c-ab4f-a930-be3a33e432dd")
NETWORK = guid_from_text("e6eaba62-d1c6-11db-baac-0003ff4e2d22")


def test_the_request_names_enterprise_request_and_site():
    assert decode_message(REQUEST) == TopologyClientRequest(
        enterprise_id=guid_from_text("e6eaba61-d1c6-11db-baac-0003ff4e2d22"),
        request_id=REQUEST_ID,
        site_id=guid_from_text("dcc51bf6-d4ad-4543-8739-71568e8f9128"),
    )


def test_the_reply_of_the_local_site_lists_no_servers():
    assert decode_message(LOCAL_REPLY) == TopologyServerReply(REQUEST_ID, (NETWORK,))


def test_the_reply_of_a_foreign_site_lists_its_controller_and_counts_the_terminator():
    reply = decode_message(FOREIGN_REPLY)
    assert reply == TopologyServerReply(
        correlation_id=REQUEST_ID,
        connected_network_array=(NETWORK,),
        responding_site_id=guid_from_text("e6eaba60-d1c6-11db-baac-0003ff4e2d22"),
        directory_service_server_array=(DirectoryServer("nt4pec", ip=True, ipx=False),),
    )
    assert isinstance(reply, TopologyServerReply)
    assert (reply.connected_network_count, reply.directory_service_server_size) == (1, 0x12)


def test_every_packet_comes_back_octet_by_octet_and_is_covered_by_fields_without_a_problem():
    for octets, size in ((REQUEST, 52), (LOCAL_REPLY, 48), (FOREIGN_REPLY, 82)):
        assert len(octets) == size
        assert encode_message(decode_message(octets)) == octets
        layout = read_layout(octets)
        assert b"".join(field.octets for field in layout) == octets
        assert layout.problems == ()
