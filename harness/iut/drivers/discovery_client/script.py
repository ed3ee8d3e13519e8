"""What a scenario does to a discovery client: the replies it brings, each stimulus with its sentence, whole scripts.

Replies are right ones, and wrong ones made from right ones (MS-MQSD 2.2.3), built octet by octet and not through the
reference codec, which would refuse most of what a test needs. Nothing here calls a client.
"""

import re
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.guid import Guid, guid_from_text, guid_text

REPLY_TYPE: Final = 2
OWN_SITE: Final = "own"
"""Name of the client's own site, whose servers send no server list."""
_NETWORKS: Final = MappingProxyType({"single": 1, "triple": 3, "crowded": 32})
"""Sites that have not two networks; 32 is the most that a reply can carry."""
COUNT, MASK, SIZE = 20, 24, 28
"""Offsets of the three numbers of the fixed part."""

Flaw = Callable[[bytes], bytes]


def guid_named(name: str) -> bytes:
    """Return sixteen octets that stand for a name, the same in each run."""
    return sha256(f"discovery client: {name}".encode()).digest()[:16]


def networks_of(site: str) -> tuple[bytes, ...]:
    """Return the connected networks that the servers of a site have: most have two, those of ``alike`` two alike."""
    if site == "alike":
        first = guid_named(f"network 1 of {site}")
        return first, first[:-1] + bytes([first[-1] ^ 1])
    return tuple(guid_named(f"network {number} of {site}") for number in range(1, _NETWORKS.get(site, 2) + 1))


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """A right reply of a server to be.

    Attributes:
        site: name of the server's site.
        listing: flags and name of each listed server in one text, ``10alpha``; none from the own site.
    """

    site: str
    listing: tuple[str, ...] = ()

    def octets(self, correlation_id: bytes) -> bytes:
        """Return the datagram that answers a request."""
        networks = networks_of(self.site)
        array = f"{','.join(self.listing)}\0".encode("utf-16-le") if self.listing else b""
        head = struct.pack("<BBH", 0, REPLY_TYPE, 0) + correlation_id
        numbers = struct.pack("<III", len(networks), 0, len(array))
        site = guid_named(f"site {self.site}") if array else b""
        return head + numbers + b"".join(networks) + site + array


def _cut_to(length: int) -> Flaw:
    return lambda reply: reply[:length]


def _number(offset: int, change: Callable[[int], int]) -> Flaw:
    def flaw(reply: bytes) -> bytes:
        (number,) = struct.unpack_from("<I", reply, offset)
        return reply[:offset] + struct.pack("<I", change(number)) + reply[offset + 4 :]

    return flaw


def _octet(offset: int, value: int) -> Flaw:
    return lambda reply: reply[:offset] + bytes([value]) + reply[offset + 1 :]


def _swapped(number: int) -> int:
    return int.from_bytes(number.to_bytes(4, "little"), "big")


def _flags_of_first_name(flags: str) -> Flaw:
    def flaw(reply: bytes) -> bytes:
        (size,) = struct.unpack_from("<I", reply, SIZE)
        start = len(reply) - size
        return reply[:start] + flags.encode("utf-16-le") + reply[start + 4 :] if size else reply

    return flaw


def _with_nulls(reply: bytes) -> bytes:
    """Separate the names by nulls, as 3.1.7.1 has it beside commas."""
    (size,) = struct.unpack_from("<I", reply, SIZE)
    start = len(reply) - size
    return reply[:start] + reply[start:].decode("utf-16-le").replace(",", "\0").encode("utf-16-le")


GROSS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {
        "of no octet at all": _cut_to(0),
        "cut in the header": _cut_to(3),
        "cut in the correlation id": _cut_to(12),
        "cut in the fixed part": _cut_to(31),
        "cut behind the fixed part": _cut_to(32),
        "cut in the networks": _cut_to(40),
        "cut by one octet": lambda reply: reply[:-1],
        "with one network more than there are": _number(COUNT, lambda count: count + 1),
        "with 128 networks more than there are": _number(COUNT, lambda count: count + 0x80),
        "with the largest count of networks": _number(COUNT, lambda count: 0xFFFF_FFFF),  # noqa: ARG005 - fixed
        "with the count in big-endian order": _number(COUNT, _swapped),
        "with a size past its end": _number(SIZE, lambda size: size + 100),
        "with a size that is wrong in its highest octet": _number(SIZE, lambda size: size + 0x0100_0000),
        "with a count that wraps in 32 bits": _number(COUNT, lambda count: 0x1000_0000 + count),
        "with a size that wraps in 32 bits": _number(SIZE, lambda _: 0xFFFF_FFF8),
    }
)
"""Errors after which a datagram ends within a field or a counted array, for any reply (register SD-59)."""

FOREIGN_GROSS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {"with the size in big-endian order": _number(SIZE, _swapped)}
)
"""Gross errors of a reply that lists servers."""

