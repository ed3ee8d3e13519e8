"""Facts files, right and wrong."""

from pathlib import Path

import pytest

from mqconform.harness.iut.facts import load_all_facts, load_facts
from mqconform.harness.iut.interface import ClientFacts, ConfigurationError, DirectoryServerFact, ServerFacts

RIGHT = """
[discovery_server]
enterprise = "E6EABA61-D1C6-11DB-BAAC-0003FF4E2D22"
site = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
connected_networks = ["e6eaba62-d1c6-11db-BAAC-0003ff4e2d22"]
directory_servers = [{ name = "nt4pec", ip = true, ipx = false }]
"""


def write(directory: Path, text: str | bytes) -> Path:
    path = directory / "server.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_facts_are_read_with_guids_in_lower_case(tmp_path: Path):
    facts = load_facts(write(tmp_path, RIGHT))
    assert facts == ServerFacts(
        "e6eaba61-d1c6-11db-baac-0003ff4e2d22",
        "e6eaba60-d1c6-11db-baac-0003ff4e2d22",
        ("e6eaba62-d1c6-11db-baac-0003ff4e2d22",),
        (DirectoryServerFact("nt4pec", ip=True, ipx=False),),
    )


def test_a_server_may_have_neither_networks_nor_directory_servers(tmp_path: Path):
    text = RIGHT.replace('["e6eaba62-d1c6-11db-BAAC-0003ff4e2d22"]', "[]")
    text = text.replace('[{ name = "nt4pec", ip = true, ipx = false }]', "[]")
    facts = load_facts(write(tmp_path, text))
    assert (facts.connected_networks, facts.directory_servers) == ((), ())


WRONG = [
    ("", "discovery_server: is missing; expected an object with enterprise, site"),
    (RIGHT + "[more]\n", "more: is not a field here; the fields are discovery_server"),
    (RIGHT + "sites = 1\n", "discovery_server.sites: is not a field here; the fields are enterprise, site,"),
    (RIGHT.replace("site =", "# site ="), "discovery_server.site: is missing; expected a GUID as text"),
    (RIGHT.replace("e6eaba60", "{e6eaba60"), "discovery_server.site: is '{e6eaba60-"),
    (RIGHT.replace("true", '"yes"'), "directory_servers[0].ip: is 'yes'; expected true or false"),
    (RIGHT.replace('"nt4pec"', '""'), "directory_servers[0].name: is ''; expected text that is not"),
    (RIGHT.replace(", ipx = false", ""), "directory_servers[0].ipx: is missing; expected true or"),
    ("x = ", "is not TOML"),
    ("x = " + "[" * 10_000, "is not TOML"),
    ("x = 1" + "0" * 10_000, "is not TOML"),
    (b"x = '\xff'", "is not UTF-8"),
    (b"#" * (1024 * 1024 + 1), "is larger than"),
]


CLIENT = """
[discovery_client]
start = ["client", "{networks}"]
network = ["{address}"]
enterprise = "E6EABA61-D1C6-11DB-BAAC-0003FF4E2D22"
site = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
outcome = "exit-status"
tolerance = 1
"""
WRONG_OF_A_CLIENT = [
    (CLIENT.replace("start =", "begin ="), "discovery_client.start: is missing"),
    (CLIENT.replace('["client", "{networks}"]', '"client"'), "start: is 'client'; expected a program"),
    (CLIENT.replace("network =", "# network ="), "discovery_client.network: is missing; give the arguments for"),
    (CLIENT.replace("site =", "# site ="), "discovery_client.site: is missing; give the client's value"),
    (CLIENT.replace("exit-status", "printed"), "outcome: is 'printed'; expected none, exit-status"),
    (CLIENT.replace("tolerance = 1", "tolerance = 15"), "tolerance: is 15; expected seconds, from"),
    (CLIENT + "retries = 3", "discovery_client.retries: is not a field here"),
]


def test_what_is_wrong_is_told_with_file_and_field(subtests: pytest.Subtests, tmp_path: Path):
    for text, told in WRONG + WRONG_OF_A_CLIENT:
        with subtests.test(told=told):
            path = write(tmp_path, text)
            with pytest.raises(ConfigurationError) as caught:
                load_all_facts(path) if b"client" in path.read_bytes() else load_facts(path)
            assert str(caught.value).startswith(f"{path}: ")
            assert told in str(caught.value)
            assert len(str(caught.value)) < 1_000


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    for path in (tmp_path / "missing.toml", tmp_path):
        with pytest.raises(ConfigurationError, match="name a facts file that can be read") as caught:
            load_facts(path)
        assert str(caught.value).startswith(str(path))


def test_a_file_may_be_about_a_client_a_server_or_both(tmp_path: Path):
    ids = "e6eaba61-d1c6-11db-baac-0003ff4e2d22", "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
    facts = ClientFacts(("client", "{networks}"), (), ("{address}",), *ids, outcome="exit-status", tolerance=1)
    assert load_all_facts(write(tmp_path, CLIENT)) == (None, facts)
    assert load_all_facts(write(tmp_path, CLIENT + RIGHT)) == (load_facts(write(tmp_path, RIGHT)), facts)
    assert load_all_facts(write(tmp_path, RIGHT))[1] is None


def test_the_example_is_right():
    server, client = load_all_facts(Path(__file__).parents[2] / "examples" / "client-facts.toml")
    assert server is None
    assert client
    assert client.outcome == "json"
