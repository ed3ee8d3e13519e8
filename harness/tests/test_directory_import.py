"""``mqconform directory import`` and the commands that read a directory, from an export of a real one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mqconform.harness.cli import run_command
from mqconform.harness.records.schema_text import complaint, validator
from mqconform.harness.tools.enterprise.file import read_enterprise

EXPORT = Path(__file__).parents[2] / "examples" / "directories" / "contoso.ldf"
SOURCE = f"ldif:{EXPORT}"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*arguments: str) -> tuple[int, str, str]:
        code = run_command([*arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def test_enterprise_and_snapshot_need_a_file_each(run: Run, tmp_path: Path):
    (tmp_path / "link").symlink_to("one.json")
    files = ("--out", str(tmp_path / "one.json"), "--snapshot", str(tmp_path / "link"))
    code, _, err = run("directory", "import", SOURCE, *files)
    assert code == 4
    assert "is the file that --out names; name another" in err
    assert not (tmp_path / "one.json").exists()


def test_what_killed_commands_left_beside_a_file_goes_and_that_of_others_stays(run: Run, tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    names = [f".[e].json.{ended.pid}", f".[e].json.{os.getppid()}", f".e.json.{ended.pid}", ".[e].json.mine"]
    for name in names:
        (tmp_path / name).write_text("{", "utf-8")
    target = tmp_path / "[e].json"
    target.write_text("as before", "utf-8")
    with target.open() as opened:
        assert run("directory", "import", SOURCE, "--out", str(target))[0] == 0
        assert opened.read() == "as before", "a file is replaced, not written over: whoever kills it leaves a whole one"
    assert {one.name for one in tmp_path.iterdir()} == {"[e].json", *names[1:]}


def test_an_export_becomes_an_enterprise_file(run: Run, tmp_path: Path):
    out = tmp_path / "contoso.yaml"
    code, said, err = run("directory", "import", SOURCE, "--out", str(out))
    assert (code, err) == (0, f"written to {out}\n")
    assert "5 sites, 1 foreign sites, 3 routing links, 4 gates, 9 queue managers, 4 routing servers" in said
    directory = read_enterprise(str(out)).directory
    assert {one.name: one.foreign_site for one in directory.sites}["Lima"] is True
    gates = {one.identifier: one.name for one in directory.queue_managers}
    named = {one.name: sorted(gates[gate] for gate in one.site_gate_collection) for one in directory.sites}
    assert named["Rome"] == ["gate-rome"]
    assert named["Kyiv"] == ["gate-k2"]
    assert out.read_text("utf-8").startswith("# Gates of sites by the policy links-and-members")


def test_findings_name_code_and_object_and_count_where_asked(run: Run):
    code, said, _ = run("directory", "import", SOURCE, "--strict", "--json")
    report = json.loads(said)
    assert code == 1
    assert [one["code"] for one in report["findings"]] == ["DIR-06", "DIR-09", "DIR-12"]
    assert "CN=Deleted Objects" in report["findings"][0]["text"]
    assert report["counts"]["queue_managers"] == 9
    assert report["source"]["gates"] == "links-and-members"


def test_a_snapshot_fits_its_schema_and_is_an_enterprise_file(run: Run, tmp_path: Path):
    snapshot = tmp_path / "s.json"
    assert run("directory", "import", SOURCE, "--snapshot", str(snapshot))[0] == 0
    judge = validator("directory_snapshot")
    assert judge is not None
    assert complaint(judge, json.loads(snapshot.read_text("ascii")), "") == ""
    code, said, _ = run("directory", "check", str(snapshot))
    lines = snapshot.read_text("ascii").splitlines()
    lima = next(place for place, line in enumerate(lines, start=1) if '"Default-First-Site-Name", "site_gates"' in line)
    assert code == 1
    assert f"{snapshot}:{lima}: error: sites[" in said


def test_a_broken_snapshot_is_told_with_the_place(run: Run, tmp_path: Path):
    broken = tmp_path / "s.json"
    broken.write_text('{"directory_snapshot": 1,\n "document": {"enterprise": {"name": "E"},\n "sites": 3}}', "ascii")
    code, _, err = run("directory", "check", str(broken))
    assert code == 4
    assert f"{broken}:3: document.sites: " in err


def test_every_command_reads_the_directory_itself(run: Run, tmp_path: Path):
    code, said, _ = run("next-hops", "--directory", SOURCE, "--from", "client", "--to", "gate-l")
    assert code == 0
    assert "client -> gate-o -> gate-rome -> gate-l" in said
    code, said, _ = run("directory", "check", SOURCE)
    assert code == 1
    assert "Default-First-Site-Name is empty; with several sites, each has a gate" in said
    assert (
        run("directory", "draw", SOURCE, "--from", "client", "--to", "gate-l", "--out", str(tmp_path / "a.dot"))[0] == 0
    )
    code, said, _ = run("directory", "convert", SOURCE, "--to", "json", "--ids-to-names")
    assert (code, json.loads(said)["enterprise"]["name"]) == (0, "DC=contoso,DC=test")


def test_gates_follow_the_policy(run: Run, tmp_path: Path):
    listed = tmp_path / "gates.yaml"
    listed.write_text("Oslo: [client]\n", "utf-8")
    code, said, _ = run("directory", "import", SOURCE, "--gates", f"file:{listed}", "--json")
    assert (code, json.loads(said)["counts"]["gates"]) == (0, 1)
    for text, told in [
        ("Oslo: client\n", "Oslo': must be a list of names"),
        ("[1]\n", "must be an object"),
        ("Nowhere: [client]\n", "no site of the directory is called 'nowhere'"),
    ]:
        listed.write_text(text, "utf-8")
        code, _, err = run("directory", "import", SOURCE, "--gates", f"file:{listed}")
        assert (code, told.casefold() in err.casefold()) == (4, True), text
    code, _, err = run("directory", "import", SOURCE, "--gates", "some")
    assert (code, "use links-and-members, links or file:FILE" in err) == (4, True)


UNUSABLE = [
    (["contoso.yaml"], "is not a directory; write ldaps://HOST"),
    (["ldif:missing.ldf"], "cannot be read: No such file or directory; name an LDIF file"),
    (["ldif:"], "names no file; write ldif:export.ldf"),
    (["ldap://user:secret@dc1"], "use --bind and --password-file"),
    (["ldap://"], "is not an address of a server; write ldap://HOST"),
    (["ldap://dc1", "--bind", "u"], "--bind needs a password"),
    (["ldaps://dc1", "--starttls"], "--starttls belongs to ldap://"),
    (["ldap://dc1", "--ca", "ca.pem"], "--ca and --server-name need TLS"),
    (["ldaps://dc1", "--ca", "missing.pem"], "--ca missing.pem: holds no certificates"),
    (["ldaps://dc1", "--password-file", "missing"], "missing: cannot be read"),
]


def test_what_cannot_be_read_is_told_and_nothing_is_written(subtests: pytest.Subtests, run: Run, tmp_path: Path):
    for arguments, text in UNUSABLE:
        with subtests.test(arguments=arguments):
            out = tmp_path / "out.yaml"
            code, _, err = run("directory", "import", *arguments, "--out", str(out))
            assert code == 4
            assert text in err
            assert "secret" not in err
            assert not out.exists()


def test_a_password_does_not_travel_in_clear_text(run: Run, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("S3cret-word\n", "utf-8")
    code, _, err = run("directory", "import", "ldap://127.0.0.1:1", "--bind", "u", "--password-file", str(secret))
    assert code == 4
    assert "would travel in clear text; use ldaps:// or --starttls" in err
    assert "S3cret" not in err
    secret.write_text("one\ntwo\n", "utf-8")
    code, _, err = run("directory", "import", "ldaps://dc1", "--bind", "u", "--password-file", str(secret))
    assert (code, "must hold the password alone" in err) == (4, True)


QUEUE = """
dn: CN=orders,CN=msmq,CN=client,CN=Computers,DC=contoso,DC=test
objectClass: mSMQQueue
objectGUID:: AAECAwQFBgcICQoLDA0ODw==
cn: orders
mSMQLabel: Orders
mSMQTransactional: TRUE
"""


def test_public_queues_are_kept_where_they_are_asked_for(run: Run, tmp_path: Path):
    export, snapshot = tmp_path / "export.ldf", tmp_path / "s.json"
    export.write_text(EXPORT.read_text("utf-8") + QUEUE, "utf-8")
    for asked, kept in (([], []), (["--queues"], ["Orders"])):
        assert run("directory", "import", f"ldif:{export}", "--snapshot", str(snapshot), *asked)[0] == 0
        objects = json.loads(snapshot.read_text("ascii"))["objects"]
        assert [one["attributes"]["mSMQLabel"] for one in objects if one["class"] == "mSMQQueue"] == kept


def test_what_must_not_be_kept_is_not(run: Run, tmp_path: Path):
    export, snapshot = tmp_path / "export.ldf", tmp_path / "s.json"
    text = EXPORT.read_text("utf-8")
    secrets = "mSMQEncryptKey: KEY-1\nnTSecurityDescriptor: KEY-2\nuserPassword: KEY-3\nunicodePwd: KEY-4\n"
    export.write_text(
        text.replace("objectClass: mSMQConfiguration\n", f"objectClass: mSMQConfiguration\n{secrets}"), "utf-8"
    )
    assert "KEY-4" in export.read_text("utf-8")
    assert run("directory", "import", f"ldif:{export}", "--snapshot", str(snapshot))[0] == 0
    assert "KEY-" not in snapshot.read_text("ascii")


def test_a_forest_of_two_domains_is_read_from_both_exports(run: Run, tmp_path: Path):
    text = EXPORT.read_text("utf-8")
    partition = (
        "\ndn: CN=SUB,CN=Partitions,CN=Configuration,DC=contoso,DC=test\nobjectClass: crossRef\n"
        "nCName: DC=sub,DC=contoso,DC=test\nsystemFlags: 3\n"
    )
    machine = next(one for one in text.split("\n\n") if one.startswith("dn: CN=msmq,CN=both"))
    other = machine.replace("DC=contoso", "DC=sub,DC=contoso").replace("objectGUID:: ", "objectGUID:: AAEC")
    guid = next(line for line in other.splitlines() if line.startswith("objectGUID"))
    other = other.replace(guid, "objectGUID:: AAECAwQFBgcICQoLDA0ODw==")
    one, both = tmp_path / "one.ldf", tmp_path / "both.ldf"
    one.write_text(text + partition, "utf-8")
    both.write_text(f"{text}{partition}\n{other}\n", "utf-8")
    _, said, _ = run("directory", "import", f"ldif:{one}")
    assert "no queue manager of DC=sub,DC=contoso,DC=test was read; if there are any, read a global catalogue" in said
    _, said, _ = run("directory", "import", f"ldif:{both}")
    assert "global catalogue" not in said
    assert "10 queue managers" in said
