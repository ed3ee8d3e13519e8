"""Discovery clients against discovery servers on real networks: each kind of fault is laid at the right door."""

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from long_tier import long
from matrices import implementations, of, played, requirements, written

from mqconform.adapters.networks.namespaces import why_no_namespaces
from mqconform.harness.cli.matrix import NETWORKS
from mqconform.harness.explore.matrix import discovery_cells
from mqconform.harness.explore.matrix.matrix_run import Outcome
from mqconform.harness.tools.packets.pcap_messages import read_datagrams

MQCONFORM = [sys.executable, "-c", "from mqconform.harness.cli import main; main()"]
WRONG = {"version": "mutant:client-version-1", "networks": "mutant:first-network-only"}
ROLES = {"version": "discovery_client", "networks": "discovery_server"}
WAITS = {"deaf": "mutant:client-deaf", "silent": "mutant:silent"}
POURS = (
    "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
    "s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)\n"
    "while True: s.sendto(bytes(52), ('10.0.1.255', 1801))"
)
SPOUTS = (
    "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(('0.0.0.0', 1801))\n"
    "_, who = s.recvfrom(100)\n"
    "while True: s.sendto(b'spout', who)"
)
PROGRAMS = f"""
[implementations.programs.discovery_client]
start = {[*MQCONFORM, "serve", "discovery-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}"]}
network = ["--network", "{{address}}/{{prefix}}"]
outcome = "json"
[implementations.programs.discovery_server]
start = {[*MQCONFORM, "serve", "discovery-server", "--host", "{host}", "--port", "{port}", "--facts", "{facts}"]}
[implementations.absent.discovery_client]
start = ["/nowhere/client"]
"""
BAD_PROGRAMS = """
[implementations.crashes.discovery_server]
start = ["false"]
[implementations.nothing.discovery_client]
start = ["true"]
outcome = "exit-status"
[implementations.babbles.discovery_client]
start = ["yes"]
outcome = "json"
"""
FLOODS = f"""
[implementations.pours.discovery_client]
start = [{sys.executable!r}, "-c", {POURS!r}]
outcome = "exit-status"
[implementations.spouts.discovery_server]
start = [{sys.executable!r}, "-c", {SPOUTS!r}]
"""
QUICK = '[discovery]\nscenarios = ["own-site"]\n'
why_not = cache(why_no_namespaces)


def needs_networks(judgements: int) -> None:
    if why_not():
        pytest.skip(f"{judgements} judgements on pairs not made: {why_not()}")


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("discovery")


@pytest.fixture(scope="module")
def outcome(out: Path) -> Outcome:
    """Clients and servers that conform or do not, none of which lets another wait in vain."""
    needs_networks(12)
    text = implementations({"ref": "ref:"} | WRONG, **ROLES)
    return played(written(out, text + PROGRAMS + QUICK), out / "out", "discovery")


def test_those_that_conform_find_each_other_twice(subtests: pytest.Subtests, outcome: Outcome):
    for client in ["ref", "programs"]:
        for server in ["ref", "programs"]:
            with subtests.test(client=client, server=server):
                result = of(outcome, "discovery", client, server)
                assert (result.outcome, result.findings) == ("pass", ())
                assert result.scenarios[0].told.count("success") == 2


def test_the_wrong_one_is_to_blame_and_both_where_both_are_wrong(outcome: Outcome):
    for client, server, blame in [
        ("version", "ref", "client"),
        ("ref", "networks", "server"),
        ("programs", "networks", "server"),
        ("version", "networks", "both"),
    ]:
        result = of(outcome, "discovery", client, server)
        assert result.blame == blame, (client, server)
        assert ("MQSD-2.2.1-03" in requirements(result, "client")) == (client == "version")
        assert ("MQSD-2.2.3-16" in requirements(result, "server")) == (server == "networks")


def test_a_program_that_is_not_there_is_said_and_counted(outcome: Outcome):
    absent = of(outcome, "discovery", "absent", "ref")
    assert (absent.outcome, absent.reason) == ("not-applicable", "absent: /nowhere/client: no such program")
    assert absent in outcome.lost


