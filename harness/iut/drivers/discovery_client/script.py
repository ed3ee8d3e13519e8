"""What a scenario does to a discovery client: each stimulus with its sentence and its event, and whole scripts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.replies import FLAWS, OWN_SITE, ReplyDraft, guid_named
from mqconform.harness.iut.interface import Json
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.guid import Guid, guid_from_text, guid_text

TO_ANOTHER_REQUEST: Final = "to another request"
TO_ONE_ALIKE_AT_ITS_END: Final = "to another request with the same end of its id"
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
        """Return the sentence."""
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
        """Return the sentence."""
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
            case flaw if flaw == TO_ANOTHER_REQUEST:
                return self.draft.octets(now[:15] + bytes([now[15] ^ 1]))
            case flaw if flaw == TO_ONE_ALIKE_AT_ITS_END:
                return self.draft.octets(bytes([now[0] ^ 1]) + now[1:])
            case flaw if flaw == TO_THE_EVENT_BEFORE:
                return self.draft.octets(before)
        return FLAWS[self.flaw](self.draft.octets(now))

    def __str__(self) -> str:
        """Return the sentence."""
        site = "its own site" if self.draft.site == OWN_SITE else f"site {self.draft.site}"
        listing = f" listing {_listing_text(self.draft.listing)}" if self.draft.listing else ""
        return f"network {self.network} brings a reply from {site}{listing}" + (f"; {self.flaw}" if self.flaw else "")


@dataclass(frozen=True, slots=True)
class NetworksBecome:
    """The computer is connected to other networks from now on."""

    networks: tuple[client.NetworkAddress, ...]

    def __str__(self) -> str:
        """Return the sentence."""
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