LESSER: Final[Mapping[str, Flaw]] = MappingProxyType(
    {
        "with Version 1": _octet(0, 1),
        "with Reserved not zero": _octet(2, 1),
        "of Type 3": _octet(1, 3),
        "with a mask": _number(MASK, lambda mask: mask + 1),
        "followed by other octets": lambda reply: reply + b"more",
        "with flags that are no digits": _flags_of_first_name("xy"),
        "with nulls between the names": _with_nulls,
        "without a terminator": lambda reply: _number(SIZE, lambda size: size - 2)(reply[:-2]),
    }
)
"""Other departures from the syntax: what a client does with them the register leaves open (SD-11, SD-59)."""

OF_TYPE_1: Final = MappingProxyType({"of Type 1": _octet(1, 1)})
"""A packet that says of itself that it is a request (register SD-12)."""

FLAWS: Final[Mapping[str, Flaw]] = MappingProxyType({**GROSS, **FOREIGN_GROSS, **LESSER, **OF_TYPE_1})


TO_ANOTHER_REQUEST: Final = "to another request"
TO_ONE_ALIKE: Final[Mapping[str, Flaw]] = MappingProxyType(
    {
        TO_ANOTHER_REQUEST: lambda other: other[:15] + bytes([other[15] ^ 1]),
        "to another request with the same end of its id": lambda other: bytes([other[0] ^ 1]) + other[1:],
        "to another request with an id of another variant": (
            lambda other: other[:8] + bytes([other[8] ^ 0x80]) + other[9:]
        ),
        "to another request with the octets of its id turned round": lambda other: other[::-1],
    }
)
"""What replies are to: requests whose ids are those of the request but for what a careless comparison leaves out."""
TO_THE_EVENT_BEFORE: Final = "to a request of the event before"
REMOTE_ACCESS: Final = " (remote access)"
ENTERPRISE, SITE = Guid(guid_named("enterprise")), Guid(guid_named("site own"))
CLIENT: Final = (
    r"a client (?:of enterprise (?P<enterprise>[0-9a-f-]{36}) and site (?P<site>[0-9a-f-]{36}) )?"
    r"on networks? (?P<networks>.+)"
)
STARTS: Final = r"the client starts discovery(?: again)?"
PASSES: Final = r"(?P<seconds>\d+(?:\.\d)?) seconds pass(?P<at_once> at once)?"
BRINGS: Final = (
    r"network (?P<network>\d+) brings a reply from (?P<sender>its own site|site \w+)"
    r"(?: listing (?P<listing>[^;]+))?(?:; (?P<flaw>.+))?"
)
BECOME: Final = r"the networks become (?P<become>.+)"
STIMULUS: Final = f"(?:{STARTS}|{PASSES}|{BRINGS}|{BECOME})"


@dataclass(frozen=True, slots=True)
class Starts:
    """A Get Directory Server List event (MS-MQSD 3.1.4.1)."""

    def __str__(self) -> str:
        return "the client starts discovery"


@dataclass(frozen=True, slots=True)
class Passes:
    """Time passes; ``tenths`` of a second.

    Attributes:
        at_once: in one call and not in steps that show when a wait ends; for a virtual clock.
    """

    tenths: int
    at_once: bool = False

    @property
    def nanoseconds(self) -> int:
        """The same in the unit of the model."""
        return self.tenths * client.SECOND // 10

    def __str__(self) -> str:
        seconds = f"{self.tenths / 10:.1f}".removesuffix(".0")
        return f"{seconds} seconds pass{' at once' * self.at_once}"


@dataclass(frozen=True, slots=True)
class Brings:
    """A datagram arrives on a network.

    Attributes:
        flaw: what is wrong with it, empty for a right reply to the request under way.
    """

    network: str
    draft: ReplyDraft
    flaw: str = ""

    def datagram(self, request_ids: tuple[bytes, ...]) -> bytes:
        """Return the datagram, ``request_ids`` being those sent so far without repetition, in order."""
        now, before = [guid_named("no request"), *request_ids][-1], [guid_named("earlier"), *request_ids[:-1]][-1]
        match self.flaw:
            case "":
                return self.draft.octets(now)
            case flaw if flaw in TO_ONE_ALIKE:
                return self.draft.octets(TO_ONE_ALIKE[flaw](now))
            case flaw if flaw == TO_THE_EVENT_BEFORE:
                return self.draft.octets(before)
        return FLAWS[self.flaw](self.draft.octets(now))

    def __str__(self) -> str:
        site = "its own site" if self.draft.site == OWN_SITE else f"site {self.draft.site}"
        listing = f" listing {_listing_text(self.draft.listing)}" if self.draft.listing else ""
        return f"network {self.network} brings a reply from {site}{listing}" + (f"; {self.flaw}" if self.flaw else "")


@dataclass(frozen=True, slots=True)
class NetworksBecome:
    """The computer is connected to other networks from now on."""

    networks: tuple[client.NetworkAddress, ...]

    def __str__(self) -> str:
        return f"the networks become {networks_text(self.networks)}"


Stimulus = Starts | Passes | Brings | NetworksBecome


