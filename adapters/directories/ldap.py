"""``ldap://HOST[:PORT]`` and ``ldaps://HOST[:PORT]``: Active Directory, read page by page.

ldap3 is pure Python. python-ldap is better kept but comes as source that needs OpenLDAP's headers; who has it can
replace this module by a plug-in, and ``ldif:`` reads what ldapsearch wrote.
"""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from mqconform.harness.iut.directory_interface import (
    ConfigurationError,
    DirectoryAccess,
    DirectoryReading,
    DirectorySearch,
    RawEntry,
)

PORTS: Final = {"ldap": 389, "ldaps": 636}
CATALOGUE_PORTS: Final = {"ldap": 3268, "ldaps": 3269}


@dataclass(frozen=True, slots=True)
class Address:
    """A server."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        """Return the address as a URL."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def global_catalog(self) -> "Address":
        """The global catalogue of the same server."""
        return replace(self, port=CATALOGUE_PORTS[self.scheme])


def address_of(scheme: str, target: str) -> Address:
    """Return the server that stands behind ``ldap:`` or ``ldaps:``.

    Raises:
        ConfigurationError: it is none. The message never repeats what might be a password.
    """
    example = f"write {scheme}://HOST or {scheme}://HOST:PORT"
    try:
        parts = urlsplit(f"{scheme}:{target}")
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigurationError(f"{scheme}: is not an address of a server; {example}") from error
    if "@" in parts.netloc:
        raise ConfigurationError(
            f"{scheme}: an address has no user and no password in it; use --bind and --password-file"
        )
    if not host or parts.path.strip("/") or parts.query or parts.fragment:
        raise ConfigurationError(f"{scheme}:{target[:80]!a}: is not an address of a server; {example}")
    return Address(scheme, host, port or PORTS[scheme])


class LimitReached(OSError):
    """More was sent, or it took longer, than the user permits."""


@contextmanager
def connected(address: Address, access: DirectoryAccess, deadline: float) -> Iterator[Any]:
    """Yield a connection that has bound; any failure in it raises one error.

    Args:
        address: the server.
        access: how to reach it.
        deadline: when all has to be over, by the monotonic clock.

    Raises:
        ConfigurationError: with server, reason and remedy; the password is in no message.
    """
    check_binding(address, access)
    try:
        from ldap3.core.exceptions import LDAPException  # noqa: PLC0415 - of the extra
    except ImportError as missing:
        raise ConfigurationError(
            f"{address}: reading LDAP needs {missing.name}, which is not installed; "
            "run in a checkout of mqconform: pip install '.[ldap]'"
        ) from missing
    connection = None
    try:
        connection = _opened(address, access, deadline)
        yield connection
    except ConfigurationError:
        raise
    except LDAPException as error:
        raise ConfigurationError(f"{address}: {_reason(error)}") from None  # its context may hold what was sent
    except Exception as error:  # noqa: BLE001 - ldap3 takes octets of a stranger apart, and may stumble in any way
        raise ConfigurationError(
            f"{address}: the server's answer is not LDAP ({type(error).__name__}); is this a domain controller?"
        ) from None
    finally:
        if connection is not None:
            _closed(connection)


def check_binding(address: Address, access: DirectoryAccess) -> None:
    """Refuse what would show a password to the network, or cannot work.

    Raises:
        ConfigurationError: naming the option that helps.
    """
    encrypted = address.scheme == "ldaps" or access.starttls
    if address.scheme == "ldaps" and access.starttls:
        raise ConfigurationError(f"{address}: --starttls belongs to ldap://; ldaps:// has TLS from the first octet")
    if access.kerberos and access.bind:
        raise ConfigurationError(f"{address}: --bind and --kerberos exclude each other")
    if access.kerberos and find_spec("gssapi") is None:
        raise ConfigurationError(f"{address}: --kerberos needs gssapi, which is not installed; run: pip install gssapi")
    if access.bind and not access.password:
        raise ConfigurationError(f"{address}: --bind needs a password; give its file with --password-file")
    if access.bind and not encrypted and not access.allow_cleartext:
        raise ConfigurationError(
            f"{address}: the password would travel in clear text; use ldaps:// or --starttls, or allow it with "
            "--allow-cleartext"
        )
    if (access.ca or access.server_name) and not encrypted:
        raise ConfigurationError(f"{address}: --ca and --server-name need TLS; use ldaps:// or --starttls")


def _opened(address: Address, access: DirectoryAccess, deadline: float) -> Any:
    import ldap3  # noqa: PLC0415 - of the extra

    encrypted = address.scheme == "ldaps"
    tls = _tls(address, access) if encrypted or access.starttls else None
    server = ldap3.Server(
        address.host, address.port, use_ssl=encrypted, tls=tls, get_info=ldap3.NONE, connect_timeout=_patience(access)
    )
    binding: dict[str, Any] = {}
    if access.kerberos:
        binding = {"authentication": ldap3.SASL, "sasl_mechanism": ldap3.KERBEROS}
    elif access.bind:
        binding = {"user": access.bind, "password": access.password, "authentication": ldap3.SIMPLE}
    connection = ldap3.Connection(
        server, auto_referrals=False, check_names=False, raise_exceptions=True, read_only=True, **binding
    )
    try:
        _begin(address, access, connection, deadline)
    except BaseException:
        _closed(connection)
        raise
    return connection


