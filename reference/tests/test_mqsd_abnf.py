"""The grammar of DirectoryServiceServerArray (MS-MQSD 2.2.3)."""

import re

import pytest

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd import packets
from mqconform.reference.mqsd.packets import DirectoryServer, decode_server_array, encode_server_array


def array(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def test_a_name_character_is_every_code_unit_but_comma_and_null_by_one_alternative():
    name_char = re.compile(packets.NAME_CHAR)
    alternatives = [re.compile(one) for one in (packets.X1, packets.X2, packets.X3, packets.X4)]
    for unit in range(0x10000):
        octets = unit.to_bytes(2, "little")
        is_name = unit not in {0x0000, 0x002C}
        assert bool(name_char.fullmatch(octets)) == is_name, hex(unit)
        assert sum(bool(one.fullmatch(octets)) for one in alternatives) == is_name, hex(unit)


def test_a_violation_names_the_rule_and_the_octet():
    behind = b"\xaa" * 7
    violations = {
        "": ("IP", 0),
        "\0": ("IP", 0),
        "2": ("IP", 0),
        "\u0131": ("IP", 0),
        "1": ("IPX", 2),
        "1\0": ("IPX", 2),
        "10\0": ("NameChar", 4),
        "10a": ("EndList", 6),
        "10a,\0": ("IP", 8),
        "10a,,10b\0": ("IP", 8),
        "10a\0\0": ("EndList", 8),
        "10a\x0010b\0": ("EndList", 8),
    }
    for text, (rule, offset) in violations.items():
        with pytest.raises(MalformedPacket) as refused:
            decode_server_array(behind + array(text), len(behind))
        told = refused.value
        assert (told.rule, told.offset) == (f"2.2.3 ABNF {rule}", len(behind) + offset), repr(text)
        assert told.field == "DirectoryServiceServerArray"


def test_an_odd_last_octet_is_refused():
    with pytest.raises(MalformedPacket, match="EndList"):
        decode_server_array(array("10a") + b"\0", 0)


def test_names_outside_the_grammar_and_empty_lists_are_not_written():
    for name in ("", ",", "a,b", "\0", "a\0"):
        with pytest.raises(UnencodablePacket, match="NameChar"):
            encode_server_array([DirectoryServer(name, ip=True, ipx=False)])
    with pytest.raises(UnencodablePacket, match="entry"):
        encode_server_array([])
