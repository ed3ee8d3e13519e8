"""Topology requests as a test sends them, and how a list of names is encoded that came back (MS-MQSD 2.2).

Both octet by octet and not through the reference codec, which would refuse most of what a test needs. Nothing is
judged here.
"""

import random
import struct
from dataclasses import dataclass, replace
from typing import Final

REQUEST_TYPE = 1


@dataclass(frozen=True, slots=True)
class Draft:
    """A request to be; GUIDs are sixteen octets in packet order."""

    enterprise: bytes
    request_id: bytes
    site: bytes
    version: int = 0
    type: int = REQUEST_TYPE
    reserved: int = 0
    tail: bytes = b""

    def octets(self) -> bytes:
        """Return the datagram."""
        header = struct.pack("<BBH", self.version, self.type, self.reserved)
        return header + self.enterprise + self.request_id + self.site + self.tail

    def plain(self) -> "Draft":
        """Return the same request without what a server has to ignore."""
        return replace(self, version=0, type=REQUEST_TYPE, reserved=0, tail=b"")


def fresh_guid(rng: random.Random) -> bytes:
    """Return sixteen octets that no other request of the run has."""
    return rng.randbytes(16)


def other_guid(rng: random.Random, than: bytes) -> bytes:
    """Return a GUID that is not ``than``."""
    guid = rng.randbytes(16)
    return guid if guid != than else bytes(octet ^ 0xFF for octet in guid)


def ipx_tail(count: int, numbers: int) -> bytes:
    """Return IPX fields that claim ``count`` network numbers and hold ``numbers``."""
    return struct.pack(f"<I{numbers}I", count, *range(1, numbers + 1))


DIGITS: Final = b"01"


def wrong_encoding(array: bytes) -> tuple[str, str] | None:
    """Return the codec of a list that is not in UTF-16, low octet first, and the mistake in words; None if it is."""
    first = array[:4]
    if len(first) < 4:
        return None
    if first[0] in DIGITS and first[1] in DIGITS:
        return "utf-8", "8-bit characters instead of UTF-16"
    if first[0] == 0 and first[1] in DIGITS:
        return "utf-16-be", "UTF-16 with the high octet first instead of the low one"
    if first[0] in DIGITS and first[1:] == bytes(3):
        return "utf-32-le", "characters of four octets instead of UTF-16"
    return None


def decoded_list(array: bytes) -> str:
    """Return a list in a wrong encoding as text and the mistake in words, empty for one in UTF-16, low octet first."""
    mistake = wrong_encoding(array)
    if mistake is None:
        return ""
    codec, text = mistake
    return f"'{plain_text(array.decode(codec, 'replace'))}' in {text}"


def plain_text(text: str) -> str:
    """Return text with each character that is not printable ASCII by its number."""
    return "".join(
        character if character.isascii() and character.isprintable() else f"<U+{ord(character):04X}>"
        for character in text
    )