def _patience(access: DirectoryAccess) -> float:
    """Return how long a server may take to accept a connection, and to begin TLS, in seconds."""
    return min(CONNECT_SECONDS, access.seconds)


def _begin(address: Address, access: DirectoryAccess, connection: Any, deadline: float) -> None:
    connection.open(read_server_info=False)
    connection.socket = _MeteredSocket(connection.socket, access.most_octets, deadline)
    if access.starttls:
        connection.start_tls(read_server_info=False)
        if not isinstance(connection.socket, ssl.SSLSocket):  # ldap3 may return where others raise
            raise ConfigurationError(f"{address}: the server does not begin TLS; use ldaps://")
        connection.socket = _MeteredSocket(connection.socket, access.most_octets, deadline)
    connection.bind(read_server_info=False)


def _closed(connection: Any) -> None:
    """Take leave, and close the socket whatever state it is in; the server may be gone, and nothing depends on it."""
    with suppress(Exception):
        connection.unbind()
    with suppress(Exception):
        connection.socket.close()


def _tls(address: Address, access: DirectoryAccess) -> Any:
    """Return ldap3's way to TLS with the standard library's verification of certificate and name."""
    import ldap3  # noqa: PLC0415 - of the extra

    try:
        context = ssl.create_default_context(cafile=access.ca)
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigurationError(f"--ca {access.ca}: holds no certificates: {reason}; give a file in PEM") from error
    name = access.server_name or address.host

    class Verified(ldap3.Tls):  # type: ignore[misc]  # ldap3 has no types
        """TLS by a context of the standard library."""

        def wrap_socket(self, connection: Any, do_handshake: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
            """Shake hands at once: nothing is sent before certificate and name have been verified."""
            plain = connection.socket.inner if isinstance(connection.socket, _MeteredSocket) else connection.socket
            plain.settimeout(_patience(access))
            connection.socket = context.wrap_socket(plain, server_hostname=name)

    return Verified()


class _MeteredSocket:
    """A socket that gives up when more comes, or later, than the user permits."""

    def __init__(self, inner: Any, most_octets: int, deadline: float) -> None:
        self.inner = inner
        self._most = most_octets
        self._octets_left = most_octets
        self._deadline = deadline

    def recv(self, size: int) -> bytes:
        """Return what has come.

        Raises:
            LimitReached: it is too much, or too late.
        """
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise LimitReached("reading takes too long; permit more by --time-limit, or read a nearer server")
        self.inner.settimeout(remaining)
        try:
            octets: bytes = self.inner.recv(size)
        except TimeoutError as error:
            raise LimitReached("the server fell silent; permit more by --time-limit, or read another one") from error
        self._octets_left -= len(octets)
        if self._octets_left < 0:
            raise LimitReached(f"the server sent more than {self._most} octets; permit more by --max-size")
        return octets

    def __getattr__(self, name: str) -> Any:
        """Do all else as the socket does."""
        return getattr(self.inner, name)


def refusal(code: int, description: str, message: str) -> str:
    """Return what a result code of LDAP means, what the server said, and what to do."""
    text = " ".join(message.split())[:160]
    quoted = f" ({text!a})" if text else ""
    return f"LDAP result {code}, {description}{quoted}; {REMEDIES.get(code, 'see the log of the server')}"


def _reason(error: Exception) -> str:
    code = getattr(error, "result", None)
    if isinstance(code, int):
        return refusal(code, str(getattr(error, "description", "")), str(getattr(error, "message", "") or ""))
    text = " ".join(str(error).split()).rpartition(" error: ")[2].strip("'\", ")  # ldap3 nests messages in tuples
    text = text[:300].encode("ascii", "backslashreplace").decode()
    if "CERTIFICATE_VERIFY_FAILED" in text:
        remedy = "give its authority by --ca, or the name in it by --server-name"
        return f"the server's certificate is not trusted: {text}; {remedy}"
    if "terminated" in text or "closed" in text:
        return "the server closed the connection before all was read; nothing was written, try again"
    return f"{text}; is the server up, and is this its address?"


PAGED_RESULTS: Final = "1.2.840.113556.1.4.319"
DOMAIN_SCOPE: Final = ("1.2.840.113556.1.4.1339", False, None)
"""Control that keeps Active Directory from answering with references to other domains."""
SUCCESS: Final = 0
CONFIGURATION, DOMAIN = "configurationNamingContext", "defaultNamingContext"
USN, SERVER = "highestCommittedUSN", "dnsHostName"


def read_ldap(target: str, access: DirectoryAccess) -> DirectoryReading:
    """Read a server without TLS, or with the TLS that it begins when asked; see ``read_ldaps``."""
    return _read(address_of("ldap", target), access)


def read_ldaps(target: str, access: DirectoryAccess) -> DirectoryReading:
    """Read a server over TLS.

    Raises:
        ConfigurationError: it cannot be reached, refuses, or breaks off; the message names server and remedy.
    """
    return _read(address_of("ldaps", target), access)


def _read(address: Address, access: DirectoryAccess) -> DirectoryReading:
    deadline = time.monotonic() + access.seconds
    of_domains = [search for search in access.searches if not search.container]
    with connected(address, access, deadline) as connection:
        server = _Server(address, access, connection)
        root = server.root()
        for search in access.searches:
            if search.container:
                server.read(search, f"{search.container},{root[CONFIGURATION]}")
        if not access.global_catalog:
            server.read_all(of_domains, root[DOMAIN])
        changed = server.root()[USN] != root[USN]
    entries, references = server.entries, server.references
    if access.global_catalog:
        with connected(address.global_catalog, access, deadline) as connection:
            catalogue = _Server(address.global_catalog, access, connection)
            catalogue.read_all(of_domains, "")
        entries, references = entries + catalogue.entries, references + catalogue.references
    return DirectoryReading(
        entries=tuple(entries),
        server=root[SERVER],
        highest_usn=int(root[USN]) if root[USN].isdecimal() else None,
        left_out=tuple(_left_out(references, changed=changed)),
    )


def _left_out(references: int, *, changed: bool) -> Iterator[str]:
    if references:
        yield f"{references} references to other servers were not followed; read a global catalogue"
    if changed:
        yield "the directory changed while it was read; read it again where something does not fit"


@dataclass
class _Server:
    """One server that is read; ``entries`` and ``references`` are what has come so far."""

    address: Address
    access: DirectoryAccess
    connection: Any

    def __post_init__(self) -> None:
        self.entries: list[RawEntry] = []
        self.references = 0

    def root(self) -> dict[str, str]:
        """Return what the server says of itself; what it leaves out is empty.

        Raises:
            ConfigurationError: it has no configuration partition.
        """
        names = [CONFIGURATION, DOMAIN, USN, SERVER]
        self.connection.search("", "(objectClass=*)", search_scope="BASE", attributes=names)
        values = next((dict(values) for _, values in _entries(self.connection.response)), {})
        root_entry = {name: b"".join(values.get(name, ())[:1]).decode("utf-8", "replace") for name in names}
        if not root_entry[CONFIGURATION]:
            raise ConfigurationError(
                f"{self.address}: the server names no configuration partition; it is not a domain controller of Active "
                "Directory"
            )
        return root_entry

    def read_all(self, searches: Iterable[DirectorySearch], base: str) -> None:
        """Read the objects of several classes below one base."""
        for search in searches:
            self.read(search, base)

    def read(self, search: DirectorySearch, base: str) -> None:
        """Read the objects of one class, page by page.

        ldap3 takes a search that was cut short by a limit, or referred elsewhere, for a success.

        Raises:
            ConfigurationError: the search ended with anything but success.
        """
        cookie: Any = None
        while True:
            self.connection.search(
                base,
                f"(objectClass={search.object_class})",
                dereference_aliases="NEVER",
                attributes=["objectClass", *search.attributes],
                controls=[DOMAIN_SCOPE],
                paged_size=self.access.page_size,
                paged_criticality=True,
                paged_cookie=cookie,
            )
            result = self.connection.result
            if result["result"] != SUCCESS:
                reason = refusal(result["result"], result["description"], result["message"])
                raise ConfigurationError(f"{self.address}: {base or 'the whole forest'}: {reason}")
            self.entries += _entries(self.connection.response)
            self.references += sum(entry["type"] == "searchResRef" for entry in self.connection.response)
            control = (result.get("controls") or {}).get(PAGED_RESULTS)
            cookie = control["value"]["cookie"] if control else None
            if not cookie:
                return


def _entries(response: Iterable[Any]) -> Iterator[RawEntry]:
    for entry in response:
        if entry["type"] == "searchResEntry":
            yield entry["dn"], {name: tuple(values) for name, values in entry["raw_attributes"].items() if values}


CONNECT_SECONDS: Final = 10.0

REMEDIES: Final = {
    1: "bind as a user of the domain: --bind NAME --password-file FILE",
    3: "the server's time limit is too short: read a nearer server, or less at once by --page-size",
    4: "the server's limit of objects is reached: use a smaller --page-size, or bind as a user with a higher limit",
    8: "the server wants TLS: use ldaps:// or --starttls",
    10: "the server refers to another one: name that one, or use --global-catalog",
    12: "the server does not know paging: it is not Active Directory",
    13: "the server wants TLS: use ldaps:// or --starttls",
    32: "the server has no such object: is it a domain controller?",
    49: "name or password is wrong: check --bind and --password-file",
    50: "this user may not read it: bind as another one",
    51: "the server is busy: try again",
    52: "the server is not available: try again, or another one",
    53: "the server is not willing: bind as a user of the domain, or use ldaps://",
}
"""What to do about each result code of LDAP (RFC 4511 A)."""
