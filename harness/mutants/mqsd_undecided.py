"""Discovery servers that do what no rule settles: a run on them ends inconclusive (MS-MQSD, ambiguity register)."""

from dataclasses import replace

from mqconform.harness.builtin.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.mutants.mqsd_list import written
from mqconform.harness.mutants.mutant import Mutant, heeding, reading, spoilt
from mqconform.harness.mutants.reply_parts import Asked, ReplyParts, little, units
from mqconform.reference.mqsd.server import Network


class BabblesAtMalformed(ReferenceDiscoveryServer):
    """Answers what is too short with a reply that is too short (register SD-18)."""

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Answer anything."""
        return [b"\0\2\0\0"] if len(datagram) < 52 else super().replies(network, datagram)


def _of_its_enterprise(asked: Asked) -> bool:
    return asked.request[4:20] == asked.server.enterprise


def _whatever_type(asked: Asked) -> bytes:
    return asked.request[:1] + b"\1" + asked.request[2:]


def _without_terminator(parts: ReplyParts) -> ReplyParts:
    return replace(parts, size=little(len(parts.array) - 2)) if parts.foreign else parts


def _flags_00(parts: ReplyParts) -> ReplyParts:
    if not parts.foreign:
        return parts
    return parts.with_array(units(written(parts.servers, lambda server: "00" + server.name)))


def _twice(parts: ReplyParts) -> ReplyParts:
    return parts.with_array(units(written(parts.servers * 2))) if parts.foreign else parts


def _nulls(parts: ReplyParts) -> ReplyParts:
    return parts.with_array(units(written(parts.servers, between="\0"))) if parts.foreign else parts


def _as_json_readers_do(parts: ReplyParts) -> ReplyParts:
    """Lose unpaired surrogates, as a reader of JSON may that knows whole characters only."""
    if not parts.foreign:
        return parts
    text = units(written(parts.servers)).decode("utf-16-le", "replace")
    return parts.with_array(text.encode("utf-16-le"))


UNDECIDED = (
    Mutant(
        "foreign-enterprise-unanswered", "Clients of another enterprise are not answered.", heeding(_of_its_enterprise)
    ),
    Mutant("any-type-answered", "Packets of any Type are taken for requests.", reading(_whatever_type)),
    Mutant(
        "terminator-not-counted", "The size leaves out the terminator, which is there.", spoilt(_without_terminator)
    ),
    Mutant("octets-behind", "Four octets follow the last field.", spoilt(lambda parts: replace(parts, behind=b"tail"))),
    Mutant("flags-always-00", "All servers are said to speak neither IP nor IPX.", spoilt(_flags_00)),
    Mutant("names-twice", "Each name is listed twice.", spoilt(_twice)),
    Mutant("nulls-between", "Nulls stand between the entries.", spoilt(_nulls)),
    Mutant("babbles-at-malformed", "Malformed datagrams are answered by malformed ones.", BabblesAtMalformed),
    Mutant(
        "unpaired-surrogates-lost",
        "Unpaired surrogates become U+FFFD, as JSON may make of them.",
        spoilt(_as_json_readers_do),
    ),
)
