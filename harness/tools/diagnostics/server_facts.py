"""The facts of a discovery server that is reached by datagrams: asked once, drafted as a file, compared with one."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

from mqconform.harness.iut import interface
from mqconform.harness.iut.connect import open_iut
from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.tools.diagnostics.reply_check import (
    SAME_IN_BOTH_ORDERS,
    differences,
    hidden_octet_orders,
    plain_request,
)
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.packets import decode_reply

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
        yield f"  {{ name = {_string(server.name)}, ip = {_bool(server.ip)}, ipx = {_bool(server.ipx)} }},"
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


def _bool(value: bool) -> str:  # noqa: FBT001 - a value to be written
    return "true" if value else "false"
