"""Which sentence a discovery client has broken: the one whose breach alone explains all that it was seen to do.

The model of the reference is let go by one other rule: it waits for another time, leaves out a step, takes a reply for
another, asks other networks, sends other octets. Where such a model explains all, the sentence against it is broken; of
several the scenario's own. Where none does, the first observation that is contradicted decides.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol

from mqconform.harness.judge.mqsd_client.breach_kinds import Repair
from mqconform.harness.judge.mqsd_client.breaches import LENGTHS, OCTETS, SILENCE, STEPS, WAITS
from mqconform.harness.suite.ambiguity import Register
from mqconform.reference.mqsd.client import (
    EVERY_READING,
    PERMITTED,
    ClockAdvanced,
    Explanation,
)
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.explain.open_readings import Space
from mqconform.reference.mqsd.client.step import transition

_FIELD: Final = re.compile(r"effect \d+, ")
_OF_REPLIES: Final = re.compile(r"MQSD-3\.1\.(5\.2|7\.\d)-")
"""Requirements of which a rule of the model tells when it applies; where none did, none was broken."""


class Explained(Protocol):
    """A client of which everything that was seen can be explained anew."""

    def explained_by(
        self, rules: tuple[Rules, ...], space: Space = PERMITTED, repair: Repair | None = None
    ) -> Explanation:
        """Return what a model with other rules or readings makes of it, or of what it was repaired to."""


def broken(client: Explained, explanation: Explanation, register: Register, tagged: Sequence[str]) -> tuple[str, ...]:
    """Return the requirements whose breach explains what was seen, empty where none does.

    Args:
        client: as seen.
        explanation: by the text, which is contradicted.
        register: says which requirements a reading is about that is refused.
        tagged: requirements of the scenario, which go before others that explain as much.
    """
    contradiction = explanation.contradiction
    assert contradiction is not None, "what can be explained breaks no sentence"
    of_fields = any(_FIELD.match(one.what) for one in contradiction.closest[0].differences)
    refused = client.explained_by((transition,), EVERY_READING).best
    if refused is not None:
        worst = max(refused.needed, key=lambda reading: reading.standing)
        # An entry may be about servers as well.
        of_clients = [one for one in register[worst.register].requirements if one.startswith("MQSD-3.1.")]
        return _concerned(of_clients or register[worst.register].requirements, tagged)
    played = explanation.applied.union(*(one.requirements for one in contradiction.closest))
    seen = contradiction.observation
    silent = not seen.effects and isinstance(seen.event, ClockAdvanced)
    tiers = (LENGTHS, SILENCE, WAITS, STEPS) if silent else (LENGTHS, STEPS, SILENCE, WAITS)
    for breaches in (OCTETS,) if of_fields else tiers:
        explaining: tuple[str, ...] = ()
        for breach in breaches:
            if all(_OF_REPLIES.match(one) for one in breach.requirements) and played.isdisjoint(breach.requirements):
                continue
            explained = client.explained_by((transition, *breach.rules), repair=breach.repair)
            if not explained.holds:
                continue
            applied = tuple(
                one for one in breach.requirements if one in explained.applied or not _OF_REPLIES.match(one)
            )
            named = _concerned(applied or breach.requirements, tagged)
            if named[0] in tagged:
                return named
            explaining = explaining or named
        if explaining:
            return explaining
    return ()


def _concerned(requirements: Sequence[str], tagged: Sequence[str]) -> tuple[str, ...]:
    """Return those of the scenario, or else the first."""
    return tuple(one for one in tagged if one in requirements) or tuple(requirements[:1])
