"""Readings of which some are still open: what is left of all combinations after some observations.

A client has some thirty ambiguous places, far too many for a list of combinations. So a rule that asks at an open
place is stopped, and runs again once for each choice that is left there; places at which no rule has asked stay whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Final, TypeVar

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqsd.client.readings import LITERAL, HeaderNotZero, LesserError, Readings
from mqconform.reference.mqsd.client.received_reply import HEADER_IRREGULARITIES, Irregularity

T = TypeVar("T")

Choices = tuple[Choice, ...]
"""What is left at a place, in the order of declaration."""
Space = Mapping[str, Choices]
"""The choices at each place; a place is a field of ``Readings``, or one kind of irregularity."""


class StillOpen(Exception):
    """A rule asked at a place where several choices are left."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


def _place(kind: Irregularity) -> str:
    return f"{'header_not_zero' if kind in HEADER_IRREGULARITIES else 'lesser_error'}: {kind}"


def space(worst: Standing) -> Space:
    """Return, for each place, the choices whose standing is ``worst`` or better."""
    irregular = {"header_not_zero", "lesser_error"}
    kinds = {field.name: type(getattr(LITERAL, field.name)) for field in fields(Readings)}
    places = {name: kind for name, kind in kinds.items() if name not in irregular}
    # A client may take exception to one irregularity and not to another.
    places |= {_place(kind): type(LITERAL.on_irregularity(kind)) for kind in Irregularity}
    return MappingProxyType(
        {name: tuple(choice for choice in kind if choice.reading.standing <= worst) for name, kind in places.items()}
    )


PERMITTED: Final = space(Standing.PERMITTED)
"""Every reading that the default profile passes."""
EVERY_READING: Final = space(Standing.REFUSED)
"""The refused ones as well, to give a violation a name."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """A set of combinations of readings: one of the choices left at each place, independently of each other."""

    space: Space = field(compare=False, repr=False)
    narrowed: tuple[tuple[str, Choices], ...] = ()
    """The places where fewer choices are left than there were, by name."""

    def left_at(self, place: str) -> Choices:
        """Return the choices left at a place."""
        for name, choices in self.narrowed:
            if name == place:
                return choices
        return self.space[place]

    def with_left_at(self, place: str, choices: Choices) -> "Combinations":
        """Return the same with these choices at a place, given in the order of declaration."""
        others = [entry for entry in self.narrowed if entry[0] != place]
        if len(choices) < len(self.space[place]):
            others.append((place, choices))
            others.sort(key=_name)
        return Combinations(self.space, tuple(others))

    def includes(self, readings: Readings) -> bool:
        """Return whether a client that follows ``readings`` throughout is among them."""
        return all(_choice_at(place, readings) in choices for place, choices in self.narrowed)


class OpenReadings(Readings):
    """Readings as a rule asks for them while some are open."""

    def __init__(self, combinations: Combinations) -> None:
        # Without fields of its own every field is looked up below.
        self.__dict__["_combinations"] = combinations

    def __getattr__(self, place: str) -> Choice:
        """Return the choice at a place that is a field.

        Raises:
            StillOpen: if several are left.
        """
        if place not in self.__dict__["_combinations"].space:
            raise AttributeError(place)
        return self._choice_at(place)

    def on_irregularity(self, kind: Irregularity) -> HeaderNotZero | LesserError:
        """Return what the client does with a reply that is irregular in that way.

        Raises:
            StillOpen: if both are possible.
        """
        choice = self._choice_at(_place(kind))
        assert isinstance(choice, HeaderNotZero | LesserError)
        return choice

    def _choice_at(self, place: str) -> Choice:
        combinations: Combinations = self.__dict__["_combinations"]
        choices = combinations.left_at(place)
        if len(choices) > 1:
            raise StillOpen(place)
        return choices[0]


def under_each(combinations: Combinations, run: Callable[[Readings], T]) -> Iterator[tuple[Combinations, T]]:
    """Yield what ``run`` returns under each choice that it asks for, with the combinations that lead to it."""
    try:
        outcome = run(OpenReadings(combinations))
    except StillOpen as asked:
        place = asked.place
    else:
        yield combinations, outcome
        return
    for choice in combinations.left_at(place):
        yield from under_each(combinations.with_left_at(place, (choice,)), run)


def joined(combinations: Iterable[Combinations]) -> tuple[Combinations, ...]:
    """Return the same combinations in fewer sets, by joining those that differ at one place only."""
    left = list(dict.fromkeys(combinations))
    count = 0
    while count != len(left):
        count = len(left)
        for place in sorted({name for combination in left for name, _ in combination.narrowed}):
            left = _joined_at(place, left)
    return tuple(left)


def _joined_at(place: str, combinations: list[Combinations]) -> list[Combinations]:
    alike: dict[Combinations, set[Choice]] = {}
    for combination in combinations:
        alike.setdefault(combination.with_left_at(place, combination.space[place]), set()).update(
            combination.left_at(place)
        )
    return [
        whole.with_left_at(place, tuple(choice for choice in whole.space[place] if choice in choices))
        for whole, choices in alike.items()
    ]


def _name(entry: tuple[str, Choices]) -> str:
    return entry[0]


def _choice_at(place: str, readings: Readings) -> Choice:
    choice: Choice = getattr(readings, place.partition(":")[0])
    return choice
