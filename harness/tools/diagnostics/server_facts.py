"""The facts of a server reached by datagrams: asked once, drafted as a file, and held against a reply, field by field.

Nothing here convicts: what differs may be the server or the facts file, and the text says which field to look at.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.iut.drivers.discovery_server.requests import Draft, wrong_encoding
from mqconform.harness.iut.interface import ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.records.printable import visible
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.tools.packets.packet import dissect
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.guid import guid_from_text, guid_text
from mqconform.reference.mqsd.packets import decode_reply
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
                "ConnectedNetworkArray",
                f"has {_guid(octets)}, the facts have {', '.join(map(_guid, networks)) or 'none'}",
                from_facts=True,
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


UNKNOWN = "00000000-0000-0000-0000-000000000000"


def asked_once(iut: str, facts: interface.ServerFacts, reply_timeout: float) -> tuple[bytes, bytes]:
    """Return a request and the reply to it.

    Raises:
        ConfigurationError: no server that is reached by datagrams is named.
        Unreachable: no reply came.
    """
    refusal = ConfigurationError(f"{iut}: facts are for servers at udp:HOST:PORT")
    if not iut.startswith("udp:"):
        raise refusal
    opened = open_iut(iut, interface.AdapterOptions(reply_timeout=reply_timeout, facts=facts))
    try:
        if not isinstance(opened, interface.DatagramCarrier):
            raise refusal
        request = plain_request(facts, 0)
        got = opened.exchange((request,), plain_request(facts, 1), expected=1)
    finally:
        opened.close()
    if not got.replies:
        raise interface.Unreachable(
            f"{iut}: no reply within {reply_timeout:g} s; check that the server runs and listens there"
        )
    return request, got.replies[0].octets


def differing_lines(iut: str, facts: interface.ServerFacts, reply_timeout: float) -> Iterator[str]:
    """Ask a server once, and yield each field of its reply that is not as its facts have it; see ``asked_once``."""
    request, reply = asked_once(iut, facts, reply_timeout)
    for difference in differences(reply, request, facts):
        yield f"differs     {difference.field}: {difference.text}"


def warn_of_hidden_orders(facts: interface.ServerFacts, warn: Callable[[str], None]) -> None:
    """Name the GUIDs that cannot show whether a server swaps their octets."""
    for hidden in hidden_octet_orders(facts):
        warn(f"warning     {hidden} {SAME_IN_BOTH_ORDERS}")


def learned(iut: str, enterprise: str | None, asked: str, reply_timeout: float) -> interface.ServerFacts:
    """Ask a server once, by its enterprise or by one that is made up, and return the facts that fit its reply.

    Raises:
        ConfigurationError: the reply cannot be read, or no server by datagrams is named.
        Unreachable: no reply came.
    """
    try:
        _, reply = asked_once(iut, interface.ServerFacts(enterprise or asked, UNKNOWN, (UNKNOWN,), ()), reply_timeout)
    except interface.Unreachable as problem:
        if enterprise:
            raise
        raise interface.Unreachable(
            f"{problem}; it may answer only its own enterprise: give --enterprise GUID"
        ) from problem
    return facts_in(reply, enterprise or asked)


def facts_in(reply: bytes, enterprise: str) -> interface.ServerFacts:
    """Return what a reply to a client of another site says of its server (2.2.3).

    Raises:
        ConfigurationError: the reply breaks the message syntax, or leaves the site out; the message names the field.
    """
    try:
        decoded = decode_reply(reply)
    except MalformedPacket as bad:
        raise ConfigurationError(
            f"the reply cannot be read: octet {bad.offset}, {bad.field}: {bad.explanation}; "
            "write the facts by hand, and `mqconform smoke --check-facts` names each wrong field"
        ) from bad
    if decoded.responding_site_id is None:
        raise ConfigurationError(
            "the reply names no site and no directory servers, perhaps the server has none; "
            "write the facts by hand, see examples/facts.toml"
        )
    servers = tuple(
        interface.DirectoryServerFact(server.name, server.ip, server.ipx)
        for server in decoded.directory_service_server_array
    )
    networks = tuple(map(guid_text, decoded.connected_network_array))
    return interface.ServerFacts(enterprise, guid_text(decoded.responding_site_id), networks, servers)


def drafted(iut: str, out: Path, enterprise: UUID | None, reply_timeout: float) -> interface.ServerFacts:
    """Return the facts that fit the reply of a server, written to a new file.

    Raises:
        ConfigurationError: the file is there already or cannot be written, or the reply makes no facts.
    """
    facts = learned(iut, str(enterprise) if enterprise else None, str(uuid4()), reply_timeout)
    text = "".join(f"{line}\n" for line in facts_text(facts, asked=enterprise is None))
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as exists:
        raise ConfigurationError(f"--write-facts {out}: exists; name another file, or remove it") from exists
    except OSError as error:
        raise ConfigurationError(f"--write-facts {out}: {error.strerror}; name a file that can be written") from error
    return facts


def facts_text(facts: interface.ServerFacts, *, asked: bool) -> Iterator[str]:
    """Yield the lines of a facts file; ``asked`` where the enterprise is not known but what was asked with."""
    yield "# Drafted from one reply, and as right or wrong as that reply."
    yield "# Compare each value with the configuration of the server."
    head, *values = facts_lines(facts)
    yield head
    if asked:
        yield "# No reply contains the enterprise; the server answered a request with this one. Write its own here."
    yield from values


def facts_lines(facts: interface.ServerFacts) -> Iterator[str]:
    """Yield the lines of a facts file without what a draft has to say."""
    yield "[discovery_server]"
    yield f"enterprise = {json.dumps(facts.enterprise)}"
    yield f"site = {json.dumps(facts.site)}"
    yield f"connected_networks = {json.dumps(list(facts.connected_networks))}"
    yield "directory_servers = ["
    for server in facts.directory_servers:
        yield f"  {{ name = {_string(server.name)}, ip = {json.dumps(server.ip)}, ipx = {json.dumps(server.ipx)} }},"
    yield "]"


def _string(text: str) -> str:
    """Return a string of TOML, which knows no halves of characters.

    Raises:
        ConfigurationError: the name has one.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ConfigurationError(
            f"the reply names a server {text!a}, with half a surrogate pair, which a facts file cannot hold; "
            "configure another name"
        )
    return json.dumps(text).replace("\x7f", "\\u007f")
