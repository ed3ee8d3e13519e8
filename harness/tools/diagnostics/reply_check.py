"""Does a reply say what the facts say? Each field that does not, with the likeliest mistake.

Nothing here convicts: what differs may be the server or the facts file, and the text says which field to look at.
"""

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from mqconform.harness.iut.drivers.discovery_server.list_encoding import wrong_encoding
from mqconform.harness.iut.drivers.discovery_server.requests import Draft
from mqconform.harness.iut.interface import ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.packets.packet import dissect
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

STRANGE_SITE = bytes.fromhex("f61bc5dcadd44345873971568e8f9128")
"""SiteID of the example request of MS-MQSD section 4: that of a client of another site."""
REQUEST_IDS = (
    bytes.fromhex("03a191f23ce34faba930be3a33e432dd"),
    bytes.fromhex("03a191f23ce34faba930be3a33e432de"),
)
FACTS_SAY = "the facts make it"
REPLY_TYPE = 2
SAME_IN_BOTH_ORDERS = "is byte-order symmetric: byte-swap bugs cannot be detected; configure another GUID"
GUID = 16
NULL = b"\0\0"


class Difference(NamedTuple):
    """A field of a reply that is not as the facts and the text have it."""

    field: str
    text: str
    from_facts: bool = False
    """Whether it may as well be the facts that are wrong."""


def plain_request(facts: ServerFacts, number: int = 0) -> bytes:
    """Return a request of a client of another site, which asks for all that a server tells (2.2.2); 0 and 1 differ."""
    return Draft(guid_from_text(facts.enterprise), REQUEST_IDS[number], STRANGE_SITE).octets()


def differences(reply: bytes, request: bytes, facts: ServerFacts) -> list[Difference]:
    """Return what is wrong with a reply to a request over IP, in the order of its fields; empty for a right one."""
    if len(reply) < FACTS.reply_size:
        return [Difference("reply", f"has {len(reply)} octets; the fixed fields alone are {FACTS.reply_size}")]
    expected = expected_reply(model_of(facts), Network.IP, request)
    wrong = [*_fixed(reply, expected), *_networks(reply, expected), *_site_and_servers(reply, expected)]
    if not wrong:
        problems = dissect(reply, over_ip=True).problems
        wrong = [Difference(problem.field, f"octet {problem.offset}: {problem.explanation}") for problem in problems]
    return wrong


def hidden_octet_orders(facts: ServerFacts) -> list[str]:
    """Return the GUIDs of the facts that read the same in text order and in packet order: they show no wrong order."""
    named = {"enterprise": facts.enterprise, "site": facts.site}
    named |= {f"connected_networks[{at}]": network for at, network in enumerate(facts.connected_networks)}
    return [f"{name} {text}" for name, text in named.items() if UUID(text).bytes == UUID(text).bytes_le]


def _fixed(reply: bytes, expected: ExpectedReply) -> Iterator[Difference]:
    if reply[FACTS.type_offset] != REPLY_TYPE:
        yield Difference("Type", f"is {reply[FACTS.type_offset]}, a reply has {REPLY_TYPE}")
    if reply[FACTS.correlation_id] != expected.correlation_id:
        yield Difference("CorrelationID", "is not the RequestID of the request, octet by octet")
    yield from _number(reply, FACTS.connected_network_count, "ConnectedNetworkCount", len(expected.connected_networks))
    yield from _number(reply, FACTS.connected_network_mask, "ConnectedNetworkMask", 0, "over IP it is")


def _number(reply: bytes, place: slice, field: str, expected: int, why: str = FACTS_SAY) -> Iterator[Difference]:
    octets = reply[place]
    if int.from_bytes(octets, "little") == expected:
        return
    if int.from_bytes(octets, "big") == expected:
        yield Difference(field, f"is {octets.hex(' ')}: {expected} with its high octet first; the low octet goes first")
    else:
        yield Difference(field, f"is {int.from_bytes(octets, 'little')}, {why} {expected}", from_facts=why == FACTS_SAY)


def _networks(reply: bytes, expected: ExpectedReply) -> Iterator[Difference]:
    networks = expected.connected_networks
    end = FACTS.reply_size + GUID * len(networks)
    received = [reply[at : at + GUID] for at in range(FACTS.reply_size, min(end, len(reply)), GUID)]
    if sorted(received) == sorted(networks):
        return
    if sorted(map(_swapped, received)) == sorted(networks):
        yield Difference("ConnectedNetworkArray", _TEXT_ORDER)
        return
    for octets in received:
        if octets not in networks:
            yield Difference(
                "ConnectedNetworkArray", f"has {_guid(octets)}, the facts have {_guids(networks)}", from_facts=True
            )
    if len(received) < len(networks):
        yield Difference(
            "ConnectedNetworkArray", f"has {len(received)} networks, the facts have {len(networks)}", from_facts=True
        )


def _site_and_servers(reply: bytes, expected: ExpectedReply) -> Iterator[Difference]:
    at = FACTS.reply_size + GUID * len(expected.connected_networks)
    site, rest = expected.responding_site_id, reply[at:]
    if site is None or not expected.directory_servers:
        return  # what may follow then is a question of register entry SD-24; the run judges it
    if not rest:
        yield Difference("RespondingSiteID", "is missing, and so is the list of servers")
        return
    if rest[:GUID] != site:
        if _swapped(rest[:GUID]) == site:
            yield Difference("RespondingSiteID", _TEXT_ORDER)
        else:
            text = f"is {_guid(rest[:GUID])}, the facts have {guid_text(site)}"
            yield Difference("RespondingSiteID", text, from_facts=True)
    servers = rest[GUID:]
    yield from _number(
        reply, FACTS.directory_service_server_size, "DirectoryServiceServerSize", len(servers), "octets that follow are"
    )
    yield from _names(servers, expected)


def _names(octets: bytes, expected: ExpectedReply) -> Iterator[Difference]:
    field = "DirectoryServiceServerArray"
    expected_names = sorted(server.name for server in expected.directory_servers)
    if mistake := wrong_encoding(octets):
        yield Difference(field, f"begins with {octets[:4].hex(' ')}: {mistake[1]}")
    elif octets[-2:] != NULL:
        yield Difference(field, f"ends with {octets[-4:].hex(' ')}, without the null character 00 00")
    else:
        names = [entry[2:] for entry in octets[:-2].decode("utf-16-le", "replace").split(",")]
        if sorted(name.lower() for name in names) != sorted(name.lower() for name in expected_names):
            yield Difference(
                field, f"has {visible(', '.join(names))}; the facts have {', '.join(expected_names)}", from_facts=True
            )


_TEXT_ORDER = (
    "has its octets in the order of the text; in packets the first three groups of a GUID have their low octet first"
)


def _swapped(octets: bytes) -> bytes:
    return UUID(bytes=octets).bytes_le if len(octets) == GUID else octets


def _guid(octets: bytes) -> str:
    return str(UUID(bytes_le=octets)) if len(octets) == GUID else octets.hex(" ")


def _guids(several: tuple[bytes, ...]) -> str:
    return ", ".join(map(_guid, several)) or "none"
