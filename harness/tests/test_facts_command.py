"""``mqconform smoke`` and its facts against real servers, right and wrong: they name the field."""

import contextlib
import socket
import threading
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import ConfigurationError, DirectoryServerFact, ServerFacts
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.preflight import with_hidden_order
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.tools.diagnostics.server_facts import (
    differences,
    facts_in,
    facts_text,
    hidden_octet_orders,
    plain_request,
)

ENTERPRISE, SITE, NETWORK = (
    "9f8e7d6c-5b4a-3928-1706-f5e4d3c2b1a0",
    "6ccb2b12-93b2-4b0e-8f3e-0a1b2c3d4e5f",
    "0e98c2aa-1122-4f33-a455-66778899aabb",
)
FACTS = ServerFacts(ENTERPRISE, SITE, (NETWORK,), (DirectoryServerFact("oslo", ip=True, ipx=False),))
REQUEST = plain_request(FACTS)
SITE_OCTETS = bytes.fromhex("122bcb6cb2930e4b8f3e0a1b2c3d4e5f")
NETWORK_OCTETS = bytes.fromhex("aac2980e2211334fa45566778899aabb")
LIST = bytes.fromhex("310030006f0073006c006f000000")
NUMBERS = bytes.fromhex("01000000 00000000 0e000000")
REPLY = b"\0\2\0\0" + REQUEST[20:36] + NUMBERS + NETWORK_OCTETS + SITE_OCTETS + LIST
"""Literal octets of the right reply: header, CorrelationID, then count, mask and size, network, site, list."""


def changed(at: int, octets: bytes) -> bytes:
    return REPLY[:at] + octets + REPLY[at + len(octets) :]


def test_the_right_reply_differs_nowhere():
    assert differences(REPLY, REQUEST, FACTS) == []


def test_each_wrong_field_is_named(subtests: pytest.Subtests):
    for reply, field, hint in [
        (changed(1, b"\1"), "Type", "is 1"),
        (changed(4, bytes(16)), "CorrelationID", "RequestID"),
        (changed(20, b"\0\0\0\1"), "ConnectedNetworkCount", "high octet first"),
        (changed(20, b"\7"), "ConnectedNetworkCount", "is 7, the facts make it 1"),
        (changed(28, b"\x10"), "DirectoryServiceServerSize", "is 16, octets that follow are 14"),
        (changed(32, UUID(NETWORK).bytes), "ConnectedNetworkArray", "order of the text"),
        (changed(48, bytes(16)), "RespondingSiteID", f"the facts have {SITE}"),
        (REPLY[:64] + b"10oslo\0", "DirectoryServiceServerSize", "octets that follow are 7"),
        (changed(28, b"\7")[:64] + b"10oslo\0", "DirectoryServiceServerArray", "8-bit characters"),
        (changed(28, b"\x0c")[:-2], "DirectoryServiceServerArray", "null character"),
        (changed(70, b"k"), "DirectoryServiceServerArray", "has oklo; the facts have oslo"),
        (REPLY[:31], "reply", "31 octets"),
    ]:
        with subtests.test(hint=hint):
            found = differences(reply, REQUEST, FACTS)
            assert field in [one.field for one in found]
            assert hint in " ".join(one.text for one in found)


def test_guids_that_hide_the_octet_order_are_named():
    hiding = replace(FACTS, site="aaaaaaaa-0000-0000-0000-000000000001")
    assert hidden_octet_orders(FACTS) == []
    assert hidden_octet_orders(hiding) == ["site aaaaaaaa-0000-0000-0000-000000000001"]
    verified = Finding(load_catalogue()["MQSD-2-01"], Standing.VERIFIED, "", 1)
    assert [*with_hidden_order([verified], FACTS)] == [verified]
    (hidden,) = with_hidden_order([verified], hiding)
    assert (hidden.standing, hidden.reason.startswith("site aaaa")) == (Standing.UNSUPPORTED, True)


