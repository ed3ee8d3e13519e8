"""Packets shown field by field: what stands there, what it means, what is wrong, and what is none of MS-MQSD."""

import io
import json
import struct
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mqconform.harness.cli import run_command
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.tools.packets.packet import dissect, shown_value
from mqconform.harness.tools.packets.view import MAX_ROWS, dissection_view
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.layout import Field
from mqconform.reference.mqsd.messages import FIELD_REQUIREMENTS
from mqconform.reference.mqsd.packets import decode_message

REQUEST = (
    "00 01 00 00 61 BA EA E6 C6 D1 DB 11 BA AC 00 03 FF 4E 2D 22 03 A1 91 F2 3C E3 4F AB A9 30 BE 3A 33 E4 32 DD "
    "F6 1B C5 DC AD D4 43 45 87 39 71 56 8E 8F 91 28"
)
FIXED_REPLY = "00 02 00 00 03 A1 91 F2 3C E3 4F AB A9 30 BE 3A 33 E4 32 DD"
NETWORK = "62 BA EA E6 C6 D1 DB 11 BA AC 00 03 FF 4E 2D 22"
SITE = "60 BA EA E6 C6 D1 DB 11 BA AC 00 03 FF 4E 2D 22"


def reply(text: str, count: int = 1, mask: int = 0, size: int | None = None) -> bytes:
    """A reply of a foreign site with one network and the server list given."""
    octets = text.encode("utf-16-le", "surrogatepass")
    numbers = struct.pack("<III", count, mask, len(octets) if size is None else size)
    return bytes.fromhex(FIXED_REPLY) + numbers + bytes.fromhex(NETWORK + SITE) + octets


def run(*arguments: str, stdin: bytes | None = None, charset: str = "utf-8") -> Result:
    command = click.Command("mqconform", callback=lambda: sys.exit(run_command(["dissect", *arguments])))
    return CliRunner(charset=charset).invoke(command, [], input=stdin)


def shown(octets: bytes, **options: Any) -> str:
    stream = io.StringIO()
    Console(file=stream, width=160).print(dissection_view(dissect(octets, **options)))
    return stream.getvalue()


def flat(octets: bytes) -> list[Field]:
    return [one for field in dissect(octets).layout.shown for one in (field, *_flat_parts(field))]


def _flat_parts(field: Field) -> list[Field]:
    return [one for part in field.parts for one in (part, *_flat_parts(part))]


# What is shown


def test_every_field_stands_with_offset_octets_and_meaning():
    lines = [(line.offset, line.octets.hex(), line.name, shown_value(line)) for line in flat(reply("10nt4pec\0"))]
    assert lines[:2] == [(0, "00", "Version", "0"), (1, "02", "Type", "0x02 (TopologyServerReply)")]
    assert lines[3][2:] == ("CorrelationID", "f291a103-e33c-ab4f-a930-be3a33e432dd")
    assert lines[5] == (24, "00000000", "ConnectedNetworkMask", "0x00000000 (0 bits set)")
    assert lines[6] == (28, "12000000", "DirectoryServiceServerSize", "18")
    assert lines[-5:] == [
        (64, "31003000" + "6e00740034007000650063" + "00", "Entry", '"nt4pec"'),
        (64, "3100", "IP", "1 (supported)"),
        (66, "3000", "IPX", "0 (not supported)"),
        (68, "6e0074003400700065006300", "NameChar", '"nt4pec"'),
        (80, "0000", "EndList", "null"),
    ]


def test_names_are_shown_without_acting_on_the_terminal(subtests: pytest.Subtests):
    for name, expected in [
        ("\x1b[31m", r"\u001b[31m"),
        ("\u202ecod.exe", r"\u202ecod.exe"),
        ("\x7f\x9b", r"\u007f\u009b"),
        ("\ud800", r"\ud800"),
        ("[red]x[/red]", "[red]x[/red]"),
        ("\ud83d\ude00", "\U0001f600"),
    ]:
        with subtests.test(name=name):
            octets = reply(f"10{name}\0")
            assert f'"{expected}"' in shown(octets)
            assert f'"{expected}"' in {shown_value(line) for line in flat(octets)}


