"""The grammar of DirectoryServiceServerArray (MS-MQSD 2.2.3), rule by rule and octet by octet.

Only rules of that grammar live here, in its order and under its names. The alphabet is octets, low octet first, so
that a NameChar is any UTF-16 code unit but comma and null: the units 0x012C and 0x2C01 are names like any other.
ABNF names ignore case (RFC 5234 2.1), so "Endlist" in the first rule is EndList and no defect.
"""

import re
from collections.abc import Sequence
from typing import Final

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.directory_server import DirectoryServer, name_octets, name_text

FIELD: Final = "DirectoryServiceServerArray"

SUPPORTED: Final = b"\x31\x00"
NOT_SUPPORTED: Final = b"\x30\x00"
DELIM: Final = b"\x2c\x00"
END_LIST: Final = b"\x00\x00"

# Terminals and rules as patterns over octets.
IP: Final = rb"(\x31\x00|\x30\x00)"
IPX: Final = rb"(\x31\x00|\x30\x00)"
R1: Final = rb"[\x01-\x2b]"
R2: Final = rb"\x2c"
R3: Final = rb"[\x00-\xff]"
R4: Final = rb"[\x01-\xff]"
R5: Final = rb"[\x2d-\xff]"
R6: Final = rb"\x00"
X1: Final = R1 + R3
X2: Final = R2 + R4
X3: Final = R5 + R3
X4: Final = R6 + R4
NAME_CHAR: Final = b"(?:" + b"|".join((X1, X2, X3, X4)) + b")"
# Possessive: no NameChar begins as a Delim or an EndList does, so that nothing is ever given back.
NAME: Final = b"(" + NAME_CHAR + b"++)"
ENTRY: Final = IP + IPX + NAME

_entry = re.compile(ENTRY).match
_name = re.compile(NAME).fullmatch
_flag = re.compile(IP).match


def decode_server_array(octets: bytes, at: int) -> tuple[DirectoryServer, ...]:
    """DirectoryServiceServerArray = Entry 0*ContinuedEntry Endlist, from octet ``at`` to the end of ``octets``.

    Raises:
        MalformedPacket: with the offset in ``octets`` and the rule that does not match there.
    """
    server, at = decode_entry(octets, at)
    servers = [server]
    while octets.startswith(DELIM, at):  # ContinuedEntry = Delim Entry
        server, at = decode_entry(octets, at + len(DELIM))
        servers.append(server)
    decode_end_list(octets, at)
    return tuple(servers)


def decode_entry(octets: bytes, at: int) -> tuple[DirectoryServer, int]:
    """Entry = IP IPX 1*NameChar; return the server and the octet behind its name.

    Raises:
        MalformedPacket: naming IP, IPX or NameChar.
    """
    match = _entry(octets, at)
    if match is None:
        raise _no_entry(octets, at)
    ip, ipx, name = match.groups()
    return DirectoryServer(name_text(name), ip == SUPPORTED, ipx == SUPPORTED), match.end()


def decode_end_list(octets: bytes, at: int) -> None:
    """EndList = %x00.00, and nothing behind it.

    Raises:
        MalformedPacket: if the list does not end at ``at`` or octets follow.
    """
    if octets[at : at + 2] != END_LIST:
        raise violation(at, "EndList", f"the list must end with octets 00 00; found {shown(octets, at)}")
    behind = len(octets) - at - len(END_LIST)
    if behind:
        raise violation(at + len(END_LIST), "EndList", f"{behind} octets follow the end of the list")


def encode_server_array(servers: Sequence[DirectoryServer]) -> bytes:
    """DirectoryServiceServerArray = Entry 0*ContinuedEntry Endlist.

    Raises:
        UnencodablePacket: if there is no entry or a name that the grammar cannot carry.
    """
    if not servers:
        raise UnencodablePacket(
            FIELD, "2.2.3 ABNF DirectoryServiceServerArray", "the grammar asks for an entry at least"
        )
    return DELIM.join(map(encode_entry, servers)) + END_LIST


def encode_entry(server: DirectoryServer) -> bytes:
    """Entry = IP IPX 1*NameChar.

    Raises:
        UnencodablePacket: if the name is empty or contains a comma or a null.
    """
    name = name_octets(server.name)
    if _name(name) is None:
        explanation = f"the name {server.name[:40]!r} is empty or contains a comma (0x002C) or null (0x0000)"
        raise UnencodablePacket(FIELD, "2.2.3 ABNF NameChar", explanation)
    return encode_flag(supported=server.ip) + encode_flag(supported=server.ipx) + name


def encode_flag(*, supported: bool) -> bytes:
    """IP = Supported / NotSupported, and IPX likewise."""
    return SUPPORTED if supported else NOT_SUPPORTED


def violation(at: int, rule: str, explanation: str) -> MalformedPacket:
    """Return the error for octet ``at`` where ``rule`` of the grammar does not match."""
    return MalformedPacket(at, FIELD, f"2.2.3 ABNF {rule}", explanation)


def shown(octets: bytes, at: int) -> str:
    """Return the two octets at ``at``, or what there is of them, for an explanation."""
    return octets[at : at + 2].hex(" ") or "the end of the array"


def _no_entry(octets: bytes, at: int) -> MalformedPacket:
    for rule, start in (("IP", at), ("IPX", at + 2)):
        if _flag(octets, start) is None:
            explanation = f"must be character 1 (31 00) or 0 (30 00); found {shown(octets, start)}"
            return violation(start, rule, explanation)
    start = at + 4
    return violation(start, "NameChar", f"an entry needs a name; found {shown(octets, start)}")
