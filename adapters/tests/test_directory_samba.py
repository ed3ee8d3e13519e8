"""A real Active Directory of Samba, read by LDAP, and held against what ldbsearch finds in its file."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from long_tier import LONG
from samba_forest import (
    ADMINISTRATOR,
    CERTIFICATE_NAME,
    CONFIGURATION,
    PASSWORD,
    ROOT,
    SERVICES,
    Forest,
    fill,
    samba,
    why_not,
)

from mqconform.harness.cli import run_command

pytestmark = [LONG, pytest.mark.samba, pytest.mark.timeout(2400)]

QUEUE_MANAGERS = 1_200
CONFIGURED = "(|(objectClass=site)(objectClass=mSMQSettings)(objectClass=crossRef))"


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forest]:
    address = f"127.0.{os.getpid() % 200 + 10}.{os.getpid() // 200 % 200 + 10}"
    reason = why_not(address)
    if reason:
        pytest.skip(reason)
    with samba(tmp_path_factory.mktemp("samba"), address) as served:
        fill(served, QUEUE_MANAGERS)
        yield served


@pytest.fixture
def secret(tmp_path: Path) -> str:
    file = tmp_path / "secret"
    file.write_text(PASSWORD + "\n", "utf-8")
    return str(file)


def credentials(forest: Forest, secret: str) -> list[str]:
    tls = ["--ca", str(forest.ca), "--server-name", CERTIFICATE_NAME]
    return ["--bind", ADMINISTRATOR, "--password-file", secret, *tls]


def export(forest: Forest) -> str:
    """Return the directory as ldbsearch finds it in the file."""
    services = forest.ldbsearch(SERVICES, "(|(objectClass=mSMQSiteLink)(objectClass=mSMQEnterpriseSettings))")
    machines = forest.ldbsearch(ROOT, "(|(objectClass=mSMQConfiguration)(objectClass=computer))")
    return forest.ldbsearch(CONFIGURATION, CONFIGURED) + services + machines


def test_the_server_says_what_ldbsearch_finds_in_its_file(
    forest: Forest, secret: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    by_ldap, by_file, exported = tmp_path / "ldap.yaml", tmp_path / "ldif.yaml", tmp_path / "export.ldf"
    exported.write_text(export(forest), "utf-8")
    source = f"ldaps://{forest.address}"
    code = run_command(["directory", "import", source, *credentials(forest, secret), "--out", str(by_ldap), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert code == 0
    assert run_command(["directory", "import", f"ldif:{exported}", "--out", str(by_file)]) == 0
    assert by_ldap.read_bytes() == by_file.read_bytes()
    assert report["counts"] == {
        "sites": 5,
        "foreign_sites": 1,
        "routing_links": 3,
        "gates": 4,
        "queue_managers": QUEUE_MANAGERS,
        "routing_servers": 4,
    }
    assert [one["code"] for one in report["findings"]] == ["DIR-06", "DIR-09", "DIR-12"]
    counted = len(re.findall(r"^objectClass: mSMQConfiguration$", exported.read_text("utf-8"), re.MULTILINE))
    assert counted == QUEUE_MANAGERS


@pytest.mark.parametrize("how", [["--page-size", "7"], ["--global-catalog"], ["--page-size", "1000"]], ids=" ".join)
def test_pages_and_the_global_catalogue_give_the_same(forest: Forest, secret: str, tmp_path: Path, how: list[str]):
    plain, other = tmp_path / "plain.yaml", tmp_path / "other.yaml"
    source, known = f"ldaps://{forest.address}", credentials(forest, secret)
    assert run_command(["directory", "import", source, *known, "--out", str(plain)]) == 0
    assert run_command(["directory", "import", source, *known, *how, "--out", str(other)]) == 0
    assert plain.read_bytes() == other.read_bytes()


def test_tls_may_begin_on_the_plain_port(forest: Forest, secret: str):
    arguments = ["directory", "import", f"ldap://{forest.address}", *credentials(forest, secret), "--starttls"]
    assert run_command(arguments) == 0


REFUSALS = [
    ("wrong-password", ["--bind", ADMINISTRATOR], "wrong", "LDAP result 49, invalidCredentials"),
    ("unknown-user", ["--bind", "nobody@contoso.test"], PASSWORD, "name or password is wrong"),
    ("anonymous", [], PASSWORD, "bind as a user of the domain: --bind NAME --password-file FILE"),
]


@pytest.mark.parametrize(("who", "password", "text"), [one[1:] for one in REFUSALS], ids=[one[0] for one in REFUSALS])
def test_a_server_that_refuses_is_told_with_a_remedy(  # noqa: PLR0913, PLR0917 - fixtures and parameters
    forest: Forest, tmp_path: Path, capsys: pytest.CaptureFixture[str], who: list[str], password: str, text: str
):
    file = tmp_path / "password"
    file.write_text(password, "utf-8")
    tls = ["--ca", str(forest.ca), "--server-name", CERTIFICATE_NAME]
    code = run_command(["directory", "import", f"ldaps://{forest.address}", *who, "--password-file", str(file), *tls])
    said = capsys.readouterr().err
    assert (code, len(said.splitlines())) == (4, 1)
    assert text in said
    assert password not in said.replace("password", "").replace("wrong:", "").replace("is wrong", "")


def test_certificates_are_verified(forest: Forest, secret: str, capsys: pytest.CaptureFixture[str]):
    source, who = f"ldaps://{forest.address}", ["--bind", ADMINISTRATOR, "--password-file", secret]
    assert run_command(["directory", "import", source, *who]) == 4
    assert "certificate is not trusted" in capsys.readouterr().err
    other = ["--ca", str(forest.ca), "--server-name", "dc2.contoso.test"]
    assert run_command(["directory", "import", source, *who, *other]) == 4
    assert "Hostname mismatch" in capsys.readouterr().err


def test_limits_of_size_and_time_are_told(forest: Forest, secret: str, capsys: pytest.CaptureFixture[str]):
    arguments = ["directory", "import", f"ldaps://{forest.address}", *credentials(forest, secret)]
    assert run_command([*arguments, "--time-limit", "0.1", "--page-size", "1"]) == 4
    assert "permit more by --time-limit" in capsys.readouterr().err