@given(st.binary(max_size=120) | st.binary(max_size=120).map(lambda rest: b"\0\2" + rest))
def test_well_formed_is_what_strict_decoding_accepts(octets: bytes):
    try:
        decode_message(octets)
    except MalformedPacket:
        accepted = False
    else:
        accepted = True
    assert dissect(octets).well_formed == accepted
    assert ("well formed" in shown(octets)) == accepted


def test_a_hostile_packet_is_shown_in_part_and_given_in_full_as_json():
    octets = reply(",".join(["3"] * 2 * MAX_ROWS))
    text = shown(octets)
    assert "--json has them all" in text
    assert text.count("\n") < 4 * MAX_ROWS
    assert len(dissect(octets).record()["problems"]) > MAX_ROWS


# What is wrong


def test_the_grammar_rule_that_is_broken_gives_the_requirements():
    dissection = dissect(reply("20a,1\0"))
    assert [(one.offset, one.rule, one.requirements[-1]) for one in dissection.problems] == [
        (64, "2.2.3 ABNF IP", "MQSD-2.2.3-30"),
        (74, "2.2.3 ABNF IPX", "MQSD-2.2.3-31"),
        (74, "2.2.3 ABNF NameChar", "MQSD-2.2.3-42"),
    ]


def test_what_a_sender_must_not_do_is_remarked_and_leaves_the_packet_well_formed(subtests: pytest.Subtests):
    assert dissect(reply("10a\0", mask=0x80000000)).remarks == ()
    for octets, over_ip, field in [
        (bytes.fromhex("7f" + REQUEST[2:]), False, "Version"),
        (bytes.fromhex("00 01 00 01" + REQUEST[11:]), False, "Reserved"),
        (bytes.fromhex(REQUEST) + struct.pack("<II", 1, 1), True, "IPXNetworkCount"),
        (reply("10a\0", mask=1), True, "ConnectedNetworkMask"),
        (reply("10a\0", mask=3), False, "ConnectedNetworkMask"),
    ]:
        with subtests.test(field=field):
            dissection = dissect(octets, over_ip=over_ip)
            assert [remark.field for remark in dissection.remarks] == [field]
            assert dissection.well_formed
            assert field in shown(octets, over_ip=over_ip).split("remark")[1]


# Requirements


def test_the_requirements_of_a_field_are_in_the_catalogue_and_speak_of_it(subtests: pytest.Subtests):
    for field in FIELD_REQUIREMENTS:
        with subtests.test(field=field):
            found = [load_catalogue()[one] for one in FIELD_REQUIREMENTS[field]]
            assert all(one.kind in {"field", "abnf"} for one in found)
            assert {one.section for one in found} <= {"2.2.1", "2.2.2", "2.2.3"}
            whole = {"TopologyPacketHeader": "header", "TopologyClientRequest": "", "TopologyServerReply": ""}
            assert any(whole.get(field, field) in one.summary for one in found)


# The command


def test_hexadecimal_text_is_read_however_it_is_written():
    octets = REQUEST.split()
    for words in ([REQUEST], [":".join(octets).lower()], octets, [", ".join("0x" + octet for octet in octets)]):
        result = run(*words)
        assert result.exit_code == 0, words
        assert "e6eaba61-d1c6-11db-baac-0003ff4e2d22" in result.output


def test_a_malformed_packet_gives_exit_code_1_and_says_why():
    result = run(REQUEST[:-3])
    assert result.exit_code == 1
    assert "malformed: octet 51, SiteID (2.2.2): has 15 of 16 octets" in result.output
    assert "MQSD-2.2.2-06" in result.output


def test_what_is_neither_hexadecimal_nor_a_capture_gives_exit_code_4(subtests: pytest.Subtests, tmp_path: Path):
    (tmp_path / "text").write_text("hello")
    for text in ["", "xyz", "00 1", "0x", "nowhere.pcap", "\u0660\u0660", f"{tmp_path}/text", str(tmp_path)]:
        with subtests.test(text=text):
            assert run(text).exit_code == 4
    assert run("-", stdin=b"\xff\xfe\x00").exit_code == 4
    assert "longer than" in run("-", stdin=b"00" * 600_000).output


