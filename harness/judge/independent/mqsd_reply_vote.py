"""A second vote on topology replies, from the fields that scapy reads and from the text alone (MS-MQSD 3.2.5.1).

It shares no code with the reference. Where a reply is ill-formed in a way that the ambiguity register may excuse, or
the configuration fits no reply, it leaves the verdict open: it can contradict, not judge.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from mqconform.harness.judge.independent.mqsd_messages import DecodedReply, DecodedRequest

Vote = Literal["allowed", "not allowed", "open"]
MOST_NETWORKS = 32


@dataclass(frozen=True, slots=True)
class Served:
    """What a discovery server is configured with; identifiers as the octets of a packet, names in UTF-16LE."""

    site: bytes
    networks: tuple[bytes, ...]
    names: tuple[bytes, ...]


def vote(served: Served, network: str, request: bytes, reply: bytes) -> Vote:
    """Judge a reply to a right request."""
    from mqconform.harness.judge.independent.mqsd_scapy import decode  # noqa: PLC0415 - scapy is an extra

    asked, answer = decode(request), decode(reply)
    fits = 1 <= len(served.networks) <= MOST_NETWORKS
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
