"""Readers of directories: exports in several hands, and servers that are none or mean no good."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mqconform.adapters.directories import ldif
from mqconform.adapters.directories.ldap import address_of, read_ldap, read_ldaps
from mqconform.harness.iut.directory_interface import ConfigurationError, DirectoryAccess, DirectorySearch

ACCESS = DirectoryAccess(searches=(DirectorySearch("site", "CN=Sites", ("cn", "objectGUID")),), seconds=5)
SITE = "dn: CN=Oslo,CN=Sites,CN=Configuration,DC=a\nobjectClass: site\ncn: Oslo\nmSMQEncryptKey: k\n\n"
OSLO = ("CN=Oslo,CN=Sites,CN=Configuration,DC=a", {"objectclass": (b"site",), "cn": (b"Oslo",)})


def export(folder: Path, text: str | bytes) -> str:
    file = folder / "export.ldf"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


EXPORTS = {
    "windows": SITE.replace("\n", "\r\n"),
    "ldifde": SITE.replace("objectClass", "changetype: add\nobjectClass").encode("utf-16"),
    "utf-8-mark": b"\xef\xbb\xbf" + SITE.encode(),
    "version": "version: 1\n\n" + SITE,
    "folded": SITE.replace("CN=Sites", "CN=\n Sites"),
    "base64": SITE.replace("cn: Oslo", "cn:: T3Nsbw=="),
    "comments": "# record 1\n" + SITE + "# returned 1 records\n",
}


def test_exports_of_several_programs_are_read(tmp_path: Path):
    for name, text in EXPORTS.items():
        assert ldif.read(export(tmp_path, text), ACCESS).entries == (OSLO,), name


def test_what_is_no_object_is_counted(tmp_path: Path):
    trailer = "search: 2\nresult: 0 Success\n\n"
    change = SITE.replace("objectClass", "changetype: delete\nobjectClass")
    reading = ldif.read(export(tmp_path, SITE + trailer + change), ACCESS)
    assert reading.entries == (OSLO,)
    assert [text[:9] for text in reading.left_out] == ["1 records", "1 records"]


def test_an_export_fetches_nothing(tmp_path: Path):
    reading = ldif.read(export(tmp_path, SITE.replace("cn: Oslo", "cn:< file:///etc/passwd")), ACCESS)
    assert reading.entries[0][1]["cn"] == (b"",)


def test_what_is_no_export_is_told_with_its_name(tmp_path: Path):
    for text in ("no colon\n", "dn: CN=a\nobjectClass:: a\n", b"dn: CN=a\n\xff\xfe: a\n", b"\xff\xfea"):
        file = export(tmp_path, text)
        with pytest.raises(ConfigurationError, match=f"ldif:{file}: .*(is not LDIF|begins like UTF-16)"):
            ldif.read(file, ACCESS)


def test_an_export_may_be_too_large(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="is larger than 100 octets; permit more by --max-size"):
        ldif.read(export(tmp_path, SITE * 3), DirectoryAccess(searches=ACCESS.searches, most_octets=100))


def test_an_odd_name_takes_no_time(tmp_path: Path):
    name = "CN=" + "a=b," * 5000
    assert len(ldif.read(export(tmp_path, f"dn: {name}\nobjectClass: site\n\n" + SITE), ACCESS).entries) == 2


def test_addresses_have_the_ports_of_their_scheme():
    assert str(address_of("ldap", "//dc1")) == "ldap://dc1:389"
    assert str(address_of("ldaps", "//[::1]:7636/")) == "ldaps://[::1]:7636"
    assert str(address_of("ldaps", "//dc1").global_catalog) == "ldaps://dc1:3269"


@contextmanager
def server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve one connection after the other on a port of loopback."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(10)
                    try:
                        answer(connection)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"//127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ended.set()
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def says(octets: bytes) -> Callable[[socket.socket], None]:
    def answer(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(octets)

    return answer


def is_silent(connection: socket.socket) -> None:
    while connection.recv(4096):
        pass


def never_ends(connection: socket.socket) -> None:
    connection.recv(4096)
    connection.sendall(b"\x30\x84\x7f\xff\xff\xff")
    while True:
        connection.sendall(bytes(65536))


BIND_RESPONSE = bytes.fromhex("300c02010161070a010004000400")
ENTRY_OF_RUBBISH = BIND_RESPONSE + bytes.fromhex("30090201026404ffffffff")
HOSTILE = [
    (says(b""), "closed the connection before all was read"),
    (says(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "is this a domain controller|closed the connection"),
    (says(bytes(range(256))), "is this a domain controller|closed the connection"),
    (says(ENTRY_OF_RUBBISH), "invalid messageId received"),
    (is_silent, "fell silent; permit more by --time-limit"),
    (never_ends, "sent more than 1000000 octets; permit more by --max-size"),
]


def test_a_server_that_means_no_good_ends_in_one_clear_error():
    for answer, text in HOSTILE:
        seconds = 1.0 if answer is is_silent else 300.0
        access = DirectoryAccess(searches=ACCESS.searches, seconds=seconds, most_octets=1_000_000)
        with server(answer) as target, pytest.raises(ConfigurationError, match=text) as refused:
            read_ldap(target, access)
        assert f"ldap:{target}" in str(refused.value)


def refuses(code: int, before: bytes = b"") -> Callable[[socket.socket], None]:
    """Bind anybody, say what a domain controller says of itself, and answer the next search with a result code."""
    root = _value(0x04, b"configurationNamingContext") + _value(0x31, _value(0x04, b"CN=Configuration,DC=a"))
    about = _value(0x64, _value(0x04, b"") + _value(0x30, _value(0x30, root)))

    def answer(connection: socket.socket) -> None:
        ended, refused = _result(0x65, 0), _result(0x65, code)
        for replies in ([_result(0x61, 0)], [about, ended], [before, refused], [about, ended]):
            identity = _identity(connection.recv(65536))
            connection.sendall(b"".join(_value(0x30, identity + reply) for reply in replies if reply))

    return answer


def _identity(request: bytes) -> bytes:
    """Return the message id of a request with its tag and length."""
    start = 2 if request[1] < 0x80 else 2 + (request[1] & 0x7F)
    return request[start : start + 2 + request[start + 1]]


def _result(tag: int, code: int) -> bytes:
    return _value(tag, _value(0x0A, bytes([code])) + _value(0x04, b"") + _value(0x04, b"said"))


def _value(tag: int, octets: bytes) -> bytes:
    return bytes([tag, len(octets)]) + octets


def test_each_refusal_of_a_search_has_its_remedy():
    for code, remedy in (
        (3, "read a nearer server, or less at once by --page-size"),
        (4, "use a smaller --page-size"),
        (8, "use ldaps:// or --starttls"),
        (10, "refers to another one: name that one, or use --global-catalog"),
        (12, "does not know paging"),
        (32, "has no such object"),
        (50, "this user may not read it"),
        (80, "see the log of the server"),
    ):
        with server(refuses(code)) as target, pytest.raises(ConfigurationError) as refused:
            read_ldap(target, ACCESS)
        assert f"ldap:{target}: " in str(refused.value)
        assert remedy in str(refused.value)


def test_references_to_other_servers_are_counted_and_not_followed():
    with server(refuses(0, _value(0x73, _value(0x04, b"ldap://other.example/DC=b")))) as target:
        reading = read_ldap(target, ACCESS)
    assert reading.entries == ()
    assert reading.left_out == ("1 references to other servers were not followed; read a global catalogue",)


def test_a_server_without_tls_is_told():
    with server(says(BIND_RESPONSE)) as target, pytest.raises(ConfigurationError, match=r"ldaps://127\.0\.0\.1:"):
        read_ldaps(target, ACCESS)


@pytest.mark.parametrize("code", [0, 2, 52])
def test_no_password_is_sent_where_tls_does_not_begin(code: int):
    received = []

    def answer(connection: socket.socket) -> None:
        while octets := connection.recv(65536):
            received.append(octets)
            if octets[0] == 0x30:
                connection.sendall(_value(0x30, _identity(octets) + _result(0x78, code)))

    secret = "S3cret"  # noqa: S105 - of nobody
    access = DirectoryAccess(searches=ACCESS.searches, seconds=2, starttls=True, bind="u", password=secret)
    with server(answer) as target, pytest.raises(ConfigurationError):
        read_ldap(target, access)
    assert received
    assert secret.encode() not in b"".join(received)


def drips(connection: socket.socket) -> None:
    """Answer an octet at a time, each in time, without end."""
    connection.recv(4096)
    connection.sendall(b"\x30\x84\x7f\xff\xff\xff")
    while True:
        connection.sendall(b"\0")
        threading.Event().wait(0.05)


def test_a_server_that_drips_is_given_up():
    for starttls in (False, True):
        access = DirectoryAccess(searches=ACCESS.searches, seconds=0.5, starttls=starttls)
        with server(drips) as target, pytest.raises(ConfigurationError, match="permit more by --time-limit"):
            read_ldap(target, access)


def test_nobody_there_is_told():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(ConfigurationError, match="Connection refused; is the server up"):
            read_ldap(f"//127.0.0.1:{port}", ACCESS)
