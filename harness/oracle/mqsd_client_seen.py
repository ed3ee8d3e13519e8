"""What was seen of a discovery client, for expectations that a scenario writes out: effects with their times."""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mqconform.reference.mqsd.client import SECOND, Complete, Effect, Send
from mqconform.reference.mqsd.client.explain.observation import without_repetitions

REQUEST_LENGTH = 52
_FIXED = struct.Struct("<BBH16s16s16s")


@dataclass(frozen=True, slots=True)
class Timed:
    """One effect and when it was seen.

    Attributes:
        stimulus: number of the stimulus after which it was seen, counted from 0.
        at: nanoseconds since the client was configured.
    """

    effect: Effect
    stimulus: int
    at: int

    @property
    def seconds(self) -> str:
        """When it was seen, in words."""
        return f"at {self.at / SECOND:.1f} s"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a scenario writes out, and what was seen.

    Attributes:
        timed: whether a loaded machine can be why it is not met.
    """

    met: bool
    expected: str
    observed: str
    timed: bool = True


def essential(effects: Sequence[Timed]) -> list[Timed]:
    """Return the effects without requests that repeat the one under way, which the register leaves open (SD-08)."""
    kept: list[Timed] = []
    current: Send | None = None
    for one in effects:
        if not without_repetitions((one.effect,), current):
            continue
        kept.append(one)
        current = one.effect if isinstance(one.effect, Send) else None
    return kept


def requests(effects: Iterable[Timed]) -> list[tuple[Timed, Send]]:
    """Return the requests that were sent."""
    return [(one, one.effect) for one in effects if isinstance(one.effect, Send)]


def completions(effects: Iterable[Timed]) -> list[tuple[Timed, Complete]]:
    """Return the completions that were reported."""
    return [(one, one.effect) for one in effects if isinstance(one.effect, Complete)]


def told(effects: Iterable[Timed]) -> str:
    """Return effects in words."""
    return "; ".join(f"{one.seconds} {one.effect}" for one in effects) or "nothing"


def field_of(datagram: bytes, name: str) -> int | bytes | None:
    """Return a field of a request, read by its place in 2.2.2; None where the datagram ends before it does."""
    padded = datagram[:REQUEST_LENGTH]
    if len(padded) < REQUEST_LENGTH:
        return None
    version, kind, reserved, enterprise, request_id, site = _FIXED.unpack(padded)
    fields: dict[str, int | bytes] = {
        "Version": version,
        "Type": kind,
        "Reserved": reserved,
        "EnterpriseID": enterprise,
        "RequestID": request_id,
        "SiteID": site,
    }
    return fields[name]
