"""The dissector for Wireshark against the codec, packet by packet, in a real tshark."""

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import wrpcap

from mqconform.harness.cli import run_command
from mqconform.harness.tools.packets.lua import lua_dissector
from mqconform.harness.tools.packets.packet import Dissection, dissect, shown_value
from mqconform.reference.mqsd.layout import Field
from mqconform.reference.mqsd.messages import MESSAGES

TSHARK = shutil.which("tshark")
needs_tshark = pytest.mark.skipif(TSHARK is None, reason="needs tshark: apt-get install tshark")

REQUEST = bytes.fromhex(
    "00010000" + "61baeae6c6d1db11baac0003ff4e2d22" + "03a191f23ce34faba930be3a33e432dd" + "f6" * 16
)
LIST = "11alpha,10beta".encode("utf-16-le") + b"\0\0"
REPLY = (
    bytes.fromhex("00020000" + "03a191f23ce34faba930be3a33e432dd" + "02000000" + "00000000")
    + len(LIST).to_bytes(4, "little")
    + bytes(range(32))
    + b"\xa5" * 16
    + LIST
)
IPX_REQUEST = REQUEST + bytes.fromhex("02000000" + "0d0c0b0a" + "11223344")

GUIDS = {
    "EnterpriseID": "enterprise_id",
    "RequestID": "request_id",
    "SiteID": "site_id",
    "CorrelationID": "correlation_id",
}
GUIDS |= {"RespondingSiteID": "responding_site_id"}
NUMBERS = {"Version": "version", "Reserved": "reserved", "IPXNetworkCount": "ipx_network_count"}
NUMBERS |= {"ConnectedNetworkCount": "connected_network_count"}
NUMBERS |= {"DirectoryServiceServerSize": "directory_service_server_size"}


def corpus() -> list[bytes]:
    """Right packets, each cut at every octet, and each with octets replaced by a seeded choice."""
    rng = random.Random(2026)
    whole = [
        REQUEST,
        REPLY,
        REPLY[:32].replace(len(LIST).to_bytes(4, "little"), bytes(4)) + bytes(range(32)),
        IPX_REQUEST,
    ]
    found = [*whole, *(one[:size] for one in whole for size in range(1, len(one)))]
    found += [one + tail for one in whole for tail in (b"\0", b"\0\0", b"1\0", bytes(9))]
    lists = ("", ",", "1", "11", "11,", "11a", "12a", "2", "11a,,10b", "11a,10", "11a\0", "11a\0b", "110,", "11ä€")
    for text in lists:
        for octets in (text.encode("utf-16-le"), text.encode("utf-16-le") + b"\0\0", text.encode("utf-16-le") + b"\0"):
            found.append(REPLY[:28] + len(octets).to_bytes(4, "little") + REPLY[32:80] + octets)
    for _ in range(400):
        one = bytearray(rng.choice(whole))
        for _ in range(rng.randint(1, 3)):
            one[rng.randrange(min(len(one), 90))] = rng.choice((0, 1, 2, 33, 255, rng.randrange(256)))
        found.append(bytes(one))
    return found


