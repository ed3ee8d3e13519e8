"""A second reading of MS-MQSD messages: the rules of 2.2 on raw octets, the fields, and a vote on topology replies.

Written from the specification alone, it shares no code with the reference, so that either can contradict the other.
GUIDs are the 16 octets of the packet, numbers are what the little-endian octets say, nothing is interpreted.
Only what makes octets a message is a rule here. Version, Reserved and ConnectedNetworkMask are free, because a
receiver ignores the first two and cannot see which network the third one belongs to.
"""

import re
import struct
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

ServerName: TypeAlias = tuple[int, int, bytes]
"""IP flag (0 or 1), IPX flag (0 or 1), name in UTF-16LE without its delimiter."""


@dataclass(frozen=True, slots=True)
class DecodedRequest:
    """A TopologyClientRequest with its header (MS-MQSD 2.2.1, 2.2.2)."""

    version: int
    reserved: int
    enterprise_id: bytes
    request_id: bytes
    site_id: bytes
    count: int | None = None
    """IPXNetworkCount; None in the IP form."""
    ipx_networks: tuple[int, ...] = ()
    type: int = 1
    kind: Literal["request"] = "request"


@dataclass(frozen=True, slots=True)
class DecodedReply:
    """A TopologyServerReply with its header (MS-MQSD 2.2.1, 2.2.3)."""

    version: int
    reserved: int
    correlation_id: bytes
    count: int
    """ConnectedNetworkCount."""
    mask: int
    """ConnectedNetworkMask, 32 bits."""
    size: int
    """DirectoryServiceServerSize, in octets, the terminator included."""
    networks: tuple[bytes, ...]
    site: bytes | None = None
    """RespondingSiteID; None where ``size`` is zero."""
    names: tuple[ServerName, ...] = ()
    type: int = 2
    kind: Literal["reply"] = "reply"


DecodedMessage: TypeAlias = DecodedRequest | DecodedReply
Vote = Literal["allowed", "not allowed", "open"]


@dataclass(frozen=True, slots=True)
class DecodeProblem:
    """Why octets are not a message of MS-MQSD 2.2."""

    offset: int
    """Octet of the packet at which the rule is broken; its length where something is missing at the end."""
    field: str
    """The specification's name of the field, or ``trailing octets``."""
    reason: str

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"octet {self.offset}, {self.field}: {self.reason}"


Layout = tuple[tuple[str, int], ...]
HEADER: Layout = (("Version", 1), ("Type", 1), ("Reserved", 2))
REQUEST: Layout = (*HEADER, ("EnterpriseID", 16), ("RequestID", 16), ("SiteID", 16))
REPLY: Layout = (
    *HEADER,
    ("CorrelationID", 16),
    ("ConnectedNetworkCount", 4),
    ("ConnectedNetworkMask", 4),
    ("DirectoryServiceServerSize", 4),
)
REQUEST_OCTETS = sum(size for _, size in REQUEST)
IPX_FORM_OCTETS = REQUEST_OCTETS + 8
"""Below this length a request has no IPX fields; what follows SiteID does not matter (3.2.5.1 step 1)."""

COUNTS = range(1, 33)
ARRAY = "DirectoryServiceServerArray"
FLAGS = re.compile("[01]{0,2}")
ENTRY = re.compile("[01][01][^,\0]+")
"""``IP IPX 1*NameChar`` with one character for each UTF-16 code unit."""


def syntax_problem(octets: bytes) -> DecodeProblem | None:
    """Return the first rule of 2.2 that a packet breaks, or None if it is a message."""
    cut = _cut_short(octets, HEADER)
    if cut is not None:
        return cut
    match octets[1]:
        case 1:
            return _request_problem(octets)
        case 2:
            return _reply_problem(octets)
        case other:
            return DecodeProblem(1, "Type", f"{other} is neither 1 (request) nor 2 (reply)")


def _request_problem(octets: bytes) -> DecodeProblem | None:
    if len(octets) < IPX_FORM_OCTETS:
        return _cut_short(octets, REQUEST)
    count = _number(octets, REQUEST_OCTETS)
    return _count_problem(count, REQUEST_OCTETS, "IPXNetworkCount") or _length_problem(
        octets, (*REQUEST, ("IPXNetworkCount", 4), ("IPXNetworkNumberArray", 4 * count))
    )


def _reply_problem(octets: bytes) -> DecodeProblem | None:
    cut = _cut_short(octets, REPLY)
    if cut is not None:
        return cut
    count, size = _number(octets, 20), _number(octets, 28)
    problem = _count_problem(count, 20, "ConnectedNetworkCount")
    if problem is None and size % 2:
        problem = DecodeProblem(28, "DirectoryServiceServerSize", f"{size} octets cannot be an array of Unicode")
    if problem is not None:
        return problem
    layout = (*REPLY, ("ConnectedNetworkArray", 16 * count))
    if size == 0:
        return _length_problem(octets, layout)
    problem = _length_problem(octets, (*layout, ("RespondingSiteID", 16), (ARRAY, size)))
    return problem or _array_problem(octets, len(octets) - size)


