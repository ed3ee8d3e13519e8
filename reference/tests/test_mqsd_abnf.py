"""The grammar of DirectoryServiceServerArray (MS-MQSD 2.2.3)."""

import pytest

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.layout import list_violations, read_server_array
from mqconform.reference.mqsd.packets import DirectoryServer, encode_server_array


def array(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def violations(octets: bytes, at: int = 0) -> list[MalformedPacket]:
    return [*list_violations(read_server_array(octets, at)[1], at + len(octets))]


def test_a_name_character_is_every_code_unit_but_comma_and_null():
    for unit in range(0x10000):
        octets = array("10") + unit.to_bytes(2, "little") + b"\0\0"
        assert bool(violations(octets)) == (unit in {0x0000, 0x002C}), hex(unit)


def test_a_violation_names_the_rule_and_the_octet():
    expected = {
        "": ("EndList", 0),
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
    for text, (rule, offset) in expected.items():
        first = violations(array(text), 7)[0]
        assert (first.rule, first.offset) == (f"2.2.3 ABNF {rule}", 7 + offset), repr(text)
        assert first.field == "DirectoryServiceServerArray"


def test_an_odd_last_octet_is_refused():
    assert "EndList" in violations(array("10a") + b"\0")[0].rule


def test_names_outside_the_grammar_and_empty_lists_are_not_written():
    for name in ("", ",", "a,b", "\0", "a\0"):
        with pytest.raises(UnencodablePacket, match="NameChar"):
            encode_server_array([DirectoryServer(name, ip=True, ipx=False)])
    with pytest.raises(UnencodablePacket, match="entry"):
        encode_server_array([])