def test_facts_are_drafted_from_a_reply():
    text = "\n".join(facts_text(facts_in(REPLY, ENTERPRISE), asked=True))
    assert tomllib.loads(text)["discovery_server"] == {
        "enterprise": ENTERPRISE,
        "site": SITE,
        "connected_networks": [NETWORK],
        "directory_servers": [{"name": "oslo", "ip": True, "ipx": False}],
    }


def test_a_name_that_no_file_can_hold_is_refused_and_a_strange_one_is_kept():
    odd = facts_in(changed(68, b"\x7f\0\x22\0"), ENTERPRISE)
    document = tomllib.loads("\n".join(facts_text(odd, asked=True)))
    assert document["discovery_server"]["directory_servers"][0]["name"] == '\x7f"lo'
    half = facts_in(changed(68, b"\0\xd8"), ENTERPRISE)
    with pytest.raises(ConfigurationError, match="half a surrogate pair"):
        list(facts_text(half, asked=True))


@pytest.fixture
def served() -> Iterator[Callable[[bytes | None], str]]:
    """Start a server that answers each request with one reply, its CorrelationID apart, or not at all."""
    sockets = []

    def start(reply: bytes | None) -> str:
        here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        here.bind(("127.0.0.1", 0))
        sockets.append(here)

        def serve() -> None:
            while True:
                try:
                    request, client = here.recvfrom(65_535)
                except OSError:
                    return
                if not request:
                    return
                if reply is not None:
                    here.sendto(reply[:4] + request[20:36] + reply[20:], client)

        threading.Thread(target=serve, daemon=True).start()
        return f"udp:127.0.0.1:{here.getsockname()[1]}"

    yield start
    for one in sockets:
        with contextlib.suppress(OSError):  # not connected: the shutdown still wakes the thread
            one.shutdown(socket.SHUT_RDWR)
        one.close()


def test_learned_facts_check_and_smoke(
    served: Callable[[bytes | None], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    right, wrong, silent = served(REPLY), served(changed(20, b"\0\0\0\1")), served(None)
    facts = str(tmp_path / "facts.toml")
    assert run_command(["smoke", "--iut", right, "--write-facts", facts]) == 0
    assert run_command(["smoke", "--check-facts", "--iut", right, "--facts", facts]) == 0
    assert "the reply is as the facts have it" in capsys.readouterr().out
    assert run_command(["smoke", "--iut", right, "--facts", facts]) == 0
    assert "each field matches the facts" in capsys.readouterr().out
    assert run_command(["smoke", "--check-facts", "--iut", wrong, "--facts", facts]) == 1
    assert "ConnectedNetworkCount: is 00 00 00 01" in capsys.readouterr().out
    assert run_command(["smoke", "--iut", wrong, "--facts", facts]) == 1
    told = capsys.readouterr().out
    assert "fault       reply, ConnectedNetworkCount" in told
    assert "configuration differs" not in told
    assert run_command(["smoke", "--iut", wrong, "--write-facts", f"{facts}2"]) == 4
    assert "smoke --check-facts" in capsys.readouterr().err
    assert run_command(["smoke", "--iut", silent, "--write-facts", f"{facts}2", "--reply-timeout", "0.2"]) == 2
    assert "--enterprise" in capsys.readouterr().err
    assert run_command(["smoke", "--iut", right, "--write-facts", facts]) == 4
    assert "exists; name another" in capsys.readouterr().err


def test_what_is_no_server_by_datagrams_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for iut in ("ref:", "stdio:cat", "udp:nowhere"):
        assert run_command(["smoke", "--iut", iut, "--write-facts", str(tmp_path / "facts.toml")]) == 4
        assert "udp:" in capsys.readouterr().err
    for wrong in (["--check-facts"], ["--enterprise", ENTERPRISE], ["--write-facts", "f", "--check-facts"]):
        assert run_command(["smoke", *wrong]) == 4
