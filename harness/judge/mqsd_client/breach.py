"""Which sentence a discovery client has broken: the one whose breach alone explains all that it was seen to do.

The model of the reference is let go by one other rule: it waits for another time, leaves out a step, takes a reply for
another, asks other networks, sends other octets. Where such a model explains all, the sentence against it is broken; of
several the scenario's own. Where none does, the first observation that is contradicted decides.
"""

import re
from collections.abc import Sequence
from typing import Final, Protocol

from mqconform.harness.judge.mqsd_client.breaches import LENGTHS, OCTETS, SILENCE, STEPS, WAITS, Breach, Repair
from mqconform.harness.suite.ambiguity import Register
from mqconform.reference.mqsd.client import EVERY_READING, PERMITTED, ClockAdvanced, Explanation, Observation
from mqconform.reference.mqsd.client.explain.hypothesis import Rules, Space
from mqconform.reference.mqsd.client.step import transition

_FIELD: Final = re.compile(r"effect \d+, ")
_OF_REPLIES: Final = re.compile(r"MQSD-3\.1\.(5\.2|7\.\d)-")
"""Requirements of which a rule of the model tells when it applies; where none did, none was broken."""
_OF_SERVERS: Final = ("MQSD-2.2.1-", "MQSD-2.2.3-", "MQSD-3.2.")
"""Requirements of entries about both roles that are none of a client's replies."""


class Explained(Protocol):
    """A client of which everything that was seen can be explained anew."""

    def explained_by(
        self, rules: tuple[Rules, ...], space: Space = PERMITTED, repair: Repair | None = None
    ) -> Explanation:
        """Return what a model with other rules or readings makes of it, or of what it was repaired to."""


def broken(
    client: Explained,
    explanation: Explanation,
    register: Register,
    tagged: Sequence[str],
    *,
    stays_silent: bool = False,
) -> tuple[str, ...]:
    """Return the requirements whose breach explains what was seen, empty where none does.

    Args:
        client: as seen.
        explanation: by the text, which is contradicted.
        register: says which requirements a reading is about that is refused.
        tagged: requirements of the scenario, which go before others that explain as much.
        stays_silent: whether the client did nothing more for as long as it was watched.
    """
    contradiction = explanation.contradiction
    assert contradiction is not None, "what can be explained breaks no sentence"
    of_fields = any(_FIELD.match(difference.what) for difference in contradiction.closest[0].differences)
    refused = client.explained_by((transition,), EVERY_READING).best
    if refused is not None:
        worst = max(refused.needed, key=lambda reading: reading.standing)
        # An entry may be about servers as well.
        of_clients = [
            requirement
            for requirement in register[worst.register].requirements
            if not requirement.startswith(_OF_SERVERS)
        ]
        return _concerned(of_clients or register[worst.register].requirements, tagged)
    played = explanation.applied.union(*(candidate.requirements for candidate in contradiction.closest))
    if of_fields:
        return _first_explaining(client, OCTETS, played, tagged)
    # This separates a client that is always silent there from one that is sometimes late.
    named = _first_explaining(client, SILENCE, played, tagged, always=True)
    for breaches in _tiers(contradiction.observation, stays_silent=stays_silent):
        named = named or _first_explaining(client, breaches, played, tagged, always=True)
        named = named or _first_explaining(client, breaches, played, tagged)
    return named


def _tiers(observation: Observation, *, stays_silent: bool) -> tuple[tuple[Breach, ...], ...]:
    if stays_silent:
        return SILENCE, WAITS, STEPS
    if not observation.effects and isinstance(observation.event, ClockAdvanced):
        return LENGTHS, SILENCE, WAITS, STEPS
    return LENGTHS, STEPS, SILENCE, WAITS


def _first_explaining(
    client: Explained,
    breaches: Sequence[Breach],
    played: frozenset[str],
    tagged: Sequence[str],
    *,
    always: bool = False,
) -> tuple[str, ...]:
    """Return what the first breach names that explains the client; those of the scenario go before.

    Args:
        client: as seen.
        breaches: are tried in order.
        played: rules that may have applied.
        tagged: requirements of the scenario.
        always: whether the client goes by a breach wherever it applies; else wherever it likes.
    """
    by_tag = sorted(breaches, key=lambda breach: not set(tagged).intersection(breach.requirements))
    for breach in by_tag:
        if all(_OF_REPLIES.match(requirement) for requirement in breach.requirements) and played.isdisjoint(
            breach.requirements
        ):
            continue
        explained = client.explained_by(breach.rules if always else (transition, *breach.rules), repair=breach.repair)
        if explained.holds:
            applied = [
                requirement
                for requirement in breach.requirements
                if requirement in explained.applied or not _OF_REPLIES.match(requirement)
            ]
            return _concerned(applied or breach.requirements, tagged)
    return ()


def _concerned(requirements: Sequence[str], tagged: Sequence[str]) -> tuple[str, ...]:
    """Return those of the scenario, or else the first."""
    return tuple(requirement for requirement in tagged if requirement in requirements) or tuple(requirements[:1])
