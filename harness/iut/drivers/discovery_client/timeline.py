"""What happened to a discovery client and what it did, for a person to read: a line for each, with its time."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mqconform.harness.iut.drivers.discovery_client.stimuli import Stimulus, name_of, networks_text
from mqconform.reference.mqsd.client import SECOND, Complete, Effect, NetworkAddress, Send
from mqconform.reference.mqsd.specification import FACTS


class Told(NamedTuple):
    """One line."""

    at: int
    """Nanoseconds since the client was configured."""
    what: Stimulus | Effect


def timeline(networks: tuple[NetworkAddress, ...], told: Sequence[Told]) -> str:
    """Return the lines, those of the client's own deeds with an arrow."""
    ids = dict.fromkeys(one.what.datagram[FACTS.request_id] for one in told if isinstance(one.what, Send))
    numbers = {request_id: number for number, request_id in enumerate(ids, start=1)}
    lines = [f"    0.0 s  a client on networks {networks_text(networks)}"]
    for at, what in told:
        arrow = "  -> " if isinstance(what, Send | Complete) else ""
        lines.append(f"{at / SECOND:7.1f} s  {arrow}{_words(what, numbers)}")
    return "\n".join(lines)


def _words(what: Stimulus | Effect, numbers: Mapping[bytes, int]) -> str:
    if isinstance(what, Send):
        # RequestIDs are another in each run, what a run says is not.
        number = numbers[what.datagram[FACTS.request_id]]
        return f"request with RequestID {number} on network {name_of(what.network)}"
    return f"{what}"