def test_json_says_what_the_text_says():
    result = run("--json", reply("10a\ud800\0", size=10).hex())
    (line,) = result.output.splitlines()
    packet = json.loads(line)
    assert result.exit_code == 0
    assert (packet["packet"], packet["size"], packet["well_formed"]) == ("TopologyServerReply", 74, True)
    fields = {field["field"]: field for field in packet["fields"]}
    count = fields["ConnectedNetworkCount"]
    assert (count["offset"], count["octets"], count["value"]) == (20, "01000000", "1")
    assert count["requirements"] == list(FIELD_REQUIREMENTS["ConnectedNetworkCount"])
    assert fields["DirectoryServiceServerArray"]["parts"][0]["value"] == r'"a\ud800"'


def test_a_name_is_shown_where_standard_output_has_no_such_characters():
    result = run(reply("10Ærø\0").hex(), charset="ascii")
    assert result.exit_code == 0
    assert r"\xc6r\xf8" in result.output


# Captures


def udp_frame(payload: bytes, source_port: int = 4000, port: int = 1801, claimed: int | None = None) -> bytes:
    """An IPv4 packet without link layer (link type 101), its checksums left zero."""
    length = len(payload) if claimed is None else claimed
    udp = struct.pack(">HHHH", source_port, port, 8 + length, 0)
    addresses = bytes([192, 0, 2, 1, 192, 0, 2, 255])
    return struct.pack(">BBHHHBBH", 0x45, 0, 28 + length, 1, 0, 64, 17, 0) + addresses + udp + payload


def capture(path: Path, *frames: bytes) -> Path:
    header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    records = (struct.pack("<IIII", 1, 2, len(frame), len(frame)) + frame for frame in frames)
    path.write_bytes(header + b"".join(records))
    return path


GOOD = bytes.fromhex(REQUEST)


def test_a_capture_shows_every_datagram_of_the_port_with_frame_and_addresses(tmp_path: Path):
    frames = udp_frame(GOOD), udp_frame(b"x", port=53), udp_frame(reply("10a\0"), 1801, 4000)
    result = run(str(capture(tmp_path / "a.pcap", *frames)))
    assert result.exit_code == 0
    assert "frame 1  192.0.2.1:4000 -> 192.0.2.255:1801  TopologyClientRequest, 52 octets" in result.output
    assert "frame 2 " not in result.output
    assert "frame 3  192.0.2.1:1801 -> 192.0.2.255:4000  TopologyServerReply" in result.output


def test_another_port_can_be_asked_for(tmp_path: Path):
    path = capture(tmp_path / "a.pcap", udp_frame(GOOD, port=3527))
    assert run("--port", "3527", str(path)).exit_code == 0
    refused = run(str(path))
    assert refused.exit_code == 4
    assert "no whole UDP datagram on port 1801, 1 on others" in refused.output


def test_a_datagram_that_was_captured_in_part_is_shown_and_not_judged(tmp_path: Path):
    cut = udp_frame(GOOD[:40], claimed=52)
    result = run(str(capture(tmp_path / "a.pcap", cut, udp_frame(GOOD))))
    assert result.exit_code == 0
    assert "not judged" in result.output
    assert run(str(capture(tmp_path / "b.pcap", cut))).exit_code == 4


def test_a_capture_that_is_cut_off_gives_exit_code_4_after_what_could_be_read(tmp_path: Path):
    path = capture(tmp_path / "a.pcap", udp_frame(GOOD), udp_frame(GOOD))
    path.write_bytes(path.read_bytes()[:-5])
    result = run(str(path))
    assert result.exit_code == 4
    assert "frame 1 " in result.output
    assert "damaged" in result.output


JUNK = [b"\0" * 8, b"GET / HTTP/1.0\r\n\r\n", b"\xff" * 51, b"HELP\r\n", bytes(range(40))]


def test_five_junk_packets_are_one_line(tmp_path: Path):
    path = capture(tmp_path / "a.pcap", *(udp_frame(octets, port=1801) for octets in JUNK))
    done = run(str(path))
    assert done.exit_code == 0
    assert done.output.count("\n") == 1
    assert done.output.startswith("5 x not MS-MQSD")
    assert "MQSD-" not in done.output.removeprefix("5 x not MS-MQSD")


def test_a_ping_of_queue_managers_is_named():
    done = run("01004855 01000000", "11" * 16)
    assert done.exit_code == 0
    assert done.output == "1 x not MS-MQSD: a ping between queue managers (MS-MQQB, UDP 3527)\n"
