"""DirectoryServiceServerArray (MS-MQSD 2.2.3): names of directory servers and how to reach them."""

from collections.abc import Iterable
from dataclasses import dataclass

_NUL = "\x00"


@dataclass(frozen=True)
class DirectoryServer:
    """A directory server and the protocols that it speaks."""

    name: str
    ip: bool = True
    ipx: bool = False


def to_array(servers: Iterable[DirectoryServer]) -> bytes:
    """The entries in UTF-16, commas between them and one null at the end; nothing for no servers."""
    entries = [f"{server.ip:d}{server.ipx:d}{server.name}" for server in servers]
    # A name may be any 16-bit units: those that are no text by themselves pass as they are.
    return (",".join(entries) + _NUL).encode("utf-16-le", "surrogatepass") if entries else b""


def names_in(array: bytes) -> list[str]:
    """Populate DirectoryServerList, section 3.1.7.1: each item without its first two characters."""
    items = array.decode("utf-16-le", "surrogatepass").replace(_NUL, ",").split(",")
    # The null at the end leaves an item that is too short to lose two characters.
    return [item[2:] for item in items if len(item) > 2]
