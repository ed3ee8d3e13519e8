"""The interface between the harness and what reads directories: LDAP servers, LDIF files.

A reader is a function ``read(target, access) -> DirectoryReading`` registered in the entry point group
``mqconform.directories`` by the scheme of what it reads. Readers know this module and nothing else of the project.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from mqconform.harness.records.problem import ConfigurationError

__all__ = ["ConfigurationError", "DirectoryAccess", "DirectoryReading", "DirectorySearch", "RawEntry"]

RawEntry: TypeAlias = tuple[str, Mapping[str, tuple[bytes, ...]]]
"""A distinguished name, and the values of each attribute."""


@dataclass(frozen=True, slots=True)
class DirectorySearch:
    """Objects that are wanted.

    Attributes:
        object_class: their class.
        container: relative name of the container of the configuration partition, such as ``CN=Sites``; empty for
            the partitions of domains.
        attributes: what is wanted of each, besides ``objectClass``.
    """

    object_class: str
    container: str
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryAccess:
    """What the user set, and what is wanted.

    Attributes:
        searches: the objects to read.
        bind: name to bind as; empty to stay anonymous.
        password: for a simple bind; it is in no representation of this object.
        kerberos: bind with the Kerberos tickets of the user.
        ca: certificates to verify the server's with; those of the system without it.
        server_name: name that the server's certificate has to have; that in the address without it.
        starttls: whether to begin TLS on the port without.
        allow_cleartext: whether a password may travel without TLS.
        global_catalog: whether to read domains from the global catalogue, which has those of the whole forest.
        page_size: objects of one answer.
        seconds: how long the whole reading may take.
        most_octets: how much is read.
    """

    searches: tuple[DirectorySearch, ...] = ()
    bind: str = ""
    password: str = field(default="", repr=False)
    kerberos: bool = False
    ca: Path | None = None
    server_name: str = ""
    starttls: bool = False
    allow_cleartext: bool = False
    global_catalog: bool = False
    page_size: int = 500
    seconds: float = 300.0
    most_octets: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryReading:
    """What a reader gives.

    Attributes:
        entries: the objects, in any order; others than those that are wanted may be among them.
        server: name of the domain controller that answered, empty for a file.
        highest_usn: its highest committed update sequence number, None for a file.
        left_out: what could not be read, one sentence each.
    """

    entries: tuple[RawEntry, ...]
    server: str = ""
    highest_usn: int | None = None
    left_out: tuple[str, ...] = ()
