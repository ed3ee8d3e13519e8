"""Where the parts of a topology reply lie, judged part by part even when other parts are wrong.

A reply with a wrong count should be convicted of its count and not of its array. Where the reply's own numbers do not
fit its length, the view therefore looks for the connected networks where a right reply has them.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.results import Span
from mqconform.harness.records.witness import Judgement
from mqconform.reference.mqsd.expected_reply import ExpectedReply
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.messages import REPLY, REQUEST, FieldRule

GUID = GUID_SIZE
FIXED = REPLY.size
CORRELATION_ID = REPLY["CorrelationID"].place
COUNT, MASK, SIZE = (
    REPLY[name] for name in ("ConnectedNetworkCount", "ConnectedNetworkMask", "DirectoryServiceServerSize")
)
REQUEST_ID = REQUEST["RequestID"].place
"""Of a request; the CorrelationID of its reply."""


def span(field: FieldRule) -> Span:
    """Return the octets of a field."""
    return Span(field.offset, field.size, field.name)


@dataclass(frozen=True, slots=True)
class ReplyView:
    """A reply taken apart beside what was expected (MS-MQSD 2.2.3).

    Attributes:
        entries: how many connected networks it really holds.
        networks_recognised: whether the expected ones are there, where they should be.
    """

    octets: bytes
    expected: ExpectedReply
    entries: int
    networks_recognised: bool = False

    @property
    def whole(self) -> bool:
        """Whether header and fixed fields are there."""
        return len(self.octets) >= FIXED

    @property
    def type(self) -> int | None:
        """Type, None where the reply is shorter than that."""
        return self.octets[1] if len(self.octets) > 1 else None

    @property
    def correlation_id(self) -> bytes:
        """CorrelationID as far as it is there."""
        return self.octets[CORRELATION_ID]

    @property
    def count(self) -> int:
        """ConnectedNetworkCount; meaningful where the reply is whole."""
        return COUNT.number(self.octets)

    @property
    def mask(self) -> int:
        """ConnectedNetworkMask; meaningful where the reply is whole."""
        return MASK.number(self.octets)

    @property
    def size(self) -> int:
        """DirectoryServiceServerSize; meaningful where the reply is whole."""
        return SIZE.number(self.octets)

    @property
    def networks(self) -> tuple[bytes, ...]:
        """The connected networks that it holds."""
        return guids(self.octets[FIXED : self.networks_end])

    @property
    def networks_end(self) -> int:
        """Octet behind the connected networks."""
        return FIXED + GUID * self.entries

    @property
    def responding_site(self) -> bytes:
        """RespondingSiteID as far as it is there, empty where nothing or just the array follows the networks."""
        return self.octets[self.networks_end : self.array_at]

    @property
    def array_at(self) -> int:
        """Octet at which the server array begins.

        Behind RespondingSiteID, unless what follows the networks is another identifier and just as long as the
        array is said to be: the server then left RespondingSiteID out.
        """
        behind = self.octets[self.networks_end :]
        left_out = behind[:GUID] != self.expected.responding_site_id and len(behind) == self.size > 0
        return self.networks_end if left_out else self.networks_end + GUID

    @property
    def array(self) -> bytes:
        """The server array: as long as the size says if a null ends it there, else all that is left."""
        rest = self.octets[self.array_at :]
        sized = rest[: self.size]
        ends_there = 2 <= self.size < len(rest) and self.size % 2 == 0 and sized[-2:] == b"\0\0"
        return sized if ends_there else rest

    @property
    def trailing(self) -> bytes:
        """Octets behind the array."""
        return self.octets[self.array_at + len(self.array) :]


ReplyCheck = Callable[[Judge, ReplyView], Judgement]
"""Judges one thing of one reply."""


def view(octets: bytes, expected: ExpectedReply) -> ReplyView:
    """Take a reply apart.

    Its count is believed where it fits size and length; else the connected networks are looked for where a right
    reply has them.
    """
    configured = len(expected.connected_networks)
    there = guids(octets[FIXED : FIXED + GUID * configured])
    recognised = Counter(there) == Counter(expected.connected_networks)
    if len(octets) == REPLY.length(octets):
        return ReplyView(octets, expected, COUNT.number(octets), recognised)
    return ReplyView(octets, expected, configured if recognised else _entries_by_length(octets), recognised)


def _entries_by_length(octets: bytes) -> int:
    """Return how many identifiers fit between the fixed part and what the size claims, else what the count says."""
    size, count = SIZE.number(octets), COUNT.number(octets)
    left = len(octets) - FIXED - (GUID + size if size else 0)
    if left >= 0 and left % GUID == 0:
        return left // GUID
    return max(0, min(count, (len(octets) - FIXED) // GUID))


def guids(octets: bytes) -> tuple[bytes, ...]:
    """Return the whole GUIDs in a run of octets."""
    return tuple(octets[at : at + GUID] for at in range(0, len(octets) - GUID + 1, GUID))


def hexes(values: Iterable[bytes]) -> str:
    """Return several runs of octets for a witness."""
    return ", ".join(value.hex() for value in values) or "none"