def event_of(stimulus: Stimulus, request_ids: tuple[bytes, ...]) -> client.Event:
    """Return the event that a stimulus is for a client; ``request_ids`` as in ``Brings.datagram``."""
    match stimulus:
        case Starts():
            return client.GetDirectoryServerList()
        case Brings():
            return client.DatagramReceived(address_of(stimulus.network), stimulus.datagram(request_ids))
        case NetworksBecome():
            return client.NetworksChanged(stimulus.networks)
        case Passes():
            return client.ClockAdvanced()


def address_of(name: str) -> str:
    """Return the address of a network named in a scenario.

    Those of 1, 11 and 101 differ in one place each; that of 2014 begins with that of 201.
    """
    digits = f"{name:0>3}"
    return f"10.{digits[1]}.{digits[2]}.{digits[0]}{digits[3:]}"


def name_of(address: str) -> str:
    """Return the name of a network for its address; the address where there is none."""
    match = re.fullmatch(r"10\.(\d)\.(\d)\.(\d)(\d*)", address)
    return f"{int(match[3] + match[1] + match[2] + match[4])}" if match else address


def networks_named(text: str) -> tuple[client.NetworkAddress, ...]:
    """Return the networks of ``1, 2 (remote access) and 3``; ``none`` has none."""
    names = [] if text == "none" else re.split(r", | and ", text)
    return tuple(
        client.NetworkAddress(address_of(name.removesuffix(REMOTE_ACCESS)), name.endswith(REMOTE_ACCESS))
        for name in names
    )


def networks_text(networks: tuple[client.NetworkAddress, ...]) -> str:
    """Return networks as ``networks_named`` reads them."""
    return ", ".join(name_of(network.address) + REMOTE_ACCESS * network.remote_access for network in networks) or "none"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a client is told about itself."""

    networks: tuple[client.NetworkAddress, ...]
    enterprise: Guid = ENTERPRISE
    site: Guid = SITE

    def params(self) -> Json:
        """Return the parameters of ``discovery_client.configure``."""
        ids = {"enterprise": guid_text(self.enterprise), "site": guid_text(self.site)}
        return {**ids, "networks": network_params(self.networks)}


@dataclass(frozen=True, slots=True)
class Script:
    """A client, and all that happens to it in one scenario."""

    configuration: Configuration
    stimuli: tuple[Stimulus, ...]


def network_params(networks: tuple[client.NetworkAddress, ...]) -> list[Json]:
    """Return networks as the protocol has them."""
    return [{"address": network.address, "remote_access": network.remote_access} for network in networks]


def configuration_from(sentence: str) -> Configuration | None:
    """Return the configuration that a sentence is about; None where it is about something else."""
    match = re.fullmatch(CLIENT, sentence)
    if match is None:
        return None
    networks = networks_named(match["networks"])
    if match["enterprise"] is None:
        return Configuration(networks)
    return Configuration(networks, guid_from_text(match["enterprise"]), guid_from_text(match["site"]))


def stimulus_from(sentence: str) -> Stimulus | None:
    """Return the stimulus that a sentence tells of; None where it tells of something else."""
    match = re.fullmatch(STIMULUS, sentence)
    if match is None:
        return None
    if match["seconds"]:
        return Passes(round(float(match["seconds"]) * 10), match["at_once"] is not None)
    if match["become"]:
        return NetworksBecome(networks_named(match["become"]))
    if not match["network"]:
        return Starts()
    site = OWN_SITE if match["sender"] == "its own site" else match["sender"].removeprefix("site ")
    entries = _listing_of(match["listing"]) if match["listing"] else ()
    return Brings(match["network"], ReplyDraft(site, entries), match["flaw"] or "")


def names_of(text: str) -> tuple[str, ...]:
    """Return the names of ``alpha, beta``, or as many of 50 characters as ``320 servers`` tells."""
    number = re.fullmatch(r"(\d+) servers", text)
    if number is None:
        return tuple(text.split(", "))
    return tuple(f"server{place}.department{place}.branch-office.example.com" for place in range(int(number[1])))


def _listing_of(text: str) -> tuple[str, ...]:
    names = names_of(text)
    return tuple(f"10{name}" for name in names) if re.fullmatch(r"\d+ servers", text) else names


def _listing_text(listing: tuple[str, ...]) -> str:
    servers = f"{len(listing)} servers"
    return servers if listing == _listing_of(servers) else ", ".join(listing)


def scripts_from(sentences: Iterable[str]) -> tuple[Script, ...]:
    """Return what the Givens and Whens of a scenario come to: a script for each client that they configure.

    A scenario has more than one where its own Given takes the place of its background's.
    """
    scripts: list[Script] = []
    for sentence in sentences:
        if (configuration := configuration_from(sentence)) is not None:
            scripts.append(Script(configuration, ()))
        elif (stimulus := stimulus_from(sentence)) is not None and scripts:
            scripts[-1] = Script(scripts[-1].configuration, (*scripts[-1].stimuli, stimulus))
    return tuple(scripts)