@pytest.fixture(scope="module")
def lua(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lua")
    assert run_command(["dissect", "--lua", str(folder)]) == 0
    return folder / "mqsd.lua"


def tshark(lua: Path, capture: Path, *more: str) -> str:
    assert TSHARK
    command = [TSHARK, "-X", f"lua_script:{lua}", "-r", str(capture), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "Lua Error" not in done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def shown(lua: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[bytes, dict[str, list[str]]]]:
    """What tshark makes of each packet of the corpus: values by field."""
    capture = tmp_path_factory.mktemp("capture") / "corpus.pcap"
    packets = corpus()
    frame = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP(src="192.0.2.1", dst="192.0.2.2")
    wrpcap(str(capture), [frame / UDP(sport=49152, dport=1801) / Raw(one) for one in packets])
    text = [line for line in tshark(lua, capture, "-T", "ek").splitlines() if '"layers"' in line]
    lines = [json.loads(line, object_pairs_hook=_with_repeats) for line in text]
    assert len(lines) == len(packets)
    return [(octets, dict(_fields(line["layers"]))) for octets, line in zip(packets, lines, strict=True)]


def _with_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """tshark repeats a key where a packet has the field at several places."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key == "_ws_expert":
            found.setdefault(key, []).extend(value if isinstance(value, list) else [value])
        else:
            found[key] = value
    return found


def _fields(layers: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for name, value in layers.get("mqsd", {}).items():
        found = value if isinstance(value, list) else [value]
        if name == "_ws_expert":
            yield "experts", [key for one in value for key in one]
        else:
            yield name.removeprefix("mqsd_"), found


def _value(packet: Dissection, name: str) -> str | None:
    field = packet.layout[name]
    return None if field is None else shown_value(field)


def _parts(packet: Dissection, array: str, part: str) -> list[Field]:
    lines = [one for one in packet.layout.shown if one.name == array]
    return [one for line in lines for one in line.parts if one.name.startswith(part) and not one.missing]


@needs_tshark
def test_fields_arrays_and_what_is_malformed_are_the_codecs(shown: list[tuple[bytes, dict[str, list[str]]]]):
    refused = 0
    for octets, fields in shown:
        packet = dissect(octets, over_ip=True)
        told = {key: fields.get(f"mqsd_{key}", [None])[0] for key in (*GUIDS.values(), *NUMBERS.values())}
        for name, key in GUIDS.items():
            assert told[key] == _value(packet, name), (octets.hex(), name)
        for name, key in NUMBERS.items():
            got, wanted = told[key], _value(packet, name)
            assert (got and int(got, 0)) == (wanted and int(wanted)), (octets.hex(), name)
        networks = [shown_value(one) for one in _parts(packet, "ConnectedNetworkArray", "ConnectedNetworkArray")]
        assert fields.get("mqsd_connected_network", []) == networks, octets.hex()
        numbers = [shown_value(one) for one in _parts(packet, "IPXNetworkNumberArray", "IPXNetworkNumberArray")]
        assert [f"0x{int(one, 0):08x}" for one in fields.get("mqsd_ipx_network_number", [])] == numbers, octets.hex()
        experts = fields.get("experts", [])
        malformed = "mqsd_mqsd_malformed" in experts
        assert malformed == bool(packet.problems), (octets.hex(), experts, packet.problems)
        assert ("mqsd_mqsd_remark" in experts) == bool(packet.remarks), (octets.hex(), experts, packet.remarks)
        refused += malformed
    assert 200 < refused < len(shown)


@needs_tshark
def test_a_server_list_is_shown_entry_by_entry(lua: Path, tmp_path: Path):
    capture = tmp_path / "reply.pcap"
    wrpcap(str(capture), [Ether() / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=1801, dport=49152) / Raw(REPLY)])
    names = ("mqsd.entry.ip", "mqsd.entry.ipx", "mqsd.entry.name")
    out = tshark(lua, capture, "-T", "fields", *(word for name in names for word in ("-e", name)))
    assert out.strip() == "1,1\t1,0\talpha,beta"


@needs_tshark
def test_a_reply_on_another_port_is_recognised(lua: Path, tmp_path: Path):
    capture = tmp_path / "port.pcap"
    wrpcap(str(capture), [Ether() / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=9991, dport=9992) / Raw(REPLY)])
    assert tshark(lua, capture, "-T", "fields", "-e", "mqsd.type").strip() == "0x02"


def test_every_row_of_the_table_stands_in_the_dissector_and_no_placeholder_does():
    text = lua_dissector()
    for rule in {rule.name: rule for message in MESSAGES for rule in message.fields}.values():
        row = f'{{ name = "{rule.name}", kind = "{rule.kind.value}", size = {rule.size}, from = {rule.from_length}'
        assert text.count(row) == 1
    assert "@" not in text


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run_command(["dissect", "--lua", str(tmp_path / "none" / "x.lua")]) == 4
    assert "x.lua: No such file or directory" in capsys.readouterr().err