def _number(octets: bytes, offset: int) -> int:
    value: int = struct.unpack_from("<I", octets, offset)[0]
    return value


def _count_problem(count: int, offset: int, field: str) -> DecodeProblem | None:
    if count in COUNTS:
        return None
    return DecodeProblem(offset, field, f"{count} is not in the range 1 to 32")


def _length_problem(octets: bytes, layout: Layout) -> DecodeProblem | None:
    expected = sum(size for _, size in layout)
    surplus = len(octets) - expected
    if surplus > 0:
        return DecodeProblem(expected, "trailing octets", f"{surplus} more than the {expected} that the fields take")
    return _cut_short(octets, layout)


def _cut_short(octets: bytes, layout: Layout) -> DecodeProblem | None:
    """Name the field of ``layout`` in which the octets end, if there are too few."""
    left = len(octets)
    for field, size in layout:
        if left < size:
            return DecodeProblem(len(octets), field, f"the packet ends with {left} of the {size} octets of this field")
        left -= size
    return None


def _array_problem(octets: bytes, start: int) -> DecodeProblem | None:
    """Return where the server list that begins at octet ``start`` leaves the ABNF of 2.2.3."""
    text = _code_units(octets[start:])
    position = 0
    while True:
        entry = ENTRY.match(text, position)
        if entry is None:
            return _entry_problem(text, position, start)
        position = entry.end()
        if position == len(text):
            return DecodeProblem(len(octets), ARRAY, "the list ends without the null character 00 00")
        if text[position] == "\0":
            break
        position += 1
    surplus = len(text) - position - 1
    if surplus:
        return DecodeProblem(
            start + 2 * position + 2, ARRAY, f"{surplus} characters follow the null that ends the list"
        )
    return None


def _code_units(octets: bytes) -> str:
    """Return one character for each code unit: the grammar is about these, paired surrogates or not."""
    return "".join(map(chr, struct.unpack_from(f"<{len(octets) // 2}H", octets)))


def _entry_problem(text: str, position: int, start: int) -> DecodeProblem:
    """Say at which character the entry at ``position``, known to be wrong, goes wrong."""
    flags = FLAGS.match(text, position)
    read = len(flags.group()) if flags else 0
    missing = ("IP flag 0 or 1", "IPX flag 0 or 1", "name of at least one character")[read]
    return DecodeProblem(start + 2 * (position + read), ARRAY, f"an entry lacks its {missing} here")


def decode(octets: bytes) -> DecodedMessage | DecodeProblem:
    """Return the message in a datagram's payload, or the first rule of MS-MQSD 2.2 that it breaks; never raises."""
    problem = syntax_problem(octets)
    if problem is not None:
        return problem
    version, kind, reserved = struct.unpack_from("<BBH", octets)
    if kind == 1:
        enterprise, request, site = struct.unpack_from("16s16s16s", octets, 4)
        if len(octets) < IPX_FORM_OCTETS:
            return DecodedRequest(version, reserved, enterprise, request, site)
        count = _number(octets, REQUEST_OCTETS)
        addresses = struct.unpack_from(f"<{count}I", octets, 56)
        return DecodedRequest(version, reserved, enterprise, request, site, count, addresses)
    correlation_id, count, mask, size = struct.unpack_from("<16s3I", octets, 4)
    networks = struct.unpack_from("16s" * count, octets, 32)
    if size == 0:
        return DecodedReply(version, reserved, correlation_id, count, mask, size, networks)
    entries = _code_units(octets[-size:]).removesuffix("\0").split(",")
    names = tuple((int(entry[0]), int(entry[1]), entry[2:].encode("utf-16-le", "surrogatepass")) for entry in entries)
    site = octets[-size - 16 : -size]
    return DecodedReply(version, reserved, correlation_id, count, mask, size, networks, site, names)


@dataclass(frozen=True, slots=True)
class Served:
    """What a discovery server is configured with; identifiers as the octets of a packet, names in UTF-16LE."""

    site: bytes
    networks: tuple[bytes, ...]
    names: tuple[bytes, ...]


def vote(served: Served, network: str, request: bytes, reply: bytes) -> Vote:
    """Judge a reply to a right request (3.2.5.1).

    Where a reply is ill-formed in a way that the ambiguity register may excuse, or the configuration fits no reply, the
    verdict is left open: this can contradict, not judge.
    """
    asked, answer = decode(request), decode(reply)
    fits = len(served.networks) in COUNTS
    if not isinstance(asked, DecodedRequest) or not isinstance(answer, DecodedReply) or not fits:
        return "open"
    foreign = asked.site_id != served.site
    if foreign and not served.names:
        return "open"
    conditions = [
        answer.correlation_id == asked.request_id,
        Counter(answer.networks) == Counter(served.networks),
        answer.mask.bit_count() == (len(served.networks) if network == "ipx" else 0),
        answer.site == (served.site if foreign else None),
        {name for _, _, name in answer.names} == (set(served.names) if foreign else set()),
    ]
    return "allowed" if all(conditions) else "not allowed"
