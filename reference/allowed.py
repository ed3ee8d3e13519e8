"""Sets of allowed outcomes, each with its derivation and with the readings of the specification that it needs.

Where the text lets an implementation choose, contradicts itself or is silent, the model answers with every outcome
instead of one. A ``Reading`` names the entry of the ambiguity register and the reading of it that an outcome rests
on; an outcome without readings follows from the text under every reading of the ambiguous places.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


def ids(specification: str, requirements: str) -> tuple[str, ...]:
    """Return requirements by their ids without the specification."""
    return tuple(f"{specification}-{word}" for word in requirements.split())


class Standing(IntEnum):
    """What an outcome that rests on a reading is worth, from best to worst."""

    TEXT = 0
    """The text says so or leaves the choice; no profile objects."""
    PERMITTED = 1
    """The register permits it although the text has another outcome or none."""
    REFUSED = 2
    """The register refuses it; kept where a lenient profile judges otherwise or the failure gets a name by it."""


@dataclass(frozen=True, slots=True, order=True)
class Reading:
    """One reading of one entry of the ambiguity register."""

    register: str
    """Id of the entry, such as ``BR-28``."""
    name: str
    """Id of the reading within the entry, such as ``any-member``."""
    standing: Standing

    def __str__(self) -> str:
        """Return ``BR-28/any-member``."""
        return f"{self.register}/{self.name}"


@dataclass(frozen=True, slots=True)
class Step:
    """One branch taken in one procedure."""

    procedure: str
    """Name that the specification gives it, such as ``GetNextHops``."""
    section: str
    branches: tuple[str, ...]
    """Requirement ids of the deciding lines that led here, such as ``MQBR-3.1.5.1-B05``."""
    note: str
    """What happened, in words."""

    def __str__(self) -> str:
        """Return one line of a derivation."""
        return f"{self.procedure} ({self.section}): {self.note}"


@dataclass(frozen=True, slots=True)
class Alternative(Generic[T]):
    """One allowed outcome."""

    outcome: T
    derivation: tuple[Step, ...]
    readings: frozenset[Reading] = frozenset()

    @property
    def standing(self) -> Standing:
        """The worst standing among the readings it needs."""
        return max((reading.standing for reading in self.readings), default=Standing.TEXT)

    @property
    def requirements(self) -> tuple[str, ...]:
        """Ids of the requirements along the derivation, each once, in order."""
        return tuple(dict.fromkeys(branch for step in self.derivation for branch in step.branches))


@dataclass(frozen=True, slots=True)
class Allowed(Generic[T]):
    """All outcomes that the specification with its register knows for one call."""

    alternatives: tuple[Alternative[T], ...]

    def __iter__(self) -> Iterator[Alternative[T]]:
        """Yield the alternatives, those that need the least from the register first."""
        return iter(sorted(self.alternatives, key=lambda alternative: alternative.standing))

    def outcomes(self, worst: Standing = Standing.PERMITTED) -> frozenset[T]:
        """Return the outcomes whose standing is ``worst`` or better; the outcomes have to be hashable."""
        return frozenset(alternative.outcome for alternative in self.alternatives if alternative.standing <= worst)

    @property
    def ambiguities(self) -> frozenset[str]:
        """Ids of the register entries that made the set plural."""
        return frozenset(reading.register for alternative in self.alternatives for reading in alternative.readings)

    @property
    def requirements(self) -> tuple[str, ...]:
        """Ids of the requirements along the derivations that need no more than the register's leave, each once."""
        derived = (alternative.requirements for alternative in self if alternative.standing <= Standing.PERMITTED)
        return tuple(dict.fromkeys(requirement for requirements in derived for requirement in requirements))

    def then(self, following: Callable[[T], "Allowed[U]"]) -> "Allowed[U]":
        """Return the outcomes of ``following`` applied to each outcome, derivations and readings joined."""
        joined: list[Alternative[U]] = []
        for first in self.alternatives:
            joined += [
                Alternative(second.outcome, first.derivation + second.derivation, first.readings | second.readings)
                for second in following(first.outcome).alternatives
            ]
        return Allowed(tuple(joined))

    def map(self, change: Callable[[T], U]) -> "Allowed[U]":
        """Return the same alternatives with changed outcomes."""
        return Allowed(
            tuple(
                Alternative(change(alternative.outcome), alternative.derivation, alternative.readings)
                for alternative in self.alternatives
            )
        )

    def after(self, *steps: Step) -> "Allowed[T]":
        """Return the same outcomes with steps in front of each derivation."""
        return Allowed(
            tuple(
                Alternative(alternative.outcome, steps + alternative.derivation, alternative.readings)
                for alternative in self.alternatives
            )
        )

    def under(self, *readings: Reading) -> "Allowed[T]":
        """Return the same outcomes, each resting on further readings."""
        return Allowed(
            tuple(
                Alternative(alternative.outcome, alternative.derivation, alternative.readings.union(readings))
                for alternative in self.alternatives
            )
        )