@long
def test_programs_that_do_not_play_their_part_are_to_blame(tmp_path: Path):
    """All wait in vain at the same time."""
    needs_networks(6)
    text = implementations({"ref": "ref:"} | WAITS, deaf="discovery_client", silent="discovery_server")
    outcome = played(written(tmp_path, text + BAD_PROGRAMS + QUICK), tmp_path / "out", "discovery")
    for client, server, blame, told in [
        ("ref", "crashes", "server", "ended with exit status 1"),
        ("ref", "silent", "server", ""),
        ("deaf", "ref", "client", ""),
        ("nothing", "ref", "client", "sent no request"),
        ("babbles", "ref", "client", "octets to its standard output"),
    ]:
        result = of(outcome, "discovery", client, server)
        assert result.blame == blame, (client, server)
        assert told in result.findings[0].says


def test_the_capture_of_a_cell_is_kept(outcome: Outcome, out: Path):
    result = of(outcome, "discovery", "programs", "ref")
    datagrams = [one for file in result.evidence for one in read_datagrams(out / "out" / file)]
    assert [len(one.octets) for one in datagrams] == [52, 80, 52, 80]


def test_what_happened_is_drawn(outcome: Outcome):
    drawn = of(outcome, "discovery", "ref", "networks").scenarios[0].timeline
    assert "TopologyClientRequest, 52 octets" in drawn
    assert "TopologyServerReply" in drawn


@long
@pytest.mark.hostile
def test_who_floods_is_ended_and_to_blame(tmp_path: Path):
    needs_networks(2)
    outcome = played(
        written(tmp_path, implementations({"ref": "ref:"}) + FLOODS + QUICK), tmp_path / "out", "discovery"
    )
    client, server = (of(outcome, "discovery", *pair) for pair in (("pours", "ref"), ("ref", "spouts")))
    assert (client.blame, server.blame) == ("client", "server")
    assert "the client floods" in client.findings[0].says
    assert "the server floods" in server.findings[0].says


@long
def test_a_server_of_another_site_and_one_on_the_second_network_are_found(tmp_path: Path):
    needs_networks(2)
    targets = {"ref": "ref:", "names": "mutant:first-name-only", "flags": "mutant:client-keeps-flags"}
    text = implementations(targets, names="discovery_server", flags="discovery_client")
    tried = '[discovery]\nscenarios = ["other-site", "second-network"]\n'
    outcome = played(written(tmp_path, text + tried), tmp_path / "out", "discovery")
    found = of(outcome, "discovery", "ref", "ref")
    assert found.outcome == "pass"
    told = {one.name: one.told for one in found.scenarios}
    assert told["other-site"] == "success (3 directory servers; 3 connected networks)"
    assert told["second-network"].startswith("success")
    wrong = of(outcome, "discovery", "ref", "names")
    assert {one.name for one in wrong.scenarios if one.verdict.word == "fail"} == {"other-site"}
    assert requirements(wrong, "server") == {"MQSD-3.2.5.1-13"}
    learned = of(outcome, "discovery", "flags", "ref")
    assert learned.blame == "client"
    assert {one.name for one in learned.scenarios if one.verdict.word == "fail"} == {"other-site"}


def test_where_no_networks_can_be_made_it_is_said_and_counted(tmp_path: Path):
    nowhere = replace(NETWORKS, obstacle=lambda: "not permitted")
    matrix = written(tmp_path, implementations({"ref": "ref:"}))
    outcome = played(matrix, tmp_path / "out", "discovery", networks=nowhere)
    assert [one.reason for one in outcome.lost] == ["no networks can be made here: not permitted"]
    assert (outcome.exit_code, outcome.totals()) == (5, {"discovery": {"not-applicable": 1}})


def test_no_more_scenarios_live_at_once_than_files_may_be_open(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
):
    for open_files, scenarios in [(1024, 34), (256, 2), (1_048_576, 34)]:
        with subtests.test(open_files=open_files):
            monkeypatch.setattr(discovery_cells.resource, "getrlimit", lambda _, most=open_files: (most, most))
            assert discovery_cells._room() == scenarios
