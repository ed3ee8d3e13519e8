"""What happens to a discovery client in a test, each with the sentence that a scenario says it in."""

import re
from dataclasses import dataclass
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.replies import FLAWS, OWN_SITE, ReplyDraft, guid_named
from mqconform.reference.mqsd.client import SECOND, NetworkAddress

TO_ANOTHER_REQUEST: Final = "to another request"
TO_THE_EVENT_BEFORE: Final = "to a request of the event before"
REMOTE_ACCESS: Final = " (remote access)"


@dataclass(frozen=True, slots=True)
class Starts:
    """A Get Directory Server List event (MS-MQSD 3.1.4.1)."""

    def __str__(self) -> str:
        """Return the sentence."""
        return "the client starts discovery"


@dataclass(frozen=True, slots=True)
class Passes:
    """Time passes; ``tenths`` of a second."""

    tenths: int

    @property
    def nanoseconds(self) -> int:
        """The same in the unit of the model."""
        return self.tenths * SECOND // 10

    def __str__(self) -> str:
        """Return the sentence."""
        return f"{self.tenths / 10:g} seconds pass"


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
            case flaw if flaw == TO_THE_EVENT_BEFORE:
                return self.draft.octets(before)
        return FLAWS[self.flaw](self.draft.octets(now))

    def __str__(self) -> str:
        """Return the sentence."""
        site = "its own site" if self.draft.site == OWN_SITE else f"site {self.draft.site}"
        listing = f" listing {', '.join(self.draft.listing)}" if self.draft.listing else ""
        return f"network {self.network} brings a reply from {site}{listing}" + (f"; {self.flaw}" if self.flaw else "")


@dataclass(frozen=True, slots=True)
class NetworksBecome:
    """The computer is connected to other networks from now on."""

    networks: tuple[NetworkAddress, ...]

    def __str__(self) -> str:
        """Return the sentence."""
        return f"the networks become {networks_text(self.networks)}"


Stimulus = Starts | Passes | Brings | NetworksBecome


def address_of(name: str) -> str:
    """Return the address of a network named in a scenario; 1, 11 and 101 differ in one place each."""
    digits = f"{name:0>3}"
    return f"10.{digits[1]}.{digits[2]}.{digits[0]}"


def name_of(address: str) -> str:
    """Return the name of a network for its address; the address where there is none."""
    found = re.fullmatch(r"10\.(\d)\.(\d)\.(\d)", address)
    return f"{int(found[3] + found[1] + found[2])}" if found else address


def networks_named(text: str) -> tuple[NetworkAddress, ...]:
    """Return the networks of ``1, 2 (remote access) and 3``; ``none`` has none."""
    names = [] if text == "none" else re.split(r", | and ", text)
    return tuple(
        NetworkAddress(address_of(name.removesuffix(REMOTE_ACCESS)), name.endswith(REMOTE_ACCESS)) for name in names
    )


def networks_text(networks: tuple[NetworkAddress, ...]) -> str:
    """Return networks as ``networks_named`` reads them."""
    return ", ".join(name_of(one.address) + REMOTE_ACCESS * one.remote_access for one in networks) or "none"
