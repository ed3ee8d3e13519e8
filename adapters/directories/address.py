"""Where a directory server is: ``ldaps://dc1.example.net:636``."""

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from mqconform.harness.iut.directory_interface import ConfigurationError

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
