"""Packets taken apart as far as they reach, and everything that is wrong with them (MS-MQSD 2.2)."""

from mqconform.reference.mqsd.layout import read_reply_layout
from mqconform.reference.mqsd.messages import HEADER, MESSAGES, REPLY, REQUEST

NETWORK = b"\xc0" * 16


def test_the_table_has_the_places_and_sizes_of_the_text():
    assert {rule.name: (rule.offset, rule.size) for rule in REPLY.fields} == {
        "Version": (0, 1),
        "Type": (1, 1),
        "Reserved": (2, 2),
        "CorrelationID": (4, 16),
        "ConnectedNetworkCount": (20, 4),
        "ConnectedNetworkMask": (24, 4),
        "DirectoryServiceServerSize": (28, 4),
        "ConnectedNetworkArray": (32, 16),
        "RespondingSiteID": (-1, 16),
        "DirectoryServiceServerArray": (-1, 1),
    }
    assert (HEADER.size, REQUEST.size, REPLY.size) == (4, 52, 32)
    assert {rule.from_length for rule in REQUEST.fields} == {0, 60}
    assert {rule.most for message in MESSAGES for rule in message.fields} == {0, 32}


def test_a_field_that_is_absent_or_cut_is_none():
    fixed = bytes.fromhex("00020000" + "1d" * 16 + "02000000" + "00000000" + "00000000")
    layout = read_reply_layout(fixed + NETWORK + NETWORK[:5])
    assert layout["ConnectedNetworkCount"] is not None
    assert layout.number("ConnectedNetworkCount") == 2
    assert layout["ConnectedNetworkArray"] is None
    assert layout["RespondingSiteID"] is None
    assert layout.number("IPXNetworkCount") is None
    assert layout.cut
    assert (layout.cut.name, layout.cut.length, layout.cut.octets) == (
        "ConnectedNetworkArray",
        32,
        NETWORK + NETWORK[:5],
    )
    assert layout.cut.value == (NETWORK,)
