"""``ldap://HOST[:PORT]`` and ``ldaps://HOST[:PORT]``: Active Directory, read page by page.

ldap3 is pure Python. python-ldap is better kept but comes as source that needs OpenLDAP's headers; who has it can
replace this module by a plug-in, and ``ldif:`` reads what ldapsearch wrote.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from mqconform.adapters.directories.address import Address, address_of
from mqconform.adapters.directories.ldap_connection import connected, refusal
from mqconform.harness.iut.directory_interface import (
    ConfigurationError,
    DirectoryAccess,
    DirectoryReading,
    DirectorySearch,
    RawEntry,
)

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