def settled(outcome: T, *derivation: Step, readings: Iterable[Reading] = ()) -> Allowed[T]:
    """Return the set that holds one outcome."""
    return Allowed((Alternative(outcome, derivation, frozenset(readings)),))


def any_of(sets: Iterable[Allowed[T]]) -> Allowed[T]:
    """Return the union of several sets; an alternative that occurs twice is kept once.

    Two alternatives are one if outcome and readings agree; the derivation met first is kept.
    """
    union: dict[tuple[T, frozenset[Reading]], Alternative[T]] = {}
    for allowed in sets:
        for alternative in allowed.alternatives:
            union.setdefault((alternative.outcome, alternative.readings), alternative)
    return Allowed(tuple(union.values()))


def choice(options: Iterable[tuple[Reading, Allowed[T]]]) -> Allowed[T]:
    """Return the outcomes of several readings of one place.

    An outcome rests on the reading under which it occurs, unless every other reading gives it too at no worse
    standing: then it does not matter which reading holds.
    """
    offered = tuple(options)
    if len(offered) == 1:
        return offered[0][1]
    assured = _assured([allowed for _, allowed in offered])
    return any_of(
        Allowed((alternative if _outweighs(alternative, assured) else _resting(alternative, reading),))
        for reading, allowed in offered
        for alternative in allowed.alternatives
    )


def one_of(outcomes: Iterable[T], reading: Reading, *derivation: Step) -> Allowed[T]:
    """Return the outcomes among which the text lets an implementation choose freely; at least one is needed."""
    return choice((reading, settled(outcome, *derivation)) for outcome in outcomes)


def _assured(sets: list[Allowed[T]]) -> dict[T, Standing]:
    """Return the outcomes that occur in each of the sets, with the standing that none of the sets falls short of."""
    assured = _best(sets[0])
    for allowed in sets[1:]:
        best = _best(allowed)
        assured = {outcome: max(assured[outcome], best[outcome]) for outcome in assured if outcome in best}
    return assured


def _best(allowed: Allowed[T]) -> dict[T, Standing]:
    best: dict[T, Standing] = {}
    for alternative in allowed.alternatives:
        best[alternative.outcome] = min(alternative.standing, best.get(alternative.outcome, alternative.standing))
    return best


def _outweighs(alternative: Alternative[T], assured: dict[T, Standing]) -> bool:
    return alternative.outcome in assured and assured[alternative.outcome] <= alternative.standing


def _resting(alternative: Alternative[T], reading: Reading) -> Alternative[T]:
    return Alternative(alternative.outcome, alternative.derivation, alternative.readings | {reading})


def vary(
    dimensions: tuple[tuple[Reading, ...], ...], outcome: Callable[[tuple[Reading, ...]], Allowed[T]]
) -> Allowed[T]:
    """Return the outcomes under every combination of one reading of each dimension, as ``choice`` joins them."""
    if not dimensions:
        return outcome(())
    first, rest = dimensions[0], dimensions[1:]

    def under(reading: Reading) -> Allowed[T]:
        return vary(rest, lambda chosen: outcome((reading, *chosen)))

    return choice((reading, under(reading)) for reading in first)
