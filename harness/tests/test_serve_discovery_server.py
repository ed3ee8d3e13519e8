"""The reference as a peer on real sockets: it answers, logs, loses replies on purpose, recovers, and ends well."""

import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import ConfigurationError, DirectoryServerFact, ServerFacts
from mqconform.harness.iut.server_configurations import EXAMPLE, USUAL, model_of
from mqconform.harness.iut.smoke_calls import REQUEST
from mqconform.harness.tools.serve.discovery_peers import servable
from mqconform.reference.mqsd.server import Network, receive_topology_client_request

MQCONFORM = (sys.executable, "-c", "from mqconform.harness.cli import main; main()")
REPLY = receive_topology_client_request(model_of(EXAMPLE), Network.IP, REQUEST)
SECONDS = 20.0
QUIET = 0.3
"""Seconds after which a reply that must not come has not come."""


def toml(facts: ServerFacts) -> str:
    servers = ", ".join(
        f'{{ name = "{one.name}", ip = {str(one.ip).lower()}, ipx = {str(one.ipx).lower()} }}'
        for one in facts.directory_servers
    )
    networks = ", ".join(f'"{one}"' for one in facts.connected_networks)
    return (
        f'[discovery_server]\nenterprise = "{facts.enterprise}"\nsite = "{facts.site}"\n'
        f"connected_networks = [{networks}]\ndirectory_servers = [{servers}]\n"
    )


