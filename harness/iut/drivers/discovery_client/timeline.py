"""What happened to a discovery client and what it did, for a person to read: a line for each, with its time."""

from collections.abc import Iterable
from typing import NamedTuple

from mqconform.harness.iut.drivers.discovery_client.stimuli import Stimulus, name_of, networks_text
from mqconform.reference.mqsd.client import SECOND, Complete, Effect, NetworkAddress, Send
from mqconform.reference.mqsd.specification import FACTS


class Told(NamedTuple):
    """One line."""

    at: int
    """Nanoseconds since the client was configured."""
    what: Stimulus | Effect


def timeline(networks: tuple[NetworkAddress, ...], told: Iterable[Told]) -> str:
    """Return the lines, those of the client's own deeds with an arrow."""
    lines = [f"    0.0 s  a client on networks {networks_text(networks)}"]
    for at, what in told:
        arrow = "  -> " if isinstance(what, Send | Complete) else ""
        lines.append(f"{at / SECOND:7.1f} s  {arrow}{_words(what)}")
    return "\n".join(lines)


def _words(what: Stimulus | Effect) -> str:
    if isinstance(what, Send):
        return f"request {what.datagram[FACTS.request_id].hex()[:8]} on network {name_of(what.network)}"
    return f"{what}"
