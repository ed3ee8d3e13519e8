"""GUIDs: lower-case text everywhere in the program, 16 octets of MS-DTYP 2.3.4 in packets."""

import re
import uuid

_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def parse(text: str) -> str:
    """The GUID in lower case; ValueError where the text is none."""
    if not _TEXT.fullmatch(text):
        raise ValueError(f"not a GUID of the form 8-4-4-4-12: {text!r}")
    return text.lower()


def new() -> str:
    """A GUID that nobody else has."""
    return str(uuid.uuid4())


def to_octets(guid: str) -> bytes:
    """The 16 octets as they stand in a packet: the first three groups have their low octet first."""
    return uuid.UUID(guid).bytes_le


def from_octets(octets: bytes) -> str:
    """The GUID of 16 octets of a packet."""
    return str(uuid.UUID(bytes_le=octets))