class Served:
    """A serving process and a socket that talks to it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        (folder / "facts.toml").write_text(toml(EXAMPLE))
        command = [*MQCONFORM, "serve", "discovery-server", "--facts", "facts.toml", "--port", "0", *arguments]
        self.process = subprocess.Popen(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.said = self._first_line()
        host, _, port = self.said.removeprefix("listening on ").rpartition(":")
        self.address = (host.strip("[]"), int(port))
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(SECONDS)

    def _first_line(self) -> str:
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        assert ready, "it says nothing"
        return self.process.stdout.readline().rstrip("\n")

    def send(self, datagram: bytes) -> None:
        self.socket.sendto(datagram, self.address)

    def ask(self, datagram: bytes = REQUEST) -> bytes:
        self.send(datagram)
        return self.socket.recv(65_536)

    def silent(self) -> bool:
        """Whether nothing comes for a while."""
        return not select.select([self.socket], [], [], QUIET)[0]

    def ended(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Exit status and what it printed on both streams since the first line."""
        self.process.send_signal(number)
        return self.ended_by_itself()

    def ended_by_itself(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, err


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start the server; whatever still runs at the end is killed."""
    started: list[Served] = []

    def start(*arguments: str) -> Served:
        started.append(Served(tmp_path, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.socket.close()
        one.process.kill()
        one.process.communicate(timeout=SECONDS)


# Answering


def test_it_answers_as_the_reference_does_until_a_signal(serve: Serve):
    served = serve()
    assert served.said == f"listening on 127.0.0.1:{served.address[1]}"
    assert served.ask() == REPLY
    served.send(b"no request")
    assert served.ask() == REPLY
    assert served.ended(signal.SIGINT) == (0, "requests 3, replies 2, lost on purpose 0, sockets opened 1\n", "")


# Log


def test_each_request_and_each_reply_has_its_line(serve: Serve):
    served = serve("--verbose")
    served.ask()
    served.send(b"\x1b[31m\0\n")
    served.ask()
    status, log, _ = served.ended()
    request, reply, strange, silence = log.splitlines()[:4]
    assert request.startswith("request 1: TopologyClientRequest, 52 octets: EnterpriseID e6eaba61-d1c6-11db-baac-")
    assert reply.startswith("reply to 1: TopologyServerReply, 82 octets: CorrelationID ")
    assert reply.endswith('DirectoryServiceServerArray ["nt4pec"]')
    assert strange.startswith("request 2: TopologyPacketHeader, 7 octets: Version 27, Type 0x5b (no message), ")
    assert silence == "no reply to 2"
    assert status == 0


def test_a_log_that_nobody_reads_any_more_does_not_end_the_service(serve: Serve):
    served = serve("--verbose")
    assert served.process.stdout
    served.process.stdout.close()
    served.process.stdout = None
    assert [served.ask(), served.ask()] == [REPLY, REPLY]
    served.process.send_signal(signal.SIGTERM)
    _, told = served.process.communicate(timeout=SECONDS)
    assert (served.process.returncode, told) == (0, "note: the reader of the log is gone (Broken pipe)\n")


# Losing replies on purpose


def test_each_nth_reply_is_lost_and_the_next_comes_from_a_new_socket(serve: Serve):
    served = serve("--fail-send-every", "2", "--verbose")
    assert served.ask() == REPLY
    served.send(REQUEST)
    assert served.silent()
    assert served.ask() == REPLY
    status, log, _ = served.ended()
    assert status == 0
    assert "the reply to 2 meets a network error on purpose\n" in log
    assert log.endswith("requests 3, replies 2, lost on purpose 1, sockets opened 2\n")


def test_a_socket_that_cannot_be_opened_again_stops_the_server(serve: Serve):
    served = serve("--fail-send-every", "1", "--fail-reopen")
    served.send(REQUEST)
    status, log, told = served.ended_by_itself()
    assert status == 1
    assert log == "requests 1, replies 0, lost on purpose 1, sockets opened 1\n"
    assert told == "the socket could not be opened again after a network error: stopped (MS-MQSD 3.2.5)\n"


# What cannot be served


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--host", "192.0.2.1"),
            "192.0.2.1 port 0: is not an address of this machine; give a local address with --host",
        ),
        (("--host", "a..b\x1b"), r"a..b\u001b port 0: cannot be opened: "),
        (("--facts", "absent.toml"), "absent.toml: cannot be read: No such file or directory; name a facts file"),
        (("--port", "70000"), "70000 is not in the range 0<=x<=65535"),
        (("--fail-send-every", "0"), "0 is not in the range x>=1"),
        (("--fail-reopen",), "--fail-reopen takes effect after a failed send; give --fail-send-every as well"),
    ],
)
def test_what_cannot_work_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    told: str,
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    Path("facts.toml").write_text(toml(EXAMPLE))
    given = ("--facts", "facts.toml", "--port", "0")
    assert run_command(["serve", "discovery-server", *given, *arguments]) == 4
    assert told in capsys.readouterr().err


def test_facts_that_no_reply_can_hold_are_refused():
    assert servable(EXAMPLE, "f.toml") == ""
    assert servable(USUAL, "f.toml") == ""
    nobody = ServerFacts(EXAMPLE.enterprise, EXAMPLE.site, (), EXAMPLE.directory_servers)
    assert servable(nobody, "f.toml").startswith("f.toml: connected_networks: has 0 entries, not 1 to 32")
    comma = ServerFacts(
        EXAMPLE.enterprise, EXAMPLE.site, EXAMPLE.connected_networks, (DirectoryServerFact("a,b", ip=True, ipx=False),)
    )
    with pytest.raises(ConfigurationError, match=r"f\.toml: no reply can hold these facts: .*"):
        servable(comma, "f.toml")
    many = tuple(DirectoryServerFact(f"server{number:05}", ip=True, ipx=False) for number in range(3_000))
    large = ServerFacts(EXAMPLE.enterprise, EXAMPLE.site, EXAMPLE.connected_networks, many)
    with pytest.raises(ConfigurationError, match=r"directory_servers: make replies of \d+ octets, .*fewer servers"):
        servable(large, "f.toml")


# The one command


def test_an_option_of_another_role_is_refused(capsys: pytest.CaptureFixture[str]):
    assert run_command(["serve", "queue-manager", "--facts", "f.toml"]) == 4
    assert "--facts does not go with queue-manager" in capsys.readouterr().err
    assert run_command(["serve", "discovery-server"]) == 4
    assert "Missing option '--facts': discovery-server needs it" in capsys.readouterr().err
    assert run_command(["serve", "router"]) == 4
