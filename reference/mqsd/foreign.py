"""Datagrams on the ports of discovery that are none of MS-MQSD: other protocols of MSMQ, and what scanners send.

Octets in, text out. No requirement of MS-MQSD is held against such a datagram. Where a server may have sent it, only a
signature of another protocol counts: what else a server sends is its own.
"""

from typing import Final

PING_SIGNATURE: Final = b"HU"
"""0x5548 in octets 2 and 3 of a ping of MS-MQQB."""
PING_OCTETS: Final = 24
SESSION_SIGNATURE: Final = b"LIOR"
"""In octets 4 to 7 of a base header of MS-MQQB."""
REQUEST, REPLY = 1, 2
HEADER: Final = ((0, (0,)), (1, (REQUEST, REPLY)), (2, (0,)), (3, (0,)))
"""Places of the header, each with the octets that a message has there (MS-MQSD 2.2.1)."""
REQUEST_OCTETS: Final = 52


def foreign_packet(octets: bytes, *, to_server: bool) -> str:
    """Return what a datagram is that is none of MS-MQSD, empty for one that may be.

    Args:
        octets: its payload, or as much as was captured.
        to_server: whether it was sent to the port of a server.
    """
    if len(octets) == PING_OCTETS and octets[2:4] == PING_SIGNATURE:
        return "a ping between queue managers (MS-MQQB, UDP 3527)"
    if octets[4:8] == SESSION_SIGNATURE:
        return "a packet of a session between queue managers (MS-MQQB, TCP 1801)"
    return "no packet of MSMQ, such as scanners send" if to_server and _is_junk(octets) else ""


def _is_junk(octets: bytes) -> bool:
    """Tell whether neither header nor length is one that a client would send, even a faulty one.

    Type says which message a packet is, so that one of no known Type is a faulty message only while the rest of its
    header, or the length of a request, says that it is of the protocol at all.
    """
    if len(octets) == REQUEST_OCTETS:  # a faulty client sends a whole request with any header
        return False
    if not any(octets):
        return True
    strange = {place for place, expected in HEADER if place < len(octets) and octets[place] not in expected}
    no_message = 1 in strange or len(octets) < 2
    return bool(strange - {1}) and (no_message or (octets[1] == REQUEST and len(octets) < REQUEST_OCTETS))
